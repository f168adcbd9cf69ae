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
from bot.matching.examples.words import like_one
from bot.model import Match, Paper, Topic

FEW = 1_000  # papers: of fewer a word, or a topic, says little by holding one
_RARE = 0.001  # of all papers: a topic of fewer tells no more of a paper
_MOST = 3  # topics that are offered
NEAREST = 50  # papers that are like one
_BY_CHANCE = 1  # of these, and whose topic says nothing then
_OWN = 0.3  # what a topic of an example counts, for one of all papers that are like it


def like(errand: Errand, text: str) -> Reply:
    """Follow what example papers are about, or the words they share: `like 2501.01234 …`."""
    if not text:
        raise refused("Like which papers? ", Code("like 2501.01234 2502.00001"))
    papers = papers_named(errand, text, "like")
    matches = errand.house.store.topics.of_papers(paper.seq for paper in papers)
    background = _background(errand, papers)
    topics = _topics_of(errand, papers, matches, background)
    try:
        query = errand.house.language.from_examples(papers, background, _usual(errand))
    except QueryError as error:
        if not topics:
            raise refused(str(error)) from error
        query = ""
    return errand.reply(
        *_of_topics(topics, matches, len(papers)),
        *_of_words(query, len(papers)),
        papers=entries(errand, papers, matches=matches),
        buttons=(
            *(Action(f"Follow {shown(each.name, 40)}", f"follow {each.name}") for each in topics),
            *((Action("Follow the words", f"follow {query}"),) if query else ()),
        ),
    )


def worth(
    matches: Mapping[int, Sequence[Match]], papers: int, share: Callable[[int], float]
) -> dict[int, float]:
    """How well topics that half of the papers have describe them, by topic.

    A topic describes them better the closer it fits and the smaller its `share` of all papers.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for match in (each for found in matches.values() for each in found):
        scores[match.topic_id].append(match.score)
    return {
        topic_id: sum(found) / papers * -log(max(share(topic_id), _RARE))
        for topic_id, found in scores.items()
        if 2 * len(found) >= papers
    }


def worth_of_one(
    own: Sequence[Match], near: Mapping[int, Sequence[Match]], share: Callable[[int], float]
) -> dict[int, float]:
    """How well topics describe one paper: its own, and those of the papers `near` it.

    A topic of fewer than a tenth of these, or of only one, is there by chance.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for match in (each for found in near.values() for each in found):
        scores[match.topic_id].append(match.score / len(near))
    least = max(_BY_CHANCE, len(near) / 10)
    told = {topic_id: sum(each) for topic_id, each in scores.items() if len(each) > least}
    for match in own:
        told[match.topic_id] = told.get(match.topic_id, 0.0) + _OWN * match.score
    return {each: score * -log(max(share(each), _RARE)) for each, score in told.items()}


def _topics_of(
    errand: Errand, papers: Sequence[Paper], matches: Mapping[int, Sequence[Match]],
    background: Sequence[Paper],
) -> list[Topic]:  # fmt: skip
    """The topics with a page that describe the papers best, the best first.

    One paper says little by itself, so similar ones count as well.
    """
    store, known = errand.house.store, errand.house.compendium.topics()
    every = max(store.papers.count(), FEW)

    def share(topic_id: int) -> float:
        return store.topics.count(topic_id, 0) / every

    if len(papers) > 1:
        told = worth(matches, len(papers), share)
    else:
        near = _beside(errand, papers[0], background)
        told = worth_of_one(matches.get(papers[0].seq, ()), near, share)
    best = sorted(told.keys() & known.keys(), key=lambda each: (-told[each], each))
    return [known[each] for each in best if errand.house.has_page(known[each])][:_MOST]


def _beside(
    errand: Errand, paper: Paper, background: Sequence[Paper]
) -> Mapping[int, Sequence[Match]]:
    """The matches of the papers whose words are most like one's."""
    asked = like_one(paper, background, _usual(errand))
    found = errand.house.store.papers.nearest(asked, NEAREST + 1) if asked else []
    return errand.house.store.topics.of_papers(seq for seq in found if seq != paper.seq)


def _of_topics(
    topics: Sequence[Topic], matches: Mapping[int, Sequence[Match]], papers: int
) -> list[Line]:
    counts = {t.id: sum(any(m.topic_id == t.id for m in found) for found in matches.values())
              for t in topics}  # fmt: skip
    theirs = [each for each in topics if counts[each.id]]
    others = [each for each in topics if not counts[each.id]]
    these = f"These {papers} papers belong to: " if papers > 1 else "This paper belongs to: "
    return [
        line(said, *_listed(some, counts, papers))
        for said, some in ((these, theirs), ("Papers like it belong to: ", others))
        if some
    ]


def _listed(topics: Sequence[Topic], counts: Mapping[int, int], papers: int) -> list[Span]:
    named: list[Span] = []
    for topic in topics:
        count = counts[topic.id]
        named += [", ", Strong(topic.name), f" ({count})" if 0 < count < papers else ""]
    return named[1:]


def _of_words(query: str, papers: int) -> list[Line]:
    if not query:
        return []
    these = f"These {papers} papers are about: " if papers > 1 else "This paper is about: "
    return [
        line(these, Query(query)),
        line("Follow it as it is, or change it: ", Code(f"follow {query}")),
    ]


def _background(errand: Errand, papers: Sequence[Paper]) -> list[Paper]:
    """Other papers, to show what is usual."""
    return [each for each in errand.house.store.papers.random(400) if each not in papers]


def _usual(errand: Errand) -> Callable[[str], float]:
    """A function from a full-text expression to the share of stored papers it finds."""
    papers = errand.house.store.papers
    every = max(papers.count(), FEW)
    return lambda expression: papers.count_of(expression) / every
