"""The next delivery that may be sent, and what becomes of one that may not any more."""

from datetime import datetime

from bot.core.consent import checked
from bot.core.filtering import listening
from bot.core.house import House
from bot.core.pipeline.deliveries import verdicts
from bot.core.pipeline.deliveries.letters import unwanted
from bot.core.pipeline.deliveries.refusing import LONGEST_WAIT
from bot.core.pipeline.digests.prepare import PUT_OFF, not_composed, put_digest
from bot.model import Delivery, DeliveryState, Destination, DestinationState
from bot.store import GiveBack, StoreError


def claim(house: House, channel: str) -> Delivery | None:
    """The next delivery that may be sent, checked in the transaction that claims it.

    One that contradicts what its subscriber said meanwhile, or has gone stale, is composed anew
    as the next edition; but after an attempt of unknown outcome it is asked about first.  One
    that cannot be judged is put off for an hour with its reason, and the others go on.  Raises
    StoreError.
    """
    while True:
        now, taken = house.clock(), None
        try:
            with house.store.write():
                taken = house.store.outbox.claim(
                    channel, now, house.wishes.claim_lapses_s, verdicts.LAPSED
                )
                if taken is None or _goes(house, taken, now):
                    return taken
        except StoreError:
            raise
        except Exception as error:  # whatever it is, the others' deliveries go on
            if taken is None:
                raise
            _put_off(house, taken, now, error)


def _goes(house: House, delivery: Delivery, now: datetime) -> bool:
    """Whether to send a claimed delivery now; if not, write down what becomes of it."""
    outbox = house.store.outbox
    if delivery.verdict:  # whoever held it has died
        verdicts.carry_out(house, delivery)
    elif not delivery.parts:
        outbox.finish(delivery, DeliveryState.SENT, "", GiveBack.NONE)
    else:
        return bool(delivery.unknown) or may_go(house, delivery, now)
    return False


def _put_off(house: House, delivery: Delivery, now: datetime, error: Exception) -> None:
    """Leave it alone for an hour, as it was before its claim, which was undone."""
    with house.store.write():
        if destination := house.store.people.destination(delivery.destination_id):
            why = not_composed(house, "deliver", destination, now, error)
            house.store.outbox.put_off(delivery, now + PUT_OFF, why)


def may_go(house: House, delivery: Delivery, now: datetime) -> bool:
    """Whether it is still wanted and fresh enough; if not, write down what becomes of it."""
    outbox = house.store.outbox
    destination = house.store.people.destination(delivery.destination_id)
    assert destination is not None  # deleting one deletes its deliveries
    if not outbox.contents(delivery).topics:
        return _letter_may_go(house, delivery, destination)
    destination = checked(house, destination)
    if destination.state is not DestinationState.ACTIVE:
        _not_now(house, delivery, destination, now)
        return False
    contradicted = outbox.unchecked(delivery) and _contradicts(house, delivery, destination, now)
    if contradicted or (not delivery.unknown and outbox.is_stale(delivery, now)):
        _compose_anew(house, delivery, destination, now)
        return False
    outbox.checked(delivery)
    return True


def _letter_may_go(house: House, letter: Delivery, destination: Destination) -> bool:
    """Whether to send a letter: until its reader leaves, since it was asked for or says why."""
    if why := unwanted(house, letter, destination):
        house.store.outbox.finish(letter, DeliveryState.SKIPPED, why, GiveBack.NONE)
    return not why


def _not_now(house: House, delivery: Delivery, destination: Destination, now: datetime) -> None:
    """Its destination is off or paused; what perhaps arrived waits for the pause to end."""
    if delivery.unknown and destination.state is DestinationState.PAUSED:
        why = f"{verdicts.IN_DOUBT}; its destination is paused: {destination.reason}"
        house.store.outbox.retry(delivery, why, now + LONGEST_WAIT, answered=False)
        return
    house.store.outbox.finish(delivery, DeliveryState.SKIPPED, destination.state, GiveBack.UNSENT)


def _compose_anew(
    house: House, delivery: Delivery, destination: Destination, now: datetime
) -> None:
    """Put what was surely not sent in the next edition, but no page that perhaps arrived."""
    if delivery.unknown:
        verdicts.may_not_be_repeated(house, delivery)
    else:
        house.store.outbox.finish(delivery, DeliveryState.SKIPPED, "superseded", GiveBack.UNSENT)
    if not delivery.unknown or len(delivery.parts) > 1:
        put_digest(house, destination, now, delivery.period, due_at=delivery.due_at)


def _contradicts(house: House, delivery: Delivery, destination: Destination, now: datetime) -> bool:
    """Whether its reader has silenced something in it, or a paper still to go was withdrawn.

    Papers are judged as when it was composed, by those matches whose topics it names.
    """
    listener = listening(house, destination, now)
    topics = house.store.outbox.contents(delivery).topics
    if not set(topics) <= listener.topics:
        return True
    seqs = house.store.outbox.unsent(delivery)
    found = house.store.topics.of_papers(seqs)
    named = {
        seq: [m for m in each if m.live and m.topic_id in topics] for seq, each in found.items()
    }
    return any(
        paper.withdrawn or not listener.bears(paper, named.get(paper.seq, []))
        for paper in house.store.papers.some(seqs)
    )
