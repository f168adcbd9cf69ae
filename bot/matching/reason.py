"""Why a paper came, in the words of its own text."""

from collections.abc import Iterable

from bot.matching.sighting import Sighting
from bot.matching.terms import Term

_MOST = {True: 2, False: 3}


def reason(terms: Iterable[Term], seen: Sighting) -> str:
    """`title: credit assignment; abstract: LLM agents, GRPO`, best terms first.

    Falls back on authors and categories, the only other things a query can ask for.
    """
    shown: dict[bool, list[str]] = {True: [], False: []}
    low: set[str] = set()
    for each in terms:
        place = seen.find(each)
        if place is None or len(shown[place.in_title]) >= _MOST[place.in_title]:
            continue
        words = seen.printed(each)
        if not any(words.lower() in known or known in words.lower() for known in low):
            shown[place.in_title].append(words)
            low.add(words.lower())
        if all(len(shown[side]) >= _MOST[side] for side in shown):
            break
    parts = []
    if shown[True]:
        parts.append("title: " + ", ".join(shown[True]))
    if shown[False]:
        parts.append("abstract: " + ", ".join(shown[False]))
    return "; ".join(parts) or _outside(seen)


def _outside(seen: Sighting) -> str:
    return f"listed in {seen.paper.primary}" if seen.paper.primary else "by its authors"
