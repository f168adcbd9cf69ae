"""All that is remembered: the contract of the store, kept by each engine beside it.

Every method speaks of the domain; none takes a query.  Instants come from the caller's clock,
never from the database.  Today's engine is `bot.store.sqlite`; another one is an addition.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Protocol

from bot.model import (
    Author,
    Completeness,
    Delivery,
    DeliveryState,
    Destination,
    DestinationState,
    Follow,
    Identity,
    Match,
    Mute,
    MuteKind,
    Page,
    Paper,
    Rejected,
    Sighting,
    Topic,
    Verdict,
)


class StoreError(Exception):
    """The database cannot be used; the message says what was wrong and what to do."""


class NewerSchema(StoreError):
    """The database was written by a newer Paperround."""


@dataclass(frozen=True, slots=True)
class Added:
    """What storing some sightings changed: papers never seen before, newer versions, new lists."""

    fresh: tuple[Paper, ...]
    changed: tuple[Paper, ...]
    crossed: tuple[Paper, ...]


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
class Stuck:
    """Deliveries that are held or failed for one reason."""

    state: str
    channel: str
    error: str
    deliveries: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a channel has not finished sending."""

    channel: str
    deliveries: int
    oldest_due_at: datetime
    error: str


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A delivery as an operator sees it."""

    delivery: Delivery
    key: str
    kind: str
    made_at: datetime
    sent_at: datetime | None


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
class Revision:
    """A paper that a reader knows was withdrawn, or has a new title where it was `before`."""

    paper: Paper
    before: str
    withdrawn: bool
    saved: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """A day of the past that was read whole, and when."""

    day: date
    papers: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Installation:
    """Paperround in one Slack workspace, or in a whole organisation (then `team_id` is "").

    `gone_at` says since when Slack no longer accepts its token.
    """

    enterprise_id: str  # "" outside of an Enterprise Grid
    team_id: str
    name: str
    token: str
    bot_id: str
    bot_user_id: str
    installed_by: str
    installed_at: datetime
    gone_at: datetime | None = None
    gone_why: str = ""


REMOVED = "Paperround was removed from the workspace; install it there again and this goes on"
"""How the reason of a pause begins that the next installation ends."""


class StoreFull(StoreError):
    """There was no room on the disk; nothing was half-written."""


class TooBroad(StoreError):
    """A search would read too much of the database."""

    def __init__(self) -> None:
        super().__init__("That finds too many papers to list; add a word that is rarer.")


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


class Papers(Protocol):
    """Papers: stored once each, never downgraded."""

    def add(
        self, sightings: Sequence[Sighting], now: datetime, *, backfilled: bool = False
    ) -> Added:
        """Store what a source showed: new papers, newer versions, categories added later.

        An older version than the known one changes nothing; a withdrawn paper is marked, never
        removed.
        """
        ...

    def unknown(self, papers: Sequence[Paper]) -> list[Paper]:
        """Those that would change something if they were added."""
        ...

    def get(self, arxiv_id: str) -> Paper | None:
        """The paper of that identifier, or None."""
        ...

    def some(self, seqs: Iterable[int]) -> list[Paper]:
        """Papers by number, in order of number; unknown numbers are left out."""
        ...

    def after(self, seq: int, limit: int) -> list[Paper]:
        """The next papers by number: to walk through all without holding them."""
        ...

    def candidates(self, expression: str, limit: int = 1000000) -> Iterator[list[Paper]]:
        """Papers that a full-text expression finds, last submitted first, in batches."""
        ...

    def newest_first(self) -> Iterator[list[Paper]]:
        """Every paper, last submitted first, in batches."""
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

    def highest_number(self, category: str = "") -> str:
        """The highest new-style identifier stored, in a category where one is named; "" if none."""
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


class Topics(Protocol):
    """Topics, the versions of their queries, and what matched."""

    def put(
        self, topic: Topic, names: Iterable[tuple[str, str]], now: datetime, owner_id: int = 0
    ) -> Topic:
        """Store a topic or bring it up to date; a changed query makes a new version.

        `names` are (folded, printed) names that lead to it from now on.  Earlier names stay;
        one that leads to another topic keeps doing so, unless that one was retired.  A new
        version asks for the past to be matched again (see `stale`).
        """
        ...

    def to_learn(self, before: datetime) -> list[Topic]:
        """Followed topics that have not learned since then, those that never did first."""
        ...

    def learn(self, topic_id: int, weights: str, now: datetime) -> None:
        """Its turn to learn is over; changed weights make a new version, matched again not live."""
        ...

    def retire(self, kept: Iterable[str], now: datetime) -> None:
        """Catalogue topics whose slug is not `kept` and that nobody follows are shown no more."""
        ...

    def get(self, topic_id: int) -> Topic | None:
        """The topic of that id, or None."""
        ...

    def some(self, topic_ids: Iterable[int]) -> list[Topic]:
        """Topics by id; unknown ids are left out."""
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

    def names(self) -> list[tuple[str, int]]:
        """Printed names and aliases with their topic's id, for "did you mean"."""
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

    def rematched(self, topic: Topic, after: datetime | None) -> None:
        """What was submitted after an instant is matched; None: all of the past.

        What only an older version matched of it is forgotten.
        """
        ...

    def add_matches(self, found: Iterable[tuple[int, int, float, str, int]], *, live: bool) -> int:
        """Store (topic id, paper number, score, reason, version); return how many are new.

        A match that is known keeps its number and whether it was live; score and reason follow
        the newer version.
        """
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
        """The same among papers that were submitted after an instant."""
        ...


