"""The category, or the archive with all its classes, that a person names."""

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.reply import Code, Strong
from bot.digest import Action
from bot.matching.categories import names_of, nearest
from bot.matching.condition import category_key


def must_be_listed(errand: Errand, text: str, verb: str) -> str:
    """The category or archive of that name, as arXiv writes it.

    Raises Refused with the nearest one: the request as it was typed, with only the name exchanged.
    """
    names = names_of(errand.house.store.papers.categories())
    found = names.get(category_key(text))
    if not found:
        raise _missing(errand, text, verb, nearest(text, names))
    return found


def _missing(errand: Errand, text: str, verb: str, near: str) -> Refused:
    if not near:
        return refused("arXiv has no category ", Strong(text), ". They look like ",
                       Code(f"{verb} cat:cs.CV"), ".", status=404)  # fmt: skip
    better = f"{verb} {errand.instead(text, near)}"
    return refused("arXiv has no category ", Strong(text), ". Did you mean ", Code(better), "?",
                   buttons=(Action(near, better),), status=404)  # fmt: skip
