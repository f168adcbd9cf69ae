"""Why a paper came, in the words of its own text."""

from collections.abc import Iterable, Iterator, Mapping

from bot.matching.evidence.seen import Seen
from bot.matching.queries.condition import (
    All,
    Any,
    ByAuthor,
    Condition,
    Listed,
    meets,
    name_keys,
    within,
)
from bot.matching.spelling.terms import Term

_MOST = {"title": 2, "abstract": 3}  # terms
_ALL = sum(_MOST.values())
_OTHERS = 3  # authors, or categories


def reason(
    terms: Iterable[Term],
    company: Iterable[Mapping[Term, int]],
    condition: Condition | None,
    seen: Seen,
) -> str:
    """`title: credit assignment; abstract: LLM agents, GRPO; author: Jun Li`, best terms first.

    Words in company are named where no term of the topic stands in the paper; an author whom the
    query asked for always, a category where nothing else is named; no `condition` asks for none.
    """
    shown = _shown(terms, seen)
    if not any(shown.values()):
        heavy = {t: w for weights in company for t, w in weights.items() if w > 0}
        here = filter(seen.holds, heavy)  # of many words few are there
        shown = _shown(sorted(here, key=lambda t: (-heavy[t], t.needle)), seen)
    parts = [f"{field}: {', '.join(words)}" for field, words in shown.items() if words]
    asked = tuple(_held(condition, seen)) if condition else ()
    if asked and (authors := _authors(asked, seen)):
        parts.append("author: " + ", ".join(authors))
    return "; ".join(parts) or _listed(asked, seen) or "nothing in it is left out"


def _held(condition: Condition, seen: Seen) -> Iterator[ByAuthor | Listed]:
    """The authors and categories that the query asked for and the paper has."""
    if isinstance(condition, ByAuthor | Listed):
        if meets(condition, seen):
            yield condition
    elif isinstance(condition, All | Any) and meets(condition, seen):
        for part in condition.parts:
            yield from _held(part, seen)


def _authors(asked: Iterable[ByAuthor | Listed], seen: Seen) -> list[str]:
    wanted = {way for each in asked if isinstance(each, ByAuthor) for way in each.names}
    named = (author.name for author in seen.paper.authors if wanted)
    return [name for name in named if not wanted.isdisjoint(name_keys(name))][:_OTHERS]


def _listed(asked: Iterable[ByAuthor | Listed], seen: Seen) -> str:
    wanted = [each.category for each in asked if isinstance(each, Listed)]
    named = [c for c in seen.paper.categories if any(within(c, each) for each in wanted)]
    return f"listed in {', '.join(named[:_OTHERS])}" if named else ""


def _shown(terms: Iterable[Term], seen: Seen) -> dict[str, list[str]]:
    shown: dict[str, list[str]] = {"title": [], "abstract": []}
    said: list[str] = []
    for each in terms:
        here = seen.printed(each)
        if here is None or len(shown[here.field]) >= _MOST[here.field]:
            continue
        if not any(here.low in known or known in here.low for known in said):
            shown[here.field].append(here.words)
            said.append(here.low)
        if len(said) == _ALL:
            break
    return shown
