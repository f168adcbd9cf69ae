"""Names that learn their words from the papers at hand, as followed topics do from stored ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

from bot.matching.compiled import Compiled
from bot.matching.examples import learning
from bot.matching.examples.bags import Bag, bag
from bot.matching.examples.learning import BACKGROUND, BEST, FEW, LEAST
from bot.matching.language import Language
from bot.matching.scan import Matcher
from bot.model import Paper

_Example = tuple[float, Paper]  # how well it fits, and what


def untaught(language: Language, name: str) -> Compiled:
    """A name, or a query as it stands, without learned words.  Raises QueryError."""
    query = name if language.is_query(name) else language.derive(name)
    return language.compile(query, name=name)


def taught(
    language: Language, topics: Mapping[str, Compiled], papers: Sequence[Paper]
) -> dict[str, Compiled]:
    """Topics by name, each with the words that its best papers among these teach it.

    A query stays as it stands.  A name that too few papers match learns from those that come
    closest too, and one that hardly any matches stays as it is; fewer than a thousand papers teach
    nothing.
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


def _best(topics: Mapping[str, Compiled], papers: Sequence[Paper]) -> Mapping[str, list[_Example]]:
    names = list(topics)
    found: dict[str, list[_Example]] = defaultdict(list)
    for hit in Matcher(dict(enumerate(topics.values()))).hits(papers):
        found[names[hit.topic_id]].append((hit.score, hit.paper))
    small = {name: topics[name] for name in names if FEW <= len(found[name]) < LEAST}
    found |= _closest(small, papers)
    return {
        name: nlargest(LEAST if name in small else BEST, found[name], key=_score) for name in names
    }


def _closest(
    topics: Mapping[str, Compiled], papers: Sequence[Paper]
) -> Mapping[str, list[_Example]]:
    """The papers that come near some topics, whether they match them or not."""
    found: dict[str, list[_Example]] = {name: [] for name in topics}
    matcher = Matcher(dict(enumerate(topics.values())))
    for each in papers if topics else ():
        seen = matcher.sight(each)
        for name, topic in topics.items():
            if score := topic.near(seen):
                found[name].append((score, each))
    return found


def _weights(best: Sequence[_Example], spread: Sequence[tuple[str, Bag]]) -> str:
    own = {paper.arxiv_id for _, paper in best}
    others = [each for arxiv_id, each in spread if arxiv_id not in own]
    examples = [learning.Example(bag(paper), score) for score, paper in best]
    return learning.learn(examples, others)


def _score(example: _Example) -> float:
    return example[0]
