"""What a follow would have brought: by its breadth, and without what it leaves out."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from bot.core.commands.errand import Errand
from bot.core.commands.papers.entries import entries
from bot.core.filtering import mentions, wants
from bot.core.pipeline.papers import rematching
from bot.digest import Entry
from bot.matching import cut
from bot.model import Breadth, Follow, Match, Momentum, Origin, Paper, Topic
from bot.momentum import week_of

LOOKED_AT = 100  # papers among which those to show are sought
READ_TOGETHER = 500  # papers
AT_ONCE = 4_000  # papers of the past a new topic is matched with before the reply
SHOWN = 5
RECENT = timedelta(weeks=4)
ENOUGH = 5  # papers by which to tell that a breadth brings none


def look_back(errand: Errand, topic: Topic) -> None:
    """Match enough of the past for a preview; the rest follows in the background."""
    rematching.before_a_follow(errand.house, topic, AT_ONCE)
    after = errand.house.store.topics.matched_after().get(topic.id)
    if after is not None and not errand.house.store.papers.count_after(after):
        rematching.rematch(errand.house, topic, limit=AT_ONCE)


def momentum_of(errand: Errand, follow: Follow) -> Momentum:
    """The momentum of the papers that a follow lets through."""
    if not _leaves_out(follow):
        return errand.house.heat.of_one(follow.topic, follow.breadth)
    weeks = Counter(week_of(paper.submitted_at.date()) for paper in _wanted(errand, follow))
    return errand.house.heat.of_counts(follow.topic, weeks, follow.breadth)


def samples(errand: Errand, follow: Follow) -> tuple[Entry, ...]:
    """The best-fitting papers of the last weeks that a follow lets through.

    If these are few, the newest ones: somebody who tries a topic wants to see what it means.
    """
    found = errand.house.store.topics.best(follow.topic.id, cut(follow.breadth), LOOKED_AT)
    papers = {p.seq: p for p in errand.house.store.papers.some(m.seq for m in found)}
    wanted = [m for m in found if wants(follow, papers[m.seq], m)]
    recent = [m for m in wanted if errand.now - papers[m.seq].submitted_at <= RECENT]
    chosen = recent if len(recent) > SHOWN else wanted[:SHOWN]
    best = sorted(chosen, key=lambda match: -match.score)[:SHOWN]
    return entries(errand, [papers[m.seq] for m in best], follow.topic)


def idle(errand: Errand, follow: Follow) -> list[str]:
    """Excluded words that none of the topic's newest papers has; none if it has no papers."""
    found = errand.house.store.topics.best(follow.topic.id, cut(follow.breadth), READ_TOGETHER)
    papers = list(errand.house.store.papers.some(m.seq for m in found))
    return [
        words for words in follow.without_words
        if papers and not any(mentions(paper, words) for paper in papers)
    ]  # fmt: skip


def adds_nothing(errand: Errand, follow: Follow) -> bool:
    """Whether a broad follow brings no more than a balanced one, as when a query decides."""
    counts = set(_counts(errand, follow.topic, Breadth.BROAD, Breadth.BALANCED))
    return follow.breadth is Breadth.BROAD and len(counts) == 1 and counts != {0}


def narrows(errand: Errand, topic: Topic) -> bool:
    """Whether focused brings fewer papers than balanced, but some.

    Also true for a name that has no papers yet.
    """
    focused, balanced = _counts(errand, topic, Breadth.FOCUSED, Breadth.BALANCED)
    return 0 < focused < balanced or (not balanced and not _is_own_query(topic))


def silences(errand: Errand, topic: Topic) -> bool:
    """Whether somebody's own query decides by itself, so that focused brings no paper."""
    focused, balanced = _counts(errand, topic, Breadth.FOCUSED, Breadth.BALANCED)
    return _is_own_query(topic) and not focused and balanced >= ENOUGH


def _is_own_query(topic: Topic) -> bool:
    return topic.origin is Origin.OWN and not topic.derived


def _counts(errand: Errand, topic: Topic, *breadths: Breadth) -> list[int]:
    return [errand.house.store.topics.count(topic.id, cut(each)) for each in breadths]


def _leaves_out(follow: Follow) -> bool:
    return bool(follow.without_words or follow.without_authors)


def _wanted(errand: Errand, follow: Follow) -> Iterator[Paper]:
    """The papers of the counted weeks, newest first."""
    store, least = errand.house.store, cut(follow.breadth)
    since = errand.house.heat.since()
    counted = sum(store.topics.weekly(follow.topic.id, least, since).values())
    found = store.topics.best(follow.topic.id, least, counted)
    for start in range(0, len(found), READ_TOGETHER):
        some: dict[int, Match] = {m.seq: m for m in found[start : start + READ_TOGETHER]}
        for paper in store.papers.some(some):
            if paper.submitted_at.date() >= since and wants(follow, paper, some[paper.seq]):
                yield paper
