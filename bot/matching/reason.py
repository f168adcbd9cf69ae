"""Why a paper came, in the words of its own text."""

from collections.abc import Iterable, Mapping

from bot.matching.sighting import Sighting
from bot.matching.terms import Term

_MOST = {True: 2, False: 3}


def reason(terms: Iterable[Term], company: Iterable[Mapping[Term, int]], seen: Sighting) -> str:
    """`title: credit assignment; abstract: LLM agents, GRPO`, best terms first.

    Words in company are named where no term of the topic stands in the paper; authors and
    categories, the only other things a query can ask for, where no word does.
    """
    shown = _shown(terms, seen)
    if not any(shown.values()):
        heavy = {t: w for weights in company for t, w in weights.items() if w > 0}
        shown = _shown(sorted(heavy, key=lambda t: (-heavy[t], t.needle)), seen)
    parts = []
    if shown[True]:
        parts.append("title: " + ", ".join(shown[True]))
    if shown[False]:
        parts.append("abstract: " + ", ".join(shown[False]))
    return "; ".join(parts) or _outside(seen)


def _shown(terms: Iterable[Term], seen: Sighting) -> dict[bool, list[str]]:
    shown: dict[bool, list[str]] = {True: [], False: []}
    said: list[str] = []
    for each in terms:
        place = seen.find(each)
        if place is None or len(shown[place.in_title]) >= _MOST[place.in_title]:
            continue
        words = seen.printed(each)
        low = words.casefold()
        if not any(low in known or known in low for known in said):
            shown[place.in_title].append(words)
            said.append(low)
        if all(len(shown[side]) >= _MOST[side] for side in shown):
            break
    return shown


def _outside(seen: Sighting) -> str:
    return f"listed in {seen.paper.primary}" if seen.paper.primary else "by its authors"
