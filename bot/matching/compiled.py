"""A topic ready to judge: a pure function of paper text, query and weights.

facets present (title > early > late)  ┐
related words in company               ├─ score ─ cut ─ verdict with reason
the query's own condition              ┘
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.matching import condition as conditions
from bot.matching.condition import Condition
from bot.matching.naming import Reading
from bot.matching.reason import reason
from bot.matching.scoring import reading_score
from bot.matching.sighting import Sighting
from bot.matching.terms import Term, full_text
from bot.matching.verdicts import Verdict, cut
from bot.model import Breadth, Paper

_BROAD = cut(Breadth.BROAD)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a paper beside the query: weights of words, learned or known."""

    weights: Mapping[Term, float] = field(default_factory=dict)
    bias: float = 0.0


class Compiled:
    """A topic's query, facets and evidence."""

    def __init__(
        self,
        condition: Condition,
        readings: Sequence[Reading],
        evidence: Evidence,
        *,
        strict: bool,
    ) -> None:
        self._condition = condition
        self._required = conditions.required(condition)
        self._readings = tuple(readings)
        self._evidence = evidence
        self._strict = strict
        self._keys = self._find_keys()

    def judge(self, paper: Paper) -> Verdict | None:
        """The verdict; None below the broadest cut."""
        return self.judge_seen(Sighting(paper))

    def rank(self, paper: Paper) -> Verdict | None:
        """The verdict, also for a paper below the cut; None where nothing speaks for it."""
        seen = Sighting(paper)
        score = self._score(seen)
        return Verdict(score, self._reason(seen)) if score > 0 else None

    def judge_seen(self, seen: Sighting) -> Verdict | None:
        """`judge` for a paper that several topics look at."""
        if not any(seen.find(key) is not None for key in self._keys or ()) and self._keys:
            return None
        score = self._score(seen)
        return Verdict(score, self._reason(seen)) if score >= _BROAD else None

    @property
    def keys(self) -> tuple[Term, ...] | None:
        """Terms of which every match holds at least one; None where there are no such."""
        return self._keys

    @property
    def terms(self) -> frozenset[Term]:
        """Every term the verdict may depend on."""
        found = {t for group in _all_groups(self._condition) for t in group.terms}
        for reading in self._readings:
            for facet in reading:
                found.update(facet.terms)
                found.update(facet.signs)
        return frozenset(found | set(self._evidence.weights))

    @property
    def candidates(self) -> str | None:
        """An FTS5 expression for a superset of what `judge` accepts; None: every paper."""
        if self._strict:
            return conditions.candidates(self._condition)
        if self._keys is None:
            return None
        return " OR ".join(dict.fromkeys(map(full_text, self._keys)))

    def _find_keys(self) -> tuple[Term, ...] | None:
        found = conditions.keys(self._condition)
        if self._strict or found is None:
            return found
        more = [t for r in self._readings for f in r if not f.generic for t in f.terms]
        return tuple(dict.fromkeys((*found, *more)))

    def _score(self, seen: Sighting) -> float:
        if not all(conditions.meets(part, seen) for part in self._required):
            return 0.0
        met = conditions.meets(self._condition, seen)
        if self._strict and not met:
            return 0.0
        best = max((reading_score(r, seen) for r in self._readings), default=0.0)
        if self._strict:
            best = 0.5 + 0.5 * best
        return round(min(1.0, best), 6)

    def _reason(self, seen: Sighting) -> str:
        ordered: dict[Term, None] = {}
        for reading in self._readings:
            for facet in reading:
                ordered.update(dict.fromkeys(facet.terms))
        for group in conditions.groups(self._condition):
            ordered.update(dict.fromkeys(group.terms))
        if not any(seen.find(each) for each in ordered):
            ordered.update(dict.fromkeys(self._evidence.weights))
        return reason(ordered, seen)


def _all_groups(condition: Condition) -> list[conditions.OneOf]:
    found = list(conditions.groups(condition))
    if isinstance(condition, conditions.Without):
        found += _all_groups(condition.part)
    elif isinstance(condition, conditions.All | conditions.Any):
        for part in condition.parts:
            found += [g for g in _all_groups(part) if g not in found]
    return found
