"""Papers as an answer shows them: with their topics, why they came, and what can be done."""

from collections.abc import Mapping, Sequence

from bot.core.commands.errand import Errand
from bot.core.pipeline.digests.composing import tag
from bot.digest import Action, Entry
from bot.matching import cut
from bot.model import Breadth, Match, Paper, Topic


def entries(
    errand: Errand, papers: Sequence[Paper], topic: Topic | None = None,
    matches: Mapping[int, list[Match]] | None = None,
) -> tuple[Entry, ...]:  # fmt: skip
    """Papers as they are shown with their topics, the topic asked for first.

    Pass `matches`, all of theirs, if they were read already.
    """
    if matches is None:
        matches = errand.house.store.topics.of_papers(p.seq for p in papers)
    topics = errand.house.compendium.topics()
    asked = topic.id if topic else 0
    return tuple(
        _entry(errand, paper, matches.get(paper.seq, []), topics, asked) for paper in papers
    )


def newest(errand: Errand, topic: Topic, count: int = 5) -> tuple[Entry, ...]:
    """The newest papers of a topic."""
    found = errand.house.store.topics.best(topic.id, cut(Breadth.BALANCED), count)
    return entries(errand, errand.house.papers([m.seq for m in found]), topic)


def _entry(
    errand: Errand, paper: Paper, found: list[Match], topics: dict[int, Topic], asked: int
) -> Entry:
    found = sorted(found, key=lambda m: m.topic_id != asked)
    shown = [m for m in found if m.score >= cut(Breadth.BALANCED) and m.topic_id in topics]
    of_asked = [m for m in found if m.topic_id == asked]
    best = next(iter(of_asked or shown or found), None)
    return Entry(
        paper=paper,
        tags=tuple(tag(errand.house, topics[m.topic_id]) for m in shown),
        reason=best.reason if best else "",
        score=best.score if best else 0.0,
        actions=(
            Action("Save", f"save {paper.arxiv_id}"),
            Action("Not for me", f"not-for-me {paper.arxiv_id}"),
        ),
    )
