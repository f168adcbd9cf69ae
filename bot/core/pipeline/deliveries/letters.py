"""Short letters that are not digests; they travel through the outbox with the same promises."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.core.consent import ONLY_NOTICES, objection
from bot.core.conversations import conversation_of, shared
from bot.core.house import House
from bot.digest import Action, Digest, Notice
from bot.model import Delivery, Destination, DestinationState, Identity

KEEP_TRYING = timedelta(days=3)
STOPPED_ALL = "all mail stopped by its reader"


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
        stop_url=_stop_url(house, destination),
    )
    house.store.outbox.put(
        destination.id, notice.key, [house.channels[destination.channel].letter(notice)], now,
        kind="letter", period=period, due_at=now, stale_at=now + KEEP_TRYING,
    )  # fmt: skip


def _stop_url(house: House, destination: Destination) -> str:
    by_mail = destination.channel == "email"
    return house.links.url("stop-all", destination.id, destination.epoch) if by_mail else ""


def unwanted(house: House, letter: Delivery, destination: Destination) -> str:
    """Why a letter must not be sent any more, "" where it may.

    Whoever left before it was queued has asked for it since; nobody has after stopping all mail.
    """
    if has_stopped_all(house, letter.channel, letter.address):
        return STOPPED_ALL
    left = _has_left(destination) and house.store.outbox.unchecked(letter)
    return destination.reason if left else ""


def _has_left(destination: Destination) -> bool:
    return destination.state is DestinationState.OFF and destination.reason != ONLY_NOTICES


def has_stopped_all(house: House, channel: str, address: str) -> bool:
    """Whether the reader at an address wants no mail at all, whoever asks for it."""
    return any(each.reason == STOPPED_ALL for each in house.store.people.at(channel, address))


def tell_owner(house: House, delivery: Delivery, reason: str, now: datetime) -> None:
    """Tell the reader by another channel, if there is one, that a destination is paused and why."""
    broken = house.store.people.destination(delivery.destination_id)
    assert broken is not None
    others = [
        d
        for d in house.store.people.destinations(broken.subscriber_id)
        if d.id != broken.id and d.state is DestinationState.ACTIVE
    ]
    waits = bool(objection(house, broken))
    until = "the operator has released the address" if waits else "it works again"
    for other in others[:1] or _keeper(house, broken, now):
        put_letter(
            house,
            other,
            f"paused{broken.id}.{now:%Y%m%d}",
            _title(broken),
            (
                f"The digest could not be brought to {_called(broken)}: {reason}",
                f"Nothing is lost: what matched meanwhile comes once {until}.",
            ),
            now,
            () if waits else (shared(Action("Resume", f"resume {broken.id}"), broken),),
        )


def _title(broken: Destination) -> str:
    if conversation_of(broken):
        return "A conversation’s digest is paused"
    return f"Your digest to {_called(broken)} is paused"


def _called(destination: Destination) -> str:
    """A place in words; a conversation by its id, for which Slack shows its current name."""
    if conversation := conversation_of(destination):
        return f"<#{conversation.external_id}>"
    return "you in Slack" if destination.channel == "slack" else destination.address


def _keeper(house: House, broken: Destination, now: datetime) -> list[Destination]:
    """Where to reach the person who set up a conversation's digest, if anybody did."""
    conversation = conversation_of(broken)
    if conversation is None:
        return []
    user = house.store.slack.keeper(conversation.workspace, conversation.external_id)
    if not user:
        return []
    person = Identity("slack", conversation.workspace, user)
    subscriber = house.store.people.enrol(person, "", now)
    wanted = replace(
        broken,
        subscriber_id=subscriber,
        address=f"{person.workspace}:{user}",
        state=DestinationState.OFF,
        reason=ONLY_NOTICES,
    )
    return [house.store.people.reach(wanted, house.store.topics.last_number())]


def first_place(house: House, subscriber_id: int) -> Destination | None:
    """Where somebody is reached: the first place that is on, else the first."""
    found = house.store.people.destinations(subscriber_id)
    on = (each for each in found if each.state is DestinationState.ACTIVE)
    return next(on, found[0] if found else None)


def send_test(house: House, identity: Identity, digest: Digest | None) -> int | None:
    """Queue a digest that counts no paper as told; its delivery, None where nobody may get one."""
    destination = first_place(house, house.store.people.find(identity) or 0)
    if digest is None or destination is None or _has_left(destination):
        return None
    now = house.clock()
    with house.store.write():
        before = house.store.outbox.count(destination.id)  # instants may be the same twice
        key = f"t{destination.id}.{before}"
        marked = replace(digest, key=key, title=f"Test: {digest.title}")
        return house.store.outbox.put(
            destination.id, key, house.channels[destination.channel].render(marked), now,
            kind="letter", period=f"test {key}", due_at=now, stale_at=now + KEEP_TRYING,
        )  # fmt: skip
