"""Whose settings a request means: those of a conversation that it names, or the speaker's own."""

import re
from typing import NamedTuple

from bot.core.commands.errand import Errand, refused
from bot.core.commands.words.vocabulary import phrase
from bot.core.conversations import named as in_conversation
from bot.core.reply import Actor, Code, Line, line
from bot.digest import Action
from bot.model import Identity, Topic

FREE = frozenset({"ask", "edit"})
"""Verbs behind which anybody's words stand."""

_TO = "(?:in|into|to|for|from)"
_FOR_ME = phrase(r"(?:^| )for me$")

_MENTIONED = re.compile(rf"(?:^| ?, ?| ){_TO}\s+<#([CG][A-Z0-9]+)(?:\|[^>]*)?>", re.IGNORECASE)
"""As Slack writes a conversation that was chosen from its list."""

_A_MENTION = re.compile(r"<#[A-Z0-9]+(?:\|[^>]*)?>")

_NAMED_IN_SLACK = re.compile(rf"(?:^| ){_TO} #[a-z0-9][\w.-]+", re.IGNORECASE)
"""A name that was typed, which leads to no id."""

_NAMED = re.compile(rf"(?:^| ){_TO} #[a-z][\w.-]*(?=,|$)", re.IGNORECASE)
"""The same elsewhere, where a # in the middle may mean anything."""

_THIS = phrase(rf"(?:^| ){_TO} (?:here|this (?:channel|conversation|group|thread|chat))(?=$|[\s,])")
_HERE = phrase(r" (?:in )?here(?=$|\s*,| (?:daily|every|for|monthly|till?|until|weekly)(?!\w))")


def subject_in(text: str, actor: Actor) -> tuple[str, Identity | None]:
    """Split from a request whose settings it is about: a conversation, named anywhere in it, or
    the speaker ("for me"); None where it does not say.

    Raises Refused if the conversation's name cannot be resolved.
    """
    if found := _FOR_ME.search(text):
        return text[: found.start()], actor.identity
    named = set(_MENTIONED.findall(text))
    rest = _MENTIONED.sub("", text).strip()
    if len(named) > 1 or _A_MENTION.search(rest):
        raise refused("Name one conversation, at the end: ", Code("in #channel"), ".")
    is_in_slack = actor.identity.kind == "slack"
    if not is_in_slack and _NAMED.search(rest):
        raise refused(
            "Conversations are Slack’s: say it there, or here as one: ",
            Code("--as slack:TEAM:CONVERSATION"), ".",
        )  # fmt: skip
    if _THIS.search(rest) or (is_in_slack and _NAMED_IN_SLACK.search(rest)):
        raise refused(
            "Which conversation? End with ", Code("in #channel"), ", chosen from Slack’s list."
        )
    if not named:
        return text, None
    return rest, Identity("slack", actor.identity.workspace, named.pop())


def placed(text: str, conversation: str) -> str:
    """A request with "here" and "in this channel" replaced by what they mean where it was typed.

    That is the id of the `conversation`, or "for me" where it is "": in direct messages.
    """
    if text.partition(" ")[0].casefold() in FREE:
        return text
    if not conversation:
        return _HERE.sub(" for me", text)
    for meant in (_THIS, _HERE):
        if found := meant.search(text):
            return f"{text[: found.start()]} in <#{conversation}>{text[found.end() :]}"
    return text


class Beside(NamedTuple):
    """A line and a button about the conversation; both empty if it is not meant."""

    lines: tuple[Line, ...] = ()
    buttons: tuple[Action, ...] = ()


def of_the_conversation(errand: Errand, command: str, topic: Topic | None = None) -> Beside:
    """What to say if somebody follows nothing, or not that topic, but the conversation does."""
    here = errand.actor.conversation
    if here is None or here == errand.subject:
        return Beside()
    people = errand.house.store.people
    follows = people.follows(people.find(here) or 0)
    if not any(topic is None or each.topic.id == topic.id for each in follows):
        return Beside()
    said = line("This conversation does: ", Code(f"{command} in this channel"), ".")
    return Beside((said,), (Action("In this conversation", in_conversation(command, here)),))
