"""When and where digests come: `digest …`, pause and resume."""

import re
from collections.abc import Sequence

from bot.core.commands.digests import destinations
from bot.core.commands.digests.muted import why_nothing
from bot.core.commands.errand import NOTHING_FOLLOWED, Errand, Refused, refused
from bot.core.commands.words.cadences import cadence_in, limit_in
from bot.core.commands.words.clauses import channel_in
from bot.core.consent import objection
from bot.core.conversations import conversation_of
from bot.core.dates import local_day
from bot.core.pipeline.digests.deciding import Sorted, decide
from bot.core.pipeline.digests.prepare import put_digest
from bot.core.pipeline.recovering import waits_for_a_look
from bot.core.pipeline.silence import silence_of
from bot.core.reply import Code, Instant, Line, Reply, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState
from bot.text import plural
from bot.timetable import Cadence, next_due

_PLEASE = re.compile(r"\s*(?:please|pls)?[.!]*$")


def digest(errand: Errand, text: str) -> Reply:
    """`digest daily 8:30`, `digest mon 9 by email`, `digest at most 20`, `digest now|off`."""
    text, channel = channel_in(text)
    destination = _destination(errand, channel)
    word = _PLEASE.sub("", text.strip().casefold())
    if not word:
        return errand.reply(state_line(destination), buttons=_other_times(destination))
    if word in ("off", "stop", "none", "never"):
        return off(errand, destination)
    if word in ("on", "resume"):
        return on(errand, destination)
    if word == "now":
        return at_once(errand, destination)
    return _change(errand, destination, text)


def at_once(errand: Errand, destination: Destination) -> Reply:
    """Send now what would come with the next digest; the next one comes on schedule."""
    if destination.state is not DestinationState.ACTIVE:
        return errand.refuse(state_line(destination), buttons=_other_times(destination))
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
        line("A digest is on its way ", _where(destination), "."),
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


def off(errand: Errand, destination: Destination) -> Reply:
    """No more digests there until someone turns them on."""
    turn_off(errand, destination)
    return errand.reply(
        line("Stopped. No more digests ", _where(destination), "."),
        buttons=undo_of([destination]),
        notice=errand.notice("stopped the digest here."),
    )


def turn_off(errand: Errand, destination: Destination) -> None:
    """As `off`, without a reply."""
    destinations.turn_off(errand, destination, "turned off", by=errand.actor.identity.kind)


def on(errand: Errand, destination: Destination) -> Reply:
    """Digests come again; what matched while it was turned off is not told later."""
    fresh = destinations.turn_on(errand, destination)
    return errand.reply(
        line("Digests come again ", _where(fresh), ", next ", _next(fresh), "."),
        *_late(errand, fresh),
        notice=errand.notice("turned the digest here on again."),
    )


def resume(errand: Errand, text: str) -> Reply:
    """Undo a pause or a stop whole: what matched meanwhile comes with the next digest.

    That one comes when it is next due, not for a date that has passed.  Without numbers,
    whatever is paused.
    """
    mine = _numbered(errand, text) if text else _paused(errand)
    with errand.house.store.write():
        for each in mine:
            destinations.turn_on(errand, each, whole=True)
    where = " and ".join(_where(each) for each in mine)
    return errand.reply(
        line(f"Digests come again {where}. Nothing was lost meanwhile."),
        *destinations.next_digest(errand),
    )


def state_line(destination: Destination) -> Line:
    """How a destination stands, in a line."""
    words = Cadence.parse(destination.cadence).words()
    if destination.state is DestinationState.ACTIVE:
        return line(
            "The digest comes ", Strong(words), f" ({destination.zone}) ", _where(destination),
            *_limited(destination), ", next ", _next(destination), ".",
        )  # fmt: skip
    return line("The digest ", _where(destination), f" is {standing_words(destination)}.")


def standing_words(destination: Destination) -> str:
    """Why none comes: "turned off", "paused: 550 no such user"."""
    if destination.state is DestinationState.OFF and destination.reason in ("", "turned off"):
        return "turned off"
    return f"{destination.state}: {destination.reason}" if destination.reason else destination.state


def _limited(destination: Destination) -> tuple[str, ...]:
    limit = _limit(destination)
    return (f", {limit}",) if limit else ()


def _limit(destination: Destination) -> str:
    """How many papers it shows at most, as it is read and typed; "" for all of them."""
    return f"at most {plural(destination.most, 'paper')}" if destination.most else ""


def _next(destination: Destination) -> Instant:
    return Instant(destination.next_due_at, clock=True, zone=destination.zone)


def _late(errand: Errand, destination: Destination) -> tuple[Line, ...]:
    """Say that an overdue digest is still to come; () if there is none."""
    return (line("That one is late, and still comes."),) if _is_late(errand, destination) else ()


