"""Who runs it hears of what has been wrong for long: once, and once more when it is well again.

    raised ─▶ easing ─▶ cleared        well for a while, then said to be so
       ▲         │
       └─────────┘                     it came back meanwhile: nothing is said

What was said stands in the ledger, so that a restart says nothing twice.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from bot.addresses import masked
from bot.app.rotation import OLD, newest_here
from bot.app.service.ballast import Ballast
from bot.app.wiring import Rooms
from bot.core.commands.digests.destinations import address_of
from bot.core.consent import ONLY_NOTICES
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import put_letter
from bot.core.pipeline.recovering import waits_for_a_look
from bot.core.pipeline.standing import LATE, Standing
from bot.model import Destination, DestinationState, Identity
from bot.sources import SourceFault
from bot.store import Outcome, Run, StoreError, Waiting
from bot.text import plural

log = logging.getLogger(__name__)

SILENT_MAILINGS = 2
A_DAY = timedelta(days=1)
CALM = timedelta(minutes=15)
"""So long it must be well before it is said to be: what comes and goes is told once."""

RAISED, EASING, CLEARED = Outcome.RAISED, Outcome.EASING, Outcome.CLEARED

NAMED = 10


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that somebody should look at; `key` is the same as long as it lasts."""

    key: str
    sentence: str


def concerns(rooms: Rooms, ballast: Ballast | None = None, unwritable: str = "") -> list[Concern]:
    """What is wrong now and has been for long enough.

    `unwritable` says that nothing could be written for long: nobody could hear of it before.
    """
    standing = rooms.core.standing()
    found = [
        *_source(standing),
        *_late(rooms.core.house, standing),
        *_paused(rooms, standing),
    ]
    if standing.held:
        count = plural(standing.held, "delivery waits", "deliveries wait")
        found.append(Concern("held", f"{count} for you: paperround queue ls --held"))
    said = {
        "database": unwritable,
        "unmatched": " ".join(standing.unmatched),
        "composing": standing.uncomposed,
        "joins": standing.joins,
        "zones": standing.zones,
        "line": standing.line,
        "clock": standing.clock,
    }
    found += [Concern(key, sentence) for key, sentence in said.items() if sentence]
    if ballast and ballast.is_low():
        found.append(Concern("disk", f"Nothing new is read: {ballast.why()}."))
    return [*found, *_backup(rooms, standing.now)]


class Turns(NamedTuple):
    """What has changed since the last look: `back` was easing, `over` has been well for long."""

    raised: list[Concern]
    back: list[Concern]
    easing: list[Concern]
    over: list[Concern]


def watch(
    rooms: Rooms, ballast: Ballast | None = None, unwritable: str = ""
) -> tuple[list[Concern], list[Concern]]:
    """Tell the operator what is new and what is over; return both."""
    house, now = rooms.core.house, rooms.core.house.clock()
    turns = _turns(house, {each.key: each for each in concerns(rooms, ballast, unwritable)}, now)
    if not any(turns):
        return [], []
    with house.store.write():
        for outcome, which in zip((RAISED, RAISED, EASING, CLEARED), turns, strict=True):
            for each in which:
                house.store.ledger.record("alert", each.key, now, outcome, each.sentence)
        if turns.raised or turns.over:
            _tell(rooms, turns.raised, turns.over, now)
    for each in turns.raised:
        log.error("needs somebody", extra={"facts": {"key": each.key, "sentence": each.sentence}})
    return turns.raised, turns.over


def _turns(house: House, wrong: Mapping[str, Concern], now: datetime) -> Turns:
    """What is wrong now against what was said."""
    latest = house.store.ledger.latest("alert")
    said = {key: run for key, run in latest.items() if run.outcome in (RAISED, EASING)}
    well = [run for key, run in said.items() if key not in wrong]
    return Turns(
        raised=[each for key, each in wrong.items() if key not in said],
        back=[wrong[key] for key, run in said.items() if key in wrong and run.outcome == EASING],
        easing=[_of(run) for run in well if run.outcome == RAISED],
        over=[_of(run) for run in well if run.outcome == EASING and now - run.at >= CALM],
    )


def _of(run: Run) -> Concern:
    return Concern(run.subject, run.reason)


# ------------------------------------------------------------------ what is wrong


def _source(now: Standing) -> list[Concern]:
    found, silence = [], now.silence
    if silence.missed >= SILENT_MAILINGS:
        why = f" The last look: {now.last_poll.outcome}" if now.last_poll else ""
        more = f", {now.last_poll.reason}" if now.last_poll and now.last_poll.reason else ""
        found.append(Concern("silence", f"{silence.sentence}{why}{more}."))
    if now.last_poll and now.last_poll.outcome == SourceFault.BLOCKED:
        found.append(Concern("blocked", now.last_poll.reason))
    return found