class People(Protocol):
    """Subscribers: identities, follows, mutes, saves, destinations."""

    def find(self, identity: Identity) -> int | None:
        """The subscriber of that identity, or None."""
        ...

    def enrol(self, identity: Identity, zone: str, now: datetime) -> int:
        """The subscriber of that identity, made where there is none."""
        ...

    def identify(self, subscriber_id: int, identity: Identity) -> None:
        """A further identity of a subscriber; one that is somebody's already stays theirs."""
        ...

    def identities(self, subscriber_id: int) -> list[Identity]:
        """Everything a subscriber is known as."""
        ...

    def everyone(self) -> list[int]:
        """All subscribers, oldest first."""
        ...

    def zone(self, subscriber_id: int) -> str:
        """The subscriber's IANA zone, "" where nobody said."""
        ...

    def set_zone(self, subscriber_id: int, zone: str) -> None:
        """The zone that times are shown in."""
        ...

    def join(self, kept: int, other: int) -> list[Follow]:
        """Two subscribers are one person: follows, mutes, saves and destinations are united.

        Of two silences the longer one holds, and what either left out stays left out; returned
        are the follows that both had with different wishes, as they are now.  What either was
        told stays told: told is kept by destination, and those move along; of two at one address
        the older stays, with the hours of the one that its owner reads and all that the other
        had still to send.
        """
        ...

    def erase(self, subscriber_id: int) -> None:
        """Forget a subscriber wholly: ledger rows, suppressions and topics of their own as well.

        What others follow stays, and so do papers.  No page of the file remembers them.
        """
        ...

    def follow(self, follow: Follow, now: datetime) -> Follow:
        """Begin a follow; one that stands already keeps its beginning and takes the new wishes."""
        ...

    def following(self, subscriber_id: int, topic_id: int) -> Follow | None:
        """The follow of a topic by a subscriber, where not ended."""
        ...

    def is_theirs(self, subscriber_id: int, topic_id: int) -> bool:
        """Whether a subscriber made a topic, follows it, or did once."""
        ...

    def follows(self, subscriber_id: int) -> list[Follow]:
        """What a subscriber follows, oldest first."""
        ...

    def end_follow(self, follow_id: int, now: datetime) -> None:
        """Nothing of it is sent once this has committed; `resume_follow` restores it whole."""
        ...

    def given_up(self, subscriber_id: int) -> Follow | None:
        """The follow that a subscriber ended last and that does not stand again, or None."""
        ...

    def resume_follow(self, follow_id: int, subscriber_id: int) -> Follow | None:
        """Undo the end of a follow of this subscriber; None where there is none to undo.

        What matched it meanwhile is considered like any news; what was considered before is not
        considered again, and no other follow of theirs is.
        """
        ...

    def mute_follow(self, follow_id: int, until: datetime | None) -> None:
        """Silence a topic for its follower until then; None ends the silence."""
        ...

    def followers(self, topic_id: int) -> int:
        """How many subscribers follow a topic."""
        ...

    def mute(self, subscriber_id: int, kind: MuteKind, value: str, until: datetime) -> None:
        """Silence an author, a phrase, a category or everything; a later end replaces it."""
        ...

    def unmute(self, subscriber_id: int, kind: MuteKind, value: str) -> bool:
        """End such a mute; False where there was none."""
        ...

    def mutes(self, subscriber_id: int) -> list[Mute]:
        """The mutes of a subscriber, those that have ended included."""
        ...

    def reach(self, destination: Destination, since: int) -> Destination:
        """A way to reach a subscriber; one that is known stays as it is.

        It hears of matches with a higher number than `since`.
        """
        ...

    def destination(self, destination_id: int) -> Destination | None:
        """The destination of that id, or None."""
        ...

    def destinations(self, subscriber_id: int) -> list[Destination]:
        """All ways to reach a subscriber, oldest first."""
        ...

    def at(self, channel: str, address: str) -> list[Destination]:
        """All destinations at an address: what a channel reports about it concerns them."""
        ...

    def due(self, now: datetime, limit: int = 200) -> list[Destination]:
        """Destinations whose moment has come, paused ones too; the longest waiting first."""
        ...

    def coming(self, now: datetime, limit: int = 1000) -> list[Destination]:
        """Active destinations that are due after now, the soonest first."""
        ...

    def silent(self) -> list[Destination]:
        """Destinations that are paused or off."""
        ...

    def schedule(
        self, destination_id: int, next_due_at: datetime, *, cadence: str = "", zone: str = ""
    ) -> None:
        """When a destination is next due, and by which cadence and zone where those change."""
        ...

    def set_state(self, destination_id: int, state: DestinationState, reason: str = "") -> None:
        """Pause with a reason, resume, or turn off; nothing waiting is lost by any of them."""
        ...

    def confirm(self, destination_id: int, now: datetime) -> None:
        """Somebody who may has said yes to its address; the first yes stays."""
        ...

    def start_afresh(self, destination_id: int) -> None:
        """From now on only: what matched while it was off is not told later."""
        ...

    def void_links(self, destination_id: int) -> None:
        """Links of mail sent so far stop working, those for leaving excepted."""
        ...

    def suppress(self, address: str, reason: str, now: datetime) -> None:
        """Never mail this address again until someone confirms it anew."""
        ...

    def release(self, address: str) -> None:
        """End a suppression."""
        ...

    def suppressed(self, address: str) -> str:
        """Why an address must not be mailed, or ""."""
        ...

    def suppressions(self) -> int:
        """How many addresses must not be mailed."""
        ...

    def census(self) -> dict[tuple[str, str], int]:
        """How many destinations there are, by channel and state."""
        ...

    def save(self, subscriber_id: int, seqs: Iterable[int], now: datetime) -> None:
        """Keep papers for a subscriber; those kept already stay as they were."""
        ...

    def unsave(self, subscriber_id: int, seqs: Iterable[int]) -> None:
        """Keep them no longer."""
        ...

    def saved(self, subscriber_id: int) -> list[int]:
        """Numbers of the papers a subscriber saved, the latest first."""
        ...

    def judge(self, subscriber_id: int, seq: int, now: datetime, *, liked: bool | None) -> None:
        """What a subscriber thinks of a paper; None takes it back.

        One that is not liked is not sent once this has committed.
        """
        ...

    def opinions(self, topic_id: int) -> dict[int, bool]:
        """What followers of a topic saved (True) or did not want (False) of its papers."""
        ...

    def judged(self, subscriber_id: int) -> dict[int, bool]:
        """Papers a subscriber judged: number to liked."""
        ...


