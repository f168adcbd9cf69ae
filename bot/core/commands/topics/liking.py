"""Like: from example papers to the topics that they belong to, and to the words that they share."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import log

from bot.core.commands.errand import Errand, refused
from bot.core.commands.papers.entries import entries
from bot.core.commands.papers.shelf import papers_named
from bot.core.naming import shown
from bot.core.reply import Code, Line, Query, Reply, Span, Strong, line
from bot.digest import Action
from bot.matching import QueryError
from bot.model import Match, Paper, Topic

FEW = 1_000  # papers: of fewer a word, or a topic, says little by holding one
_RARE = 0.001  # of all papers: a topic of fewer tells no more of a paper
_MOST = 3  # topics that are offered


def like(errand: Errand, text: str) -> Reply:
    """Follow what example papers are about, or the words they share: `like 2501.01234 …`."""
    if not text:
        raise refused("Like which papers? ", Code("like 2501.01234 2502.00001"))
    papers = papers_named(errand, text)
    matches = errand.house.store.topics.of_papers(paper.seq for paper in papers)
    topics = _topics_of(errand, matches, len(papers))
    try:
        query = _shared(errand, papers)
    except QueryError as error:
        if not topics:
            raise refused(str(error)) from error
        query = ""
    return errand.reply(
        *_of_topics(topics, matches, len(papers)),
        *_of_words(query, len(papers)),
        papers=entries(errand, papers),
        buttons=(
            *(Action(f"Follow {shown(each.name, 40)}", f"follow {each.name}") for each in topics),
            *((Action("Follow the words", f"follow {query}"),) if query else ()),
        ),
    )


def worth(
    matches: Mapping[int, Sequence[Match]], papers: int, share: Callable[[int], float]
) -> dict[int, float]:
    """What the topics of so many papers tell of them, by topic: those of half of them or more.

    The closer they fit and the fewer papers a topic has, as a `share` of all, the more it tells.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for match in (each for found in matches.values() for each in found):
        scores[match.topic_id].append(match.score)
    return {
        topic_id: sum(found) / papers * -log(max(share(topic_id), _RARE))
        for topic_id, found in scores.items()
        if 2 * len(found) >= papers
    }


def _topics_of(errand: Errand, matches: Mapping[int, Sequence[Match]], papers: int) -> list[Topic]:
    """The topics with a page that tell most of the papers, the most telling first."""
    store, known = errand.house.store, errand.house.compendium.topics()
    every = max(store.papers.count(), FEW)
    told = worth(matches, papers, lambda topic_id: store.topics.count(topic_id, 0) / every)
    best = sorted(told.keys() & known.keys(), key=lambda each: (-told[each], each))
    return [known[each] for each in best if errand.house.has_page(known[each])][:_MOST]


def _of_topics(
    topics: Sequence[Topic], matches: Mapping[int, Sequence[Match]], papers: int
) -> list[Line]:
    if not topics:
        return []
    named: list[Span] = []
    for topic in topics:
        count = sum(any(m.topic_id == topic.id for m in found) for found in matches.values())
        named += [", ", Strong(topic.name), f" ({count})" if count < papers else ""]
    these = f"These {papers} papers belong to: " if papers > 1 else "This paper belongs to: "
    return [line(these, *named[1:])]


def _of_words(query: str, papers: int) -> list[Line]:
    if not query:
        return []
    these = f"These {papers} papers tell of: " if papers > 1 else "This paper tells of: "
    return [
        line(these, Query(query)),
        line("Follow it as it is, or change it: ", Code(f"follow {query}")),
    ]


def _shared(errand: Errand, papers: Sequence[Paper]) -> str:
    """A query from what the papers share.  Raises QueryError where that is nothing."""
    others = errand.house.store.papers.random(400)
    background = [paper for paper in others if paper not in papers]
    return errand.house.language.from_examples(papers, background, _usual(errand))


def _usual(errand: Errand) -> Callable[[str], float]:
    """Which share of the stored papers a full-text expression finds."""
    papers = errand.house.store.papers
    every = max(papers.count(), FEW)
    return lambda expression: papers.count_of(expression) / every
