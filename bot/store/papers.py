"""Papers as they are kept: the contract."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from bot.model import Paper, Sighting


@dataclass(frozen=True, slots=True)
class Added:
    """What storing some sightings changed: papers never seen before, newer versions, new lists.

    `restored` are those among the others that were withdrawn, and stand again; `listed` were known
    before a listing first named them.
    """

    fresh: tuple[Paper, ...]
    changed: tuple[Paper, ...]
    crossed: tuple[Paper, ...]
    restored: tuple[Paper, ...] = ()
    listed: tuple[Paper, ...] = ()


class Papers(Protocol):
    """Papers: stored once each, never downgraded."""

    def add(
        self, sightings: Sequence[Sighting], now: datetime, *, backfilled: bool = False
    ) -> Added:
        """Store what a source showed: new papers, newer versions, categories added later.

        An older version than the known one changes nothing; a withdrawn paper is marked, never
        removed.  What is said of a version only later, as its journal, is filled in.
        """
        ...

    def unknown(self, papers: Sequence[Paper]) -> list[Paper]:
        """Those that would change what is known of them if they were added, not only fill it in."""
        ...

    def get(self, arxiv_id: str) -> Paper | None:
        """The paper of that identifier, or None."""
        ...

    def some(self, seqs: Iterable[int]) -> list[Paper]:
        """Papers by number, in order of number; unknown numbers are left out."""
        ...

    def candidates(self, expression: str, limit: int = 1000000) -> Iterator[list[Paper]]:
        """Papers that a full-text expression finds, last submitted first, in batches."""
        ...

    def newest_first(self) -> Iterator[list[Paper]]:
        """Every paper, last submitted first, in batches."""
        ...

    def count_of(self, expression: str) -> int:
        """How many papers a full-text expression finds; a few too many, never too few."""
        ...

    def nearest(self, expression: str, limit: int) -> list[int]:
        """Numbers of the papers that hold most of what a full-text expression asks for, the
        nearest first; a title counts for more than an abstract."""
        ...

    def count_after(self, at: datetime) -> int:
        """How many papers were submitted after an instant."""
        ...

    def random(self, count: int) -> list[Paper]:
        """A spread of papers, the same one each time, as background for learning."""
        ...

    def count(self) -> int:
        """How many papers are stored."""
        ...

    def highest_number(self, category: str = "", *, below: str = "") -> str:
        """The highest new-style identifier stored, in a category where one is named; "" if none.

        With `below`, among those that are lower.
        """
        ...

    def lowest_number(self, since: datetime) -> str | None:
        """The lowest new-style identifier among papers submitted since then, or None."""
        ...

    def categories(self) -> list[str]:
        """Every category that a stored paper is listed in, by name."""
        ...

    def weekly(self, since: date, categories: Sequence[str] = ()) -> dict[date, int]:
        """Papers by the Monday (UTC) of their submission week, from `since` on."""
        ...