class GiveBack(StrEnum):
    """Which papers of a delivery that ends may be told by the next digest."""

    NONE = "none"  # all of it counts as told
    UNSENT = "unsent"  # but for the page in the air when an answer was lost: perhaps it arrived
    UNTOLD = "untold"  # that page as well


class Outbox(Protocol):
    """Deliveries on their way; what was told and what was withheld."""

    def candidates(self, destination: Destination) -> list[Candidate]:
        """Papers with a live match that this destination has neither been told nor denied.

        Those that were considered there are none, but for what was given back.  Mutes, breadth
        and excluded words are not looked at here.
        """
        ...

    def considered(self, destination_id: int, number: int) -> None:
        """Its standing follows' matches up to that number, and what was given back, are decided."""
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

    def next_edition(self, destination_id: int, period: str) -> int:
        """The number of the next digest of a destination for a period: 0 for the first."""
        ...

    def consent(self, destination_id: int) -> int:
        """The number that rises whenever the subscriber silences something."""
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
        told: Iterable[tuple[int, int]] = (),
    ) -> int:
        """Put a delivery in the outbox and count its papers as told, in one transaction.

        `told` are (paper number, page).  Raises IntegrityError where one
        of them was told already: that would be a fault of ours.
        """
        ...

    def claim(self, channel: str, now: datetime, lapse_s: int) -> Delivery | None:
        """Take the next delivery of a channel whose moment has come, for `lapse_s` seconds.

        One that was being sent when its claim lapsed counts as an attempt of unknown outcome.
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
        """Digests that wait to be sent there, of which nothing is, or perhaps is, sent yet."""
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

    def revisions(self, destination_id: int, now: datetime) -> list[Revision]:
        """Withdrawals and new titles, since the last digest there, of what its reader knows."""
        ...

    def contents(self, delivery: Delivery) -> tuple[tuple[int, ...], tuple[int, ...]]:
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

    def postpone(
        self, channel: str, scope: str, until: datetime, error: str, now: datetime
    ) -> None:
        """The way itself is closed: what waits for addresses beginning with `scope` waits on."""
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
        """Keep deliveries back until a human decides: those, or all that wait; return how many."""
        ...

    def unless_it_arrives(self, verdict: Verdict, why: str, ids: Sequence[int] = ()) -> int:
        """What becomes of those, or of all, that are being sent now; return how many."""
        ...

    def reopen(self, now: datetime, ids: Sequence[int] = ()) -> int:
        """Try waiting and held deliveries at once: those, or all that wait; return how many.

        Attempts are counted from none; one of unknown outcome is still asked about first.  Of
        one that is being sent the verdict is taken back.  What has failed or was sent is not
        touched.
        """
        ...

    def line(self, delivery_id: int) -> QueueLine | None:
        """A delivery as an operator sees it, or None."""
        ...

    def recover(self, now: datetime) -> int:
        """What a dead process had in the air may be claimed at once, its outcome unknown."""
        ...

    def settled(self, delivery: Delivery, now: datetime) -> None:
        """A page of unknown outcome has arrived: the delivery's remaining pages wait to be sent."""
        ...

    def page(self, key: str, page: int, subscriber_id: int) -> bytes | None:
        """A page that was offered to this subscriber, or None."""
        ...

    def waiting(self, now: datetime) -> list[Waiting]:
        """What is not finished, by channel: how many, the oldest due, the latest trouble."""
        ...

    def queue(self, states: Sequence[DeliveryState], limit: int = 200) -> list[QueueLine]:
        """Deliveries in these states, the oldest first."""
        ...

    def census(self) -> dict[tuple[str, str], int]:
        """How many deliveries are not sent, by state and channel; skipped ones are left out."""
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

    def told_by(self, destination_id: int, seq: int) -> Delivery | None:
        """The delivery that told a destination of a paper, or None."""
        ...

    def arrived_at(self, destination_id: int, seq: int) -> datetime | None:
        """When the page that tells a destination of a paper was accepted, or None."""
        ...

    def withheld_why(self, destination_id: int, seq: int) -> list[tuple[int, str, datetime]]:
        """Why a paper was kept from a destination: (topic, reason, when)."""
        ...


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

    def latest(self, kind: str) -> dict[str, Run]:
        """The latest run of each subject of a kind."""
        ...

    def since(self, kind: str, subject: str) -> datetime | None:
        """When a subject's first run was that is still written down, or None."""
        ...

    def outcomes(self, kind: str, since: datetime) -> dict[str, int]:
        """How many runs of a kind ended how, from an instant on."""
        ...

    def began(self, kind: str) -> datetime | None:
        """When the first run of a kind was recorded, or None."""
        ...

    def around(self, kind: str, subject: str, since: datetime, until: datetime) -> list[Run]:
        """Runs of a subject within a time, oldest first."""
        ...

    def ahead(self, now: datetime) -> Ahead | None:
        """What is written down of times after `now`, or None."""
        ...

    def forget(self, before: datetime) -> None:
        """Drop runs from before an instant."""
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


