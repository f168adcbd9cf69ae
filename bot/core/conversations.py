"""Slack conversations as subscribers: several people, one digest, one set of wishes."""

from dataclasses import replace

from bot.core.reply import Reply
from bot.digest import Action
from bot.model import Destination, Identity


def named(command: str, conversation: Identity) -> str:
    """The command in the conversation's name, wherever it is typed or pressed."""
    return f"{command} in <#{conversation.external_id}>"


def conversation_of(destination: Destination) -> Identity | None:
    """The conversation that a destination reaches, None where it reaches a person."""
    workspace, _, external_id = destination.address.partition(":")
    identity = Identity("slack", workspace, external_id)
    return identity if destination.channel == "slack" and identity.is_conversation else None


def shared(action: Action, destination: Destination) -> Action:
    """An action of a digest that is about its reader; in a conversation's, about all of them."""
    conversation = conversation_of(destination)
    return replace(action, command=named(action.command, conversation)) if conversation else action


def in_its_name(reply: Reply, subject: Identity) -> Reply:
    """A reply about a conversation: what it offers next is about the conversation too."""
    if not subject.is_conversation:
        return reply
    buttons = tuple(replace(b, command=named(b.command, subject)) for b in reply.buttons)
    return replace(reply, buttons=buttons, conversation=subject)
