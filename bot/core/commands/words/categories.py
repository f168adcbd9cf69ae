"""The category, or the archive with all its classes, that a person names."""

import re

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.reply import Code, Strong
from bot.matching.queries.categories import names_of, nearest
from bot.matching.queries.condition import category_key
from bot.text.categories import ARCHIVES, CATEGORIES

_BETWEEN = re.compile(r"\s*[,;+|/&]\s*|\s+(?:(?:and|or)\s+)?", re.IGNORECASE)


def categories_named(errand: Errand, text: str) -> str:
    """The one or more categories that words name, as a query writes them.

    "cs.LG" of "cs.lg", "quant-ph,hep-th" of "quant-ph and hep-th"; "" where some word is none.
    Archives whose name is a word, or may be an abbreviation, are none: physics, math, cs.
    """
    archives = (each for each in ARCHIVES if "-" in each)
    listed = (*CATEGORIES, *archives, *errand.house.store.papers.categories())
    names = {category_key(each): each for each in listed}
    found = [names.get(category_key(each), "") for each in _BETWEEN.split(text.strip())]
    return ",".join(found) if all(found) else ""


def must_be_listed(errand: Errand, text: str) -> str:
    """The category or archive to mute, as arXiv writes it.

    Raises Refused with the nearest one: the request as it was typed, with only the name replaced.
    """
    names = names_of(errand.house.store.papers.categories())
    found = names.get(category_key(text))
    if not found:
        raise _missing(errand, text, nearest(text, names))
    return found


def called_so(text: str) -> str:
    """The category or archive that a short word names by itself: "cs.AI" of "AI", "cs"; or ""."""
    names, key = names_of(), category_key(text)
    by_class = [name for each, name in names.items() if each.endswith(f".{key}")]
    return names.get(key) or next(iter(by_class), "")


def _missing(errand: Errand, text: str, near: str) -> Refused:
    if not near:
        return refused("arXiv has no category ", Strong(text), ". They look like ",
                       Code("mute cat:cs.CV"), ".", status=404)  # fmt: skip
    better = f"mute {errand.instead(text, near)}"
    return rather(better, "arXiv has no category ", Strong(text), ".", label=near, status=404)
