"""How the whole installation stands, for an operator: `status`, /healthz and alerts read it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.core.consent import UNCONFIRMED, may_still_ask
from bot.core.house import House
from bot.core.pipeline import line, setback
from bot.core.pipeline.digests.prepare import uncomposed
from bot.core.pipeline.papers import unmatched
from bot.core.pipeline.recovering import waits_for_a_look
from bot.core.pipeline.silence import silence_of
from bot.model import DeliveryState, Destination, DestinationState
from bot.sources import SourceFault
from bot.store import Outcome, Run, Stuck, Tally, Waiting
from bot.text import plural
from bot.timetable import Silence, is_known

LATE = timedelta(hours=1)

CALLED = {"arxiv": "arXiv's API", "rss": "arXiv's listing", "oai": "arXiv's OAI-PMH"}
"""The sources that are read every day, as people know them."""

_FOR_SOMEBODY = (SourceFault.BLOCKED, SourceFault.PERMANENT, Outcome.DEFERRED)
"""Outcomes of a look that do not pass by themselves."""

_RECOVERING = "Restored from a backup; digests wait for the first look at arXiv."
_OVERDUE = "{} over an hour late and not yet composed."
_ALL_REFUSED = "Nobody gets a digest: every destination is paused or off."
_HELD = "{} held; see paperround queue ls --held."


@dataclass(frozen=True, slots=True)
class Standing:
    """Facts, not words.  `last_poll` and the others are None before the first."""

    now: datetime
    last_poll: Run | None
    last_new: Run | None
    silence: Silence
    paused_until: datetime | None
    paused_why: str
    papers: int
    quarantined: int
    waiting: tuple[Waiting, ...]
    held: int
    failed: int
    next_due_at: datetime | None
    next_due_count: int
    overdue: int
    paused: tuple[Destination, ...]
    sources: tuple[Run, ...] = ()  # the latest look at each
    recovering: bool = False  # restored from a backup, and arXiv not read since
    decided: Mapping[str, int] = field(default_factory=dict)  # digests of the last day, by outcome
    stuck: tuple[Stuck, ...] = ()  # why deliveries are held or failed, the latest first
    places: Mapping[str, int] = field(default_factory=dict)  # destinations by state
    clock: str = ""  # that it was ahead, as long as this is worth a word
    line: str = ""  # that the one to Slack has been down for long
    uncomposed: str = ""  # that digests cannot be composed
    joins: str = ""  # that nobody can join by mail any more today
    zones: str = ""  # that digests come by zones that this machine does not know
    unmatched: tuple[str, ...] = ()  # papers and topics that wait since they could not be matched

    @property
    def all_refused(self) -> bool:
        """Whether nobody gets a digest, and somebody did until their mail was refused."""
        refused = [each for each in self.paused if each.reason != UNCONFIRMED]
        return bool(refused) and not self.places.get(DestinationState.ACTIVE.value)

    @property
    def troubles(self) -> tuple[str, ...]:
        """What somebody should look at, each in a sentence; () when all is well."""
        said = (
            "" if self.silence.expected else self.silence.sentence,
            self.clock,
            self.line,
            *self._sources_in_trouble(),
            _RECOVERING if self.recovering else "",
            *self._late_channels(),
            _counted(self.overdue, "digest is", "digests are", _OVERDUE),
            self.uncomposed,
            _ALL_REFUSED if self.all_refused else "",
            _counted(self.held, "delivery is", "deliveries are", _HELD),
            self.joins,
            self.zones,
            *self.unmatched,
        )
        return tuple(filter(None, said))

    def _sources_in_trouble(self) -> Iterator[str]:
        for run in self.sources:
            if run.outcome in _FOR_SOMEBODY:
                yield f"{CALLED[run.subject]}: {run.reason}"

    def _late_channels(self) -> Iterator[str]:
        for each in self.waiting:
            if self.now - each.oldest_due_at > LATE:
                count = plural(each.deliveries, "delivery waits", "deliveries wait")
                since = f"{each.oldest_due_at:%Y-%m-%d %H:%M} UTC"
                yield f"{each.channel}: {count} since {since}. {each.error}".strip()


def standing(house: House) -> Standing:
    """How everything stands now."""
    store, ledger, now = house.store, house.store.ledger, house.clock()
    paused = store.turns.paused("arxiv.org", house.real_clock().timestamp())
    coming = store.people.coming(now)
    states = _by_state(store.outbox.census())
    return Standing(
        now=now,
        last_poll=ledger.last("poll"),
        last_new=ledger.last("poll", outcomes=(Outcome.NEW,)),
        silence=silence_of(house, now),
        paused_until=datetime.fromtimestamp(paused.until, now.tzinfo) if paused else None,
        paused_why=paused.reason if paused else "",
        papers=store.papers.count(),
        quarantined=ledger.quarantined(),
        waiting=tuple(store.outbox.waiting(now)),
        held=states[DeliveryState.HELD],
        failed=states[DeliveryState.FAILED],
        next_due_at=coming[0].next_due_at if coming else None,
        next_due_count=sum(d.next_due_at == coming[0].next_due_at for d in coming),
        overdue=sum(d.next_due_at < now - LATE for d in store.people.due(now)),
        paused=tuple(d for d in store.people.silent() if d.state is DestinationState.PAUSED),
        sources=tuple(run for name in CALLED if (run := ledger.last("poll", name))),
        recovering=waits_for_a_look(house),
        decided=ledger.outcomes("prepare", now - timedelta(days=1)),
        stuck=tuple(store.outbox.stuck()),
        places=dict(_by_state(store.people.census())),
        clock=_clock(house, now),
        line=line.lost(house),
        uncomposed=uncomposed(house, now),
        joins=_joins(house, now),
        zones=_zones(house),
        unmatched=unmatched.owed(house),
    )


def _counted(count: int, one: str, many: str, sentence: str) -> str:
    return sentence.format(plural(count, one, many)) if count else ""


def _by_state(census: Iterable[Tally]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for each in census:
        counts[each.state] += each.count
    return counts


def _clock(house: House, now: datetime) -> str:
    """A sentence if the clock was ahead, until a day after the service has mended it."""
    if found := setback.ahead(house, now):
        return f"{setback.sentence(found)}; paperround run sets them back."
    mended = setback.lately(house, now)
    return f"{mended.reason}; they were set back, and arXiv is read again." if mended else ""


def _joins(house: House, now: datetime) -> str:
    if may_still_ask(house, now) > 0:
        return ""
    return (
        f"{house.wishes.joins_a_day} addresses were asked for a yes within a day, and no more are: "
        "whoever wants to join by mail can be added with paperround do --as email:ADDRESS."
    )


def _zones(house: House) -> str:
    unknown = [zone for zone in house.store.people.zones() if not is_known(zone)]
    if not unknown:
        return ""
    return (
        f"This machine does not know the time zone {', '.join(unknown)}, and UTC stands in for it: "
        "upgrade tzdata, or let those who use it choose another."
    )
