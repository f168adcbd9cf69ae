"""A paper or topic that cannot be matched fails alone: it is written down and tried again.

What it would have brought is owed: matched at last, news are news.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from bot.core.house import House
from bot.matching import Hit
from bot.model import Paper, Topic
from bot.store import Outcome, Scored
from bot.text import plural

AGAIN = timedelta(hours=6)
NAMED = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What some papers match, and which of them made trouble, by their identifiers.

    It is true for the topics as they are under that stamp.
    """

    stamp: str
    hits: dict[str, list[Hit]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)


def find(house: House, papers: Iterable[Paper]) -> Found:
    """What papers match; those that made trouble are recorded."""
    matcher, _, stamp = house.compendium.current()
    found = Found(stamp)

    def trouble(paper: Paper, error: Exception) -> None:
        found.failed.add(paper.arxiv_id)
        left(house, paper.arxiv_id, f"could not be matched: {error!r:.300}")

    for hit in matcher.hits(papers, trouble):
        found.hits.setdefault(hit.paper.arxiv_id, []).append(hit)
    return found


def put(house: House, papers: list[Paper], found: Found, *, live: bool) -> int:
    """Store what papers match; return how many matches are new."""
    topics = house.compendium.topics()
    return house.store.topics.add_matches(
        [
            Scored(hit.topic_id, paper.seq, hit.score, hit.reason, topics[hit.topic_id].version)
            for paper in papers
            for hit in found.hits.get(paper.arxiv_id, ())
        ],
        live=live,
    )


def match_again(house: House) -> None:
    """Match once more the papers that made trouble."""
    waiting = house.store.topics.unmatched()
    if not waiting:
        return
    lately = left_lately(house)
    with house.store.write():
        papers = [p for p in house.store.papers.some(waiting) if p.arxiv_id not in lately]
        found = find(house, papers)
        for live in (True, False):
            put(house, [p for p in papers if waiting[p.seq] is live], found, live=live)
        house.store.topics.matched(p.seq for p in papers if p.arxiv_id not in found.failed)


def left(house: House, subject: str, why: str) -> None:
    """Record a paper or topic that could not be matched."""
    house.store.ledger.record("match", subject, house.clock(), Outcome.FAILED, why)
    house.tell("unmatched", Outcome.FAILED, subject=subject, remark=why)


def left_lately(house: House) -> set[str]:
    """The papers and topics that failed a short while ago, and are not tried again yet."""
    now = house.clock()
    return {
        subject
        for subject, run in house.store.ledger.latest("match").items()
        if run.outcome == Outcome.FAILED and run.at > now - AGAIN
    }


def subject_of(topic: Topic) -> str:
    """A topic's name in the ledger: with another query it is tried at once."""
    return f"t{topic.id} v{topic.version}"


def owed(house: House) -> tuple[str, ...]:
    """The papers and followed topics that still wait since they failed, in a few sentences."""
    latest = house.store.ledger.latest("match")
    why = {subject: run.reason for subject, run in latest.items() if run.outcome == Outcome.FAILED}
    if not why:
        return ()
    papers = house.store.papers.some(house.store.topics.unmatched())
    followed = {topic.id for topic in house.store.topics.followed()}
    topics = [topic for topic in house.store.topics.stale() if topic.id in followed]
    named = [(paper.arxiv_id, paper.arxiv_id) for paper in papers]
    named += [(subject_of(topic), f"“{topic.name}”:") for topic in topics]
    found = [f"{name} {why[subject]}." for subject, name in named if subject in why]
    more = plural(len(found) - NAMED, "paper or topic", "papers or topics")
    rest = [f"{more} more could not be matched."] if len(found) > NAMED else []
    return (*found[:NAMED], *rest)
