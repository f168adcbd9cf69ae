"""Sentences in words of people's own: the request that is meant, or what to type instead."""

import re
from collections.abc import Callable
from functools import partial

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.cadences import is_rhythm
from bot.core.commands.words.lookup import followed
from bot.core.commands.words.mutes import is_only_time
from bot.core.commands.words.readings import spans_of
from bot.core.commands.words.vocabulary import ABOUT, phrase
from bot.core.naming import known, shown
from bot.core.reply import Code
from bot.core.sayings import SAME, SIMILAR, Kinds, Meaning
from bot.digest import Action
from bot.timetable import TimetableError, canonical_zone

_A_GUESS = 0.6  # of 1: how alike an example must be to be asked about
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
_AT = phrase(r"^(?:at|for|on|to) ")
_LED_IN = phrase(rf"^(?:{ABOUT}|by) ")
_BEHIND = phrase(
    r"(?: (?:any ?more|any longer|from now on|please|for (?:me|us)|since .+"
    r"|(?:from )?(?:last|this) (?:month|week)|today|yesterday|lately))+$"
)
"""What stands around a topic and is no part of its name."""
_NO_NAME = phrase(
    r"than .*|(?:(?:an?|the|this|that|these|those|my|our|its?|me|us|them|some|any|every|ones?"
    r"|(?:digest|mail|paper|topic|list)s?|(?:every|some|any)thing)(?: |$))+"
)
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|#|example|2501\.|/papers")


def meaning(errand: Errand, text: str) -> Refused | None:
    """The question whether a sentence means one request of ours, or what to type; or None."""
    return _asked(errand, text, SIMILAR)


def meaning_of_the_very_words(errand: Errand, text: str) -> Refused | None:
    """The same where hardly a word differs from an example: what begins with a verb of ours may
    well be a request."""
    return _asked(errand, text, SAME)


def nearest_meaning(errand: Errand, text: str) -> Refused | None:
    """The same of the nearest example, far as it may be: a guess, where nothing else is left.

    What it is about has to be a topic that is known.
    """
    return _asked(errand, text, _A_GUESS, topic=partial(_known, errand))


def request_in(errand: Errand, text: str) -> str:
    """The request that the very words of an example mean; or ""."""
    found = errand.house.sayings().meant(text, _kinds(errand), least=SAME)
    return found.meaning.request if found else ""


def _asked(
    errand: Errand, text: str, least: float, **kinds: Callable[[str], str]
) -> Refused | None:
    found = errand.house.sayings().meant(text, {**_kinds(errand), **kinds}, least=least)
    return _said(found.meaning) if found else None


def _said(meant: Meaning) -> Refused:
    if meant.answer:
        return _answered(meant.answer)
    return rather(meant.request, label=meant.label or shown(meant.request, 40), status=404)


def _answered(answer: str) -> Refused:
    """An answer, with a button for each request in it that can be pressed as it is."""
    spans = spans_of(answer)
    typed = [each.text for each in spans if isinstance(each, Code)]
    ready = [each for each in typed if not _PLACEHOLDER.search(each)]
    return refused(*spans, buttons=tuple(Action(shown(each, 40), each) for each in ready))


def _kinds(errand: Errand) -> Kinds:
    return {
        "topic": _named,
        "known": partial(_known, errand),
        "when": _when,
        "until": lambda text: text if is_only_time(text) else "",
        "zone": _zone,
        "address": lambda text: text if _ADDRESS.fullmatch(text) else "",
    }


def _named(text: str) -> str:
    name = _BEHIND.sub("", _LED_IN.sub("", text))
    return "" if len(name) < 2 or _NO_NAME.fullmatch(name) else name


def _known(errand: Errand, text: str) -> str:
    name = _named(text)
    return name if followed(errand, name) or known(errand.house, name) else ""


def _when(text: str) -> str:
    words = _AT.sub("", text)
    return words if is_rhythm(words) else ""


def _zone(text: str) -> str:
    try:
        return text if canonical_zone(text) else ""
    except TimetableError:
        return ""
