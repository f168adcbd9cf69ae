"""What pages read: the contract."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.model import Paper


@dataclass(frozen=True, slots=True)
class Sought:
    """Which of a topic's papers a page lists.

    `category` may be the primary one or a cross-list, `words` must all occur (in the title
    where `title_only`); "" asks for nothing.
    """

    topic_id: int
    least: float
    category: str = ""
    words: str = ""
    title_only: bool = False
    by_score: bool = False
    limit: int = 30
    offset: int = 0
    known_total: int = -1  # where the caller knows it; counting reads every paper of a topic


@dataclass(frozen=True, slots=True)
class Fed:
    """How much a feed holds: everything new first seen since then, `fewest` at least."""

    since: datetime
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Found:
    """A page of papers, and how many there are on all pages."""

    papers: tuple[Paper, ...]
    total: int


class Reading(Protocol):
    """What pages read."""

    def find(self, sought: Sought) -> Found:
        """A page of a topic's papers with how many there are.  Raises TooBroad."""
        ...

    def categories(self, topic_id: int, least: float) -> dict[str, int]:
        """The primary categories of a topic's papers with their counts, the largest first."""
        ...

    def latest(self, topic_id: int, least: float, fed: Fed) -> list[Paper]:
        """A topic's news in the order of matching, the last one first; then its newest papers.

        So that a feed misses nothing that arXiv announced late, or on a busy day, and what is
        read of the past afterwards takes nobody's place.
        """
        ...

    def arrived(self, since: datetime) -> list[int]:
        """The numbers of papers that live sources showed first since then, the last one first."""
        ...

    def last_number(self, topic_id: int) -> int:
        """The highest match number of a topic; it changes when a paper comes."""
        ...

    def beside(self, seq: int, least: float, limit: int) -> list[Paper]:
        """Papers of the same months that share most topics with one, the closest first."""
        ...

    def named(self, arxiv_ids: Sequence[str]) -> list[Paper]:
        """Stored papers of these identifiers, in the order given."""
        ...

    def authors(self, beginnings: Sequence[str]) -> list[str]:
        """Names as printed that hold words with these beginnings, and perhaps some others."""
        ...

    def by(
        self, authors: Sequence[str], categories: Sequence[str], limit: int
    ) -> Iterator[list[Paper]]:
        """Papers with one of these printed names or categories, newest first, in batches."""
        ...
