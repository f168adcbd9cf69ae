"""Send what the outbox holds: hand over once, write down the outcome."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any

from bot.channels import Channel, ChannelError, Fault
from bot.core.house import House, with_room
from bot.core.pipeline.deliveries import refusing, verdicts
from bot.core.pipeline.deliveries.claiming import claim, may_go
from bot.core.pipeline.deliveries.refusing import OURS, Closed
from bot.model import Delivery, DeliveryState
from bot.store import GiveBack, StoreError
from bot.text import clean, cut

LONGEST_RECEIPT = 500


async def deliver(
    house: House,
    closed: Closed,
    channel: str,
    *,
    slots: int = 4,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Send everything of one channel whose moment has come; return how many were accepted.

    `slots` deliveries are in the air at once.  `stop` is asked before each claim; what is in the
    air then is finished.  Raises StoreError, once what is in the air has ended.
    """

    async def slot() -> int:
        accepted = 0
        while not stop():
            delivery = await asyncio.to_thread(claim, house, channel)
            if delivery is None:
                break
            accepted += await _attempt(house, closed, delivery)
        return accepted

    return sum(await _ended(slot() for _ in range(slots)))


async def _ended(slots: Iterable[Coroutine[Any, Any, int]]) -> list[int]:
    """What each came to.  If one fails the others end first: a mail cut off would be sent again."""
    ended = await asyncio.gather(*slots, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return [each for each in ended if isinstance(each, int)]


async def _attempt(house: House, closed: Closed, delivery: Delivery) -> bool:
    """Bring a claimed delivery one step further; False where the peer took nothing."""
    channel = house.channels[delivery.channel]
    try:
        if delivery.unknown:
            receipt = await channel.find(delivery.parts[0], delivery.due_at)
            if receipt:
                await asyncio.to_thread(_arrived, house, closed, delivery, receipt)
                return True
            left = await asyncio.to_thread(_wanted, house, delivery, surely_not=receipt is not None)
            if left is None:
                return False
            delivery = left
        await _send(house, closed, channel, delivery)
    except ChannelError as error:
        await asyncio.to_thread(_refused, house, closed, delivery, error)
        return False
    except Exception as error:  # a fault of ours: this delivery's alone, and a human looks
        fault = ChannelError(f"{OURS}: {error!r:.300}", Fault.UNKNOWN)
        await asyncio.to_thread(_refused, house, closed, delivery, fault)
        return False
    return True


def _arrived(house: House, closed: Closed, delivery: Delivery, receipt: str) -> None:
    """The page whose answer was lost was found on the other side."""
    _accepted(house, closed, delivery, delivery.parts[0].page, receipt, settled=True)


def _wanted(house: House, delivery: Delivery, *, surely_not: bool) -> Delivery | None:
    """The delivery to send again, after asking the other side in vain; None where it must wait."""
    outbox = house.store.outbox
    with house.store.write():
        if surely_not:
            outbox.absent(delivery)
            tried = delivery.attempts + delivery.unknown
            delivery = replace(delivery, attempts=tried, unknown=0)
        verdicts.carry_out(house, delivery)
        if not outbox.holds(delivery):
            return None
        if why := refusing.needs_a_hand(delivery):
            outbox.finish(delivery, DeliveryState.HELD, why, GiveBack.NONE)
            return None
        return delivery if may_go(house, delivery, house.clock()) else None


async def _send(house: House, closed: Closed, channel: Channel, delivery: Delivery) -> None:
    """Hand over what is left of a delivery, part by part, while it is ours to send and wanted.

    Raises ChannelError.
    """
    parent = ""
    for number, part in enumerate(delivery.parts):
        if number and not await asyncio.to_thread(_goes_on, house, delivery):
            break
        whole = replace(part, parent=part.parent or parent)
        receipt = await channel.send(whole)
        # Nothing may come between the other side's yes and this commit.
        if not await asyncio.to_thread(_accepted, house, closed, delivery, whole.page, receipt):
            break
        parent = parent or receipt


def _accepted(
    house: House,
    closed: Closed,
    delivery: Delivery,
    page: int,
    receipt: str,
    *,
    settled: bool = False,
) -> bool:
    """Write down that a part arrived; return whether the rest is still ours to send."""
    now, outbox = house.clock(), house.store.outbox
    # The other side has said yes: nothing about its words may keep us from writing that down.
    kept = cut(clean(receipt), LONGEST_RECEIPT)

    def written() -> bool:
        with house.store.write():
            outbox.accepted(delivery, page, kept, now)
            if settled:
                outbox.settled(delivery, now)
            verdicts.carry_out(house, delivery)
            return outbox.holds(delivery)

    goes_on = with_room(written)
    closed.open(delivery.channel, delivery.address)
    _told(house, delivery, "sent", page=page, late_s=(now - delivery.due_at).total_seconds())
    return goes_on


def _goes_on(house: House, delivery: Delivery) -> bool:
    """Whether the pages after one that arrived are still wanted, judged anew if need be."""
    outbox = house.store.outbox
    if not outbox.unchecked(delivery):
        return True
    with house.store.write():
        rest = outbox.delivery(delivery.id)
        if rest is None or not outbox.holds(delivery):
            return False
        # What lay in doubt has arrived; of what comes behind it nothing was ever tried.
        return may_go(house, replace(rest, unknown=0), house.clock())


def _refused(house: House, closed: Closed, delivery: Delivery, error: ChannelError) -> None:
    """Write down a refusal, or if that fails, that there was one.  Raises StoreError."""
    try:
        refusing.write_down(house, closed, delivery, error)
    except StoreError:
        raise
    except Exception as wrong:
        error = _without_meaning(error, wrong)
        refusing.write_down(house, closed, delivery, error)
    _told(house, delivery, error.fault.value, reported=error.reported, remark=str(error))


def _without_meaning(error: ChannelError, wrong: Exception) -> ChannelError:
    """A refusal after which to try again; what was perhaps taken stays in doubt."""
    return ChannelError(
        f"how it ended could not be written down ({type(wrong).__name__}): please report it",
        Fault.UNKNOWN if error.fault is Fault.UNKNOWN else Fault.RETRY,
        reported=error.reported,
    )


def _told(house: House, delivery: Delivery, outcome: str, **facts: str | int | float) -> None:
    house.tell(
        "delivery", outcome, delivery=delivery.id, destination=delivery.destination_id,
        channel=delivery.channel, attempt=delivery.attempts + delivery.unknown + 1, **facts,
    )  # fmt: skip
