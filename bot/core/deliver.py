"""Send what the outbox holds: claim, check consent, hand over once, write down the outcome."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.channels import Channel, ChannelError, Fault
from bot.core.consent import checked
from bot.core.heat import Heat
from bot.core.house import House
from bot.core.letters import tell_owner
from bot.core.prepare import is_muted, put_digest, withheld_by
from bot.model import Delivery, DeliveryState, Destination, DestinationState
from bot.store import GiveBack

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)
CHANNEL_WAIT = timedelta(minutes=1)
BEHIND = timedelta(seconds=1)
LONGEST_CHANNEL_WAIT = timedelta(minutes=15)
ENOUGH_ALIKE = 3  # recipients refused in a row, nothing taken between: then it is the channel
ENOUGH_UNKNOWN = 3  # attempts of unknown outcome before a human has to look
IN_DOUBT = "perhaps it arrived: an answer was lost"


@dataclass(slots=True)
class Closed:
    """How often in a row a channel was out of order, and whom it refused as if it were.

    Both by channel and scope, and only since it last took something.
    """

    times: dict[tuple[str, str], int] = field(default_factory=dict)
    refused: dict[tuple[str, str], set[int]] = field(default_factory=dict)

    def to_all(self, channel: str, scope: str, destination_id: int) -> bool:
        """Note one more recipient refused; whether that makes enough to blame the channel.

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

    def open(self, channel: str) -> None:
        """It works again."""
        for noted in (self.times, self.refused):
            for key in [key for key in noted if key[0] == channel]:
                del noted[key]


