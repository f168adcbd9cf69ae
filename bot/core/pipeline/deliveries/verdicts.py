"""What an operator decided about a delivery while it was being sent."""

from bot.core.house import House
from bot.model import Delivery, DeliveryState, Verdict
from bot.store import GiveBack, Outcome

BY_HAND = "held by the operator"
CANCELLED = "cancelled by the operator"
LET_GO = "tried again by the operator"
IN_DOUBT = "perhaps it arrived: an answer was lost"
DIED = "Paperround ended while it was being sent; it may have arrived"
LAPSED = "it was being sent for so long that it is tried anew; it may have arrived"


def carry_out(house: House, delivery: Delivery) -> None:
    """If a delivery did not arrive, end it as the operator decided while it was being sent.

    Called by its sender, inside the transaction that writes the answer down.  A delivery that
    somebody else has claimed since is left alone.
    """
    now = house.store.outbox.delivery(delivery.id)
    if now is None or now.claims != delivery.claims or now.state not in OPEN:
        return
    if now.verdict is Verdict.GIVEN_BACK and now.unknown:
        house.store.outbox.finish(now, *_LOOK_FIRST)
    elif now.verdict:
        house.store.outbox.finish(now, *_ENDS[now.verdict])


def may_not_be_repeated(house: House, delivery: Delivery) -> None:
    """End a delivery in doubt of which its reader has silenced part: what is in it, is not resent.

    An operator looks; where one has let it go, and nothing is silent no less, it is given up.
    """
    state, why = DeliveryState.HELD, f"{IN_DOUBT}, and its reader silenced part of it since"
    if delivery.error == LET_GO:
        state, why = DeliveryState.FAILED, f"given up: {why}"
    house.store.outbox.finish(delivery, state, why, GiveBack.UNSENT)
    subject, outcome = f"d{delivery.destination_id}", Outcome(state.value)
    house.store.ledger.record("deliver", subject, house.clock(), outcome, why)


OPEN = (DeliveryState.PENDING, DeliveryState.HELD, DeliveryState.SENDING)
_ENDS = {
    Verdict.HELD: (DeliveryState.HELD, BY_HAND, GiveBack.NONE),
    Verdict.CANCELLED: (DeliveryState.SKIPPED, CANCELLED, GiveBack.NONE),
    Verdict.GIVEN_BACK: (DeliveryState.SKIPPED, CANCELLED, GiveBack.UNTOLD),
}
_LOOK_FIRST = (DeliveryState.HELD, f"{CANCELLED}, but {IN_DOUBT}", GiveBack.UNSENT)
