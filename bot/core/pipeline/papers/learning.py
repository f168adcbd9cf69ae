"""A followed topic learns its own words, from its best stored papers and what readers say of them.

What is learned is a new version of the topic: the past is matched again, nobody is told of it.
"""

from collections.abc import Iterable
from datetime import timedelta

from bot.core.house import House
from bot.core.pipeline.papers import unmatched
from bot.matching import cut
from bot.matching.learning import BACKGROUND, BEST
from bot.model import Breadth, Paper, Topic
from bot.store import StoreError

EVERY = timedelta(weeks=4)
SMALL = timedelta(weeks=1)  # until a topic that had too few papers is looked at again
AGAIN = timedelta(days=1)  # after a failure, or what a reader said of its papers


def learn_next(house: House) -> Topic | None:
    """Let one followed topic learn whose turn it is; None where it is nobody's.

    A topic with too few papers is left as it is for a week, one that fails for a day.
    """
    now = house.clock()
    waiting = house.store.topics.to_learn(now - EVERY)
    if not waiting:
        return None
    topic = waiting[0]
    try:
        weights = _weights(house, topic)
        at = now if weights else now - EVERY + SMALL
    except StoreError:
        raise
    except Exception as error:  # whatever it is, the other topics learn
        weights, at = "", now - EVERY + AGAIN
        unmatched.left(house, f"t{topic.id} learning", f"it could not learn: {error!r:.300}")
    house.store.topics.learn(topic.id, weights or topic.weights, at)
    return topic


def heard(house: House, subscriber_id: int, seqs: Iterable[int]) -> None:
    """What a reader said of papers teaches, within a day, the topics that brought them those."""
    house.store.topics.turn_by(subscriber_id, seqs, house.clock() - EVERY + AGAIN)


def _weights(house: House, topic: Topic) -> str:
    best = house.store.topics.best(topic.id, cut(Breadth.BROAD), BEST, by_score=True)
    scores = {match.seq: match.score for match in best}
    opinions = house.store.people.opinions(topic.id)
    papers = house.store.papers
    return house.language.learn(
        {paper: scores[paper.seq] for paper in papers.some(scores)},
        _others(house, topic),
        liked=papers.some(seq for seq, liked in opinions.items() if liked),
        disliked=papers.some(seq for seq, liked in opinions.items() if not liked),
    )


def _others(house: House, topic: Topic) -> list[Paper]:
    """A spread of papers that do not belong to the topic."""
    spread = house.store.papers.random(BACKGROUND)
    matches = house.store.topics.of_papers(paper.seq for paper in spread)
    return [
        paper
        for paper in spread
        if all(match.topic_id != topic.id for match in matches.get(paper.seq, ()))
    ]
