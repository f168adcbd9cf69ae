"""How surely a paper shows the facets of a topic, from 0 to 1.

    direct evidence    the facet's own terms: title > early > late; each further one for less
    company            words that papers about it use more than others do
    a reading          the geometric mean of its facets, none of them weak

The numbers were chosen on hand-curated lists of papers; see tests/bench/README.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log, prod, sqrt

from bot.matching.concepts.facets import Facet, Reading
from bot.matching.concepts.thesaurus import KIN, Company
from bot.matching.evidence.seen import Named, Seen
from bot.matching.spelling.terms import Place

_FADING = (1.0, 0.65, 0.42, 0.27, 0.18, 0.12, 0.08)  # what the first, second … term counts
_TRUST = 0.35  # how far words in company are believed beside the facet's own
_ENTITLED = 0.4  # log-odds that one of its own names in the title gives besides
_LEAN = 0.28  # places the same cut for every topic
_SURE, _UNSURE = 0.97, 0.2  # direct evidence alone neither settles nor forbids
_UNSURE_ODDS = log(_UNSURE / (1 - _UNSURE))
_SIGNS = 0.5  # what signs add at most where nothing is known of the company
_ASIDE = 0.4  # what a mention counts that stands among examples alone, or as what is not meant
_MOST = 5.0
_TIP, _SIDE = 0.1, 0.4  # what a generic word, or unknown words side by side, may tip
_WEAK = 0.4  # below this a facet among others is hardly there
_EVERYWHERE, _SETTING = 0.2, 0.4  # from this share of papers a facet is a setting; counts as
_MOSTLY = 0.5  # of a facet's papers
_NARROW, _USUAL = 0.01, 0.01  # share of papers of what needs no setting; of what is unknown
_SETTLED, _SPARED = 0.003, 0.35  # share of papers of two facets that spare a third; counts as
_SAFELY = 0.999  # no rounding comes near
TRACE = 0.05  # what facets that do not come together count at most: they order what is left
_TOGETHER = 5  # how much more often facets of one name meet than chance would have it
_FULL_LENGTH = 600  # characters of text from which missing words count in full


def standing(place: Place) -> float:
    """What a term counts by its place: 1 for one mention somewhere in the abstract."""
    if place.in_title:
        return 2.2 if place.again else 1.8
    return 1.0 + 0.35 * place.again + 0.25 * max(0.0, 1 - 2 * place.depth)


def presence(facet: Facet, seen: Seen) -> float:
    """How surely the paper shows the facet."""
    known = seen.known.get(id(facet.terms))  # topics share the terms of a concept
    if known is None:
        known = seen.known[id(facet.terms)] = _presence(facet, seen)
    return known


def _presence(facet: Facet, seen: Seen) -> float:
    if not seen.found(facet.terms) and facet.company is not None:  # most facets of most papers
        return logistic(_UNSURE_ODDS + _TRUST * company_of(facet.company, seen) + _LEAN)
    named = named_in(facet, seen)
    direct = 1 - exp(-0.8 * faded(_apart(named))) if named else 0.0
    if facet.company is not None:
        sure = log_odds(min(_SURE, direct)) if direct > _UNSURE else _UNSURE_ODDS
        entitled = _ENTITLED if named and _is_entitled(facet, named) else 0.0
        return logistic(sure + _TRUST * company_of(facet.company, seen) + _LEAN + entitled)
    signs = sum(facet.signs[each] for each in seen.found(facet.signs))
    company = _SIGNS * (1 - exp(-0.6 * signs))
    return 1 - (1 - direct) * (1 - 0.25 * company) if direct else 0.5 * company


def _is_entitled(facet: Facet, named: Sequence[Named]) -> bool:
    """Whether the title holds one of the facet's own names, and not only one of its kin."""
    return any(each.place.in_title and facet.terms[each.term] > KIN for each in named)


def company_of(company: Company, seen: Seen) -> float:
    """The log-odds that the words in company give."""
    total = (10 * company.bias + seen.total(company)) / 1000
    if total < 0:  # in a short text little is said by what is missing
        length = len(seen.folded.plain)
        return max(-_MOST, total if length >= _FULL_LENGTH else total * length / _FULL_LENGTH)
    return min(_MOST, total)


def named_in(facet: Facet, seen: Seen) -> Sequence[Named]:
    """The facet's own terms in the paper, the most telling first."""
    known = seen.named.get(id(facet.terms))
    if known is None:
        here = _named_in(facet, seen) if seen.found(facet.terms) else ()
        known = seen.named[id(facet.terms)] = sorted(here, key=_telling)
    return known


def _named_in(facet: Facet, seen: Seen) -> Iterator[Named]:
    for each in seen.found(facet.terms):
        place = seen.find(each)
        if place is not None:
            value = facet.terms[each] * standing(place)
            once = not (place.in_title or place.again)
            if once and each.needle in seen.folded.asides:
                value *= _ASIDE
            yield Named(value, place, each)


def _telling(named: Named) -> tuple[float, int, str]:
    return -named.value, named.place.start, named.term.needle


def _apart(named: Sequence[Named]) -> Iterable[float]:
    """What each place counts: terms that begin at the same word are spellings of one thing."""
    best: dict[int, float] = {}
    for value, place, _ in named:
        best.setdefault(place.start, value)
    return best.values()


