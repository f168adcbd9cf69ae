"""A topic ready to judge: a pure function of paper text, query and weights.

facets present in title and abstract  ┐
words in their company                ├─ score ─ cut ─ verdict with reason
the query's own condition             ┘
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bot.matching.concepts.facets import Facet, Reading
from bot.matching.concepts.thesaurus import Company
from bot.matching.evidence.scoring import (
    TRACE,
    Plan,
    log_odds,
    logistic,
    named_in,
    plan_score,
    trace,
)
from bot.matching.evidence.seen import Named, Seen, as_seen
from bot.matching.examples.learning import Learned
from bot.matching.queries import condition as conditions
from bot.matching.queries.condition import Condition
from bot.matching.queries.outside import Outside, outside
from bot.matching.reason import reason
from bot.matching.spelling.terms import Term, any_of
from bot.matching.verdicts import BROAD, Verdict
from bot.model import Paper

_UNNAMED = 0.7  # of a score without the topic's own words: it ranks, and stays below the cut
_TAUGHT = 0.5  # of such a score, where learned words raised it
_IN_PASSING = 0.3  # from the broadest cut up, of what meets a query and fits its name too little
_ASIDE = 0.14  # the same, of what says it once and late: it stays below the balanced cut
_NEAR = 0.2  # below that a paper that names the topic is too far from it to learn anything from
_LEAST, _MOST = 0.005, 0.995  # what a name alone makes of a paper, where words were learned


class Compiled:
    """A topic's condition, facets and learned words.

    A topic derived from a name asks for the facets of the name, and names at least the rarest
    of them; an explicit one brings exactly the papers that meet its condition.  One `written_for`
    a name, that has learned words, leaves those that only mention it to the broadest breadth.
    Papers that do not meet `only` are none of it, whatever they name.
    """

    def __init__(
        self,
        condition: Condition,
        readings: Sequence[Reading],
        learned: Learned | None,
        share: Callable[[Term], float],
        *,
        explicit: bool,
        written_for: bool = False,
        only: Condition | None = None,
    ) -> None:
        self._condition = condition
        self._required = (*conditions.required(condition), *((only,) if only else ()))
        self._asks_outside = conditions.looks_outside(condition)
        self._plans = tuple(Plan.of(reading) for reading in readings)
        self._learned = learned
        self._explicit = explicit
        self._written_for = written_for
        facets = {id(facet.terms): facet for reading in readings for facet in reading}
        self._telling = sorted(facets.values(), key=lambda facet: facet.generic)
        self._keys = conditions.keys(condition, share) if explicit else self._rarest()

    def judge(self, paper: Paper | Seen) -> Verdict | None:
        """The verdict; None below the broadest cut.

        What several topics look at is seen once: a `Seen` of it is shared by all.
        """
        seen = as_seen(paper)
        named = self._named(seen)
        if self._explicit or (named and self.is_taught):
            score = self.score(seen)
            return Verdict(score, self._reason(seen)) if score >= BROAD else None
        return self.judge_fit(seen, self._fit(seen, named, BROAD)) if named else None

    def rank(self, paper: Paper | Seen) -> Verdict | None:
        """The verdict, also for a paper below the cut; None where nothing speaks for it."""
        seen = as_seen(paper)
        score = self.score(seen)
        return Verdict(score, self._reason(seen)) if score > 0 else None

    def near(self, paper: Paper | Seen) -> float:
        """The score of a paper that names the topic, also somewhat below the cut; 0 for others."""
        seen = as_seen(paper)
        score = self.score(seen) if self._named(seen) else 0.0
        return score if score >= _NEAR else 0.0

    def judge_fit(self, seen: Seen, fit: float) -> Verdict | None:
        """`judge` for a topic that is only its name, once it is known how well that fits."""
        score = round(fit, 6)
        if score < BROAD or not self._is_allowed(seen):
            return None
        return Verdict(score, self._reason(seen))

    def score(self, seen: Seen) -> float:
        """How well the paper fits, 0 to 1, also below the cut of `judge`."""
        if self._explicit:
            return round(self._by_query(seen), 6)
        if not self._is_allowed(seen):
            return 0.0
        named = self._named(seen)
        score = self._fit(seen, named or self._plans, 0.0) * (1.0 if named else _UNNAMED)
        if score < TRACE:
            score = max(score, *(trace(plan, seen) for plan in self._plans))
        if self._learned is not None:
            score = self._taught(score, seen) * (1.0 if named else _TAUGHT)
        return round(score, 6)

    def _by_query(self, seen: Seen) -> float:
        if not conditions.meets(self._condition, seen):
            return 0.0
        fit = self._taught(self._fit(seen, self._plans, 0.0), seen)
        if not (self._written_for and self.is_taught):
            return 0.5 + 0.5 * fit
        if fit >= BROAD and self._is_said_in_passing(seen):
            return BROAD + _ASIDE * fit
        return max(fit, BROAD + _IN_PASSING * fit)

    def _is_said_in_passing(self, seen: Seen) -> bool:
        """Whether only an aside meets the query, and the title says nothing of its name."""
        named = (term for plan in self._plans[:-1] for term in seen.found(plan.main[0].terms))
        if any(map(seen.is_in_title, named)):
            return False
        return conditions.firmness(self._condition, seen) == 1

    def _is_allowed(self, seen: Seen) -> bool:
        return not self._required or all(conditions.meets(p, seen) for p in self._required)

    def _taught(self, score: float, seen: Seen) -> float:
        """The score by name, raised or lowered by the learned words."""
        if self._learned is None:
            return score
        odds = self._learned.odds(seen)
        if not score and odds <= 0:
            return 0.0
        return logistic(log_odds(min(_MOST, max(_LEAST, score))) + odds)

    @property
    def keys(self) -> tuple[Term, ...] | None:
        """Terms, at least one of which is in every match; None where that cannot be said."""
        return self._keys

    @property
    def is_taught(self) -> bool:
        """Whether learned words count as well as those of its name."""
        return self._learned is not None

    @property
    def plans(self) -> Sequence[Plan]:
        """Plans: every match names the rarest facet of one; () where `keys` decide instead."""
        return () if self._explicit else self._plans

    @property
    def groups(self) -> list[Mapping[Term, float]]:
        """The groups of terms that the verdict may ask a scan for."""
        return [group for facet in self._telling for group in _groups(facet) if group]

    @property
    def companies(self) -> list[Company]:
        """The words in company whose sums the verdict may ask a scan for."""
        found = [facet.company for facet in self._telling]
        learned = [self._learned.company] if self._learned else []
        return [company for company in found if company is not None] + learned

    @property
    def candidates(self) -> str | None:
        """An FTS5 expression for a superset of what `judge` accepts; None: every paper."""
        if self._explicit:
            return conditions.candidates(self._condition)
        asked = dict.fromkeys(filter(None, map(_asked_by, self._plans)))
        either = f"({' OR '.join(asked)})" if asked else ""
        required = map(conditions.candidates, self._required)
        return " AND ".join(filter(None, (either, *required))) or None

    @property
    def outside(self) -> Outside | None:
        """Authors and categories, one of which every match has; None where that cannot be said."""
        return outside(self._condition)

    def _rarest(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(term for plan in self._plans for term in plan.main[0].terms))

    def _named(self, seen: Seen) -> list[Plan]:
        """The plans whose facets the paper names well enough; none for a query."""
        if self._explicit:
            return []
        return [plan for plan in self._plans if plan.brings(seen)]

    def _fit(self, seen: Seen, plans: Sequence[Plan], least: float) -> float:
        best = 0.0
        for plan in plans:
            fit = plan_score(plan, seen, best if best > least else least)
            if fit > best:
                best = fit
        return best

    def _reason(self, seen: Seen) -> str:
        """Why a paper comes; topics that name the same words of it share one reason."""
        named = [here for facet in self._telling if (here := named_in(facet, seen))]
        if self._explicit or self._asks_outside or not named:
            return self._own_reason(named, seen)
        key = tuple(map(id, named))
        known = seen.reasons.get(key)
        if known is None:
            known = seen.reasons[key] = self._own_reason(named, seen)
        return known

    def _own_reason(self, named: Iterable[Sequence[Named]], seen: Seen) -> str:
        """By what is named, then by the words of a query, else by those in company."""
        told = dict.fromkeys([each.term for here in named for each in here])
        if self._explicit:
            for group in conditions.groups(self._condition):
                told.update(dict.fromkeys(filter(seen.holds, group.terms)))
        return reason(told, self._weights(), self._condition if self._asks_outside else None, seen)

    def _weights(self) -> Iterator[Mapping[Term, int]]:
        """What the words in company count; worked out only where it is needed."""
        for company in self.companies:
            yield company.weights


def _asked_by(plan: Plan) -> str:
    """An FTS5 expression for every paper that a plan may bring; "" where none is known."""
    parts = [
        f"{{title}} : ({found})" if facet in plan.titled else f"({found})"
        for facet in plan.named
        if (found := any_of(facet.terms))
    ]
    return f"({' AND '.join(parts)})" if len(parts) > 1 else "".join(parts)


def _groups(facet: Facet) -> tuple[Mapping[Term, float], ...]:
    """The groups of terms to look for: signs only where the words in company are not known."""
    return (facet.terms,) if facet.company else (facet.terms, facet.signs)