class Turns(Protocol):
    """Turns at one host, shared by every process; real time."""

    def reserve(self, host: str, gap_s: float, now: float) -> float:
        """Reserve the next turn and return when it is; turns are `gap_s` seconds apart."""
        ...

    def pause(self, host: str, until: float, reason: str) -> None:
        """Nobody asks this host anything before `until`."""
        ...

    def resumed(self, host: str) -> None:
        """The host answered well: the next pause is short again."""
        ...

    def pauses(self, host: str) -> int:
        """How many pauses there were since the host last answered well."""
        ...

    def paused(self, host: str, now: float) -> tuple[float, str] | None:
        """Until when and why nobody asks this host, or None."""
        ...


class SlackDesk(Protocol):
    """What the Slack door remembers: requests it has seen, workspaces it is installed in."""

    def knows(self, key: str) -> bool:
        """Whether a request came before.  Only reads: never waits for one who writes."""
        ...

    def seen(self, key: str, now: datetime) -> bool:
        """Whether a request came before; from now on it did."""
        ...

    def forget(self, before: datetime) -> None:
        """Requests seen before an instant can come again: Slack gives up long earlier."""
        ...

    def install(self, installation: Installation) -> None:
        """Paperround was installed (again) in a workspace or an organisation: it goes on there."""
        ...

    def installation(self, team_id: str, enterprise_id: str = "") -> Installation | None:
        """The installation that speaks for a workspace: its own, else its organisation's."""
        ...

    def installations(self) -> list[Installation]:
        """All installations, those that are gone included, oldest first."""
        ...

    def gone(self, team_id: str, enterprise_id: str, why: str, at: datetime) -> int:
        """Paperround was removed there: its digests pause until it is installed again.

        Nothing is deleted.  A removal before the latest installation is no news.  Return how
        many paused.
        """
        ...

    def back(self, workspace: str = "") -> int:
        """What paused because Paperround was removed there, or anywhere, goes on; how many."""
        ...

    def keep(self, workspace: str, conversation: str, user: str, now: datetime) -> None:
        """A person set up a conversation's digest: they are told when it cannot be brought."""
        ...

    def keeper(self, workspace: str, conversation: str) -> str:
        """Who set up a conversation's digest last, or ""."""
        ...


