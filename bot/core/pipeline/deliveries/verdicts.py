"""What an operator decides about a delivery that is being sent: true once its answer is known."""

from bot.core.house import House
from bot.model import Delivery, DeliveryState, Verdict
from bot.store import GiveBack

BY_HAND = "held by the operator"
CANCELLED = "cancelled by the operator"
IN_DOUBT = "perhaps it arrived: an answer was lost"
DIED = "Paperround ended while it was being sent; it may have arrived"
LAPSED = "it was being sent for so long that it is tried anew; it may have arrived"


def carry_out(house: House, delivery: Delivery) -> None:
    """Whoever sent it knows the answer: what did not arrive ends as was decided meanwhile.

    Inside the transaction that writes the answer down.  Somebody else's claim is left alone.
    """
    now = house.store.outbox.delivery(delivery.id)
    if now is None or now.claims != delivery.claims or now.state not in OPEN:
        return
    if now.verdict is Verdict.GIVEN_BACK and now.unknown:
        house.store.outbox.finish(now, *_LOOK_FIRST)
    elif now.verdict:
        house.store.outbox.finish(now, *_ENDS[now.verdict])


OPEN = (DeliveryState.PENDING, DeliveryState.HELD, DeliveryState.SENDING)
_ENDS = {
    Verdict.HELD: (DeliveryState.HELD, BY_HAND, GiveBack.NONE),
    Verdict.CANCELLED: (DeliveryState.SKIPPED, CANCELLED, GiveBack.NONE),
    Verdict.GIVEN_BACK: (DeliveryState.SKIPPED, CANCELLED, GiveBack.UNTOLD),
}
_LOOK_FIRST = (DeliveryState.HELD, f"{CANCELLED}, but {IN_DOUBT}", GiveBack.UNSENT)
