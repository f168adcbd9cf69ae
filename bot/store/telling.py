"""What was told and what was withheld: the contract."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.model import Delivery, Destination, Match, Paper


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that may go into a digest, with its live matches to followed topics, best first."""

    paper: Paper
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """How many papers of a topic a mute kept back."""

    topic_id: int
    papers: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A paper that a reader knows was withdrawn, or has a new title where it was `before`."""

    paper: Paper
    before: str
    withdrawn: bool
    saved: bool


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a paper was kept from a destination, and when, for one of its topics."""

    topic_id: int
    why: str
    at: datetime


class Telling(Protocol):
    """What destinations were told, what was withheld from them, and what they may still hear."""

    def candidates(self, destination: Destination) -> list[Candidate]:
        """Papers with a live match that this destination has neither been told nor denied.

        What was considered there before is left out, except what was given back.  Mutes, breadth
        and excluded words are not looked at here.
        """
        ...

    def considered(self, destination_id: int, number: int) -> None:
        """All is decided there: what its follows matched up to that number, what was given back."""
        ...

    def withhold(
        self,
        destination_id: int,
        matches: Iterable[Match],
        why: str,
        now: datetime,
        *,
        to_be_said: bool = True,
    ) -> None:
        """Record what a mute kept back; `to_be_said` where it is counted when the topic is back."""
        ...

    def passed(self, destination_id: int) -> list[Passed]:
        """How many papers of each followed topic were withheld and not yet spoken of."""
        ...

    def said(self, destination_id: int, topic_ids: Iterable[int], delivery_id: int) -> None:
        """A delivery speaks of what was withheld of these topics; see `finish`."""
        ...

    def withheld(self, subscriber_id: int, topic_id: int, *, by: str | None = None) -> list[int]:
        """Numbers of the papers that passed while a topic was muted, newest first.

        `by` the key of a digest: those that it counted; "": those that none has counted yet.
        """
        ...

    def revisions(self, destination_id: int, now: datetime) -> list[Revision]:
        """Withdrawals and new titles, since the last digest there, of what its reader knows."""
        ...

    def told_by(self, destination_id: int, seq: int) -> Delivery | None:
        """The delivery that told a destination of a paper, or None."""
        ...

    def arrived_at(self, destination_id: int, seq: int) -> datetime | None:
        """When the page that tells a destination of a paper was accepted, or None."""
        ...

    def withheld_why(self, destination_id: int, seq: int) -> list[Withheld]:
        """Why a paper was kept from a destination, by topic."""
        ...
