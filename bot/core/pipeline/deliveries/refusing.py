"""What a refusal means for a delivery, its destination, and everyone on the same channel."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.channels import ChannelError, Fault
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import tell_owner
from bot.core.pipeline.deliveries.verdicts import IN_DOUBT, carry_out
from bot.model import Delivery, DeliveryState, DestinationState
from bot.store import GiveBack

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)
CHANNEL_WAIT = timedelta(minutes=1)
AFTER_TWO_LOST = timedelta(hours=1)
BEHIND = timedelta(seconds=1)
LONGEST_CHANNEL_WAIT = timedelta(minutes=15)
TOO_LATE = "(its claim had lapsed, and another one counts)"
OURS = "a fault of ours"
ENOUGH_TRIED = 5  # answered attempts, over two hours of them, before one that is old is given up
ENOUGH_LOST = 3  # attempts of unknown outcome before a human has to look
ENOUGH_ALIKE = 3  # recipients refused in a row, nothing taken between: then it is the channel


@dataclass(slots=True)
class Closed:
    """How often in a row a channel was out of order, and whom it refused as if it were.

    Both by channel and scope, and only since it last took something.
    """

    times: dict[tuple[str, str], int] = field(default_factory=dict)
    refused: dict[tuple[str, str], set[int]] = field(default_factory=dict)

    def to_all(self, channel: str, scope: str, destination_id: int) -> bool:
        """Note one more recipient refused; return whether that is enough to blame the channel.

        Then it is counted anew: as many more are tried before it is blamed again.
        """
        alike = self.refused.setdefault((channel, scope), set())
        alike.add(destination_id)
        enough = len(alike) >= ENOUGH_ALIKE
        if enough:
            alike.clear()
        return enough

    def again(self, channel: str, scope: str, asked_s: float) -> timedelta:
        """How long to leave it alone now."""
        times = self.times[channel, scope] = self.times.get((channel, scope), 0) + 1
        own = min(CHANNEL_WAIT * (1 << min(times - 1, 10)), LONGEST_CHANNEL_WAIT)
        return max(own, timedelta(seconds=asked_s))

    def open(self, channel: str, address: str) -> None:
        """It works again for that address; another domain or workspace may stay closed."""
        for noted in (self.times, self.refused):
            for key in [key for key in noted if key[0] == channel and _covers(key[1], address)]:
                del noted[key]


def _covers(scope: str, address: str) -> bool:
    return address.endswith(scope) if scope.startswith("@") else address.startswith(scope)


def write_down(house: House, closed: Closed, delivery: Delivery, error: ChannelError) -> None:
    """Write down what a refusal means.  Choose by table, not by ladder.

    For the delivery it means nothing where the claim was lost: that is another's to say.
    """
    now = house.clock()
    with house.store.write():
        reason = str(error) if house.store.outbox.holds(delivery) else f"{error} {TOO_LATE}"
        _overrule(house, delivery, error, now)
        _MEANS[error.fault](house, closed, delivery, error, now)
        house.store.ledger.record(
            "deliver", f"d{delivery.destination_id}", now, error.fault.value, reason
        )


def needs_a_hand(delivery: Delivery) -> str:
    """Why it is not sent again without a human, because enough was tried; else "".

    What surely did not arrive is sent again, except after a fault of ours: waiting mends none.
    """
    ours = delivery.attempts if delivery.error.startswith(OURS) else 0
    lost = delivery.unknown or ours
    if lost < ENOUGH_LOST:
        return ""
    return f"{lost} attempts ended without an answer: {delivery.error}"


def _overrule(house: House, delivery: Delivery, error: ChannelError, now: datetime) -> None:
    """Carry out what was decided while it was being sent, before what the refusal means for it."""
    outbox, lost = house.store.outbox, error.fault is Fault.UNKNOWN
    standing = outbox.delivery(delivery.id)
    if standing and standing.verdict:
        outbox.retry(delivery, str(error), now, answered=not lost, unknown=lost)
        carry_out(house, delivery)


def _retry(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    if _is_hopeless(house, delivery, error, now):
        reason = f"given up after {delivery.attempts + 1} attempts: {error}"
        house.store.outbox.finish(delivery, DeliveryState.FAILED, reason, GiveBack.UNSENT)
        return
    house.store.outbox.retry(delivery, str(error), now + _wait(delivery, error), answered=True)


def _is_hopeless(house: House, delivery: Delivery, error: ChannelError, now: datetime) -> bool:
    """Whether to give up: the refusal lasts, and was heard often enough.

    A digest may be old when it is first tried, after days in which nobody served.
    What is held against a whole domain is not this reader's fault.
    """
    if error.scope or delivery.unknown or delivery.attempts + 1 < ENOUGH_TRIED:
        return False
    return now - delivery.due_at > house.wishes.give_up_after


def _wait(delivery: Delivery, error: ChannelError) -> timedelta:
    """How long one delivery waits: longer, the more often it was refused."""
    wait = min(FIRST_WAIT * (1 << min(delivery.attempts, 10)), LONGEST_WAIT)
    return max(wait * (0.75 + random.random() / 2), timedelta(seconds=error.retry_after))


def _address_gone(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    """The destination pauses; what perhaps arrived before waits with it, if anybody is there."""
    people = house.store.people
    if delivery.unknown and not error.suppress:
        why = f"{IN_DOUBT}; {error}"
        house.store.outbox.retry(delivery, why, now + LONGEST_WAIT, answered=True)
    else:
        house.store.outbox.finish(delivery, DeliveryState.FAILED, str(error), GiveBack.UNTOLD)
    if error.suppress:
        people.suppress(delivery.address, str(error), now)
    standing = people.destination(delivery.destination_id)
    if standing and standing.state is not DestinationState.OFF:  # its reader's word stays
        people.set_state(standing.id, DestinationState.PAUSED, str(error))
        tell_owner(house, delivery, str(error), now)


def _refused_content(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    house.store.outbox.finish(delivery, DeliveryState.HELD, str(error), GiveBack.NONE)


def _channel_closed(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    until = now + closed.again(delivery.channel, error.scope, error.retry_after)
    house.store.outbox.postpone(delivery.channel, error.scope, until, str(error), now)
    # Behind the others: were it this one that closes the channel, they go before it does again.
    house.store.outbox.retry(delivery, str(error), until + BEHIND, answered=False)


def _refused_for_one(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    """It waits by itself.  Once several in a row were refused alike, everyone waits a little.

    Never longer, however often: all of them may be of a kind that the server never takes, with
    the others behind them.
    """
    _retry(house, closed, delivery, error, now)
    if closed.to_all(delivery.channel, error.scope, delivery.destination_id):
        until = now + max(CHANNEL_WAIT, timedelta(seconds=error.retry_after))
        house.store.outbox.postpone(delivery.channel, error.scope, until, str(error), now)


def _unknown(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    """Once soon, then later: what breaks off so twice is broken for a while, and few tries are
    left.  Where the attempts before surely did not arrive, as late as after refusals."""
    own = AFTER_TWO_LOST if delivery.unknown else CHANNEL_WAIT
    if delivery.attempts:
        own = max(own, _wait(delivery, error))
    wait = max(own, timedelta(seconds=error.retry_after))
    house.store.outbox.retry(delivery, str(error), now + wait, answered=False, unknown=True)


_MEANS = {
    Fault.RETRY: _retry,
    Fault.ADDRESS: _address_gone,
    Fault.CONTENT: _refused_content,
    Fault.RECIPIENT: _refused_for_one,
    Fault.CHANNEL: _channel_closed,
    Fault.UNKNOWN: _unknown,
}
