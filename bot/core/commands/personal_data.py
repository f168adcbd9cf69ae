"""What is stored about someone: exported whole, or erased."""

from bot.core.commands.digests import mail
from bot.core.house import House
from bot.core.pipeline.deliveries import queueing
from bot.model import Destination, Follow, Identity, Mute
from bot.store import QueueLine

Plain = dict[str, object]


def export(house: House, identity: Identity) -> Plain:
    """Everything kept about someone, as plain data; {} for someone unknown."""
    subscriber = house.store.people.find(identity)
    if subscriber is None:
        return {}
    people = house.store.people
    places, judged = people.destinations(subscriber), people.judged(subscriber)
    return {
        "identities": [str(each) for each in people.identities(subscriber)],
        "zone": people.zone(subscriber),
        "follows": [_follow(each) for each in people.follows(subscriber)],
        "mutes": [_mute(each) for each in people.mutes(subscriber)],
        "destinations": [_destination(each) for each in places],
        "saved": [paper.url for paper in house.papers(people.saved(subscriber))],
        "deliveries": [
            _delivery(house, line, place)
            for place in places
            for line in house.store.outbox.history(place.id)
        ],
        "judged": {paper.url: judged[paper.seq] for paper in house.papers([*judged])},
    }


def _follow(follow: Follow) -> Plain:
    return {
        "topic": follow.topic.name,
        "query": follow.topic.query,
        "breadth": str(follow.breadth),
        "muted_until": follow.muted_until.isoformat() if follow.muted_until else None,
        "without": [*follow.without_words, *follow.without_authors],
    }


def _mute(mute: Mute) -> Plain:
    return {"kind": str(mute.kind), "value": mute.value, "until": mute.until.isoformat()}


def _destination(place: Destination) -> Plain:
    return {
        "channel": place.channel,
        "address": place.address,
        "cadence": place.cadence,
        "zone": place.zone,
        "state": str(place.state),
        "reason": place.reason,
        "confirmed_at": place.confirmed_at.isoformat() if place.confirmed_at else None,
    }


def _delivery(house: House, line: QueueLine, place: Destination) -> Plain:
    return {
        "to": place.address,
        "due": line.delivery.due_at.isoformat(),
        "state": line.delivery.state.value,
        "sent": line.sent_at.isoformat() if line.sent_at else None,
        "papers": [paper.arxiv_id for paper in queueing.papers(house, line.delivery)],
    }


def erase(house: House, identity: Identity) -> bool:
    """Forget someone wholly; False for someone unknown."""
    subscriber = house.store.people.find(identity)
    if subscriber is None:
        return False
    for each in house.store.people.destinations(subscriber):
        if each.channel == "email":
            mail.forget_asked(house, each.address)
    house.store.people.erase(subscriber)
    return True