def faded(values: Iterable[float]) -> float:
    """What several mentions count together, the strongest first: each further one less."""
    return sum(map(float.__mul__, values, _FADING))


@dataclass(frozen=True, slots=True)
class Plan:
    """A reading in the order in which its facets are looked at, the rarest first.

    Words said in passing come last: no paper has to name them.
    """

    main: tuple[Facet, ...]
    asked: tuple[tuple[int, Facet, float], ...]  # its terms, each of `main`, its least count
    traces: tuple[float, ...]  # what each counts by itself, by its rarity
    tips: tuple[Facet, ...]  # generic ones, and words side by side: they tip the balance
    named: tuple[Facet, ...]  # what a paper has to name for it to bring it, the rarest first
    titled: tuple[Facet, ...]  # of these, what its title has to name

    @classmethod
    def of(cls, reading: Reading) -> "Plan":
        """The plan of a reading."""
        wanted = [facet for facet in reading if not facet.side_by_side]
        telling = [facet for facet in wanted if not facet.generic] or wanted
        main = tuple(sorted(telling, key=_how_telling))
        asked = tuple((id(f.terms), f, _floor(main, place)) for place, f in enumerate(main))
        tips = tuple(facet for facet in reading if facet not in telling)
        named = (main[0], *(facet for facet in main[1:] if facet.part or facet.in_title))
        titled = tuple(facet for facet in named if facet.in_title)
        return cls(main, asked, _traces(main), tips, named, titled)

    def brings(self, seen: Seen) -> bool:
        """Whether a paper names the rarest facet, and what was typed as one thing in all its parts.

        Words in company alone never bring a paper: they would let half of a name stand for it.
        """
        if not all(seen.found(facet.terms) for facet in self.named):
            return False
        return all(any(map(seen.is_in_title, seen.found(f.terms))) for f in self.titled)


def _how_telling(facet: Facet) -> tuple[bool, bool, float]:
    """Orders facets: first what full-text search knows more of than a letter, the "a" of "A*"."""
    is_a_letter = any(len(each.needle.strip(" +#*")) < 2 for each in facet.terms)
    return is_a_letter, facet.in_passing, facet.share


def _floor(main: tuple[Facet, ...], place: int) -> float:
    """The least that a facet counts, however weak it is, where the others nearly decide.

    A setting that papers everywhere share need not be named where most papers of the one other
    facet share it, or others narrow it too: "on-policy distillation of LLMs", but not "LLM
    advertising".
    Neither need all of three facets or more be shown, where few papers show the others.
    """
    others = [facet.share or _USUAL for facet in (*main[:place], *main[place + 1 :])]
    if not others:
        return 0.0
    is_setting = len(others) > 1 or _is_mostly_with_models(main[0])
    if is_setting and main[place].share >= _EVERYWHERE and others[0] <= _NARROW:
        return _SETTING
    as_typed = not any(facet.part for facet in main)
    if len(others) > 1 and as_typed and _share_of_all(others) <= _SETTLED:
        return _SPARED
    return 0.0


def _is_mostly_with_models(facet: Facet) -> bool:
    """Whether most papers of a facet name language models, the one thing named everywhere."""
    return facet.company is None or facet.company.with_models >= _MOSTLY


def _traces(main: tuple[Facet, ...]) -> tuple[float, ...]:
    """What each facet adds to a trace: rare ones more than usual ones."""
    rarity = [-log(min(0.9, max(0.0005, facet.share or _USUAL))) for facet in main]
    return tuple(TRACE * each / sum(rarity) for each in rarity)


def _share_of_all(shares: Sequence[float]) -> float:
    """About which share of all papers shows several facets; the rarest comes first."""
    rarest, *others = shares
    return rarest * prod(min(1.0, _TOGETHER * share) for share in others)


def plan_score(plan: Plan, seen: Seen, least: float) -> float:
    """The geometric mean of the facets, less where one is weak; 0 once below `least`."""
    count = len(plan.asked)
    bound = least**count
    total = weakest = 1.0
    for terms, facet, floor in plan.asked:
        shown = seen.known.get(terms)
        if shown is None:
            shown = seen.known[terms] = _presence(facet, seen)
        if shown < floor:
            shown = floor
        if shown < weakest:
            weakest = shown
        total *= shown
        if total < bound or (weakest < _WEAK and _is_out_of_reach(total, weakest, count, bound)):
            return 0.0
    score = total if count == 1 else float(total ** (1 / count))
    if count > 1 and weakest < _WEAK:
        score *= sqrt(weakest / _WEAK)
    for facet in plan.tips:
        tip = _SIDE if facet.side_by_side else _TIP
        score *= 1 - tip + tip * presence(facet, seen)
    return score


def _is_out_of_reach(total: float, weakest: float, count: int, bound: float) -> bool:
    """Whether what was looked at is too weak, however strong the rest may be."""
    return count > 1 and total * (weakest / _WEAK) ** (count / 2) < _SAFELY * bound


def trace(plan: Plan, seen: Seen) -> float:
    """A small score by the facets that a paper shows singly: it ranks papers far below any cut."""
    return sum(part * presence(f, seen) for f, part in zip(plan.main, plan.traces, strict=True))


def log_odds(share: float) -> float:
    """The log-odds of a share strictly between 0 and 1."""
    return log(share / (1 - share))


def logistic(odds: float) -> float:
    """The share that has these log-odds."""
    return 1 / (1 + exp(-odds))
