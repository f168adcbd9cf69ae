"""Thousands of topics meet each paper in one go.

    text ─┬─ a pass for words in company ─ what they count
          └─ a pass for every term ─┬─ terms found, by facet
                                    └─ topics whose key term was found ─ judged with these

What a concept's presence is, is worked out once a paper, however many topics ask for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from ahocorasick_rs import AhoCorasick

from bot.matching.compiled import Compiled
from bot.matching.folding import Folded, fold
from bot.matching.scoring import Plan
from bot.matching.sighting import (
    IN_ABSTRACT,
    IN_TITLE,
    Scanned,
    Sighting,
    means_otherwise,
)
from bot.matching.terms import Term
from bot.matching.thesaurus import Company
from bot.matching.verdicts import Hit
from bot.model import Paper

_FIRST = itemgetter(0)


class Matcher:
    """Topics by id, made ready for batches of papers."""

    def __init__(self, topics: Mapping[int, Compiled]) -> None:
        self._topics = dict(topics)
        self._always = [n for n, compiled in topics.items() if compiled.keys is None]
        waiting: dict[Term, list[int]] = defaultdict(list)
        self._asking: dict[int, list[tuple[int, Plan]]] = defaultdict(list)
        for number, compiled in topics.items():
            for plan in compiled.plans:
                self._asking[id(plan.main[0].terms)].append((number, plan))
            for key in (not compiled.plans and compiled.keys) or ():
                waiting[key].append(number)
        groups = {id(g): g for compiled in topics.values() for g in compiled.groups}
        terms = _Terms(waiting, groups)
        self._passes = [scan for scan in map(terms.scan, (False, True)) if scan is not None]
        companies = {id(c): c for compiled in topics.values() for c in compiled.companies}
        self._company = _Company(companies.values())

    def hits(self, papers: Iterable[Paper]) -> Iterator[Hit]:
        """Every (paper, topic) that `Compiled.judge` accepts, paper by paper, topics by id."""
        for paper in papers:
            seen, waiting = self._look(paper)
            for number in sorted(waiting):
                verdict = self._topics[number].judge_named(seen, waiting[number])
                if verdict is not None:
                    yield Hit(paper, number, verdict.score, verdict.reason)

    def sight(self, paper: Paper) -> Sighting:
        """The paper as all the topics see it, whether they wait for it or not."""
        return self._look(paper)[0]

    def _look(self, paper: Paper) -> tuple[Sighting, Mapping[int, Sequence[Plan]]]:
        """The paper, and who waits for it, with the plans whose rarest facet it names."""
        waiting: dict[int, list[Plan]] = {number: [] for number in self._always}
        folded = fold(paper.title, paper.abstract)
        scanned = Scanned(words=self._company.words(folded))
        for each in self._passes:
            waiting.update((number, []) for number in each.look(folded, scanned))
        for key in scanned.named:
            for number, plan in self._asking.get(key, ()):
                waiting.setdefault(number, []).append(plan)
        return Sighting(paper, scanned), waiting


class _Company:
    """All words in company, in one automaton."""

    def __init__(self, companies: Iterable[Company]) -> None:
        self._words = sorted({word for company in companies for word in company.words})
        self._automaton = AhoCorasick(self._words) if self._words else None

    def words(self, folded: Folded) -> dict[str, int]:
        """The words that the text holds, each with what it counts at its first place."""
        title, abstract = folded.plain[: folded.border + 1], folded.plain[folded.border + 2 :]
        return dict.fromkeys(self._in(abstract), IN_ABSTRACT) | dict.fromkeys(
            self._in(title), IN_TITLE
        )

    def _in(self, text: str) -> Iterable[str]:
        if self._automaton is None:
            return ()
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        return map(self._words.__getitem__, map(_FIRST, found))


class _Terms:
    """Who asks for which term."""

    def __init__(
        self, waiting: Mapping[Term, list[int]], groups: Mapping[int, Mapping[Term, float]]
    ) -> None:
        self._waiting, self._by_key = waiting, groups
        self._groups: dict[Term, list[int]] = defaultdict(list)
        for key, group in groups.items():
            for term in group:
                self._groups[term].append(key)
        self._all = self._groups.keys() | waiting.keys()

    def scan(self, cased: bool) -> "_Pass | None":
        """One pass over the folded or the cased text; None where nothing is asked of it."""
        chosen = sorted((t for t in self._all if t.cased is cased), key=lambda t: t.needle)
        if not chosen:
            return None
        asked = [
            (term, tuple(self._groups.get(term, ())), tuple(self._waiting.get(term, ())))
            for term in chosen
        ]
        return _Pass(asked, self._by_key if cased else None)


_Asked = tuple[Term, tuple[int, ...], tuple[int, ...]]  # groups and topics that ask for a term


class _Pass:
    """All terms of one kind, in one automaton, and who asks for each.

    Of cased ones, among which are the abbreviations, the groups are needed to tell what they mean.
    """

    def __init__(
        self, asked: list[_Asked], cased: Mapping[int, Mapping[Term, float]] | None
    ) -> None:
        self._asked, self._cased = asked, cased
        self._automaton = AhoCorasick([term.needle for term, _, _ in asked])

    def look(self, folded: Folded, scanned: Scanned) -> Iterator[int]:
        """Add the terms that the text holds; the topics that wait for them."""
        text = folded.plain if self._cased is None else folded.cased
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        for index in dict.fromkeys(map(_FIRST, found)):
            term, groups, topics = self._asked[index]
            for key in groups:
                if self._cased and means_otherwise(term, self._cased[key], folded):
                    continue
                scanned.named[key].append(term)
            yield from topics
