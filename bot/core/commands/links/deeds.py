"""What a link in a mail would do, asked before it is done."""

from collections.abc import Callable
from contextlib import suppress

from bot.addresses import masked
from bot.core.commands.digests.moving import claimed
from bot.core.commands.errand import Errand, Refused
from bot.core.commands.papers.shelf import papers_named
from bot.core.commands.topics.unmuting import counted_in
from bot.core.commands.words.mutes import timed
from bot.core.naming import is_everything, known, shown
from bot.core.reply import Line, Strong, line
from bot.digest import Action
from bot.model import FOREVER, Destination

Asked = tuple[Line, tuple[Action, ...]]
"""A question, and the buttons that answer it."""

Deed = Callable[[Errand, str, str], Asked]
"""How a command asks before it is done: made from the words after its verb, and the whole."""

_DURATIONS = (("1 week", "1w"), ("2 weeks", "2w"), ("1 month", "1 month"))


def question(errand: Errand, purpose: str, command: str, destination: Destination) -> Asked:
    """What is asked before a link does what it is for.

    A button without a command means the link itself.
    """
    address = masked(destination.address)
    match purpose:
        case "leave" | "one-click":
            words = line("Stop the digest to ", Strong(address), "?")
            return words, (Action("Stop it", ""),)
        case "stop-all":
            words = line("Stop all mail to ", Strong(address), "?")
            return words, (Action("Stop all mail", ""),)
        case "confirm":
            left = claimed(errand, destination, command)
            instead = (" instead of ", Strong(masked(left.address))) if left else ()
            words = line("Bring the digest to ", Strong(address), *instead, "?")
            return words, (Action("Confirm", ""),)
        case "person":
            return line("Your settings"), ()
    return _deed(errand, command)


def _deed(errand: Errand, command: str) -> Asked:
    """What a command would do, as a question; just the command if that cannot be told."""
    verb, _, rest = command.partition(" ")
    if deed := _DEEDS.get(verb):
        with suppress(Refused):  # it will be refused in words when it is done
            return deed(errand, rest, command)
    return line("Do this: ", Strong(shown(command, 80)), "?"), (Action("Do it", command),)


def _mute(errand: Errand, text: str, command: str) -> Asked:
    name, until = timed(errand, text)
    end = line(" until ", errand.day(until), "?") if until < FOREVER else line("?")
    others = tuple(Action(f"For {words}", f"mute {name} for {code}") for words, code in _DURATIONS)
    asked = next((a for a in others if a.command == command), None)
    first = asked or Action("Mute", command)
    rest = tuple(action for action in others if action is not asked)
    buttons = (Action("Mute", first.command), *rest)
    return line("Mute ", Strong(_named(errand, name)), *end), buttons


def _of_a_topic(label: str) -> Deed:
    return lambda errand, name, command: (
        line(f"{label} ", Strong(_named(errand, name)), "?"),
        (Action(label, command),),
    )


def _passed(errand: Errand, text: str, command: str) -> Asked:
    name, _ = counted_in(text)
    words = line("Show what passed of ", Strong(_named(errand, name)), "?")
    return words, (Action("Show", command),)


def _of_a_paper(label: str, asked: str) -> Deed:
    return lambda errand, paper, command: (
        line(asked, Strong(_title(errand, paper)), "?"),
        (Action(label, command),),
    )


def _by_itself(label: str, question: str) -> Deed:
    return lambda errand, rest, command: (line(question), (Action(label, command),))


_DEEDS: dict[str, Deed] = {
    "mute": _mute,
    "unmute": _of_a_topic("Unmute"),
    "follow": _of_a_topic("Follow"),
    "unfollow": _of_a_topic("Unfollow"),
    "passed": _passed,
    "save": _of_a_paper("Save", "Save "),
    "unsave": _of_a_paper("Remove", "No longer keep "),
    "not-for-me": _of_a_paper("Not for me", "Not for you: "),
    "undo": _by_itself("Undo", "Take that back?"),
    "resume": _by_itself("Turn it on", "Turn the digest on again?"),
}


def _named(errand: Errand, text: str) -> str:
    if is_everything(text):
        return "everything"
    topic = known(errand.house, text, errand.subscriber)
    return topic.name if topic else shown(text, 60)


def _title(errand: Errand, text: str) -> str:
    return f"“{shown(papers_named(errand, text)[0].title, 120)}”"
