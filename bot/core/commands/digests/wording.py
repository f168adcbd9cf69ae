"""How a destination stands, in words, and the buttons that fit."""

from bot.core.commands.errand import Errand
from bot.core.conversations import conversation_of
from bot.core.reply import Instant, Line, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState
from bot.text import plural
from bot.timetable import Cadence, zone_words


def state_line(destination: Destination) -> Line:
    """How a destination stands, in a line."""
    words = Cadence.parse(destination.cadence).words()
    if destination.state is DestinationState.ACTIVE:
        return line(
            "The digest comes ", Strong(words), by_clock(destination), " ", where(destination),
            *limited(destination), ", next ", next_one(destination), ".",
        )  # fmt: skip
    return line("The digest ", where(destination), f" is {standing_words(destination)}.")


def standing_words(destination: Destination) -> str:
    """Why none comes: "turned off", "paused: 550 no such user"."""
    if destination.state is DestinationState.OFF and destination.reason in ("", "turned off"):
        return "turned off"
    return f"{destination.state}: {destination.reason}" if destination.reason else destination.state


def by_clock(destination: Destination) -> str:
    """The zone that its hours are of, behind a space and in brackets."""
    return f" ({zone_words(destination.zone)})"


def limited(destination: Destination) -> tuple[str, ...]:
    """The limit behind a comma, where there is one."""
    return (f", {limit(destination)}",) if destination.most else ()


def limit(destination: Destination) -> str:
    """How many papers it shows at most, as it is read and typed; "" for all of them."""
    return f"at most {plural(destination.most, 'paper')}" if destination.most else ""


def where(destination: Destination) -> str:
    """Where it comes: "to ada@example.org", "here"."""
    if destination.channel == "email":
        return f"to {destination.address}"
    return "in this conversation" if conversation_of(destination) else "here"


def next_one(destination: Destination) -> Instant:
    """When the next one comes, by its own clock."""
    return Instant(destination.next_due_at, clock=True, zone=destination.zone)


def late_line(errand: Errand, destination: Destination) -> tuple[Line, ...]:
    """Say that an overdue digest is still to come; () if there is none."""
    return (line("That one is late, and still comes."),) if is_late(errand, destination) else ()


def is_late(errand: Errand, destination: Destination) -> bool:
    """Whether a digest is due that has not been made yet."""
    return destination.state is DestinationState.ACTIVE and has_fallen_due(errand, destination)


def has_fallen_due(errand: Errand, destination: Destination) -> bool:
    """Whether a date has come of which nothing is written down yet, as of a paused digest too."""
    return destination.state is not DestinationState.OFF and destination.next_due_at <= errand.now


def by_words(destination: Destination) -> str:
    """What tells a digest by mail from another one where it is typed."""
    return f" by {destination.channel}" if destination.channel == "email" else ""


def other_times(destination: Destination) -> tuple[Action, ...]:
    """Buttons for another rhythm, and for an end."""
    if destination.state is not DestinationState.ACTIVE:
        return turn_on_buttons(destination)
    weekly, by = destination.cadence.startswith("weekly"), by_words(destination)
    label, other = ("Daily instead", "daily") if weekly else ("Weekly", "weekly")
    return (Action(label, f"digest {other}{by}"), Action("Stop", f"digest off{by}"))


def turn_on_buttons(destination: Destination) -> tuple[Action, ...]:
    """Buttons that turn on what may come but does not; unconfirmed addresses are asked by mail."""
    if destination.state is DestinationState.ACTIVE or destination.unconfirmed:
        return ()
    return (Action("Turn on", f"digest on{by_words(destination)}"),)
