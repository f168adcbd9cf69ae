"""What a link in a mail would do, asked before it is done."""

from bot.addresses import masked
from bot.core.commands.errand import Errand, Refused
from bot.core.commands.papers.shelf import papers_named
from bot.core.commands.topics.unmuting import counted_in
from bot.core.commands.words.silences import timed
from bot.core.naming import is_everything, known, shown
from bot.core.reply import Line, Strong, line
from bot.digest import Action
from bot.model import FOREVER, Destination

_DURATIONS = (("1 week", "1w"), ("2 weeks", "2w"), ("1 month", "1 month"))


def question(
    errand: Errand, purpose: str, command: str, destination: Destination
) -> tuple[Line, tuple[Action, ...]]:
    """The question, and the buttons that answer it; one without a command means the link itself."""
    address = masked(destination.address)
    match purpose:
        case "leave" | "one-click":
            words = line("Stop the digest to ", Strong(address), "?")
            return words, (Action("Stop it", ""),)
        case "stop-all":
            words = line("Stop all mail to ", Strong(address), "?")
            return words, (Action("Stop all mail", ""),)
        case "confirm":
            words = line("Bring the digest to ", Strong(address), "?")
            return words, (Action("Confirm", ""),)
        case "person":
            return line("Your settings"), ()
    return _deed(errand, command)


def _deed(errand: Errand, command: str) -> tuple[Line, tuple[Action, ...]]:
    verb, _, rest = command.partition(" ")
    try:
        match verb:
            case "mute":
                return _mute(errand, rest)
            case "unmute" | "unfollow" | "follow":
                words = line(verb.capitalize(), " ", Strong(_named(errand, rest)), "?")
                return words, (Action(verb.capitalize(), command),)
            case "passed":
                words = line(
                    "Show what passed of ", Strong(_named(errand, counted_in(rest)[0])), "?"
                )
                return words, (Action("Show", command),)
            case "save" | "unsave" | "not-for-me":
                label = {"save": "Save", "unsave": "Remove"}.get(verb, "Not for me")
                asked = {"save": "Save ", "unsave": "No longer keep "}.get(verb, "Not for you: ")
                return line(asked, Strong(_title(errand, rest)), "?"), (Action(label, command),)
            case "undo":
                return line("Take that back?"), (Action("Undo", command),)
            case "resume":
                return line("Turn the digest on again?"), (Action("Turn it on", command),)
    except Refused:  # it will be refused in words when it is done
        pass
    return line("Do this: ", Strong(shown(command, 80)), "?"), (Action("Do it", command),)


def _mute(errand: Errand, text: str) -> tuple[Line, tuple[Action, ...]]:
    name, until = timed(errand, text)
    end = line(" until ", errand.day(until), "?") if until < FOREVER else line("?")
    others = tuple(Action(f"For {words}", f"mute {name} for {code}") for words, code in _DURATIONS)
    asked = next((a for a in others if a.command == f"mute {text}"), None)
    first = asked or Action("Mute", f"mute {text}")
    rest = tuple(action for action in others if action is not asked)
    return (
        line("Mute ", Strong(_named(errand, name)), *end),
        (Action("Mute", first.command), *rest),
    )


def _named(errand: Errand, text: str) -> str:
    if is_everything(text):
        return "everything"
    topic = known(errand.house, text, errand.subscriber)
    return topic.name if topic else shown(text, 60)


def _title(errand: Errand, text: str) -> str:
    return f"“{shown(papers_named(errand, text)[0].title, 120)}”"