def _late(house: House, now: Standing) -> list[Concern]:
    found = []
    for each in now.waiting:
        age = now.now - each.oldest_due_at
        if age > LATE:
            found.append(Concern(f"late {each.channel}", _waits(each, now.now)))
        silent = each.last_sent_at is None or now.now - each.last_sent_at > A_DAY
        if age > A_DAY and silent:
            sentence = f"Nothing could be brought by {each.channel} for a day. {each.error}"
            found.append(Concern(f"failing {each.channel}", sentence.strip()))
    late = {concern.key for concern in found}
    found += [each for each in _given_up(house) if each.key not in late]
    if now.overdue and not waits_for_a_look(house):
        count = plural(now.overdue, "digest is", "digests are")
        found.append(Concern("late", f"{count} over an hour late and not yet composed."))
    return found


def _given_up(house: House) -> list[Concern]:
    """Deliveries that were given up: a concern until something arrives there again."""
    return [
        Concern(
            f"late {channel}",
            f"{channel}: {plural(digests, 'digest was', 'digests were')} given up; what surely "
            "did not arrive comes with the next.",
        )
        for channel, digests in house.store.outbox.given_up().items()
    ]


def _waits(each: Waiting, now: datetime) -> str:
    hours = (now - each.oldest_due_at).total_seconds() / 3600
    count = plural(each.deliveries, "delivery waits", "deliveries wait")
    return f"{each.channel}: {count}, the oldest for {hours:.0f} h. {each.error}".strip()


def _paused(rooms: Rooms, now: Standing) -> list[Concern]:
    """Destinations that a channel has refused for a day; those that people paused are theirs."""
    found = []
    for destination in now.paused:
        refusal = rooms.store.ledger.last("deliver", f"d{destination.id}")
        if refusal and now.now - refusal.at > A_DAY:
            sentence = f"{_named(destination)} is paused: {destination.reason}"
            found.append(Concern(f"paused d{destination.id}", sentence))
    return found


def _named(destination: Destination) -> str:
    address = destination.address
    shown = masked(address) if destination.channel == "email" else address
    return f"{destination.channel} {shown}"


def _backup(rooms: Rooms, now: datetime) -> list[Concern]:
    if not rooms.config.operator.backups:
        return []
    ledger = rooms.store.ledger
    last = ledger.last("backup", outcomes=(Outcome.FAILED, Outcome.DONE))
    good = ledger.last("backup", outcomes=(Outcome.DONE,))
    made = [at for at in (good.at if good else None, _newest_here(rooms, now)) if at]
    since = max(made, default=ledger.began("poll"))
    if since is None or now - since <= OLD:
        return []
    why = last.reason if last and last.outcome == Outcome.FAILED else "see paperround doctor"
    return [Concern("backup", f"No backup was made since {since:%Y-%m-%d %H:%M} UTC: {why}")]


def _newest_here(rooms: Rooms, now: datetime) -> datetime | None:
    """The newest backup by its file: a restored ledger does not know of later ones."""
    with suppress(StoreError):
        return newest_here(rooms.config.data, now)
    return None


# ------------------------------------------------------------------ telling


def _tell(rooms: Rooms, raised: Sequence[Concern], over: Sequence[Concern], now: datetime) -> None:
    if not rooms.config.operator.alert:
        return
    destination = operator(rooms, now)
    lines = _lines(raised, "") + _lines(over, "Well again: ")
    title = (
        f"Paperround: {plural(len(raised), 'thing needs', 'things need')} you"
        if raised
        else "Paperround: well again"
    )
    put_letter(rooms.core.house, destination, f"alert.{now:%Y%m%d%H%M%S}", title, lines, now)


def _lines(which: Sequence[Concern], lead: str) -> list[str]:
    lines = [f"{lead}{each.sentence}" for each in which[:NAMED]]
    more = len(which) - NAMED
    return [*lines, f"{lead}{more} more; see paperround status"] if more > 0 else lines


def operator(rooms: Rooms, now: datetime) -> Destination:
    """Where the operator is reached, who named the address and so confirmed it.

    Inside a transaction.
    """
    identity = Identity.parse(rooms.config.operator.alert)
    house, people = rooms.core.house, rooms.store.people
    channel, address = address_of(identity)
    subscriber = people.enrol(identity, "", now)
    return people.reach(
        Destination(
            id=0, subscriber_id=subscriber, channel=channel,
            address=address, cadence=house.wishes.cadence,
            zone=house.wishes.zone, next_due_at=now, state=DestinationState.OFF,
            reason=ONLY_NOTICES, confirmed_at=now,
        ),
        house.store.topics.last_number(),
    )  # fmt: skip
