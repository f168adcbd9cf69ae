"""Thousands of topics meet each paper in one go.

One pass over the text finds every term of every topic; only topics of which a key term
was found are judged, and they look terms up in what the pass found.
"""

from collections.abc import Iterable, Iterator, Mapping

from ahocorasick_rs import AhoCorasick

from bot.matching.compiled import Compiled
from bot.matching.folding import fold
from bot.matching.sighting import Sighting
from bot.matching.terms import Term
from bot.matching.verdicts import Hit
from bot.model import Paper


class Matcher:
    """Topics by id, made ready for batches of papers."""

    def __init__(self, topics: Mapping[int, Compiled]) -> None:
        self._topics = dict(topics)
        terms = sorted({t for c in topics.values() for t in c.terms}, key=lambda t: t.needle)
        self._scanners = [
            (_scanner(chosen), chosen, cased)
            for cased in (False, True)
            if (chosen := [t for t in terms if t.cased is cased])
        ]
        self._by_key: dict[Term, list[int]] = {}
        self._always: list[int] = []
        for number, compiled in topics.items():
            if compiled.keys is None:
                self._always.append(number)
            for key in compiled.keys or ():
                self._by_key.setdefault(key, []).append(number)

    def hits(self, papers: Iterable[Paper]) -> Iterator[Hit]:
        """Every (paper, topic) that `Compiled.judge` accepts, paper by paper, topics by id."""
        for paper in papers:
            present = self._present(paper)
            waiting = set(self._always)
            for found in present:
                waiting.update(self._by_key.get(found, ()))
            seen = Sighting(paper, present)
            for number in sorted(waiting):
                verdict = self._topics[number].judge_seen(seen)
                if verdict is not None:
                    yield Hit(paper, number, verdict.score, verdict.reason)

    def _present(self, paper: Paper) -> set[Term]:
        folded = fold(paper.title, paper.abstract)
        found: set[Term] = set()
        for scanner, terms, cased in self._scanners:
            text = folded.cased if cased else folded.plain
            indexes = scanner.find_matches_as_indexes(text, overlapping=True)
            found.update(terms[index] for index, _, _ in indexes)
        return found


def _scanner(terms: list[Term]) -> AhoCorasick:
    return AhoCorasick([each.needle for each in terms])
