"""A followed topic learns its own words, from its best stored papers and what readers say of them.

What is learned is a new version of the topic: the past is matched again, nobody is told of it.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from heapq import nlargest

from bot.core.house import House
from bot.core.pipeline.papers import unmatched
from bot.matching import cut
from bot.matching.examples.learning import BACKGROUND, BEST, FEW, LEAST
from bot.model import Breadth, Paper, Topic
from bot.store import StoreError

EVERY = timedelta(weeks=4)
SMALL = timedelta(weeks=1)  # until a topic that had too few papers is looked at again
NEAREST = 500  # papers with a topic's words: the closest of them are taken where few match
AGAIN = timedelta(days=1)  # after a failure, or what a reader said of its papers


def learn_next(house: House) -> Topic | None:
    """Let the followed topic learn whose turn it is; None if it is nobody's.

    A topic with too few papers has its turn again in a week, one that fails in a day.
    """
    now = house.clock()
    waiting = house.store.topics.to_learn(now - EVERY)
    if not waiting:
        return None
    topic = waiting[0]
    try:
        weights, enough = _learned(house, topic)
        at = now if enough else now - EVERY + SMALL
    except StoreError:
        raise
    except Exception as error:  # whatever it is, the other topics learn
        weights, at = "", now - EVERY + AGAIN
        unmatched.left(house, f"t{topic.id} learning", f"it could not learn: {error!r:.300}")
    house.store.topics.learn(topic.id, weights or topic.weights, at)
    return topic


def heard(house: House, subscriber_id: int, seqs: Iterable[int]) -> None:
    """Let the topics that brought some papers learn within a day what a reader said of them."""
    house.store.topics.turn_by(subscriber_id, seqs, house.clock() - EVERY + AGAIN)


def _learned(house: House, topic: Topic) -> tuple[str, bool]:
    """The words of its best papers, and whether enough match it to learn from those alone."""
    best = _best(house, topic)
    near = _closest(house, topic) if FEW <= len(best) < LEAST else {}
    opinions = house.store.people.opinions(topic.id)
    papers = house.store.papers
    weights = house.language.learn(
        {**near, **best},
        _others(house, topic, near),
        liked=papers.some(seq for seq, liked in opinions.items() if liked),
        disliked=papers.some(seq for seq, liked in opinions.items() if not liked),
    )
    return weights, bool(weights and not near)


def _best(house: House, topic: Topic) -> Mapping[Paper, float]:
    matches = house.store.topics.best(topic.id, cut(Breadth.BROAD), BEST, by_score=True)
    scores = {match.seq: match.score for match in matches}
    return {paper: scores[paper.seq] for paper in house.store.papers.some(scores)}


def _closest(house: House, topic: Topic) -> Mapping[Paper, float]:
    """The few papers that fit a name best, also below the cut."""
    compiled = house.compendium.compile(topic)
    if compiled is None or not compiled.plans or not (asked := compiled.candidates):
        return {}
    found = house.store.papers.some(house.store.papers.nearest(asked, NEAREST))
    near = {paper: score for paper in found if (score := compiled.near(paper))}
    return dict(nlargest(LEAST, near.items(), key=lambda each: each[1]))


def _others(house: House, topic: Topic, near: Collection[Paper]) -> list[Paper]:
    """A spread of papers that neither belong to the topic nor come near it."""
    spread = house.store.papers.random(BACKGROUND)
    matches = house.store.topics.of_papers(paper.seq for paper in spread)
    return [
        paper
        for paper in spread
        if paper not in near
        and all(match.topic_id != topic.id for match in matches.get(paper.seq, ()))
    ]
