"""What a follow asks for, as its words say it.  Read and judged here, and nothing is done."""

import re
from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.topics import outlook, remarks
from bot.core.commands.words.asked_back.follow_checks import ask_if_meant
from bot.core.commands.words.clauses import breadth_in, channel_in, rhythm_in, topic_in
from bot.core.commands.words.exclusions import Exclusions, exclusions_in
from bot.core.commands.words.lookup import own_words, standing_topic
from bot.core.commands.words.sentences.wishes import shared
from bot.core.naming import known, shown
from bot.core.reply import Code
from bot.digest import Action
from bot.model import Breadth, Topic

_FOR_SOMEBODY = re.compile(
    r"(?:\s+and\s+(?:forward|mail|send)\s+(?:it|them))?\s+(?:for|to|at|with)\s+"
    r"(?:(?P<mail>[^\s@]+@[^\s@]+\.\w+)|<?@\S+|every(?:body|one)|(?:my|our|the) (?:whole )?"
    r"(?:colleagues|group|lab|team))$",
    re.IGNORECASE,
)

_TO_SOMEBODY = re.compile(r"(?:[^\s@<]+@[^\s@]+\.\w+|<?@\S+)\s+(?:to|for)\s+(?=\S)", re.IGNORECASE)


class Wish(NamedTuple):
    """A topic's words, how closely they are meant, and what is left out; None as before."""

    text: str
    breadth: Breadth | None
    exclusions: Exclusions | None


def wished(errand: Errand, text: str) -> Wish:
    """What a follow asks for.  Raises Refused where something else is meant, or better asked."""
    house = errand.house
    text = topic_in(house, text)
    _refuse_rhythm(*rhythm_in(house, text))
    _refuse_channel(errand, *channel_in(text))
    _refuse_somebody(errand, text)
    text, breadth = breadth_in(text)
    text, exclusions = exclusions_in(errand, text)
    ask_if_meant(errand, text)
    return Wish(text, breadth, exclusions)


def must_be_readable(errand: Errand, text: str) -> None:
    """Raises Refused for whatever a follow would be refused for, whoever asks for it."""
    wish = wished(errand, text)
    focused, topic = wish.breadth is Breadth.FOCUSED, standing_topic(errand, wish.text)
    if topic and focused and outlook.silences(errand, topic):
        raise decides_by_itself(topic)
    if topic is None and not own_words(errand, wish.text).derived and focused:
        raise refused("A query decides by itself; leave out “focused”.")


def decides_by_itself(topic: Topic) -> Refused:
    """A focused follow of a query that decides by itself would bring nothing."""
    wider = f"follow {topic.slug}, balanced"
    return refused(
        "Focused would bring none of its papers: its query decides by itself. Narrow that "
        "instead: ", Code(f"follow {remarks.narrower(topic)}"),
        buttons=(Action("Follow it as it is", wider),),
    )  # fmt: skip


def _refuse_rhythm(name: str, rhythm: str) -> None:
    """A digest holds all topics, so when it comes is no part of a follow."""
    if rhythm:
        raise refused(
            "When it comes is said for all topics together: ", Code(f"follow {name}"), ", then ",
            Code(f"digest {rhythm}"), ".",
            buttons=(
                Action("Follow it", f"follow {name}"),
                Action(f"digest {rhythm}", f"digest {rhythm}"),
            ),
        )  # fmt: skip


def _refuse_channel(errand: Errand, name: str, channel: str) -> None:
    """A digest holds all topics, so where it comes is no part of a follow."""
    if not channel or known(errand.house, errand.said):
        return
    other = {"email": "email you@example.org"}.get(channel, f"digest weekly by {channel}")
    raise refused(
        "Where it comes is said for all topics together: ", Code(f"follow {name}"), ", then ",
        Code(other), ".",
        buttons=(
            Action("Follow it", f"follow {name}"),
            Action("The words", f'follow "{errand.said}"'),
        ),
    )  # fmt: skip


def _refuse_somebody(errand: Errand, text: str) -> None:
    """Raises Refused for a follow on behalf of somebody else: they have to ask themselves."""
    if addressed := _TO_SOMEBODY.match(text):
        raise shared(errand, text[addressed.end() :])
    found = _FOR_SOMEBODY.search(text)
    if found and not found["mail"]:
        raise shared(errand, text[: found.start()])
    if found:
        name, mail = text[: found.start()], f"email {found['mail']}"
        raise refused(
            "Everybody follows for themselves. For your own digest, which can come by mail too: ",
            Code(f"follow {name}"), ", then ", Code(mail), ".",
            buttons=(Action("Follow it", f"follow {name}"), Action(shown(mail, 40), mail)),
        )  # fmt: skip
