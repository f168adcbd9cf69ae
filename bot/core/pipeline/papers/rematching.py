"""Matching the stored past anew, for topics whose query changed or that were left out."""

from collections.abc import Iterable

from bot.core.house import House
from bot.core.pipeline.papers import unmatched
from bot.core.pipeline.papers.news import is_news
from bot.matching import Compiled
from bot.model import Paper, Sighting, Topic
from bot.store import Scored, StoreError


def rematch_next(house: House) -> Topic | None:
    """Match the stored past anew for one topic whose query changed; None where none waits.

    What is found that way is not live: nobody is told of old papers, but for what came while it
    could not be matched.  One that fails is put off, and stands in nobody's way.
    """
    lately = unmatched.left_lately(house)
    topic = next(
        (t for t in house.store.topics.stale() if unmatched.subject_of(t) not in lately), None
    )
    if topic is None:
        return None
    try:
        if not rematch(house, topic):
            unmatched.left(house, unmatched.subject_of(topic), "its query could not be read")
    except StoreError:
        raise
    except Exception as error:  # whatever it is, the other topics are matched
        why = f"it could not be matched with the past: {error!r:.300}"
        unmatched.left(house, unmatched.subject_of(topic), why)
    return topic


def catch_up(house: House, subscriber: int) -> None:
    """Finish what a reply began: topics they follow that were matched with a part of the past."""
    partly = house.store.topics.matched_after()
    for each in house.store.people.follows(subscriber):
        after = partly.get(each.topic.id)
        if after is not None and house.store.papers.count_after(after):
            rematch(house, each.topic)


def rematch(house: House, topic: Topic, limit: int = 1_000_000) -> bool:
    """Match stored papers with a topic, those submitted last first, about `limit` at most.

    With all of them done the topic no longer waits.  False where its query cannot be read.
    """
    compiled = house.compendium.compile(topic)
    if compiled is None:
        return False
    missed = house.store.topics.missed_after(topic.id)
    seen, after = 0, None
    for batch in proposed(house, compiled):
        if after and seen >= limit:
            house.store.topics.rematched(topic, after)
            return True
        news = {p.seq for p in batch if missed is not None and _was_news(house, p, missed)}
        found = _judged(house, topic, compiled, batch, news)
        with house.store.write():
            for live in (True, False):
                some = (each for each in found if (each.seq in news) is live)
                house.store.topics.add_matches(some, live=live)
        seen, after = seen + len(batch), batch[-1].submitted_at
    house.store.topics.rematched(topic, None)
    return True


def before_a_follow(house: House, topic: Topic, limit: int) -> None:
    """Match what came while a topic was left out, of about `limit` papers submitted last.

    It is news to those who follow it already, or take up an earlier follow again, and none to
    whoever begins to follow it after this.
    """
    missed = house.store.topics.missed_after(topic.id)
    compiled = None if missed is None else house.compendium.compile(topic)
    if missed is None or compiled is None:
        return
    for batch in proposed(house, compiled, limit):
        some = [paper for paper in batch if _was_news(house, paper, missed)]
        found = _judged(house, topic, compiled, some, {paper.seq for paper in some})
        with house.store.write():
            house.store.topics.add_matches(found, live=True)


def _judged(
    house: House, topic: Topic, compiled: Compiled, papers: list[Paper], news: set[int]
) -> list[Scored]:
    found = []
    for paper in papers:
        try:
            verdict = compiled.judge(paper)
        except Exception as error:  # whatever it is, the other papers are matched
            house.store.topics.leave_unmatched([paper.seq], live=paper.seq in news)
            unmatched.left(house, paper.arxiv_id, f"could not be matched: {error!r:.300}")
            continue
        if verdict:
            score, reason = verdict.score, verdict.reason
            found.append(Scored(topic.id, paper.seq, score, reason, topic.version))
    return found


def _was_news(house: House, paper: Paper, missed: int) -> bool:
    """Whether a paper that came when the topic was left out was news then."""
    seen_at = paper.first_seen_at
    return paper.seq > missed and seen_at is not None and is_news(house, Sighting(paper), seen_at)


def proposed(house: House, compiled: Compiled, limit: int = 1_000_000) -> Iterable[list[Paper]]:
    """The stored papers that may match, last submitted first, about `limit` at most, in batches.

    They are found by words, else by author or category, else it is all; none for an empty query.
    """
    store = house.store
    if compiled.candidates is not None:
        expression = compiled.candidates
        return store.papers.candidates(expression, limit) if expression else ()
    if (asked := compiled.outside) is None:
        return store.papers.newest_first()
    names = {name for words in asked.beginnings for name in store.reading.authors(words)}
    return store.reading.by(
        [name for name in names if asked.is_author(name)],
        [each for each in store.papers.categories() if asked.is_category(each)],
        limit,
    )
