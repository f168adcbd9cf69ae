"""Thousands of topics meet each paper in one go.

    text ─ one pass for every term ─┬─ words in company, with what they count
                                    ├─ terms found, by facet
                                    └─ topics whose key term was found ─ judged with these

What a concept's presence is, is worked out once a paper, however many topics ask for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ahocorasick_rs import AhoCorasick

from bot.matching.compiled import Compiled
from bot.matching.folding import fold
from bot.matching.sighting import IN_ABSTRACT, IN_TITLE, Scanned, Sighting
from bot.matching.terms import Term
from bot.matching.thesaurus import Company
from bot.matching.verdicts import Hit
from bot.model import Paper


class Matcher:
    """Topics by id, made ready for batches of papers."""

    def __init__(self, topics: Mapping[int, Compiled]) -> None:
        self._topics = dict(topics)
        self._always = [n for n, compiled in topics.items() if compiled.keys is None]
        waiting: dict[Term, list[int]] = defaultdict(list)
        self._asking: dict[int, list[int]] = defaultdict(list)
        for number, compiled in topics.items():
            for group in compiled.asked:
                self._asking[id(group)].append(number)
            for key in (not compiled.asked and compiled.keys) or ():
                waiting[key].append(number)
        groups = {id(g): g for compiled in topics.values() for g in compiled.groups}
        companies = {id(c): c for compiled in topics.values() for c in compiled.companies}
        terms = _Terms(waiting, groups, companies.values())
        self._passes = [scan for scan in map(terms.scan, (False, True)) if scan is not None]

    def hits(self, papers: Iterable[Paper]) -> Iterator[Hit]:
        """Every (paper, topic) that `Compiled.judge` accepts, paper by paper, topics by id."""
        for paper in papers:
            seen, waiting = self._look(paper)
            for number in sorted(waiting):
                verdict = self._topics[number].judge_seen(seen)
                if verdict is not None:
                    yield Hit(paper, number, verdict.score, verdict.reason)

    def sight(self, paper: Paper) -> Sighting:
        """The paper as all the topics see it, whether they wait for it or not."""
        return self._look(paper)[0]

    def _look(self, paper: Paper) -> tuple[Sighting, set[int]]:
        waiting = set(self._always)
        scanned = Scanned()
        for each in self._passes:
            each.look(paper, scanned, waiting)
        for key in scanned.named:
            waiting.update(self._asking.get(key, ()))
        return Sighting(paper, scanned), waiting


class _Terms:
    """Who asks for which term."""

    def __init__(
        self,
        waiting: Mapping[Term, list[int]],
        groups: Mapping[int, Mapping[Term, float]],
        companies: Iterable[Company],
    ) -> None:
        self._waiting = waiting
        self._groups: dict[Term, list[int]] = defaultdict(list)
        for key, group in groups.items():
            for term in group:
                self._groups[term].append(key)
        self._company = {term for company in companies for term in company.weights}
        self._all = self._groups.keys() | self._company | waiting.keys()

    def scan(self, cased: bool) -> "_Pass | None":
        """One pass over the folded or the cased text; None where nothing is asked of it."""
        chosen = sorted((t for t in self._all if t.cased is cased), key=lambda t: t.needle)
        if not chosen:
            return None
        asked = [
            (
                term.needle if term in self._company else "",
                tuple(self._groups.get(term, ())),
                tuple(self._waiting.get(term, ())),
            )
            for term in chosen
        ]
        return _Pass(chosen, asked, cased=cased)


_Asked = tuple[str, tuple[int, ...], tuple[int, ...]]  # word in company, groups, topics


class _Pass:
    """All terms of one kind, in one automaton, and who asks for each."""

    def __init__(self, terms: list[Term], asked: list[_Asked], *, cased: bool) -> None:
        self._terms, self._asked, self._cased = terms, asked, cased
        self._automaton = AhoCorasick([term.needle for term in terms])

    def look(self, paper: Paper, scanned: Scanned, waiting: set[int]) -> None:
        """Add what the paper holds to the sums, and the topics that wait for it."""
        folded = fold(paper.title, paper.abstract)
        text = folded.cased if self._cased else folded.plain
        border = folded.cased_border if self._cased else folded.border
        named, words, asked = scanned.named, scanned.words, self._asked
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        found.reverse()  # so that of several places the first one stays
        for index, start in {index: start for index, start, _ in found}.items():
            word, groups, topics = asked[index]
            if word:
                words[word] = IN_TITLE if start < border else IN_ABSTRACT
            if groups:
                for key in groups:
                    named[key].append(self._terms[index])
            if topics:
                waiting.update(topics)
