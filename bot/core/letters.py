"""Short letters that are no digests: they travel through the outbox with the same promises."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.core.house import House
from bot.digest import Action, Notice
from bot.model import Delivery, Destination, DestinationState

KEEP_TRYING = timedelta(days=3)


def put_letter(
    house: House,
    destination: Destination,
    key: str,
    title: str,
    lines: Sequence[str],
    now: datetime,
    actions: Sequence[Action] = (),
) -> None:
    """Queue a letter; one of the same key is queued once.  Inside a transaction."""
    period = f"letter {key}"
    if house.store.outbox.next_edition(destination.id, period):
        return
    notice = Notice(
        key=f"l{destination.id}.{key}",
        title=title,
        channel=destination.channel,
        address=destination.address,
        due_at=now,
        lines=tuple(lines),
        actions=tuple(actions),
        zone=destination.zone,
    )
    house.store.outbox.put(
        destination.id, notice.key, [house.channels[destination.channel].letter(notice)], now,
        kind="letter", period=period, due_at=now, stale_at=now + KEEP_TRYING,
    )  # fmt: skip


def tell_owner(house: House, delivery: Delivery, reason: str, now: datetime) -> None:
    """Say by another way that a destination was paused and why, where there is another way."""
    broken = house.store.people.destination(delivery.destination_id)
    assert broken is not None
    others = [
        d
        for d in house.store.people.destinations(broken.subscriber_id)
        if d.id != broken.id and d.state is DestinationState.ACTIVE
    ]
    for other in others[:1]:
        put_letter(
            house,
            other,
            f"paused{broken.id}.{now:%Y%m%d}",
            f"Your digest to {broken.address} is paused",
            (
                f"Your digest could not be brought to {broken.address}: {reason}",
                "Nothing is lost: what matched meanwhile comes once it works again.",
            ),
            now,
            (Action("Resume", f"resume {broken.id}"),),
        )
