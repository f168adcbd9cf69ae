"""What happened and why: the contract."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from bot.model import Completeness, Rejected


class Outcome(StrEnum):
    """How a run ended, as the ledger keeps it; where a source or channel failed, its fault is."""

    NEW = "new"  # a look at a source
    NOTHING_NEW = "nothing new"
    DEFERRED = "deferred"
    QUEUED = "queued"  # a due digest
    EMPTY = "empty"
    MUTED = "muted"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"  # a backup
    RESTORED = "restored"
    RAISED = "raised"  # an alert
    EASING = "easing"
    CLEARED = "cleared"
    HELD = "held"  # deliveries, by the operator
    RETRIED = "retried"
    CANCELLED = "cancelled"
    ASKED = "asked"  # an address, for a yes
    CONFIRMED = "confirmed"
    SET_BACK = "set back"  # a clock that was ahead


READ_TO_THE_END = (Outcome.NEW, Outcome.NOTHING_NEW)
"""Outcomes of a look that came to the end of its source."""


@dataclass(frozen=True, slots=True)
class Run:
    """One line of the ledger.

    `outcome` is an Outcome, or the fault of a source or channel.
    """

    kind: str
    subject: str
    at: datetime
    outcome: str
    reason: str
    papers: int
    completeness: Completeness = Completeness.WHOLE  # of what a look at a source showed


@dataclass(frozen=True, slots=True)
class Slice:
    """A day of the past that was read whole, and when."""

    day: date
    papers: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Ahead:
    """Ledger rows that a clock which was ahead has written: how many, and of how late a time."""

    rows: int
    until: datetime


class Ledger(Protocol):
    """What happened and why, and how far sources were read."""

    def record(
        self,
        kind: str,
        subject: str,
        at: datetime,
        outcome: str,
        reason: str = "",
        papers: int = 0,
        completeness: Completeness = Completeness.WHOLE,
    ) -> None:
        """Write down one run with its outcome (see Run) and reason."""
        ...

    def runs(
        self, kind: str, subject: str = "", *, outcomes: Sequence[str] = (), limit: int = 50
    ) -> list[Run]:
        """The latest runs of a kind, newest first."""
        ...

    def last(self, kind: str, subject: str = "", *, outcomes: Sequence[str] = ()) -> Run | None:
        """The latest run of a kind, of one subject, with one of some outcomes; or None."""
        ...

    def latest(self, kind: str) -> dict[str, Run]:
        """The latest run of each subject of a kind."""
        ...

    def since(self, kind: str, subject: str) -> datetime | None:
        """When the first run of a subject was, of those still written down; or None."""
        ...

    def outcomes(self, kind: str, since: datetime) -> dict[str, int]:
        """How many runs of a kind ended how, from an instant on."""
        ...

    def began(self, kind: str, *, outcomes: Sequence[str] = ()) -> datetime | None:
        """When the first run of a kind, with one of some outcomes, was recorded; or None."""
        ...

    def around(self, kind: str, subject: str, since: datetime, until: datetime) -> list[Run]:
        """Runs of a subject within a time, oldest first."""
        ...

    def about(self, subject: str) -> list[Run]:
        """All runs of a subject, of whatever kind, oldest first."""
        ...

    def strike(self, kind: str, subject: str) -> None:
        """Forget what was written down of a subject."""
        ...

    def ahead(self, now: datetime) -> Ahead | None:
        """What is written down of times after `now`, or None."""
        ...

    def watermark(self, source: str) -> str | None:
        """How far a source has been read and stored; opaque."""
        ...

    def set_watermark(self, source: str, mark: str, at: datetime) -> None:
        """Move it, in the transaction that stored what it stands for."""
        ...

    def quarantine(self, source: str, rejected: Iterable[Rejected], at: datetime) -> None:
        """Set entries aside that could not be read; the same entry only once."""
        ...

    def quarantined(self) -> int:
        """How many entries were set aside."""
        ...

    def slices(self) -> dict[date, Slice]:
        """The days of the past that a backfill has read whole."""
        ...

    def sliced(self, day: date, papers: int, at: datetime) -> None:
        """A day of the past was read whole."""
        ...
