"""`digest now`: what would come with the next digest, without waiting for it."""

from bot.core.commands.digests import destinations
from bot.core.commands.digests.muted import why_nothing
from bot.core.commands.digests.wording import other_times, state_line, where
from bot.core.commands.errand import NOTHING_FOLLOWED, Errand, Refused
from bot.core.dates import local_day
from bot.core.pipeline.digests.deciding import Sorted, decide
from bot.core.pipeline.digests.prepare import put_digest
from bot.core.pipeline.recovering import waits_for_a_look
from bot.core.pipeline.silence import silence_of
from bot.core.reply import Code, Line, Reply, line
from bot.model import Destination, DestinationState
from bot.text import plural


def at_once(errand: Errand, destination: Destination) -> Reply:
    """Send now what would come with the next digest; the next one comes on schedule."""
    if destination.state is not DestinationState.ACTIVE:
        return errand.refuse(state_line(destination), buttons=other_times(destination))
    house, period = errand.house, local_day(errand.now, destination.zone).isoformat()
    with house.store.write():
        if destination.perhaps_sent and waits_for_a_look(house):
            return errand.refuse(_RESTORED, *destinations.next_digest(errand))
        if destination.perhaps_sent:  # it is held; what came later is for this one
            put_digest(house, destination, errand.now, period)
        chosen = decide(house, destination, errand.now)
        if chosen.told:
            put_digest(house, destination, errand.now, period, errand.now, early=True)
    kept = _kept_back(chosen)
    if not chosen.told:
        return errand.reply(*_nothing(errand, destination, kept), *destinations.next_digest(errand))
    return errand.reply(
        line("A digest is on its way ", where(destination), "."),
        *kept,
        *destinations.next_digest(errand),
    )


def _nothing(errand: Errand, destination: Destination, kept: tuple[Line, ...]) -> tuple[Line, ...]:
    """Say that nothing has come, why, and what can be read meanwhile."""
    follows = errand.house.store.people.follows(errand.subscriber)
    if not follows:
        raise Refused(NOTHING_FOLLOWED)
    silence = silence_of(errand.house, errand.now).sentence
    return (
        line(f"Nothing new for you {'since the last one' if destination.last_sent_at else 'yet'}."),
        *(kept or why_nothing(errand)),
        line(f"{silence} The newest papers so far: ", Code(f"topic {follows[0].topic.name}"), "."),
    )  # fmt: skip


_RESTORED = line(
    "Not yet: Paperround was put back from a backup, and what would come now was perhaps sent "
    "before. The next look at arXiv sorts that out; ask again in an hour."
)


def _kept_back(chosen: Sorted) -> tuple[Line, ...]:
    """What is muted now: asking early neither brings it nor loses it."""
    count = len(chosen.withheld)
    if not count:
        return ()
    why = "; ".join(dict.fromkeys(each.why for each in chosen.withheld))
    return (line(f"{plural(count, 'paper')} {'is' if count == 1 else 'are'} kept back: {why}."),)
