"""Thousands of topics meet each paper in one go.

    text ── a pass for everything ─┬─ words in company, and what they count
                                   ├─ terms found, by facet
                                   ├─ plans whose rarest facet is named ─ judged by these
                                   └─ topics whose key term was found ─┐
    authors, categories ── topics that ask for one of them ────────────┴─ judged as a whole

How surely a paper shows a concept is worked out once, however many topics ask for it.  Papers take
each step together, because what one step needs would push what another needs out of the
processor's memory.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from bot.matching.compiled import Compiled
from bot.matching.concepts.thesaurus import Company
from bot.matching.evidence.scoring import Plan, plan_score
from bot.matching.evidence.seen import IN_ABSTRACT, IN_TITLE, Scanned, Seen, means_otherwise
from bot.matching.queries.condition import Name, name_keys, surrounding
from bot.matching.queries.outside import Outside
from bot.matching.spelling.terms import Term
from bot.matching.verdicts import BROAD, Hit
from bot.model import Paper

_NEARLY = BROAD - 1e-5  # scores are rounded later
_SIDE_BY_SIDE = 100  # papers that take a step together: what it asks for is at hand for the next

Trouble = Callable[[Paper, Exception], None]


def _raised(paper: Paper, error: Exception) -> None:
    """Raise it: nobody asked to hear of trouble."""
    raise error


class Matcher:
    """Topics by id, made ready for batches of papers."""

    def __init__(self, topics: Mapping[int, Compiled]) -> None:
        self._topics = dict(topics)
        beside = {n: outside for n, compiled in topics.items() if (outside := _beside(compiled))}
        self._beside = _Beside(beside)
        self._always = [
            n for n, compiled in topics.items() if compiled.keys is None and n not in beside
        ]
        waiting: dict[Term, list[int]] = defaultdict(list)
        self._taught: dict[int, list[int]] = defaultdict(list)
        self._asking: dict[int, list[tuple[int, Plan]]] = defaultdict(list)
        for number, compiled in topics.items():
            for plan in compiled.plans:
                if compiled.is_taught:
                    self._taught[id(plan.main[0].terms)].append(number)
                else:
                    self._asking[id(plan.main[0].terms)].append((number, plan))
            for key in () if compiled.plans or number in beside else compiled.keys or ():
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
        coming = iter(papers)
        while some := list(islice(coming, _SIDE_BY_SIDE)):
            looks: Iterable[_Look] = [self._begun(paper) for paper in some]
            for step in (_fold, self._beside.look, self._plain.look, self._cased.look, self._fit):
                looks = list(_taken(step, looks, trouble))
            for look in looks:
                yield from self._judged(look, trouble)

    def sight(self, paper: Paper) -> Seen:
        """The paper as it is for all the topics, whether they wait for it or not."""
        look = self._begun(paper)
        for step in (_fold, self._plain.look, self._cased.look):
            step(look)
        return look.seen

    def _begun(self, paper: Paper) -> "_Look":
        return _Look(paper, Scanned(self._terms, self._left), set(self._always))

    def _fit(self, look: "_Look") -> None:
        """How well topics fit that are only names, by those plans whose rarest facet it names."""
        seen, fits = look.seen, look.fits
        for key in seen.named_groups:
            for number, plan in self._asking.get(key, ()):
                if len(plan.named) > 1 and not plan.brings(seen):
                    continue
                best = fits.get(number, 0.0)
                fit = plan_score(plan, seen, best if best > BROAD else BROAD)
                if fit > best and fit > _NEARLY:
                    fits[number] = fit
        for key in self._taught.keys() & seen.named_groups:
            look.waiting.update(self._taught[key])

    def _judged(self, look: "_Look", trouble: Trouble) -> Iterator[Hit]:
        for number in sorted(look.waiting | look.fits.keys()):
            try:
                topic, fit = self._topics[number], look.fits.get(number)
                verdict = topic.judge_fit(look.seen, fit) if fit else topic.judge(look.seen)
            except Exception as error:  # the other papers go on
                trouble(look.paper, error)
                continue
            if verdict is not None:
                yield Hit(look.paper, number, verdict.score, verdict.reason)


class _Look:
    """A paper on its way through the steps: what is found of it, and what its topics make of it.

    `waiting` are the topics that wait for a term of it or for any paper, `fits` says how well
    those fit that are only their names.
    """

    __slots__ = ("fits", "paper", "scanned", "seen", "waiting")

    def __init__(self, paper: Paper, scanned: Scanned, waiting: set[int]) -> None:
        self.paper, self.scanned, self.waiting = paper, scanned, waiting
        self.fits: dict[int, float] = {}
        self.seen: Seen


def _fold(look: _Look) -> None:
    look.seen = Seen(look.paper, look.scanned)


def _taken(
    step: Callable[[_Look], None], looks: Iterable[_Look], trouble: Trouble
) -> Iterator[_Look]:
    """The papers for which a step could be taken."""
    for look in looks:
        try:
            step(look)
        except Exception as error:  # the other papers go on
            trouble(look.paper, error)
        else:
            yield look


def _beside(compiled: Compiled) -> Outside | None:
    """What a topic waits for outside of the text: a category less than a term, an author more."""
    outside = None if compiled.plans else compiled.outside
    rather = outside is not None and (compiled.keys is None or not outside.categories)
    return outside if rather else None


class _Beside:
    """Topics that wait for authors or categories."""

    def __init__(self, asked: Mapping[int, Outside]) -> None:
        self._by_author: dict[Name, list[int]] = defaultdict(list)
        self._by_category: dict[str, list[int]] = defaultdict(list)
        for number, outside in asked.items():
            for way in chain.from_iterable(outside.authors):
                self._by_author[way].append(number)
            for category in outside.categories:
                self._by_category[category].append(number)

    def look(self, look: _Look) -> None:
        """Add the topics that wait for who wrote the paper, or for where it is listed."""
        for author in look.paper.authors if self._by_author else ():
            for way in name_keys(author.name):
                look.waiting.update(self._by_author.get(way, ()))
        for category in look.paper.categories if self._by_category else ():
            for each in surrounding(category):
                look.waiting.update(self._by_category.get(each, ()))


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

    def look(self, look: _Look) -> None:
        """Add what the text holds, and the topics that wait for it."""
        folded, scanned = look.seen.folded, look.scanned
        found = self._automaton.find_matches_as_indexes(folded.plain, overlapping=True)
        for index, start in _first(found):
            word, asked = self._asked[index]
            if word:
                scanned.words[word] = IN_TITLE if start < folded.border else IN_ABSTRACT
            if asked is not None:
                scanned.starts[asked.term] = start
                for key in asked.groups:
                    scanned.named[key].append(asked.term)
                look.waiting.update(asked.topics)
        scanned.held.update(scanned.words)


class _Cased:
    """All terms that care about capitals, abbreviations among them, in one automaton.

    What an abbreviation means is told by the group that it stands in.
    """

    def __init__(self, asked: Iterable[_Asked], groups: Mapping[int, Mapping[Term, float]]) -> None:
        self._asked = [each for each in asked if each.term.cased]
        self._groups = groups
        self._automaton = AhoCorasick([each.term.needle for each in self._asked])

    def look(self, look: _Look) -> None:
        """Add the terms that the text holds, and the topics that wait for them."""
        folded, scanned = look.seen.folded, look.scanned
        found = self._automaton.find_matches_as_indexes(folded.cased, overlapping=True)
        for index, start in _first(found):
            term, groups, topics = self._asked[index]
            scanned.starts[term] = start
            for key in groups:
                if not means_otherwise(term, self._groups[key], folded):
                    scanned.named[key].append(term)
            look.waiting.update(topics)


def _first(found: Iterable[tuple[int, int, int]]) -> Iterable[tuple[int, int]]:
    """What was found, each with its first place."""
    starts: dict[int, int] = {}
    for index, start, _ in found:
        starts.setdefault(index, start)
    return starts.items()
