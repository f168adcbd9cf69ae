"""Readings of a name as a query, to be shown and edited."""

from collections.abc import Sequence

from bot.matching.concepts.facets import Facet, Reading
from bot.matching.queries.grammar import is_readable

_MOST = 6  # spellings of one thing


def query_of(readings: Sequence[Reading], kind: str = "") -> str:
    """The query for papers of any of some readings that also meet the query of a `kind`."""
    shown = [_shown(reading, alone=len(readings) == 1) for reading in readings]
    while len(shown) > 1 and not is_readable(_of_a_kind(shown, kind)):
        shown.pop()  # the last readings are the farthest from what was typed
    return _of_a_kind(shown, kind)


def quoted(text: str) -> str:
    """A word or phrase in quotes: a bare word would be widened again."""
    return f'"{text}"'


def _of_a_kind(shown: Sequence[str], kind: str) -> str:
    text = " OR ".join(shown)
    return f"({text}) AND ({kind})" if kind else text


def _shown(reading: Reading, *, alone: bool) -> str:
    asked = [facet for facet in reading if not facet.side_by_side]
    telling = [facet for facet in asked if not facet.generic] or asked
    parts = [_group(facet, alone=alone and len(telling) == 1) for facet in telling]
    text = " AND ".join(parts)
    return text if alone or len(parts) == 1 else f"({text})"


def _group(facet: Facet, *, alone: bool) -> str:
    if not facet.known:
        plain = f"({facet.label})" if " " in facet.label else facet.label
        return f"title:{plain}" if facet.in_title else facet.label
    spelled = [quoted(text) for text in facet.shown[:_MOST]]
    text = " OR ".join(spelled)
    if facet.in_title:
        return f"title:({text})"
    return text if alone or len(spelled) == 1 else f"({text})"
