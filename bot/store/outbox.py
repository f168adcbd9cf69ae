"""Deliveries on their way: the contract."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.model import Delivery, DeliveryState, Page, Verdict
from bot.store.tally import Tally
from bot.store.telling import Telling


@dataclass(frozen=True, slots=True)
class Stuck:
    """Deliveries that are held or failed for one reason."""

    state: str
    channel: str
    error: str
    deliveries: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a channel has not finished sending, and when it last brought anything."""

    channel: str
    deliveries: int
    oldest_due_at: datetime
    error: str
    last_sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A delivery as an operator sees it."""

    delivery: Delivery
    key: str
    kind: str
    made_at: datetime
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a delivery is about: the topics it names (a letter none), the papers it tells of."""

    topics: tuple[int, ...]
    papers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A paper and the page of a delivery that tells of it."""

    seq: int
    page: int


class GiveBack(StrEnum):
    """Which papers of a delivery that ends may be told by the next digest."""

    NONE = "none"  # all of it counts as told
    UNSENT = "unsent"  # but for the page in the air when an answer was lost: perhaps it arrived
    UNTOLD = "untold"  # that page as well


class Outbox(Telling, Protocol):
    """Deliveries on their way; what was told and what was withheld."""

    def next_edition(self, destination_id: int, period: str) -> int:
        """The number of the next digest of a destination for a period: 0 for the first."""
        ...

    def put(
        self,
        destination_id: int,
        key: str,
        pages: Sequence[Page],
        now: datetime,
        *,
        kind: str = "digest",
        period: str,
        edition: int = 0,
        due_at: datetime,
        stale_at: datetime,
        topics: Iterable[int] = (),
        told: Iterable[Told] = (),
    ) -> int:
        """Put a delivery in the outbox and count its papers as told, in one transaction.

        Raises IntegrityError where one of them was told already: that would be a fault of ours.
        """
        ...

    def claim(self, channel: str, now: datetime, lapse_s: int, lapsed: str = "") -> Delivery | None:
        """Take the next delivery of a channel whose moment has come, for `lapse_s` seconds.

        One that was being sent when its claim lapsed counts as an attempt of unknown outcome, and
        `lapsed` is its error.
        Call inside `write()`, check consent, and give it back with `retry` where it must wait.
        """
        ...

    def holds(self, delivery: Delivery) -> bool:
        """Whether the claim that handed it out is still the one by which it is being sent."""
        ...

    def delivery(self, delivery_id: int) -> Delivery | None:
        """A delivery with the parts that are still to be sent, or None."""
        ...

    def unbegun(self, destination_id: int) -> list[Delivery]:
        """Digests that wait to be sent there, and surely no page of them has been sent."""
        ...

    def is_stale(self, delivery: Delivery, now: datetime) -> bool:
        """Whether it has waited past its limit before any part was sent."""
        ...

    def unchecked(self, delivery: Delivery) -> bool:
        """Whether the subscriber silenced anything since its consent was last checked."""
        ...

    def checked(self, delivery: Delivery) -> None:
        """It contradicts nothing that the subscriber has said so far."""
        ...

    def recheck(self, seqs: Iterable[int]) -> int:
        """Check consent anew for waiting deliveries that tell of these papers; return how many."""
        ...

    def reconsider(self, seqs: Iterable[int]) -> None:
        """Decide again on the live matches of these papers where they were not told."""
        ...

    def contents(self, delivery: Delivery) -> Contents:
        """The topics a delivery names and the papers it tells of."""
        ...

    def unsent(self, delivery: Delivery) -> list[int]:
        """Numbers of the papers on pages that its reader cannot have seen yet."""
        ...

    def accepted(self, delivery: Delivery, page: int, receipt: str, now: datetime) -> None:
        """The other side took a part; with the last one the delivery is sent.

        That is so whatever was decided about it meanwhile, and whoever holds its claim now.
        """
        ...

    def retry(
        self, delivery: Delivery, error: str, at: datetime, *, answered: bool, unknown: bool = False
    ) -> None:
        """Another attempt at that instant.  Only attempts that were answered count.

        Nothing is written by whoever does not hold the claim any more.
        """
        ...

    def put_off(self, delivery: Delivery, until: datetime, error: str) -> None:
        """Leave one whose claim was undone alone until then; it stands as before the claim.

        Nothing is written where somebody has claimed it since.
        """
        ...

    def postpone(
        self, channel: str, scope: str, until: datetime, error: str, now: datetime
    ) -> None:
        """The way itself is closed: what waits for addresses beginning with `scope` waits on.

        A scope that begins with @ is a domain: those that end so.
        """
        ...

    def finish(
        self, delivery: Delivery, state: DeliveryState, error: str, give_back: GiveBack
    ) -> None:
        """End a delivery, or hold it.  Pages that are given back are not sent any more.

        What it would have said of passed papers is then said by the next one, too.  Nothing is
        written where it is no longer as `delivery` says: somebody else was faster.
        """
        ...

    def hold(self, why: str, ids: Sequence[int] = ()) -> int:
        """Keep back those that wait (all, without ids) until a human decides; return how many."""
        ...

    def unless_it_arrives(self, verdict: Verdict, why: str, ids: Sequence[int] = ()) -> int:
        """What becomes of those being sent (all, without ids) unless they arrive; how many."""
        ...

    def reopen(self, now: datetime, why: str, doubts: int, ids: Sequence[int] = ()) -> int:
        """Try waiting and held deliveries at once (all that wait, without ids); return how many.

        Attempts are counted from zero, those of unknown outcome from `doubts` at most: they are
        still asked about first.  Held ones get the reason `why`.  What was decided about one that
        is being sent is taken back.  What has failed or was sent is not touched.
        """
        ...

    def line(self, delivery_id: int) -> QueueLine | None:
        """A delivery as an operator sees it, or None."""
        ...

    def recover(self, now: datetime, why: str) -> int:
        """What a dead process had in the air waits again, its outcome unknown; return how many.

        What was tried in vain before waits longer: it must not end every process at its start.
        """
        ...

    def absent(self, delivery: Delivery) -> None:
        """Its attempts of unknown outcome surely did not arrive: they count as answered."""
        ...

    def settled(self, delivery: Delivery, now: datetime) -> None:
        """A page of unknown outcome has arrived: the delivery's remaining pages wait to be sent."""
        ...

    def page(self, key: str, page: int, subscriber_id: int) -> bytes | None:
        """A page that was offered to this subscriber, or None."""
        ...

    def told_on(self, key: str, page: int, subscriber_id: int) -> list[int]:
        """The papers of a page for this subscriber: known also once its bytes are forgotten."""
        ...

    def waiting(self, now: datetime) -> list[Waiting]:
        """What is not finished, by channel: how many, the oldest due, the latest trouble.

        What waits for a paused destination is not late: the destination itself says so.
        """
        ...

    def given_up(self) -> dict[str, int]:
        """By channel, the destinations whose latest digest failed and that had none since.

        Paused ones are left out: they are reported as paused.
        """
        ...

    def queue(self, states: Sequence[DeliveryState], limit: int = 200) -> list[QueueLine]:
        """Deliveries in these states, the oldest first."""
        ...

    def census(self) -> list[Tally]:
        """How many deliveries are not sent, by channel and state; skipped ones are left out."""
        ...

    def stuck(self) -> list[Stuck]:
        """Why deliveries are held or failed, the latest reason first."""
        ...

    def last(self, destination_id: int) -> QueueLine | None:
        """The latest digest of a destination, or None; letters are none."""
        ...

    def history(self, destination_id: int) -> list[QueueLine]:
        """Every delivery that a destination ever had, oldest first."""
        ...

    def count(self, destination_id: int) -> int:
        """How many deliveries a destination ever had."""
        ...
