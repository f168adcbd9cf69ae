"""What a topic learns from the papers that its readers keep, and from those that they do not want.

    python -m tests.bench.verdicts [--set SET ...] [--most N ...]

Of every second paper a reader looks at the best: the first N that are on topic are kept, the first
N others are not for them.  The figures are those of the other papers, where nobody said anything:
`r@1%`, `found` and `volume` as in `tests.bench.judged`, learnt without what was said, with the
unwanted papers alone, and with both.  The folder ../shared is needed.
"""

from collections.abc import Mapping, Sequence

from bot.matching import Compiled, Language
from bot.matching.examples.learning import BACKGROUND, BEST
from bot.matching.verdicts import BROAD
from bot.model import Paper
from tests.bench.judged import (
    LISTS,
    Figures,
    Judged,
    Pool,
    command_line,
    judged,
    known_language,
    learnt,
    mean,
    of_matching,
    pool,
    scores,
)


class Readers:
    """Topics as they were learned without anybody's help, over the papers of one set."""

    def __init__(self, language: Language, topics: list[Judged]) -> None:
        self._language = language
        self.topics = topics
        self.known = pool(topics)
        plain = [language.compile(language.derive(t.name), name=t.name) for t in topics]
        self.before = learnt(language, topics, plain, self.known)
        self._given = scores(self.before, self.known.papers)
        everything = self.known.papers
        self._asked = frozenset(each.arxiv_id for each in everything[::2])
        self.rest = Pool(everything[1::2], self.known.chance)

    def heard(self, kept: int, unwanted: int) -> list[Compiled]:
        """The same topics, learned with the verdicts on so many of their best papers."""
        return [
            self._language.compile(
                self._language.derive(topic.name),
                name=topic.name,
                weights=self._weights(topic, given, kept, unwanted),
            )
            for topic, given in zip(self.topics, self._given, strict=True)
        ]

    def _weights(self, topic: Judged, given: Mapping[str, float], kept: int, unwanted: int) -> str:
        ordered = sorted(self.known.papers, key=lambda each: -given[each.arxiv_id])
        best = {each: s for each in ordered[:BEST] if (s := given[each.arxiv_id]) >= BROAD}
        spread = ordered[BEST :: max(1, len(ordered) // BACKGROUND)]
        asked = [each for each in ordered if each.arxiv_id in self._asked]
        on, off = (_where(asked, topic, wanted=wanted) for wanted in (True, False))
        return self._language.learn(best, spread, liked=on[:kept], disliked=off[:unwanted])


def _where(papers: Sequence[Paper], topic: Judged, *, wanted: bool) -> list[Paper]:
    return [p for p in papers if (topic.judgements.get(p.arxiv_id, 0) == 1) is wanted]


def measure(language: Language, kind: str, most: Sequence[int]) -> None:
    """Print the means of one set."""
    readers = Readers(language, judged(kind))
    _line(f"{kind}: nothing said", readers, readers.before)
    for n in most:
        _line(f"{kind}: {n} unwanted", readers, readers.heard(0, n))
        _line(f"{kind}: {n} kept, {n} unwanted", readers, readers.heard(n, n))


def _line(label: str, readers: Readers, compiled: list[Compiled]) -> None:
    got: Figures | None = mean(_of_the_rest(readers, compiled))
    if got:
        print(f"{label:40s} {got.recall:.3f} {got.found:.3f} {100 * got.volume:.2f}%", flush=True)


def _of_the_rest(readers: Readers, compiled: list[Compiled]) -> list[Figures]:
    """Figures over the papers that nobody was asked of, for topics that have three there."""
    there = {each.arxiv_id for each in readers.rest.papers}
    left = [
        (Judged(t.slug, t.name, {i: j for i, j in t.judgements.items() if i in there}), each)
        for t, each in zip(readers.topics, compiled, strict=True)
    ]
    kept = [(topic, each) for topic, each in left if len(topic.on_topic) >= 3]
    known = Pool(readers.rest.papers, readers.rest.chance & there)
    return of_matching([topic for topic, _ in kept], [each for _, each in kept], known)


def main() -> None:
    cli = command_line(__doc__, LISTS)
    cli.add_argument("--most", nargs="*", type=int, default=(1, 5, 15))
    options = cli.parse_args()
    language = known_language()
    print("r@1%, found, volume of the papers that nobody was asked of")
    for kind in options.kinds:
        measure(language, kind, options.most)


if __name__ == "__main__":
    main()
