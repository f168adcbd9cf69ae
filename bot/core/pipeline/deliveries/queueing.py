"""What an operator does with deliveries by hand.  Every deed leaves a ledger row."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.house import House
from bot.core.pipeline.deliveries.refusing import ENOUGH_LOST
from bot.core.pipeline.deliveries.verdicts import BY_HAND, CANCELLED, LET_GO, OPEN
from bot.model import Delivery, DeliveryState, Paper, Verdict
from bot.store import GiveBack, Outcome, QueueLine, Run

UNLESS = "unless it arrives"


@dataclass(frozen=True, slots=True)
class Decided:
    """How many deliveries are decided at once, and how many unless they arrive."""

    at_once: int = 0
    in_the_air: int = 0


def papers(house: House, delivery: Delivery) -> list[Paper]:
    """The papers a delivery tells of."""
    return house.store.papers.some(house.store.outbox.contents(delivery).papers)


def tries(house: House, line: QueueLine) -> list[Run]:
    """The refusals at its destination since it was made, oldest first."""
    subject = f"d{line.delivery.destination_id}"
    return house.store.ledger.around("deliver", subject, line.made_at, house.clock())


def retry(house: House, ids: Sequence[int] = ()) -> int:
    """Try deliveries at once (all that wait, if none is named); return how many.

    What perhaps arrived gets one attempt more.  One that failed gave its papers back, or does so
    now if they were in doubt, and perhaps they were told since: its destination is made due, so
    that a new digest is composed of what is still untold.
    """
    now, outbox = house.clock(), house.store.outbox
    with house.store.write():
        failed = [
            line.delivery
            for each in ids
            if (line := outbox.line(each)) and line.delivery.state is DeliveryState.FAILED
        ]
        for delivery in failed:
            outbox.finish(delivery, DeliveryState.FAILED, delivery.error, GiveBack.UNTOLD)
            house.store.people.schedule(delivery.destination_id, now)
        others = sorted(set(ids) - {delivery.id for delivery in failed})
        count = outbox.reopen(now, LET_GO, ENOUGH_LOST - 1, others) if others or not ids else 0
        _written(house, ids, Outcome.RETRIED)
    return count + len(failed)


def hold(house: House, ids: Sequence[int] = ()) -> Decided:
    """Keep deliveries back (all that wait or are being sent, if none is named)."""
    outbox = house.store.outbox
    with house.store.write():
        in_the_air = outbox.unless_it_arrives(Verdict.HELD, f"{BY_HAND} {UNLESS}", ids)
        decided = Decided(outbox.hold(BY_HAND, ids), in_the_air)
        _written(house, ids, Outcome.HELD)
    return decided


def cancel(house: House, ids: Sequence[int], *, give_back: bool) -> Decided:
    """Never send deliveries that wait or are held, and never repeat what is being sent.

    Their papers count as told, unless `give_back`: then they come with the next digest, those
    that perhaps arrived as well, since somebody has looked.
    """
    with house.store.write():
        known = [line for each in sorted(set(ids)) if (line := house.store.outbox.line(each))]
        open_ones = [line.delivery for line in known if line.delivery.state in OPEN]
        sending = [each for each in open_ones if each.state is DeliveryState.SENDING]
        for each in open_ones:
            _cancel(house, each, give_back=give_back)
        _written(house, ids, Outcome.CANCELLED)
    return Decided(len(open_ones) - len(sending), len(sending))


def _cancel(house: House, delivery: Delivery, *, give_back: bool) -> None:
    outbox = house.store.outbox
    if delivery.state is DeliveryState.SENDING:
        verdict = Verdict.GIVEN_BACK if give_back else Verdict.CANCELLED
        outbox.unless_it_arrives(verdict, f"{CANCELLED} {UNLESS}", [delivery.id])
    else:
        freed = GiveBack.UNTOLD if give_back else GiveBack.NONE
        outbox.finish(delivery, DeliveryState.SKIPPED, CANCELLED, freed)


def _written(house: House, ids: Sequence[int], outcome: Outcome) -> None:
    which = ", ".join(map(str, ids[:20])) or "all that waited"
    house.store.ledger.record("queue", "operator", house.clock(), outcome, which)
