"""Trailing clauses of a request, read from the right and only where they are valid."""

import re

from bot.core.house import House
from bot.core.naming import known
from bot.model import Breadth, Identity

_BREADTH = re.compile(r"(?:\s*,\s*|\s+breadth\s+)(focused|balanced|broad)\s*$", re.IGNORECASE)
_WITHOUT = re.compile(r"\s+without\s+", re.IGNORECASE)
_AUTHOR = re.compile(r'^author:\s*"?(.*?)"?$', re.IGNORECASE)
_ITEMS = re.compile(r'\s*,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)')


def conversation_in(text: str, workspace: str) -> tuple[str, Identity | None]:
    """Split a trailing `in <#C1>` from a request."""
    found = re.search(r"(?:^|\s+)in\s+<#([CG][A-Z0-9]+)(?:\|[^>]*)?>\s*$", text)
    if not found:
        return text, None
    return text[: found.start()], Identity("slack", workspace, found[1])


def breadth_in(text: str) -> tuple[str, Breadth | None]:
    """Split a trailing `, focused` or `breadth focused`, where something stands before it."""
    found = _BREADTH.search(text)
    if not found or not text[: found.start()].strip():
        return text, None
    return text[: found.start()], Breadth(found[1].casefold())


def exclusions_in(house: House, text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Exclusions, only where what stands before them is a topic: "learning without forgetting"."""
    pieces = _WITHOUT.split(text)
    if known(house, text) or len(pieces) < 2:
        return text, (), ()
    name, listed = _WITHOUT.split(text, maxsplit=1)
    plainly = '"' in listed or "," in listed or _AUTHOR.match(listed)
    if not known(house, name) and not plainly:
        return text, (), ()
    words, authors = [], []
    for item in items(listed):
        if by := _AUTHOR.match(item.strip()):
            authors.append(by[1].strip())
        elif item.strip(' "'):
            words.append(item.strip(' "'))
    return name, tuple(words), tuple(authors)


def items(text: str) -> list[str]:
    """What stands between the commas that are in no quotes."""
    return _ITEMS.split(text)
