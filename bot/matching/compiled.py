"""A topic ready to judge: a pure function of paper text, query and weights.

facets present in title and abstract  ┐
words in their company                ├─ score ─ cut ─ verdict with reason
the query's own condition             ┘
"""

from collections.abc import Sequence

from bot.matching import condition as conditions
from bot.matching.condition import Condition
from bot.matching.naming import Facet, Reading
from bot.matching.reason import reason
from bot.matching.scoring import company_of, log_odds, logistic, reading_score
from bot.matching.sighting import Sighting
from bot.matching.terms import Term, full_text
from bot.matching.thesaurus import Company
from bot.matching.verdicts import Verdict, cut
from bot.model import Breadth, Paper

_BROAD = cut(Breadth.BROAD)
_TRUST = 0.4  # how far learned words are believed


class Compiled:
    """A topic's condition, facets and learned words.

    A topic derived from a name asks for the facets of the name, and names at least the rarest
    of them; an explicit one brings exactly the papers that meet its condition.
    """

    def __init__(
        self,
        condition: Condition,
        readings: Sequence[Reading],
        learned: Company | None,
        *,
        explicit: bool,
    ) -> None:
        self._condition = condition
        self._required = conditions.required(condition)
        self._readings = tuple(readings)
        self._learned = learned
        self._explicit = explicit
        self._keys = conditions.keys(condition) if explicit else self._rarest()

    def judge(self, paper: Paper) -> Verdict | None:
        """The verdict; None below the broadest cut."""
        return self.judge_seen(Sighting(paper))

    def rank(self, paper: Paper) -> Verdict | None:
        """The verdict, also for a paper below the cut; None where nothing speaks for it."""
        seen = Sighting(paper)
        score = self.score(seen)
        return Verdict(score, self._reason(seen)) if score > 0 else None

    def judge_seen(self, seen: Sighting) -> Verdict | None:
        """`judge` for a paper that several topics look at."""
        score = self.score(seen)
        return Verdict(score, self._reason(seen)) if score >= _BROAD else None

    def score(self, seen: Sighting) -> float:
        """How well the paper fits, 0 to 1."""
        if self._explicit:
            if not conditions.meets(self._condition, seen):
                return 0.0
            return round(0.5 + 0.5 * self._fit(seen), 6)
        if not all(conditions.meets(part, seen) for part in self._required):
            return 0.0
        fit = self._fit(seen)
        if fit >= _BROAD and not self._is_named(seen):
            fit = _BROAD - 0.001
        return round(fit, 6)

    @property
    def keys(self) -> tuple[Term, ...] | None:
        """Terms of which every match holds at least one; None where there are no such."""
        return self._keys

    @property
    def terms(self) -> frozenset[Term]:
        """Every term that the verdict may depend on."""
        found = {each for group in conditions.every_group(self._condition) for each in group.terms}
        for facet in self._facets():
            found.update(facet.terms, facet.signs)
            found.update(facet.company.weights if facet.company else ())
        return frozenset(found.union(self._learned.weights if self._learned else ()))

    @property
    def candidates(self) -> str | None:
        """An FTS5 expression for a superset of what `judge` accepts; None: every paper."""
        if self._explicit:
            return conditions.candidates(self._condition)
        return " OR ".join(dict.fromkeys(map(full_text, self._keys or ()))) or None

    def _facets(self) -> list[Facet]:
        return [facet for reading in self._readings for facet in reading]

    def _rarest(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(t for r in self._readings for t in rarest(r).terms))

    def _is_named(self, seen: Sighting) -> bool:
        return any(seen.find(each) is not None for each in self._keys or ())

    def _fit(self, seen: Sighting) -> float:
        best = max((reading_score(reading, seen) for reading in self._readings), default=0.0)
        if self._learned is None:
            return best
        sure = min(0.995, max(0.005, best))
        return logistic(log_odds(sure) + _TRUST * company_of(self._learned, seen))

    def _reason(self, seen: Sighting) -> str:
        telling: dict[Term, None] = {}
        for facet in sorted(self._facets(), key=lambda facet: facet.generic):
            telling.update(dict.fromkeys(facet.terms))
        for group in conditions.groups(self._condition):
            telling.update(dict.fromkeys(group.terms))
        company = [f.company for f in self._facets() if f.company] + [self._learned]
        weights = [each.weights for each in company if each is not None]
        return reason(telling, weights, seen)


def rarest(reading: Reading) -> Facet:
    """The facet of a reading that the fewest papers show."""
    main = [facet for facet in reading if not facet.generic] or list(reading)
    return min(main, key=lambda facet: facet.share)
