"""What is stored about someone: exported whole, or erased."""

from collections.abc import Iterable

from bot.core.commands.digests import sign_ups
from bot.core.house import House
from bot.core.pipeline.deliveries import queueing
from bot.model import Destination, Follow, Identity, Mute
from bot.store import QueueLine, Run

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
        "unfollowed": [_unfollowed(each) for each in people.unfollowed(subscriber)],
        "topics": {topic.name: topic.query for topic in people.topics_made(subscriber)},
        "mutes": [_mute(each) for each in people.mutes(subscriber)],
        "destinations": [_destination(each) for each in places],
        "saved": [paper.url for paper in house.papers(people.saved(subscriber))],
        "deliveries": [
            _delivery(house, line, place)
            for place in places
            for line in house.store.outbox.history(place.id)
        ],
        "judged": {paper.url: judged[paper.seq] for paper in house.papers([*judged])},
        "refused": {d.address: why for d in places if (why := people.suppressed(d.address))},
        "set_up_for": _conversations(house, people.identities(subscriber)),
        "ledger": [
            _run(run) for place in places for run in house.store.ledger.about(f"d{place.id}")
        ],
    }


def _follow(follow: Follow) -> Plain:
    return {
        "topic": follow.topic.name,
        "query": follow.topic.query,
        "breadth": str(follow.breadth),
        "muted_until": follow.muted_until.isoformat() if follow.muted_until else None,
        "without": [*follow.without_words, *follow.without_authors],
    }


def _unfollowed(follow: Follow) -> Plain:
    ended = follow.ended_at.isoformat() if follow.ended_at else None
    return {**_follow(follow), "ended_at": ended}


def _run(run: Run) -> Plain:
    return {
        "at": run.at.isoformat(),
        "what": run.kind,
        "outcome": run.outcome,
        "reason": run.reason,
    }


def _conversations(house: House, identities: Iterable[Identity]) -> list[str]:
    """The conversations whose digests somebody set up, who is told when one cannot be brought."""
    users = [each.external_id for each in identities if each.kind == "slack"]
    return [address for user in users for address in house.store.slack.kept_by(user)]


def _mute(mute: Mute) -> Plain:
    return {"kind": str(mute.kind), "value": mute.value, "until": mute.until.isoformat()}


def _destination(place: Destination) -> Plain:
    return {
        "channel": place.channel,
        "address": place.address,
        "cadence": place.cadence,
        "zone": place.zone,
        "at_most": place.most or None,
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
            sign_ups.forget_asked(house, each.address)
    house.store.people.erase(subscriber)
    return True


def void_links(house: House, identity: Identity) -> bool:
    """Let links in someone's mails so far do no more than stop the mail; False for someone
    unknown.  For when a mail of theirs was passed on; the next one has new links."""
    subscriber = house.store.people.find(identity)
    if subscriber is None:
        return False
    with house.store.write():
        for each in house.store.people.destinations(subscriber):
            house.store.people.void_links(each.id)
    return True
