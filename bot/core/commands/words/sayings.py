"""What people say that is no command, and the request that it means."""

import re
from collections.abc import Callable
from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.naming import shown
from bot.core.reply import Code
from bot.digest import Action
from bot.text.identifiers import find_ids

MANY = 3  # topics of which each gets a button


class Meant(NamedTuple):
    """A request, and what its button is called."""

    command: str
    label: str


_QUESTION = re.compile(r"(?:how|who|whose|whom|what|when|where|which)(?:['’]s)?")
_REST = r"[\s!?.]*"
_SAID: tuple[tuple[str, str, str], ...] = (
    (r"what(?:['’]?s| is) (?:new|up)|(?:what )?did i miss(?: (?:anything|something|it))?"
     r"|(?:the )?(?:latest|newest|new)(?: papers)?", "digest now", "Digest now"),
    (r"(?:(?:show|list)\W+(?:me\W+)?)?(?:what(?:['’]?s| is| do| am) i\W+(?:follow|following)"
     r"|my (?:topics|follows|subscriptions|list))", "list", "List"),
    (r"(?:what(?:['’]?s| is| are) )?(?:hot|trending|heating(?: up)?|trends|popular)"
     r"(?: (?:topics?|papers?|now|today|right now))*", "topics heating", "What heats up"),
    (r"(?:why (?:is it so quiet|did i get nothing|(?:is there )?nothing(?: new)?)|so quiet"
     r"|nothing(?: new)?|no (?:new )?papers(?: today)?|where (?:is|are) my (?:digests?|papers))",
     "status", "Status"),
    (r"(?:leave|quit|good ?bye|bye(?: bye)?|cancel|unregister)", "digest off", "Stop the digest"),
    (r"(?:i['’]?m|i am|am)? ?back(?: again| now)?|come back|start(?: again)?|continue|unpause",
     "resume", "Resume"),
    (r"how (?:can|do|does|should|to|would)\b.*", "help", "Help"),
)  # fmt: skip
_KNOWN = tuple(
    (re.compile(f"(?:{said}){_REST}", re.IGNORECASE), Meant(command, label))
    for said, command, label in _SAID
)
_ZONE = re.compile(
    r"(?:(?:set|change)\s+)?(?:my\s+)?(?:time\s?zone|tz)\s+(?:is\s+|to\s+)?(?P<rest>\S.*)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:set|change|move)\s+(?:(?:my|the)\s+)?(?:digest|hour|time|day)s?\s+(?:is\s+|to\s+)?"
    r"(?P<rest>\S.*)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?:(?:that(?:['’]s| is)|it(?:['’]s| is)|way|far|i get|get)\s+)*"
    r"(?:too (?:much|many)|less|fewer|only the best)(?:\s.*)?" + _REST,
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:(?:that(?:['’]s| is)|it(?:['’]s| is)|way|far|i get|get)\s+)*"
    r"too (?:little|few)(?:\s.*)?" + _REST + r"|more papers(?: please)?" + _REST,
    re.IGNORECASE,
)


_TAKEN_ALONG = re.compile(
    r"(?:(?:how (?:can|do) i )?(?:export|download|bibtex|bib|ris|csv|cite|citations?)(?:\s.*)?)"
    + _REST,
    re.IGNORECASE,
)


def is_question(word: str) -> bool:
    """Whether a word begins a question, and is no verb misspelt."""
    return _QUESTION.fullmatch(word) is not None


def is_said(word: str, rest: str) -> bool:
    """Whether a verb and what stands behind it are a saying: "why nothing?", "more papers"."""
    text = f"{word} {rest}"
    if word.casefold() == "more" and find_ids(rest):  # "more like 2501.01234"
        return True
    return word.casefold() in ("why", "more") and is_saying(text)


def is_saying(text: str) -> bool:
    """Whether it is known what a text that is no command means."""
    return bool(meant_by(text.strip()) or wish_in(text.strip()))


def meant_by(text: str) -> Meant | None:
    """The request that a saying means, None for one that is not known."""
    if found := next((meant for said, meant in _KNOWN if said.fullmatch(text)), None):
        return found
    if zone := _ZONE.fullmatch(text):
        return Meant(f"digest tz {zone['rest'].rstrip('.!?')}", "Change it")
    if time := _TIME.fullmatch(text):
        return Meant(f"digest {time['rest'].rstrip('.!?')}", "Change it")
    return None


def wish_in(text: str) -> Callable[[Errand], Refused] | None:
    """How less or more may come, where a text says that it is too much or too little."""
    if _TAKEN_ALONG.fullmatch(text) and not find_ids(text):
        return _of_taking_along
    if _LESS.fullmatch(text):
        return _of_less
    return _of_more if _MORE.fullmatch(text) else None


def _of_taking_along(errand: Errand) -> Refused:
    return refused(
        "Saved papers are taken along as BibTeX, RIS or CSV from your own page, which is behind "
        "“Change” in every mail: ", Code("email you@example.org"), ". The page of each topic has "
        "the same of its papers.",
    )  # fmt: skip


def _of_less(errand: Errand) -> Refused:
    return refused(
        "Less of a topic: ", Code("follow TOPIC, focused"), " brings the closest only, ",
        Code("follow TOPIC without WORDS"), " leaves some out, ", Code("mute TOPIC for 2w"),
        " is silent for a while, and ", Code("not-for-me ID"), " teaches it.",
        buttons=_each(errand, "focused", "Closest of"),
    )  # fmt: skip


def _of_more(errand: Errand) -> Refused:
    return refused(
        "More of a topic: ", Code("follow TOPIC, broad"), " brings what is near it, too. ",
        Code("digest daily"), " comes more often, and ", Code("status"), " tells what was read.",
        buttons=_each(errand, "broad", "More of"),
    )  # fmt: skip


def _each(errand: Errand, breadth: str, label: str) -> tuple[Action, ...]:
    follows = errand.house.store.people.follows(errand.subscriber)
    return tuple(
        Action(shown(f"{label} {each.topic.name}", 40), f"follow {each.topic.slug}, {breadth}")
        for each in follows[:MANY]
        if each.breadth != breadth
    )
