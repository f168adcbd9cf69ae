"""Wishes that several of our requests serve: fewer papers, more, or some for somebody else."""

import re

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.vocabulary import ABOUT, PLEASE, POLITE, phrase
from bot.core.naming import shown
from bot.core.reply import Code, Link, joined
from bot.digest import Action
from bot.text.identifiers import find_ids

_MANY = 3  # topics with a button each
_FEW = "20"
_SO_MUCH = (
    r"(?:(?:that(?:'s| is)|it(?:'s| is)|way|far|i get|get"
    rf"|(?:can|could|may) i (?:get|have)|send me|{PLEASE}) )*"
)
_LESS = phrase(
    rf"{_SO_MUCH}(?:too (?:much|many)|less|fewer|only the best"
    r"|(?:at most|limit(?:(?: \w+)? to)?|max(?:imum)?|no more than|only|top|up to) \d+)"
    r"(?: .*)?[\s!?.]*"
)
_MORE = phrase(rf"(?:{_SO_MUCH}too (?:little|few)(?: .*)?|more papers(?: {PLEASE})?)[\s!?.]*")
_ONE_OF_US = r"(?:@\S+|[^\s@]+@[^\s@]+|(?:a|my|our) \w+(?: \w+)?)"
_SHARED = phrase(
    rf"{POLITE}(?:forward|recommend|send|share|show) (?:(?:papers|my|the|topic) )*(?:{ABOUT} )?"
    rf"(?P<rest>\S.*?) (?:to|with) {_ONE_OF_US}[.!]*"
)
_SHARED_WITH = phrase(rf"{POLITE}share (?P<rest>\S.*?) with \w+[.!]*")
_INVITED = phrase(
    rf"(?:add|invite|register|sign up) {_ONE_OF_US}(?: .*)?"
    r"|how (?:can|do) (?:i|we) (?:add|invite|register)\b.*"
)
_NUMBER = re.compile(r"(?<!\S)[1-9]\d{0,2}\b")


def for_somebody_else(errand: Errand, text: str) -> Refused | None:
    """The answer to who wants somebody else to get a topic, or a paper; or None."""
    if _INVITED.fullmatch(text):
        return shared(errand, "TOPIC")
    found = _SHARED.fullmatch(text) or _SHARED_WITH.fullmatch(text)
    return shared(errand, found["rest"]) if found else None


def more_or_less(errand: Errand, text: str) -> Refused | None:
    """The answer to "too many papers" and "more papers"; or None."""
    if _LESS.fullmatch(text):
        number = _NUMBER.search(text)
        return _of_less(errand, number[0] if number else _FEW)
    return _of_more(errand) if _MORE.fullmatch(text) else None


def shared(errand: Errand, name: str) -> Refused:
    """The answer to whoever wants somebody else to get a topic, or a paper."""
    if papers := find_ids(name):
        links = joined(
            Link(each.arxiv_id, f"https://arxiv.org/abs/{each.arxiv_id}") for each in papers
        )
        return refused("Nothing is sent to others. What they need is the link: ", *links, ".")
    follow, base = f"follow {shown(name)}", errand.house.links.base_url
    page = (", or to sign up on ", Link("this page", f"{base}/join")) if base else ()
    return refused(
        "Everybody follows for themselves; tell them to type ", Code(follow), *page, ". A channel "
        "can follow it together: ", Code(f"{follow} in #channel"), ".",
        buttons=(Action("Follow it myself", follow),),
    )  # fmt: skip


def _of_less(errand: Errand, most: str) -> Refused:
    fewer = f"digest at most {most}"
    return refused(
        "Fewer in a digest: ", Code(fewer), " shows the best of each topic, and the rest when you "
        "ask. Less of a topic: ", Code("follow TOPIC, focused"), " brings the closest only, ",
        Code("follow TOPIC without WORDS"), " leaves some out, ", Code("mute TOPIC for 2w"),
        " is silent for a while, and ", Code("not-for-me ID"), " teaches it.",
        buttons=(Action(f"At most {most}", fewer), *_each(errand, "focused", "Closest of")),
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
        for each in follows[:_MANY]
        if each.breadth != breadth
    )
