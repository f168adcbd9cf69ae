"""From what a person types to a category, or to an archive with all its classes."""

from rapidfuzz import fuzz, process

from bot.core.errand import Errand, Refused, refused
from bot.core.reply import Code, Strong
from bot.digest import Action
from bot.matching.condition import category_key
from bot.text.categories import CATEGORIES

LIKE = 60  # of 100: how alike a category must be to be meant


def must_be_listed(errand: Errand, text: str, verb: str) -> str:
    """The category or archive of that name, as arXiv writes it.

    Raises Refused with the nearest one: the request as it was typed, with only the name exchanged.
    """
    names = _names(errand)
    found = names.get(category_key(text))
    if not found:
        raise _missing(errand, text, verb, names)
    return found


def _names(errand: Errand) -> dict[str, str]:
    """Every category and archive, arXiv's and those of stored papers, by what they go by."""
    listed = {*CATEGORIES, *errand.house.store.papers.categories()}
    archives = {each.partition(".")[0] for each in listed}
    return {category_key(each): each for each in sorted(listed | archives)}


def _missing(errand: Errand, text: str, verb: str, names: dict[str, str]) -> Refused:
    near = _nearest(category_key(text), names)
    if not near:
        return refused("arXiv has no category ", Strong(text), ". They look like ",
                       Code(f"{verb} cat:cs.CV"), ".", status=404)  # fmt: skip
    better = f"{verb} {errand.instead(text, near)}"
    return refused("arXiv has no category ", Strong(text), ". Did you mean ", Code(better), "?",
                   buttons=(Action(near, better),), status=404)  # fmt: skip


def _nearest(key: str, names: dict[str, str]) -> str:
    """The category whose class was typed without its archive, or that was misspelt, or ""."""
    if by_class := [name for each, name in names.items() if each.endswith(f".{key}")]:
        return by_class[0]
    found = process.extractOne(key, list(names), scorer=fuzz.ratio, score_cutoff=LIKE)
    return names[found[0]] if found else ""
