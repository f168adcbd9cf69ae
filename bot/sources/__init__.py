"""Where papers come from; this face is the contract of every source.

arxiv_api    the search API: atom reads its pages, spans knows how far a search has come
rss          the daily listing: what was announced, and how
oai_pmh      all that was changed since a day
html_page    where authors work, from a paper's own page
replay       papers recorded in a file
session      how arXiv is asked: limiter, wire, documents, clocks
printed      from what arXiv prints to a Paper
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.model import Completeness, Rejected, Sighting

__all__ = [
    "Completeness",
    "Limiter",
    "Page",
    "Rejected",
    "Sighting",
    "Source",
    "SourceError",
    "SourceFault",
]


class SourceFault(StrEnum):
    """What kind of trouble a source is in, and so what the poller does next."""

    TRANSIENT = "transient"  # back off, keep the watermark
    RATE_LIMITED = "rate-limited"  # all traffic to this host stops for a while
    BLOCKED = "blocked"  # 403: stop for a day and call a human
    PERMANENT = "permanent"  # this request will never work: a wrong category, say


class SourceError(Exception):
    """A source could not be read this time.  The message is one sentence for the operator."""

    def __init__(
        self, message: str, fault: SourceFault = SourceFault.TRANSIENT, retry_after: float = 0.0
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.retry_after = retry_after  # seconds; 0 where the peer named none


@dataclass(frozen=True, slots=True)
class Page:
    """What one answer held, and the watermark that is true once it is stored.

    `watermark` is opaque to everyone but its source; None leaves it where it was.
    `done` and `total` count units of work for a progress bar (total 0: unknown).
    `remark` is for the operator to read; what is done next depends on `completeness`.
    """

    sightings: tuple[Sighting, ...]
    watermark: str | None = None
    rejected: tuple[Rejected, ...] = ()
    done: int = 0
    total: int = 0
    remark: str = ""
    completeness: Completeness = Completeness.WHOLE


class Limiter(Protocol):
    """One polite queue for every request to one host, shared by all processes."""

    def wait(self) -> None:
        """Return when the next request may go out.  Raises SourceError while paused."""
        ...

    def pause(self, seconds: float, reason: str) -> None:
        """Let nobody send anything for so long."""
        ...

    def pauses(self) -> int:
        """How many pauses there were since the host last answered well."""
        ...

    def answered(self) -> None:
        """The host answered well, so that the next pause is a short one."""
        ...


class Source(Protocol):
    """Something papers are read from."""

    name: str

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """Answers after the watermark, oldest first.  Raises SourceError.

        Blocks on the network; never called inside a transaction.
        """
        ...
