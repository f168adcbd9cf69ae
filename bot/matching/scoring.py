"""How surely a paper shows the facets of a topic, from 0 to 1.

    direct evidence    the facet's own terms: title > early > late; each further one for less
    company            words that papers about it use more than others do
    a reading          the geometric mean of its facets

The numbers were chosen on hand-curated lists of papers; see tests/bench/README.md.
"""

from collections.abc import Iterable
from math import exp, log

from bot.matching.naming import Facet, Reading
from bot.matching.sighting import Sighting
from bot.matching.terms import Place
from bot.matching.thesaurus import Company

_FADING = (1.0, 0.65, 0.42, 0.27, 0.18, 0.12, 0.08)  # what the first, second … term counts
_TRUST = 0.4  # how far words in company are believed beside the facet's own
_LEAN = 0.2  # places the same cut for every topic
_SURE, _UNSURE = 0.97, 0.2  # direct evidence alone neither settles nor forbids
_SIGNS = 0.5  # what signs add at most where nothing is known of the company
_MOST = 5.0
_TIP = 0.1
_FULL_LENGTH = 600  # characters of text from which missing words count in full


def standing(place: Place) -> float:
    """What one term counts at its place: 1 for one mention somewhere in the abstract."""
    if place.in_title:
        return 2.2 if place.again else 1.8
    return 1.0 + 0.35 * place.again + 0.25 * max(0.0, 1 - 2 * place.depth)


def presence(facet: Facet, seen: Sighting) -> float:
    """How surely the paper shows the facet."""
    key = id(facet.terms)  # topics share the terms of a concept
    if key not in seen.known:
        seen.known[key] = _presence(facet, seen)
    return seen.known[key]


def is_named(facet: Facet, seen: Sighting) -> bool:
    """Whether any of the facet's own terms stands in the paper."""
    return any(seen.find(each) is not None for each in seen.among(facet.terms.keys()))


def _presence(facet: Facet, seen: Sighting) -> float:
    direct = 1 - exp(-0.8 * _fading(_found(facet, seen)))
    if facet.company is not None:
        sure = min(_SURE, max(_UNSURE, direct))
        return logistic(log_odds(sure) + _TRUST * company_of(facet.company, seen) + _LEAN)
    found = (each for each in seen.among(facet.signs.keys()) if seen.find(each) is not None)
    company = _SIGNS * (1 - exp(-0.6 * sum(facet.signs[each] for each in found)))
    return 1 - (1 - direct) * (1 - 0.25 * company) if direct else 0.5 * company


def company_of(company: Company, seen: Sighting) -> float:
    """The log-odds that the words in company give."""
    total = company.bias
    for each in seen.among(company.weights.keys()):
        place = seen.find(each)
        if place is not None:
            total += company.weights[each] * (1.6 if place.in_title else 1.0)
    if total < 0:  # in a short text little is said by what is missing
        total *= min(1.0, len(seen.folded.plain) / _FULL_LENGTH)
    return max(-_MOST, min(_MOST, total))


def _found(facet: Facet, seen: Sighting) -> list[float]:
    found: dict[int, float] = {}
    for each in seen.among(facet.terms.keys()):
        place = seen.find(each)
        if place is not None:
            # terms that begin at the same word are spellings of one another
            value = facet.terms[each] * standing(place)
            found[place.start] = max(value, found.get(place.start, 0.0))
    return sorted(found.values(), reverse=True)


def _fading(values: Iterable[float]) -> float:
    return sum(value * share for value, share in zip(values, _FADING, strict=False))


def reading_score(reading: Reading, seen: Sighting) -> float:
    """The geometric mean of the facets; a generic one only tips the balance."""
    main = [facet for facet in reading if not facet.generic] or list(reading)
    total = 1.0
    for facet in main:
        total *= presence(facet, seen)
    score = float(total ** (1 / len(main))) if main else 0.0
    for facet in reading:
        if facet.generic and facet not in main:
            score *= 1 - _TIP + _TIP * presence(facet, seen)
    return score


def log_odds(share: float) -> float:
    """The log-odds of a share strictly between 0 and 1."""
    return log(share / (1 - share))


def logistic(odds: float) -> float:
    """The share of log-odds."""
    return 1 / (1 + exp(-odds))
