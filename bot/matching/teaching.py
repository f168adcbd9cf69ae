"""Names that learn their words from the papers at hand, as followed topics do from stored ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

from bot.matching import learning
from bot.matching.bags import Bag, bag
from bot.matching.compiled import Compiled
from bot.matching.language import Language
from bot.matching.learning import BACKGROUND, BEST
from bot.matching.scan import Matcher
from bot.matching.verdicts import Hit
from bot.model import Paper


def untaught(language: Language, name: str) -> Compiled:
    """A name, or a query as it stands, without learned words.  Raises QueryError."""
    query = name if language.is_query(name) else language.derive(name)
    return language.compile(query, name=name)


def taught(
    language: Language, topics: Mapping[str, Compiled], papers: Sequence[Paper]
) -> dict[str, Compiled]:
    """Topics by name, each with the words of its best papers among these.

    A query stays as it stands, and a name that too few papers match as it is; fewer than a
    thousand papers teach nothing.
    """
    if len(papers) < BACKGROUND:
        return dict(topics)
    best = _best(topics, papers)
    spread = [(each.arxiv_id, bag(each)) for each in papers[:: len(papers) // BACKGROUND]]
    learned = dict(topics)
    for name in topics:
        if not language.is_query(name):
            weights = _weights(best[name], spread)
            learned[name] = language.compile(language.derive(name), name=name, weights=weights)
    return learned


def _best(topics: Mapping[str, Compiled], papers: Sequence[Paper]) -> Mapping[str, list[Hit]]:
    names = list(topics)
    found: dict[str, list[Hit]] = defaultdict(list)
    for hit in Matcher(dict(enumerate(topics.values()))).hits(papers):
        found[names[hit.topic_id]].append(hit)
    return {name: nlargest(BEST, found[name], key=_score) for name in names}


def _weights(best: Sequence[Hit], spread: Sequence[tuple[str, Bag]]) -> str:
    own = {hit.paper.arxiv_id for hit in best}
    others = [each for arxiv_id, each in spread if arxiv_id not in own]
    examples = [learning.Example(bag(hit.paper), hit.score) for hit in best]
    return learning.learn(examples, others)


def _score(hit: Hit) -> float:
    return hit.score
