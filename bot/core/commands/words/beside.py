"""The same request for the conversation that it was typed in, where that is meant perhaps."""

from typing import NamedTuple

from bot.core.commands.errand import Errand
from bot.core.conversations import named
from bot.core.reply import Code, Line, line
from bot.digest import Action
from bot.model import Topic


class Beside(NamedTuple):
    """What is said of the conversation, and its button; both empty where it is not meant."""

    lines: tuple[Line, ...] = ()
    buttons: tuple[Action, ...] = ()


def of_the_conversation(errand: Errand, command: str, topic: Topic | None = None) -> Beside:
    """Where somebody follows nothing, or not that topic, but the conversation does."""
    here = errand.actor.conversation
    if here is None or here == errand.subject:
        return Beside()
    people = errand.house.store.people
    follows = people.follows(people.find(here) or 0)
    if not any(topic is None or each.topic.id == topic.id for each in follows):
        return Beside()
    said = line("This conversation does: ", Code(f"{command} in this channel"), ".")
    return Beside((said,), (Action("In this conversation", named(command, here)),))
