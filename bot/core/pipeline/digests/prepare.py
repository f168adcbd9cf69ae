"""Compose due digests into the outbox: decide, write it down, send nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.core.dates import local_day
from bot.core.events import Event
from bot.core.house import House
from bot.core.pipeline.digests.composing import back, compose
from bot.core.pipeline.digests.deciding import Sorted, decide
from bot.core.pipeline.recovering import PERHAPS_SENT, waits_for_a_look
from bot.core.pipeline.silence import silence_of
from bot.model import DeliveryState, Destination, DestinationState, Page
from bot.store import GiveBack, Outcome, Told
from bot.text import plural
from bot.timetable import Cadence, next_due

PUT_OFF = timedelta(hours=1)  # what cannot be composed
TOGETHER = 5  # digests a transaction: others who write wait less than a tenth of a second


@dataclass(frozen=True, slots=True)
class Prepared:
    """What one round of composing did."""

    queued: int = 0
    empty: int = 0
    failed: int = 0
    more: bool = False


def prepare(house: House, limit: int = 200) -> Prepared:
    """Compose a digest for every destination whose moment has come, at most `limit` of them.

    Each is written whole or not at all: what it tells, what mutes kept back, and when it is next
    due.  One that cannot be composed is put off an hour with its reason and stands in nobody's way.
    """
    now = house.clock()
    if waits_for_a_look(house):
        return Prepared()
    due = house.store.people.due(now, limit)
    counts = Counter[str]()
    for start in range(0, len(due), TOGETHER):
        counts.update(_together(house, due[start : start + TOGETHER], now))
    return Prepared(
        counts[Outcome.QUEUED], counts[Outcome.EMPTY], counts[Outcome.FAILED], len(due) == limit
    )


def put_digest(
    house: House,
    destination: Destination,
    now: datetime,
    period: str,
    due_at: datetime | None = None,
    *,
    early: bool = False,
) -> str:
    """Decide, compose and queue one digest; "queued" or "empty".  Inside a transaction.

    `due_at` is the instant it was promised for, where that is not the destination's next one.
    An `early` one, asked for between two due dates, marks nothing as considered or withheld.
    News take over what still waits there unbegun: after a silence one digest comes, not many.
    After a restore the first holds what was perhaps sent before, and nothing else.
    """
    destination = replace(destination, next_due_at=due_at or destination.next_due_at)
    outbox = house.store.outbox
    held_until = destination.perhaps_sent if due_at is None else None
    chosen, awaited_since = _with_what_waits(house, destination, now, held_until)
    if early:
        chosen = Sorted(chosen.listener, chosen.told)
    for each in chosen.withheld:
        outbox.withhold(destination.id, each.wanted, each.why, now, to_be_said=each.to_be_said)
    if chosen.told:
        delivery = _queue(house, destination, chosen, now, period, awaited_since)
        if held_until:
            outbox.hold(PERHAPS_SENT, [delivery])
    if held_until:
        house.store.people.perhaps_sent(destination.id, None)
    if not early:
        outbox.considered(destination.id, chosen.highest)
    _leave_word(house, destination, chosen, now)
    return Outcome.QUEUED if chosen.told else Outcome.EMPTY


def _queue(
    house: House, destination: Destination, chosen: Sorted, now: datetime,
    period: str, due_at: datetime,
) -> int:  # fmt: skip
    """Compose a digest and put it in the outbox, with what it tells and what it speaks of."""
    outbox = house.store.outbox
    edition = outbox.next_edition(destination.id, period)
    key = f"d{destination.id}.{period.replace('-', '')}.{edition}"
    digest = compose(house, destination, chosen, key)
    pages = house.channels[destination.channel].render(digest)
    delivery = outbox.put(
        destination.id, key, pages, now, period=period, edition=edition,
        due_at=due_at, stale_at=now + house.wishes.stale_after,
        topics={match.topic_id for each in chosen.told for match in each.matches},
        told=_on_pages(chosen, pages),
    )  # fmt: skip
    if digest.asides:
        returned = back(house, destination, chosen.listener)
        outbox.said(destination.id, [each.topic.id for each in returned], delivery)
    return delivery


def _with_what_waits(
    house: House, destination: Destination, now: datetime, known_at: datetime | None
) -> tuple[Sorted, datetime]:
    """What is to be told, and since when its reader has waited for some of it.

    Where there is news, it takes over what still waits there unbegun.
    """
    chosen = decide(house, destination, now, known_at)
    waiting = house.store.outbox.unbegun(destination.id) if chosen.told else []
    for each in waiting:
        house.store.outbox.finish(each, DeliveryState.SKIPPED, "superseded", GiveBack.UNSENT)
    since = min((destination.next_due_at, *(each.due_at for each in waiting)))
    return decide(house, destination, now, known_at) if waiting else chosen, since


def _together(house: House, due: Sequence[Destination], now: datetime) -> list[str]:
    """Outcomes of some digests written in one go, since every write waits for the disk.

    Where that fails nothing of it was written or is heard of, and each is written by itself.
    """
    events: list[Event] = []
    unheard = replace(house, witness=events.append)
    try:
        with house.store.write():
            outcomes = [_prepare_one(unheard, each.id, now) for each in due]
    except Exception:  # whatever it is, it is met again where it belongs
        return [_alone(house, each, now) for each in due]
    for event in events:
        house.witness(event)
    return outcomes


def _alone(house: House, destination: Destination, now: datetime) -> str:
    try:
        with house.store.write():
            return _prepare_one(house, destination.id, now)
    except Exception as error:  # whatever it is, the others' digests go on
        return _put_off(house, destination, now, error)


def _prepare_one(house: House, destination_id: int, now: datetime) -> str:
    """Inside the transaction everything is read again: someone may have left a moment ago."""
    destination = house.store.people.destination(destination_id)
    if (
        destination is None
        or destination.state is DestinationState.OFF
        or destination.next_due_at > now
    ):
        return "gone"
    if destination.state is DestinationState.PAUSED:
        outcome = passed_by(house, destination, now)
    else:
        period = local_day(destination.next_due_at, destination.zone).isoformat()
        outcome = put_digest(house, destination, now, period)
        if (settled := destination.perhaps_sent) and destination.next_due_at > settled:
            fresh = replace(destination, perhaps_sent=None)  # off until lately: this one is due too
            outcome = put_digest(house, fresh, now, period)
    cadence = Cadence.parse(destination.cadence)
    house.store.people.schedule(destination.id, next_due(cadence, destination.zone, now))
    return outcome


def passed_by(house: House, destination: Destination, now: datetime) -> str:
    """Write down that a due date came to a paused digest, and why it was.  Inside a transaction."""
    why = destination.reason
    house.store.ledger.record("prepare", f"d{destination.id}", now, Outcome.PAUSED, why)
    return Outcome.PAUSED


def _put_off(house: House, destination: Destination, now: datetime, error: Exception) -> str:
    with house.store.write():
        house.store.people.schedule(destination.id, now + PUT_OFF)
        not_composed(house, "prepare", destination, now, error)
    return Outcome.FAILED


def not_composed(
    house: House, verb: str, destination: Destination, now: datetime, error: Exception
) -> str:
    """Record that a digest could not be composed; return why.  Inside a transaction."""
    reason = f"could not be composed: {error!r:.300}"
    house.store.ledger.record(verb, f"d{destination.id}", now, Outcome.FAILED, reason)
    house.tell("digest", Outcome.FAILED, destination=destination.id, papers=0, remark=reason,
               cadence=destination.cadence.partition(" ")[0])  # fmt: skip
    return reason


def uncomposed(house: House, now: datetime) -> str:
    """A sentence if digests keep failing to be composed, with why; else ""."""
    since = now - 2 * PUT_OFF
    ledger = house.store.ledger
    if Outcome.FAILED not in ledger.outcomes("prepare", since):
        return ""
    failed = {
        run.subject: run.reason
        for run in ledger.runs("prepare", outcomes=(Outcome.FAILED,))
        if run.at >= since and run == ledger.last("prepare", run.subject)
    }
    if not failed:
        return ""
    return (
        f"{plural(len(failed), 'digest')} {next(iter(failed.values()))}; tried again every hour, "
        "nothing is lost: please report it."
    )


def _leave_word(house: House, destination: Destination, chosen: Sorted, now: datetime) -> None:
    """Record what came of a due destination, and why if nothing did."""
    kept = len(chosen.withheld)
    passed = f"{plural(kept, 'paper')} passed while muted" if kept else ""
    if chosen.told:
        outcome, reason = Outcome.QUEUED, passed
    elif kept:
        outcome, reason = Outcome.MUTED, passed
    else:
        outcome, reason = Outcome.EMPTY, f"no new paper matched. {silence_of(house, now).sentence}"
    house.store.ledger.record(
        "prepare", f"d{destination.id}", now, outcome, reason, len(chosen.told)
    )
    house.tell(
        "digest", outcome, destination=destination.id, papers=len(chosen.told),
        cadence=destination.cadence.partition(" ")[0],
    )  # fmt: skip


def _on_pages(chosen: Sorted, pages: Sequence[Page]) -> list[Told]:
    at = {arxiv_id: n for n, page in enumerate(pages) for arxiv_id in page.papers}
    return [Told(each.paper.seq, at.get(each.paper.arxiv_id, 0)) for each in chosen.told]
