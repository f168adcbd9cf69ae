"""Which terms stand where in one paper: looked up once, asked by many topics."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import NamedTuple

from bot.matching.concepts.thesaurus import Company
from bot.matching.spelling.folding import Folded, fold
from bot.matching.spelling.terms import Place, Term
from bot.model import Paper

IN_TITLE, IN_ABSTRACT = 16, 10
"""What a word in company counts, in tenths: whole numbers add exactly."""

_MOST = 12  # places of a word that are counted
_AGAIN = tuple(round(IN_ABSTRACT * log(max(1, times))) for times in range(_MOST + 1))
"""The same for a word that stands in a text so many times, besides its first place."""


class Scanned:
    """What one pass over a paper has found, for everything the topics ask about.

    `starts` says where each of the `terms` begins first; one without an entry is not there.
    `named` holds the terms found of each group of terms, by the identity of the group; a group
    without an entry has nothing in the paper, except those in `left`, which were not looked for.
    `words` holds the needles of words in company that were found, each with what it counts at its
    first place; `held` holds the same needles.
    """

    __slots__ = ("held", "left", "named", "starts", "terms", "words")

    def __init__(self, terms: frozenset[Term], left: Collection[int]) -> None:
        self.terms, self.left = terms, left
        self.starts: dict[Term, int] = {}
        self.words: dict[str, int] = {}
        self.held: set[str] = set()  # two sets meet the soonest
        self.named: defaultdict[int, list[Term]] = defaultdict(list)


class Named(NamedTuple):
    """A term that a paper holds, where, and what it counts there."""

    value: float
    place: Place
    term: Term


class Printed(NamedTuple):
    """A term as the text prints it, where it stands first."""

    words: str
    low: str
    field: str  # title or abstract


class Seen:
    """One paper as matching sees it; without a scan, terms are searched when first asked for."""

    __slots__ = (
        "_again", "_found", "_places", "_printed", "_scanned", "folded", "known", "named", "paper",
        "reasons",
    )  # fmt: skip

    def __init__(self, paper: Paper, scanned: Scanned | None = None) -> None:
        self.paper = paper
        self.folded: Folded = fold(paper.title, paper.abstract)
        self._scanned = scanned
        self._found: dict[int, Sequence[Term]] = {}  # by group of terms
        self._places: dict[Term, Place | None] = {}
        self._printed: dict[Term, Printed | None] = {}
        self._again: Mapping[str, int] | None = None
        # what scoring has worked out for other topics, by group of terms
        self.known: dict[int, float] = {}
        self.named: dict[int, list[Named]] = {}
        self.reasons: dict[tuple[int, ...], str] = {}  # by the groups that are named

    def find(self, term: Term) -> Place | None:
        """The first place of a term."""
        try:
            return self._places[term]
        except KeyError:
            place = self._places[term] = self._look(term)
            return place

    def _look(self, term: Term) -> Place | None:
        scanned = self._scanned
        if scanned is None:
            return term.find(self.folded)
        start = scanned.starts.get(term)
        if start is not None:
            return term.at(self.folded, start)
        return None if term in scanned.terms else term.locate(self.folded)

    def holds(self, term: Term) -> bool:
        """Whether a term stands in the paper: quicker to tell than where."""
        scanned = self._scanned
        if scanned is None or term not in scanned.terms:
            return self.find(term) is not None
        return term in scanned.starts

    def holds_one_of(self, terms: Collection[Term]) -> bool:
        """Whether one of some terms stands in the paper."""
        scanned = self._scanned
        if scanned is not None:
            if not scanned.starts.keys().isdisjoint(terms):
                return True
            if scanned.terms.issuperset(terms):
                return False
        return any(self.find(each) is not None for each in terms)

    def is_in_title(self, term: Term) -> bool:
        """Whether the title holds a term."""
        place = self.find(term)
        return place is not None and place.in_title

    def find_in(self, term: Term, field: str) -> Place | None:
        """The first place of a term in the title or in the abstract."""
        return term.find_in(self.folded, field)

    def found(self, terms: Mapping[Term, float]) -> Sequence[Term]:
        """The terms of a group that stand in the paper and mean there what the group means."""
        if self._scanned is not None and id(terms) not in self._scanned.left:
            return self._scanned.named.get(id(terms), ())
        known = self._found.get(id(terms))
        if known is None:
            here = filter(self.holds, terms)
            known = [each for each in here if not means_otherwise(each, terms, self.folded)]
            self._found[id(terms)] = known
        return known

    @property
    def named_groups(self) -> Collection[int]:
        """The groups of terms, by identity, in which a scan has found something."""
        return self._scanned.named.keys() if self._scanned is not None else ()

    def total(self, company: Company) -> int:
        """The sum of the weights of the words in company that stand in the paper."""
        if self._scanned is not None:
            words, counts = company.words, self._scanned.words
            here = company.needles & self._scanned.held
            return sum([words[each] * counts[each] for each in here]) if here else 0
        total = 0
        for each, weight in company.weights.items():
            place = self.find(each)
            if place is not None:
                total += weight * (IN_TITLE if place.in_title else IN_ABSTRACT)
        return total

    def told(self, learned: Company) -> int:
        """`total`, where a word counts for more the more often it stands in the paper."""
        if self._again is None:
            self._again = {f" {word} ": more for word, more in again(self.folded).items()}
        weights, more = learned.words, self._again
        here = learned.needles & more.keys()
        return self.total(learned) + sum([weights[each] * more[each] for each in here])

    def printed(self, term: Term) -> Printed | None:
        """A term in the words of the text; None where it is not there."""
        try:
            return self._printed[term]
        except KeyError:
            here = self._printed[term] = self._print(term)
            return here

    def _print(self, term: Term) -> Printed | None:
        place = self.find(term)
        if place is None:
            return None
        words = self.folded.as_printed(place.start, term.needle, cased=term.cased)
        return Printed(words, words.casefold(), "title" if place.in_title else "abstract")


def as_seen(paper: Paper | Seen) -> Seen:
    """A paper as matching sees it."""
    return paper if isinstance(paper, Seen) else Seen(paper)


def again(folded: Folded) -> Mapping[str, int]:
    """What the words that a text repeats count besides their first place, in tenths."""
    times = Counter(folded.plain.split())
    return {word: _AGAIN[min(count, _MOST)] for word, count in times.items() if count > 1}


def means_otherwise(term: Term, group: Collection[Term], folded: Folded) -> bool:
    """Whether the text itself says that an abbreviation stands for something else.

    "Attack success rate (ASR)" is no speech recognition: no term of the group shares most of the
    words.  A group that does not spell anything out means what is printed.
    """
    spelled = folded.spelled_out.get(term.needle.strip()) if term.cased else None
    if not spelled:
        return False
    others = [each.words for each in group if not each.cased and len(each.words) > 1]
    return bool(others) and all(3 * len(spelled & {*each}) < 2 * len(spelled) for each in others)
