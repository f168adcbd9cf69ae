"""What an operator does with deliveries by hand.  Every deed leaves a ledger row."""

from collections.abc import Sequence

from bot.core.house import House
from bot.model import Delivery, DeliveryState, Paper
from bot.store import GiveBack, Outcome, QueueLine, Run

BY_HAND = "held by the operator"
CANCELLED = "cancelled by the operator"


def papers(house: House, delivery: Delivery) -> list[Paper]:
    """The papers a delivery tells of."""
    return house.store.papers.some(house.store.outbox.contents(delivery)[1])


def tries(house: House, line: QueueLine) -> list[Run]:
    """The refusals at its destination since it was made, oldest first."""
    subject = f"d{line.delivery.destination_id}"
    return house.store.ledger.around("deliver", subject, line.made_at, house.clock())


def retry(house: House, ids: Sequence[int] = ()) -> int:
    """Try deliveries at once, all that wait where none is named; return how many.

    One that failed gave its papers back, and perhaps they were told since: its destination is
    made due, so that a new digest is composed of what is still untold.
    """
    now, outbox = house.clock(), house.store.outbox
    with house.store.write():
        failed = [
            line.delivery
            for each in ids
            if (line := outbox.line(each)) and line.delivery.state is DeliveryState.FAILED
        ]
        for delivery in failed:
            house.store.people.schedule(delivery.destination_id, now)
        others = sorted(set(ids) - {delivery.id for delivery in failed})
        count = outbox.reopen(now, others) if others or not ids else 0
        _written(house, ids, Outcome.RETRIED)
    return count + len(failed)


def hold(house: House, ids: Sequence[int] = ()) -> int:
    """Keep deliveries back, all that wait where none is named; return how many."""
    with house.store.write():
        count = house.store.outbox.hold(BY_HAND, ids)
        _written(house, ids, Outcome.HELD)
    return count


def cancel(house: House, ids: Sequence[int], *, give_back: bool) -> int:
    """Never send deliveries that wait or are held; return how many.

    Their papers count as told, unless `give_back`: then they come with the next digest, those
    that perhaps arrived as well, since somebody has looked.
    """
    freed = GiveBack.UNTOLD if give_back else GiveBack.NONE
    count = 0
    with house.store.write():
        for each in ids:
            line = house.store.outbox.line(each)
            if line is None or line.delivery.state not in _OPEN:
                continue
            house.store.outbox.finish(line.delivery, DeliveryState.SKIPPED, CANCELLED, freed)
            count += 1
        _written(house, ids, Outcome.CANCELLED)
    return count


_OPEN = (DeliveryState.PENDING, DeliveryState.HELD, DeliveryState.SENDING)


def _written(house: House, ids: Sequence[int], outcome: Outcome) -> None:
    which = ", ".join(map(str, ids[:20])) or "all that waited"
    house.store.ledger.record("queue", "operator", house.clock(), outcome, which)
