"""Which terms stand where in one paper: looked up once, asked by many topics."""

from collections.abc import Iterable, KeysView, Set

from bot.matching.folding import Folded, fold
from bot.matching.terms import Place, Term
from bot.model import Paper


class Sighting:
    """One paper as matching sees it.

    `present` names the terms that a scan of the whole text has found; without it each term is
    searched when first asked for.
    """

    __slots__ = ("_places", "folded", "known", "paper", "present")

    def __init__(self, paper: Paper, present: Set[Term] | None = None) -> None:
        self.paper = paper
        self.folded: Folded = fold(paper.title, paper.abstract)
        self.present = present
        self._places: dict[Term, Place | None] = {}
        self.known: dict[int, float] = {}  # what scoring has worked out, by facet

    def find(self, term: Term) -> Place | None:
        """The first place of a term."""
        try:
            return self._places[term]
        except KeyError:
            absent = self.present is not None and term not in self.present
            place = None if absent else term.find(self.folded)
            self._places[term] = place
            return place

    def find_in(self, term: Term, field: str) -> Place | None:
        """The first place of a term in the title or in the abstract."""
        if self.present is not None and term not in self.present:
            return None
        return term.find_in(self.folded, field)

    def among(self, terms: KeysView[Term]) -> Iterable[Term]:
        """Those of the terms that may stand in the paper."""
        return terms if self.present is None else terms & self.present

    def printed(self, term: Term) -> str:
        """A term that was found, in the words of the text."""
        place = self.find(term)
        if place is None:
            return ""
        return self.folded.as_printed(place.start, term.needle, cased=term.cased)
