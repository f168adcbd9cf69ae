"""How strongly a paper shows the facets of a topic, from 0 to 1.

The terms of a facet found in a paper add up, each further one for less; a term counts more in
the title than early in the abstract, and more there than late.
"""

from collections.abc import Iterable
from math import exp

from bot.matching.naming import Facet, Reading
from bot.matching.sighting import Sighting
from bot.matching.terms import Place

_FADING = 0.65
_SIGNS = 0.5  # what words in company may add at most


def standing(place: Place) -> float:
    """What one term counts at its place: 1 for one mention somewhere in the abstract."""
    if place.in_title:
        return 2.2 if place.again else 1.8
    return 1.0 + 0.35 * place.again + 0.25 * max(0.0, 1 - 2 * place.depth)


def presence(facet: Facet, seen: Sighting) -> float:
    """How surely the paper shows the facet."""
    found = _found(facet, seen)
    signs = sum(w for each, w in facet.signs.items() if seen.find(each) is not None)
    company = _SIGNS * (1 - exp(-0.6 * signs))
    mass = _fading(found)
    return 1 - exp(-0.8 * mass) * (1 - 0.25 * company) if found else 0.5 * company


def _found(facet: Facet, seen: Sighting) -> list[float]:
    found: dict[int, float] = {}
    for each, strength in facet.terms.items():
        place = seen.find(each)
        if place is not None:
            # terms that begin at the same word are spellings of one another
            value = strength * standing(place)
            found[place.start] = max(value, found.get(place.start, 0.0))
    return sorted(found.values(), reverse=True)


def _fading(values: Iterable[float]) -> float:
    return sum(value * float(_FADING**rank) for rank, value in enumerate(values))


def reading_score(reading: Reading, seen: Sighting) -> float:
    """The weakest facet counts most; a generic one only tips the balance."""
    shown = [(presence(facet, seen), facet.generic) for facet in reading]
    main = [p for p, generic in shown if not generic] or [p for p, _ in shown]
    if not main:
        return 0.0
    product = 1.0
    for value in main:
        product *= value
    base = 0.5 * min(main) + 0.5 * float(product ** (1 / len(main)))
    tips = [p for p, generic in shown if generic] if len(main) < len(shown) else []
    for value in tips:
        base *= 0.9 + 0.1 * value
    return base
