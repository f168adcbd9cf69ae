"""Topics and what matched them: the contract."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from bot.model import Match, Topic


@dataclass(frozen=True, slots=True)
class Name:
    """A name or alias as it is printed, and the topic it leads to."""

    printed: str
    topic_id: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A paper that a version of a topic's query matched, and why."""

    topic_id: int
    seq: int
    score: float
    reason: str
    version: int


class Topics(Protocol):
    """Topics, the versions of their queries, and what matched."""

    def put(
        self, topic: Topic, names: Mapping[str, str], now: datetime, owner_id: int = 0
    ) -> Topic:
        """Store a topic or bring it up to date; a changed query makes a new version.

        `names` lead to it from now on, each folded one with how it is printed.  Earlier names stay;
        one that leads to another topic keeps doing so, unless that one was retired.  A new
        version asks for the past to be matched again (see `stale`).
        """
        ...

    def leave_names(self, topic_id: int, kept: Iterable[str]) -> None:
        """Only the folded names that are `kept` still lead to a topic."""
        ...

    def to_learn(self, before: datetime) -> list[Topic]:
        """Followed topics that have not learned since then, those that never did first."""
        ...

    def learn(self, topic_id: int, weights: str, now: datetime) -> None:
        """End its turn to learn; changed weights make a new version, matched with the past."""
        ...

    def turn_by(self, subscriber_id: int, seqs: Iterable[int], learned_at: datetime) -> None:
        """Bring forward the turn to learn of followed topics that matched one of these papers.

        For `to_learn` they learned no later than `learned_at`; one that never did stays so.
        """
        ...

    def retire(self, kept: Iterable[str], now: datetime) -> None:
        """Catalogue topics whose slug is not `kept` and that nobody follows are shown no more."""
        ...

    def bring_back(self, topic_ids: Iterable[int] = ()) -> None:
        """Show retired topics again, and match them with all that they missed.

        Those of these ids; with no ids, all that somebody follows.
        """
        ...

    def get(self, topic_id: int) -> Topic | None:
        """The topic of that id, or None."""
        ...

    def by_slug(self, slug: str) -> Topic | None:
        """The topic of that slug, or None; a retired one leaves its name to others."""
        ...

    def by_name(self, folded: str) -> Topic | None:
        """The topic that a folded name or alias leads to, or None."""
        ...

    def all(self, *, own: bool = True) -> list[Topic]:
        """Every topic that is not retired, by name."""
        ...

    def followed(self) -> list[Topic]:
        """Every topic that somebody follows."""
        ...

    def names(self) -> list[Name]:
        """Names and aliases of the catalogue's topics, for "did you mean"."""
        ...

    def stamp(self) -> str:
        """Changes whenever a compiled set of all topics would."""
        ...

    def stale(self) -> list[Topic]:
        """Topics whose past waits to be matched anew, those that somebody follows first."""
        ...

    def matched_after(self) -> dict[int, datetime]:
        """By id the topics whose query was matched only with what was submitted after then.

        One that learned other words is not among them: what it matched before still holds.
        """
        ...

    def miss(self, topic_ids: Iterable[int]) -> None:
        """Note that these cannot be matched for now: they are owed what comes from here on.

        They are stale until they are matched again.
        """
        ...

    def missed_after(self, topic_id: int) -> int | None:
        """The number of the last paper before a topic was retired or could not be matched.

        None where it misses nothing, and where nobody is owed what it missed.
        """
        ...

    def leave_unmatched(self, seqs: Iterable[int], *, live: bool) -> None:
        """These papers could not be matched with every topic; `live` where they are news."""
        ...

    def unmatched(self) -> dict[int, bool]:
        """The papers that wait to be matched again, and whether they are news."""
        ...

    def matched(self, seqs: Iterable[int]) -> None:
        """These papers were matched, and wait no more."""
        ...

    def rematched(self, topic: Topic, after: datetime | None) -> None:
        """What was submitted after an instant is matched; None: all of the past.

        What only an older version matched of it is forgotten.
        """
        ...

    def add_matches(self, found: Iterable[Scored], *, live: bool) -> int:
        """Store what matched; return how many are new.

        A match that is known keeps its number and whether it was live; score and reason follow
        the newer version.  So does one that was let go before every digest had decided on it.
        """
        ...

    def turn_live(self, seqs: Iterable[int]) -> None:
        """What these papers matched, or are yet to match, is live after all, as if it came now."""
        ...

    def last_number(self) -> int:
        """The highest match number given so far: where a new follow begins."""
        ...

    def best(
        self, topic_id: int, least: float, limit: int, *, by_score: bool = False
    ) -> list[Match]:
        """Matches of a topic from a score up, newest paper first or best first."""
        ...

    def of_papers(self, seqs: Iterable[int]) -> dict[int, list[Match]]:
        """All matches of some papers, best topic first."""
        ...

    def weekly(self, topic_id: int, least: float, since: date) -> dict[date, int]:
        """A topic's papers by the Monday (UTC) of their submission week, from `since` on."""
        ...

    def weekly_of_all(
        self, least: float, since: date, topic_ids: Sequence[int] = ()
    ) -> dict[int, dict[date, int]]:
        """The same for many topics in one pass; no ids means every topic."""
        ...

    def related(self, topic_id: int, least: float, limit: int) -> list[int]:
        """Topics that share the most papers with a topic for their size, closest first."""
        ...

    def count(self, topic_id: int, least: float) -> int:
        """How many stored papers a topic has from a score up."""
        ...

    def count_after(self, topic_id: int, least: float, at: datetime) -> int:
        """How many of these were submitted after an instant."""
        ...