async def deliver(
    house: House,
    heat: Heat,
    closed: Closed,
    channel: str,
    *,
    slots: int = 4,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Send everything of one channel whose moment has come; return how many were accepted.

    `slots` deliveries are in the air at once.  `stop` is asked before each claim; what is in the
    air then is finished.
    """

    async def slot() -> int:
        accepted = 0
        while not stop():
            delivery = await asyncio.to_thread(claim, house, heat, channel)
            if delivery is None:
                break
            accepted += await _attempt(house, heat, closed, delivery)
        return accepted

    return sum(await asyncio.gather(*(slot() for _ in range(slots))))


def claim(house: House, heat: Heat, channel: str) -> Delivery | None:
    """The next delivery that may be sent, checked in the transaction that claims it.

    One that contradicts what its subscriber said meanwhile, or has gone stale, is composed anew
    as the next edition; never after an attempt of unknown outcome, which is asked about before
    it is judged.
    """
    now = house.clock()
    outbox = house.store.outbox
    with house.store.write():
        while delivery := outbox.claim(channel, now, house.wishes.claim_lapses_s):
            if delivery.unknown >= ENOUGH_UNKNOWN:
                reason = f"{delivery.unknown} attempts ended without an answer: {delivery.error}"
                outbox.finish(delivery, DeliveryState.HELD, reason, GiveBack.NONE)
            elif delivery.unknown or _may_go(house, heat, delivery, now):
                return delivery
    return None


def _may_go(house: House, heat: Heat, delivery: Delivery, now: datetime) -> bool:
    """Whether it is still wanted and young enough; else what becomes of it is written down."""
    outbox = house.store.outbox
    destination = house.store.people.destination(delivery.destination_id)
    assert destination is not None  # deleting one deletes its deliveries
    topics, _ = outbox.contents(delivery)
    if not topics:  # a letter: it was asked for, or says why something stopped
        return True
    destination = checked(house, destination)
    if destination.state is not DestinationState.ACTIVE:
        _not_now(house, delivery, destination, now)
        return False
    contradicted = outbox.unchecked(delivery) and _contradicts(house, delivery, now)
    if contradicted or (not delivery.unknown and outbox.is_stale(delivery, now)):
        _compose_anew(house, heat, delivery, destination, now)
        return False
    outbox.checked(delivery)
    return True


def _not_now(house: House, delivery: Delivery, destination: Destination, now: datetime) -> None:
    """Its destination was stopped or is paused; what perhaps arrived waits for a pause to end."""
    if delivery.unknown and destination.state is DestinationState.PAUSED:
        why = f"{IN_DOUBT}; its destination is paused: {destination.reason}"
        house.store.outbox.retry(delivery, why, now + LONGEST_WAIT, answered=False)
        return
    house.store.outbox.finish(delivery, DeliveryState.SKIPPED, destination.state, GiveBack.UNSENT)


def _compose_anew(
    house: House, heat: Heat, delivery: Delivery, destination: Destination, now: datetime
) -> None:
    """What surely was not sent comes in the next edition; a page that perhaps arrived is held."""
    state, why = DeliveryState.SKIPPED, "superseded"
    if delivery.unknown:
        state, why = DeliveryState.HELD, f"{IN_DOUBT}, and its reader silenced part of it since"
    house.store.outbox.finish(delivery, state, why, GiveBack.UNSENT)
    put_digest(house, heat, destination, now, delivery.period, due_at=delivery.due_at)


def _contradicts(house: House, delivery: Delivery, now: datetime) -> bool:
    """Whether its subscriber has silenced something in it, or a paper of it was withdrawn."""
    destination = house.store.people.destination(delivery.destination_id)
    assert destination is not None
    subscriber = destination.subscriber_id
    heard = {f.topic.id for f in house.store.people.follows(subscriber) if not is_muted(f, now)}
    topics, seqs = house.store.outbox.contents(delivery)
    if not set(topics) <= heard:
        return True
    mutes = [m for m in house.store.people.mutes(subscriber) if m.until > now]
    return any(
        paper.withdrawn or withheld_by(paper, mutes, destination.zone, now)
        for paper in house.store.papers.some(seqs)
    )


async def _attempt(house: House, heat: Heat, closed: Closed, delivery: Delivery) -> bool:
    """Bring a claimed delivery one step further; False where the peer took nothing."""
    channel = house.channels[delivery.channel]
    try:
        if delivery.unknown and await _arrived(house, closed, channel, delivery):
            return True
        if delivery.unknown and not await asyncio.to_thread(_wanted, house, heat, delivery):
            return False
        await _send(house, closed, channel, delivery)
    except ChannelError as error:
        await asyncio.to_thread(_refused, house, closed, delivery, error)
        return False
    except Exception as error:  # a fault of ours: this delivery's alone, and a human looks
        fault = ChannelError(f"a fault of ours: {error!r:.300}", Fault.UNKNOWN)
        await asyncio.to_thread(_refused, house, closed, delivery, fault)
        return False
    return True


async def _arrived(house: House, closed: Closed, channel: Channel, delivery: Delivery) -> bool:
    """Ask the other side, where it can be asked, for the page whose answer was lost."""
    receipt = await channel.find(delivery.parts[0])
    if receipt is None:
        return False
    page = delivery.parts[0].page
    await asyncio.to_thread(_accepted, house, closed, delivery, page, receipt, settled=True)
    return True


def _wanted(house: House, heat: Heat, delivery: Delivery) -> bool:
    with house.store.write():
        return _may_go(house, heat, delivery, house.clock())


async def _send(house: House, closed: Closed, channel: Channel, delivery: Delivery) -> None:
    """Hand over what is left of a delivery, part by part.  Raises ChannelError."""
    parent = ""
    for part in delivery.parts:
        whole = replace(part, parent=part.parent or parent)
        receipt = await channel.send(whole)
        # Nothing may come between the other side's yes and this commit.
        await asyncio.to_thread(_accepted, house, closed, delivery, whole.page, receipt)
        parent = parent or receipt


def _accepted(
    house: House,
    closed: Closed,
    delivery: Delivery,
    page: int,
    receipt: str,
    *,
    settled: bool = False,
) -> None:
    now = house.clock()
    with house.store.write():
        house.store.outbox.accepted(delivery, page, receipt, now)
        if settled:
            house.store.outbox.settled(delivery, now)
    closed.open(delivery.channel)
    _told(house, delivery, "sent", page=page, late_s=(now - delivery.due_at).total_seconds())


def _refused(house: House, closed: Closed, delivery: Delivery, error: ChannelError) -> None:
    """Write down what a refusal means.  Choose by table, not by ladder."""
    now = house.clock()
    with house.store.write():
        _MEANS[error.fault](house, closed, delivery, error, now)
        house.store.ledger.record(
            "deliver", f"d{delivery.destination_id}", now, error.fault.value, str(error)
        )
    _told(house, delivery, error.fault.value, reported=error.reported, remark=str(error))


def _told(house: House, delivery: Delivery, outcome: str, **facts: str | int | float) -> None:
    house.tell(
        "delivery", outcome, delivery=delivery.id, destination=delivery.destination_id,
        channel=delivery.channel, attempt=delivery.attempts + delivery.unknown + 1, **facts,
    )  # fmt: skip


def _retry(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    if now - delivery.due_at > house.wishes.give_up_after and not delivery.unknown:
        reason = f"given up after {delivery.attempts + 1} attempts: {error}"
        house.store.outbox.finish(delivery, DeliveryState.FAILED, reason, GiveBack.UNSENT)
        return
    house.store.outbox.retry(delivery, str(error), now + _wait(delivery, error), answered=True)


def _wait(delivery: Delivery, error: ChannelError) -> timedelta:
    """How long a delivery waits by itself: the longer, the more often it was refused."""
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
    people.set_state(delivery.destination_id, DestinationState.PAUSED, str(error))
    if error.suppress:
        people.suppress(delivery.address, str(error), now)
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

    No more than that, however often: they may all be of a kind that the server never takes, with
    the others behind them.
    """
    _retry(house, closed, delivery, error, now)
    if closed.to_all(delivery.channel, error.scope, delivery.destination_id):
        until = now + max(CHANNEL_WAIT, timedelta(seconds=error.retry_after))
        house.store.outbox.postpone(delivery.channel, error.scope, until, str(error), now)


def _unknown(
    house: House, closed: Closed, delivery: Delivery, error: ChannelError, now: datetime
) -> None:
    wait = max(CHANNEL_WAIT, timedelta(seconds=error.retry_after))
    house.store.outbox.retry(delivery, str(error), now + wait, answered=False, unknown=True)


_MEANS = {
    Fault.RETRY: _retry,
    Fault.ADDRESS: _address_gone,
    Fault.CONTENT: _refused_content,
    Fault.RECIPIENT: _refused_for_one,
    Fault.CHANNEL: _channel_closed,
    Fault.UNKNOWN: _unknown,
}
