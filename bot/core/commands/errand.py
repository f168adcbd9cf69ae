"""One request being carried out: who asks, when, in whose name, and how it is answered."""

from dataclasses import dataclass
from datetime import datetime
from typing import Unpack

from bot.core.dates import is_far, is_soon
from bot.core.house import House
from bot.core.naming import shown
from bot.core.reply import Actor, Besides, Code, Instant, Line, Reply, Span, line
from bot.digest import Action
from bot.model import Follow, Identity, Topic
from bot.timetable import TimetableError, canonical_zone

NOTHING_FOLLOWED = line(
    "You follow nothing yet. Begin with ", Code("follow RL for LLM agents"), "."
)


@dataclass(frozen=True, slots=True)
class Errand:
    """Who asks, in whose name, at which instant."""

    house: House
    actor: Actor
    subject: Identity  # whose settings are meant: a person's, or a conversation's
    now: datetime
    said: str = ""  # what was typed after the verb, without whose settings are meant

    @property
    def zone(self) -> str:
        """The zone times are shown in: the subscriber's, the door's, the operator's."""
        known = self.house.store.people.zone(self.subscriber)
        return known or self._door_zone() or self.house.wishes.zone

    @property
    def subscriber(self) -> int:
        """The subscriber, 0 if there is none yet.  Read each time: a request may create one."""
        return self.house.store.people.find(self.subject) or 0

    def enrolled(self) -> int:
        """The subscriber, created if there is none."""
        return self.house.store.people.enrol(self.subject, self._door_zone(), self.now)

    def _door_zone(self) -> str:
        """The zone that the door named, "" if it is not a zone: a browser may say anything."""
        try:
            return canonical_zone(self.actor.zone) if self.actor.zone else ""
        except TimetableError:
            return ""

    def following(self, topic: Topic) -> Follow | None:
        """The subject's follow of a topic, where it stands."""
        return self.house.store.people.following(self.subscriber, topic.id)

    def instead(self, wrong: str, right: str) -> str:
        """What was typed, with one name in it replaced and all its clauses kept."""
        return self.said.replace(wrong, right, 1) if wrong and wrong in self.said else right

    def day(self, at: datetime) -> Instant:
        """A day as it is named now: with its year or hour if that is not obvious."""
        return Instant(at, clock=is_soon(at, self.now, self.zone), year=is_far(at, self.now))

    def notice(self, did: str, *spans: Span) -> Line | None:
        """What everyone in the conversation is told of a change; None for a person's own."""
        if not self.subject.is_conversation:
            return None
        return line(f"<@{self.actor.identity.external_id}> {did}", *spans)

    def reply(self, *lines: Line, **more: Unpack[Besides]) -> Reply:
        """A reply in the asker's zone."""
        return Reply(lines, zone=self.zone, **more)

    def refuse(self, *lines: Line, status: int = 400, **more: Unpack[Besides]) -> Reply:
        """A reply that says why nothing was done."""
        return Reply(lines, ok=False, status=status, zone=self.zone, **more)


class Refused(Exception):
    """A request that cannot be carried out; says what was wrong and what to do next."""

    def __init__(self, *lines: Line, buttons: tuple[Action, ...] = (), status: int = 400) -> None:
        super().__init__(lines)
        self.lines = lines
        self.buttons = buttons
        self.status = status


def refused(*spans: Span, buttons: tuple[Action, ...] = (), status: int = 400) -> Refused:
    """A refusal of one line."""
    return Refused(line(*spans), buttons=buttons, status=status)


def rather(
    command: str, *why: Span, label: str = "", others: tuple[Action, ...] = (), status: int = 400
) -> Refused:
    """A refusal that asks whether another command was meant, with a button for it."""
    mean = " Did you mean " if why else "Did you mean "
    return refused(
        *why, mean, Code(command), "?",
        buttons=(Action(label or shown(command, 40), command), *others), status=status,
    )  # fmt: skip
