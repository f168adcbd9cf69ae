"""Slack conversations as subscribers: several people, one digest, one set of wishes."""

from dataclasses import replace

from bot.core.reply import Actor, Code, Line, Reply, Span, line
from bot.digest import Action
from bot.model import Destination, Identity

CHANGING = frozenset({"follow", "unfollow", "mute", "unmute", "edit", "resume", "undo"})
"""Verbs after which everyone in a conversation sees what became of it."""


CONFIGURING = CHANGING | {"digest"}


def named(command: str, conversation: Identity) -> str:
    """The command in the conversation's name, wherever it is typed or pressed."""
    return f"{command} in <#{conversation.external_id}>"


def conversation_of(destination: Destination) -> Identity | None:
    """The conversation that a destination reaches, None where it reaches a person."""
    if destination.channel != "slack":
        return None
    reached = Identity.in_slack(destination.address)
    return reached if reached.is_conversation else None


def shared(action: Action, destination: Destination) -> Action:
    """An action of a digest that is about its reader; in a conversation's, about all of them."""
    conversation = conversation_of(destination)
    return replace(action, command=named(action.command, conversation)) if conversation else action


def in_its_name(reply: Reply, subject: Identity) -> Reply:
    """A reply whose buttons mean its own subject, in whatever conversation they are pressed.

    So do the commands in its lines, when they are typed.
    """
    if subject.is_conversation:
        buttons = tuple(replace(b, command=named(b.command, subject)) for b in reply.buttons)
        lines = tuple(_about(each, subject) for each in reply.lines)
        return replace(reply, lines=lines, buttons=buttons, conversation=subject)
    if subject.kind != "slack":
        return reply
    return replace(reply, buttons=tuple(map(_personal, reply.buttons)))


def _about(said: Line, conversation: Identity) -> Line:
    """A line whose commands are followed by the conversation's name, outside the code marks."""
    spans: list[Span] = []
    for span in said:
        spans.append(span)
        if isinstance(span, Code) and span.text.partition(" ")[0] in CONFIGURING:
            spans.append(f" in <#{conversation.external_id}>")
    return tuple(spans)


def _personal(action: Action) -> Action:
    """Only `digest` means the conversation that it is typed in, unless it says for whom."""
    is_about_place = action.command.partition(" ")[0] == "digest"
    return replace(action, command=f"{action.command} for me") if is_about_place else action


def seen_by_all(reply: Reply, verb: str, actor: Actor, subject: Identity) -> Reply:
    """A reply that changed a conversation, with the one line that everyone there sees."""
    changed = subject.is_conversation and reply.ok and verb in CHANGING
    if not changed or reply.notice:
        return reply
    return replace(reply, notice=line(f"<@{actor.identity.external_id}>: ", *reply.lines[0]))
