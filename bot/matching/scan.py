"""Thousands of topics meet each paper in one go.

    text ── a pass for everything ─┬─ words in company, and what they count
                                   ├─ terms found, by facet
                                   ├─ plans whose rarest facet is named ─ judged by these
                                   └─ topics whose key term was found ─ judged as a whole

What a concept's presence is, is worked out once a paper, however many topics ask for it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from bot.matching.compiled import Compiled
from bot.matching.folding import Folded, fold
from bot.matching.scoring import Plan, plan_score
from bot.matching.sighting import IN_ABSTRACT, IN_TITLE, Scanned, Sighting, means_otherwise
from bot.matching.terms import Term
from bot.matching.thesaurus import Company
from bot.matching.verdicts import BROAD, Hit
from bot.model import Paper

_NEARLY = BROAD - 1e-5  # scores are rounded later

Trouble = Callable[[Paper, Exception], None]


def _raised(paper: Paper, error: Exception) -> None:
    """Raise it: nobody is there to be told of the trouble."""
    raise error


class Matcher:
    """Topics by id, made ready for batches of papers."""

    def __init__(self, topics: Mapping[int, Compiled]) -> None:
        self._topics = dict(topics)
        self._always = [n for n, compiled in topics.items() if compiled.keys is None]
        waiting: dict[Term, list[int]] = defaultdict(list)
        self._taught: dict[int, list[int]] = defaultdict(list)
        self._asking: dict[int, list[tuple[int, Plan]]] = defaultdict(list)
        for number, compiled in topics.items():
            for plan in compiled.plans:
                if compiled.is_taught:
                    self._taught[id(plan.main[0].terms)].append(number)
                else:
                    self._asking[id(plan.main[0].terms)].append((number, plan))
            for key in (not compiled.plans and compiled.keys) or ():
                waiting[key].append(number)
        every = {id(g): g for compiled in topics.values() for g in compiled.groups}
        groups = {id(g): g for each in topics.values() if each.plans for g in each.groups}
        companies = {id(c): c for compiled in topics.values() for c in compiled.companies}
        asked = list(_asked(every.values(), waiting, groups))
        self._terms = frozenset(each.term for each in asked)
        self._left = every.keys() - groups.keys()
        self._plain = _Plain(asked, companies.values())
        self._cased = _Cased(asked, groups)

    def hits(self, papers: Iterable[Paper], trouble: Trouble = _raised) -> Iterator[Hit]:
        """Every (paper, topic) that `Compiled.judge` accepts, paper by paper, topics by id.

        A paper that makes `trouble`, or one of its topics, is left out, and the others go on.
        """
        for paper in papers:
            try:
                seen, waiting = self._look(paper)
                fits = self._fits(seen)
                for key in self._taught.keys() & seen.named_groups:
                    waiting.update(self._taught[key])
            except Exception as error:  # whatever it is
                trouble(paper, error)
                continue
            for number in sorted(waiting | fits.keys()):
                try:
                    topic, fit = self._topics[number], fits.get(number)
                    verdict = topic.judge_fit(seen, fit) if fit else topic.judge_seen(seen)
                except Exception as error:
                    trouble(paper, error)
                    continue
                if verdict is not None:
                    yield Hit(paper, number, verdict.score, verdict.reason)

    def sight(self, paper: Paper) -> Sighting:
        """The paper as all the topics see it, whether they wait for it or not."""
        return self._look(paper)[0]

    def _look(self, paper: Paper) -> tuple[Sighting, set[int]]:
        """The paper, and the topics that wait for a term of it or for any paper."""
        folded = fold(paper.title, paper.abstract)
        scanned = Scanned(self._terms, self._left)
        waiting = set(self._always)
        waiting.update(self._plain.look(folded, scanned))
        waiting.update(self._cased.look(folded, scanned))
        return Sighting(paper, scanned), waiting

    def _fits(self, seen: Sighting) -> dict[int, float]:
        """How well names fit of which a paper shows enough, by the plans whose rarest it names."""
        fits: dict[int, float] = {}
        for key in seen.named_groups:
            for number, plan in self._asking.get(key, ()):
                if plan.titled and not plan.brings(seen):
                    continue
                best = fits.get(number, 0.0)
                fit = plan_score(plan, seen, best if best > BROAD else BROAD)
                if fit > best and fit > _NEARLY:
                    fits[number] = fit
        return fits


class _Asked(NamedTuple):
    """Groups of names, and topics, that ask for a term.

    The groups of a query are its own: it looks by itself what was found of them, once it is met.
    """

    term: Term
    groups: tuple[int, ...]
    topics: tuple[int, ...]


def _asked(
    every: Iterable[Iterable[Term]],
    waiting: Mapping[Term, Sequence[int]],
    groups: Mapping[int, Mapping[Term, float]],
) -> Iterator[_Asked]:
    by_term: dict[Term, list[int]] = defaultdict(list)
    for key, group in groups.items():
        for term in group:
            by_term[term].append(key)
    for term in sorted({*waiting, *chain.from_iterable(every)}):
        yield _Asked(term, tuple(by_term.get(term, ())), tuple(waiting.get(term, ())))


class _Plain:
    """All terms of folded text and all words in company, in one automaton."""

    def __init__(self, asked: Iterable[_Asked], companies: Iterable[Company]) -> None:
        terms = {each.term.needle: each for each in asked if not each.term.cased}
        words = {word for company in companies for word in company.words}
        needles = sorted(terms.keys() | words)
        self._asked = [(word if word in words else "", terms.get(word)) for word in needles]
        self._automaton = AhoCorasick(needles)

    def look(self, folded: Folded, scanned: Scanned) -> Iterator[int]:
        """Add what the text holds; the topics that wait for it."""
        found = self._automaton.find_matches_as_indexes(folded.plain, overlapping=True)
        for index, start in _first(found):
            word, asked = self._asked[index]
            if word:
                scanned.words[word] = IN_TITLE if start < folded.border else IN_ABSTRACT
            if asked is not None:
                scanned.starts[asked.term] = start
                for key in asked.groups:
                    scanned.named[key].append(asked.term)
                yield from asked.topics
        scanned.held.update(scanned.words)


class _Cased:
    """All terms that care about capitals, abbreviations among them, in one automaton.

    What an abbreviation means, the group that it stands in tells.
    """

    def __init__(self, asked: Iterable[_Asked], groups: Mapping[int, Mapping[Term, float]]) -> None:
        self._asked = [each for each in asked if each.term.cased]
        self._groups = groups
        self._automaton = AhoCorasick([each.term.needle for each in self._asked])

    def look(self, folded: Folded, scanned: Scanned) -> Iterator[int]:
        """Add the terms that the text holds; the topics that wait for them."""
        found = self._automaton.find_matches_as_indexes(folded.cased, overlapping=True)
        for index, start in _first(found):
            term, groups, topics = self._asked[index]
            scanned.starts[term] = start
            for key in groups:
                if not means_otherwise(term, self._groups[key], folded):
                    scanned.named[key].append(term)
            yield from topics


def _first(found: Iterable[tuple[int, int, int]]) -> Iterable[tuple[int, int]]:
    """What was found, each with where it begins first."""
    starts: dict[int, int] = {}
    for index, start, _ in found:
        starts.setdefault(index, start)
    return starts.items()
