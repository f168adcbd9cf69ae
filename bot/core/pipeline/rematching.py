"""Matching the stored past anew, for topics whose query changed."""

from collections.abc import Iterable

from bot.core.house import House
from bot.model import Paper, Topic
from bot.store import Scored


def rematch_next(house: House) -> Topic | None:
    """Match the stored past anew for one topic whose query changed; None where none waits.

    What is found that way is not live: nobody is told of old papers.
    """
    waiting = house.store.topics.stale()
    if not waiting:
        return None
    rematch(house, waiting[0])
    return waiting[0]


def catch_up(house: House, subscriber: int) -> None:
    """Finish what a reply began: topics they follow that were matched with a part of the past."""
    partly = house.store.topics.matched_after()
    for each in house.store.people.follows(subscriber):
        after = partly.get(each.topic.id)
        if after is not None and house.store.papers.count_after(after):
            rematch(house, each.topic)


def rematch(house: House, topic: Topic, limit: int = 1_000_000) -> None:
    """Match stored papers with a topic, those submitted last first, about `limit` at most.

    With all of them done the topic no longer waits.
    """
    compiled = house.compendium.compile(topic)
    seen, after = 0, None
    for batch in _past(house, compiled.candidates if compiled else ""):
        if after and seen >= limit:
            house.store.topics.rematched(topic, after)
            return
        verdicts = ((p, compiled.judge(p)) for p in batch) if compiled else ()
        found = [
            Scored(topic.id, p.seq, v.score, v.reason, topic.version) for p, v in verdicts if v
        ]
        house.store.topics.add_matches(found, live=False)
        seen, after = seen + len(batch), batch[-1].submitted_at
    house.store.topics.rematched(topic, None)


def _past(house: House, candidates: str | None) -> Iterable[list[Paper]]:
    """The stored papers that may match, last submitted first; a query of "" matches none."""
    if candidates is None:
        return house.store.papers.newest_first()
    return house.store.papers.candidates(candidates) if candidates else ()
