"""Which categories and archives there are, and which of them somebody meant."""

from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process

from bot.matching.queries.condition import category_key
from bot.text.categories import CATEGORIES

LIKE = 60  # of 100: how alike a category must be to be meant


def names_of(stored: Iterable[str] = ()) -> dict[str, str]:
    """Every category and archive, arXiv's and those of stored papers, by their folded keys."""
    listed = {*CATEGORIES, *stored}
    archives = {each.partition(".")[0] for each in listed}
    return {category_key(each): each for each in sorted(listed | archives)}


def nearest(text: str, names: Mapping[str, str]) -> str:
    """The category whose class was typed without its archive, or that was misspelt, or ""."""
    key = category_key(text)
    if by_class := [name for each, name in names.items() if each.endswith(f".{key}")]:
        return by_class[0]
    found = process.extractOne(key, list(names), scorer=fuzz.ratio, score_cutoff=LIKE)
    return names[found[0]] if found else ""
