"""Trailing clauses of a request, read from the right and only where they are valid."""

import re

from bot.core.errand import refused
from bot.core.house import House
from bot.core.naming import known
from bot.core.reply import Actor, Code
from bot.model import Breadth, Follow, Identity

_BREADTH = re.compile(r"(?:\s*,\s*|\s+breadth\s+)(focused|balanced|broad)\s*$", re.IGNORECASE)
_WITHOUT = re.compile(r"\s+without\s+", re.IGNORECASE)
_NOTHING = {"nothing", "exclusions"}
_AUTHOR = re.compile(r'^author:\s*"?(.*?)"?$', re.IGNORECASE)
_ITEMS = re.compile(r'\s*,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)')
_NAMED = re.compile(
    r"(?:^| ?, ?| )(?:in|into|to|for)\s+<#([CG][A-Z0-9]+)(?:\|[^>]*)?>", re.IGNORECASE
)
_MENTIONED = re.compile(r"<#[A-Z0-9]+(?:\|[^>]*)?>")
_THIS = re.compile(r"(?:^|\s+)in\s+this\s+(?:channel|conversation|group)(?=$|[\s,])", re.IGNORECASE)
_BY_NAME = re.compile(r"(?:^| )(?:in|into|to|for) #[a-z0-9][\w.-]+", re.IGNORECASE)
_MINE = re.compile(r"(?:^|\s+)for\s+me$", re.IGNORECASE)
_CHANNEL = re.compile(r"\s*\bby\s+(e-?mail|slack|console)\s*$", re.IGNORECASE)
_RHYTHM = re.compile(
    r"(?: ?, ?| )((?:daily|weekly|weekdays)(?:\s+(?:at\s+)?\d[\d:.]*\s*(?:[ap]m)?)?)$",
    re.IGNORECASE,
)


def subject_in(text: str, actor: Actor) -> tuple[str, Identity | None]:
    """Split from a request whose settings it names: a conversation's, wherever that stands, or
    the speaker's own; None where it does not say.

    Raises Refused for a conversation that is not named in a way that can be read.
    """
    if found := _MINE.search(text):
        return text[: found.start()], actor.identity
    named = set(_NAMED.findall(text))
    rest = _NAMED.sub("", text).strip()
    if len(named) > 1 or _MENTIONED.search(rest):
        raise refused("Name one conversation, at the end: ", Code("in #channel"), ".")
    is_in_slack = actor.identity.kind == "slack"
    if _THIS.search(rest) or (is_in_slack and _BY_NAME.search(rest)):
        raise refused(
            "Which conversation? End with ", Code("in #channel"), ", chosen from Slack’s list."
        )
    if not named:
        return text, None
    return rest, Identity("slack", actor.identity.workspace, named.pop())


def channel_in(text: str) -> tuple[str, str]:
    """Split a trailing `by email`; "" where none is named."""
    found = _CHANNEL.search(text)
    if not found:
        return text, ""
    return text[: found.start()], found[1].casefold().replace("-", "")


def breadth_in(text: str) -> tuple[str, Breadth | None]:
    """Split a trailing `, focused` or `breadth focused`, where something stands before it."""
    found = _BREADTH.search(text)
    if not found or not text[: found.start()].strip():
        return text, None
    return text[: found.start()], Breadth(found[1].casefold())


def rhythm_in(house: House, text: str) -> tuple[str, str]:
    """Split a trailing `daily` or `weekly 9:00` from what is no topic with it; "" where none."""
    found = _RHYTHM.search(text)
    if not found or known(house, text):
        return text, ""
    return text[: found.start()], found[1]


Exclusions = tuple[tuple[str, ...], tuple[str, ...]]
"""Words and authors that a follow leaves out."""


def exclusions_in(house: House, text: str) -> tuple[str, Exclusions | None]:
    """Exclusions, only where what stands before them is a topic: "learning without forgetting".

    None where nothing is said of them; `without nothing` clears them.
    """
    pieces = _WITHOUT.split(text)
    if known(house, text) or len(pieces) < 2:
        return text, None
    name, listed = _WITHOUT.split(text, maxsplit=1)
    if listed.strip().casefold() in _NOTHING:
        return name, ((), ())
    plainly = '"' in listed or "," in listed or _AUTHOR.match(listed)
    if not known(house, name) and not plainly:
        return text, None
    words, authors = [], []
    for item in items(listed):
        if by := _AUTHOR.match(item.strip()):
            authors.append(by[1].strip())
        elif item.strip(' "'):
            words.append(item.strip(' "'))
    return name, (tuple(words), tuple(authors))


def items(text: str) -> list[str]:
    """What stands between the commas that are in no quotes."""
    return _ITEMS.split(text)


def bare(text: str) -> str:
    """What stands before the clauses of a follow, whether or not it is a topic."""
    return _WITHOUT.split(breadth_in(text)[0], maxsplit=1)[0].strip()


def typed(follow: Follow) -> str:
    """A follow with all its wishes, as it would be typed."""
    out = [f'"{word}"' for word in follow.without_words]
    out += [f'author:"{name}"' for name in follow.without_authors]
    return f"{follow.topic.slug} without {', '.join(out) or 'nothing'}, {follow.breadth}"