class Reading(Protocol):
    """What pages read."""

    def find(self, sought: Sought) -> Found:
        """A page of a topic's papers with how many there are.  Raises TooBroad."""
        ...

    def categories(self, topic_id: int, least: float) -> list[tuple[str, int]]:
        """The primary categories of a topic's papers with their counts, the largest first."""
        ...

    def latest(self, topic_id: int, least: float, fed: Fed) -> list[Paper]:
        """A topic's papers in the order in which they were matched, the last one first."""
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

    def newest(self, limit: int) -> Iterator[list[Paper]]:
        """The papers first seen last, newest first, in batches."""
        ...


class Places(Protocol):
    """Whose institutes were looked up."""

    def wanting(self, since: datetime) -> Paper | None:
        """The newest paper of a followed topic that names no institute and was not asked about."""
        ...

    def put(self, seq: int, authors: Sequence[Author], now: datetime) -> None:
        """What was found about a paper, nothing included; it is not asked about again."""
        ...


class Store(Protocol):
    """One database.  Use `write` around writes that belong together."""

    @property
    def papers(self) -> Papers: ...
    @property
    def topics(self) -> Topics: ...
    @property
    def people(self) -> People: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def reading(self) -> Reading: ...
    @property
    def places(self) -> Places: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def slack(self) -> SlackDesk: ...

    def write(self) -> AbstractContextManager[None]:
        """One transaction; another inside joins it.  Never await or use the network inside."""
        ...

    def set_back(self, now: datetime) -> None:
        """What was written of times after `now` is of `now`; looks at sources count no more."""
        ...

    def tidy(self, now: datetime, keep: timedelta = timedelta(days=30)) -> None:
        """Forget the bytes and ledger lines of long ago; what was told stays told."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...