def _is_late(errand: Errand, destination: Destination) -> bool:
    is_active = destination.state is DestinationState.ACTIVE
    return is_active and destination.next_due_at <= errand.now


def _change(errand: Errand, destination: Destination, text: str) -> Reply:
    text, most = limit_in(text)
    cadence, zone = cadence_in(text, destination)
    before = f"{destination.cadence} {_limit(destination) or 'no limit'} tz {destination.zone}"
    people = errand.house.store.people
    with errand.house.store.write():
        late = _is_late(errand, destination)
        due = destination.next_due_at if late else next_due(cadence, zone, errand.now)
        people.schedule(destination.id, due, cadence=str(cadence), zone=zone)
        if most is not None:
            people.show_at_most(destination.id, most)
        if zone != destination.zone:
            people.set_zone(destination.subscriber_id, zone)
    fresh = destinations.again(errand, destination)
    return errand.reply(
        *_changed(fresh),
        *_late(errand, fresh),
        buttons=(
            *_turn_on(fresh),
            Action("Undo", f"digest {before}{_by_words(destination)}"),
        ),
        notice=errand.notice(
            f"set the digest here to {cadence.words()} ({zone})", *_limited(fresh), "."
        ),
    )


def _changed(destination: Destination) -> tuple[Line, ...]:
    """What a new schedule leads to; nothing where it does not come at all."""
    if destination.state is DestinationState.ACTIVE:
        return (state_line(destination),)
    words = Cadence.parse(destination.cadence).words()
    changed = line(
        "Changed to ", Strong(words), f" ({destination.zone})", *_limited(destination), "."
    )
    return changed, state_line(destination)


def undo_of(stopped: Sequence[Destination]) -> tuple[Action, ...]:
    """Turn them on again; what was never confirmed was never on."""
    ids = " ".join(str(each.id) for each in stopped if not each.unconfirmed)
    return (Action("Undo", f"resume {ids}"),) if ids else ()


def _destination(errand: Errand, channel: str) -> Destination:
    own = destinations.own(errand)
    if not channel or (own and own.channel == channel):
        return destinations.reached(errand)
    found = [d for d in destinations.every(errand) if d.channel == channel]
    if not found:
        hint = "email a@b.org" if channel == "email" else "digest"
        raise refused(f"You have no digest by {channel}; make one with ", Code(hint), ".")
    return found[0]


def _numbered(errand: Errand, text: str) -> list[Destination]:
    found = [each for each in destinations.every(errand) if str(each.id) in text.split()]
    if not found:
        raise refused("There is nothing to resume here.", status=404)
    return found


def _paused(errand: Errand) -> list[Destination]:
    """What is paused and may go on; what may not, where that is all.  Raises Refused for none."""
    paused = destinations.paused(errand)
    if not paused:
        raise _nothing_paused(errand)
    may = [d for d in paused if errand.actor.operator or not objection(errand.house, d)]
    return may or paused


def _nothing_paused(errand: Errand) -> Refused:
    """Say that nothing is paused, and how to turn on what is off."""
    every = destinations.every(errand)
    off = [d for d in every if d.state is DestinationState.OFF and not d.unconfirmed]
    if not off:
        return refused("Nothing is paused here; nothing changed.", status=200)
    where = " and ".join(_where(each) for each in off)
    ways = tuple(dict.fromkeys(way for each in off for way in _turn_on(each)))
    return refused(
        f"Nothing is paused here, but the digest {where} is turned off. To have it again: ",
        Code(ways[0].command), buttons=ways, status=200,
    )  # fmt: skip


def _by_words(destination: Destination) -> str:
    return f" by {destination.channel}" if destination.channel == "email" else ""


def _where(destination: Destination) -> str:
    if destination.channel == "email":
        return f"to {destination.address}"
    return "in this conversation" if conversation_of(destination) else "here"


def _other_times(destination: Destination) -> tuple[Action, ...]:
    if destination.state is not DestinationState.ACTIVE:
        return _turn_on(destination)
    weekly, by = destination.cadence.startswith("weekly"), _by_words(destination)
    label, other = ("Daily instead", "daily") if weekly else ("Weekly", "weekly")
    return (Action(label, f"digest {other}{by}"), Action("Stop", f"digest off{by}"))


def _turn_on(destination: Destination) -> tuple[Action, ...]:
    """Buttons that turn on what may come but does not; unconfirmed addresses are asked by mail."""
    if destination.state is DestinationState.ACTIVE or destination.unconfirmed:
        return ()
    return (Action("Turn on", f"digest on{_by_words(destination)}"),)
