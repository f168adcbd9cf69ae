"""What example papers lead to: the topic that they belong to, and the words that they share.

    python -m tests.bench.examples [--set SET ...] [--examples N ...]

Of each judged topic N papers on it are picked at random and asked about, as by `like`.  `topic` is
the first topic of the catalogue that is offered, `words` the query; r@1%, found and volume as in
`tests.bench.judged`, over the other papers.  The folder ../shared is needed.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

from bot.core.commands.topics.liking import NEAREST, worth, worth_of_one
from bot.matching import Language, Matcher, QueryError, cut
from bot.matching.examples.words import like_one
from bot.model import Breadth, Match, Paper, Sighting
from bot.store.sqlite import SqliteStore
from tests.bench.judged import (
    SETS,
    Figures,
    Judged,
    Scores,
    command_line,
    figures,
    judged,
    known_language,
    mean,
    pool,
    scores,
)
from tests.bench.matching import catalogue

BACKGROUND = 400
CUT = cut(Breadth.BALANCED)
NOW = datetime(2026, 8, 21, tzinfo=UTC)


class Shelf:
    """The papers of one set with the topics of the catalogue that they belong to."""

    def __init__(self, language: Language, topics: Sequence[Judged]) -> None:
        self._language = language
        self.known = pool(topics)
        self.by_id = {paper.arxiv_id: paper for paper in self.known.papers}
        self._store = SqliteStore()
        self._store.papers.add([Sighting(paper) for paper in self.known.papers], NOW)
        self._of_topic: dict[int, dict[str, float]] = defaultdict(dict)
        for hit in Matcher(dict(enumerate(catalogue(language)))).hits(self.known.papers):
            self._of_topic[hit.topic_id][hit.paper.arxiv_id] = hit.score

    def by_topic(self, examples: Sequence[Paper], others: Sequence[Paper]) -> Scores:
        """Scores by the topic that tells most of the examples; none where there is no such."""
        told = (
            worth(self._matches(examples), len(examples), self._share)
            if len(examples) > 1
            else self._worth_of_one(examples[0], others)
        )
        return self._of_topic[max(told, key=told.__getitem__)] if told else {}

    def _worth_of_one(self, example: Paper, others: Sequence[Paper]) -> dict[int, float]:
        asked = like_one(example, others, self._usual)
        found = self._store.papers.nearest(asked, NEAREST + 1) if asked else []
        near = [self.known.papers[seq - 1] for seq in found]
        beside = self._matches([each for each in near if each.arxiv_id != example.arxiv_id])
        return worth_of_one(self._matches([example])[0], beside, self._share)

    def _matches(self, papers: Sequence[Paper]) -> dict[int, list[Match]]:
        return {
            number: [
                Match(0, number, topic, found[paper.arxiv_id], "")
                for topic, found in self._of_topic.items()
                if paper.arxiv_id in found
            ]
            for number, paper in enumerate(papers)
        }

    def by_words(self, examples: Sequence[Paper], others: Sequence[Paper]) -> Scores:
        """Scores by the query that the examples share; none where they share no words."""
        try:
            query = self._language.from_examples(examples, others, self._usual)
        except QueryError:
            return {}
        return scores([self._language.compile(query)], self.known.papers)[0]

    def _share(self, topic: int) -> float:
        return len(self._of_topic[topic]) / len(self.known.papers)

    def _usual(self, expression: str) -> float:
        return self._store.papers.count_of(expression) / len(self.known.papers)


def measure(language: Language, kind: str, counts: Sequence[int]) -> None:
    """Print the means of one set for so many examples."""
    topics = judged(kind)
    shelf, chance = Shelf(language, topics), random.Random(3)
    for count in counts:
        found: dict[str, list[Figures]] = {"topic": [], "words": []}
        for topic in topics:
            if len(topic.on_topic) < count + 5:
                continue
            asked = chance.sample(topic.on_topic, count)
            rest = {i: j for i, j in topic.judgements.items() if i not in asked}
            left = Judged(topic.slug, topic.name, rest)
            for way, given in given_by(shelf, asked, chance).items():
                found[way].append(figures(left, given, shelf.known.chance, CUT))
        for way, each in found.items():
            if (of := mean(each)) is not None:
                print(f"{kind:12s} {count} examples, {way}: {of.recall:.2f} {of.found:.2f}"
                      f" {100 * of.volume:.2f}% of {len(each)} topics", flush=True)  # fmt: skip


def given_by(shelf: Shelf, asked: Sequence[str], chance: random.Random) -> dict[str, Scores]:
    """What either way makes of examples."""
    examples = [shelf.by_id[each] for each in asked]
    spread = chance.sample(shelf.known.papers, BACKGROUND)
    others = [each for each in spread if each not in examples]
    return {"topic": shelf.by_topic(examples, others), "words": shelf.by_words(examples, others)}


def main() -> None:
    cli = command_line(__doc__, SETS)
    cli.add_argument("--examples", nargs="*", type=int, default=(1, 3, 5))
    options = cli.parse_args()
    language = known_language()
    for kind in options.kinds:
        measure(language, kind, options.examples)


if __name__ == "__main__":
    main()
