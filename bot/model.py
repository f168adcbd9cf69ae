"""The nouns.  Imports nothing of ours and does no I/O.

Instants are aware datetimes in UTC and end in ``_at`` (or are called ``until``); days end in
``_on``.  Shares and scores are fractions from 0 to 1.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum

Clock = Callable[[], datetime]

FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of a silence that has none."""


def utc_now() -> datetime:
    """The present instant in UTC."""
    return datetime.now(UTC)


# ------------------------------------------------------------------ papers


class Announced(StrEnum):
    """Why arXiv listed a paper on a day (`arxiv:announce_type` of its RSS)."""

    NEW = "new"
    CROSS = "cross"
    REPLACE = "replace"
    REPLACE_CROSS = "replace-cross"


@dataclass(frozen=True, slots=True)
class Author:
    """A name as printed, and the places printed with it."""

    name: str
    affiliations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paper:
    """One arXiv identifier over all its versions, as its newest known version reads.

    `arxiv_id` has no version, a lower-case archive and no subject class (``math/0611800``).
    `seq` and `first_seen_at` are set once it is stored.  Titles and abstracts are plain
    Unicode: LaTeX accents are already letters, control characters are gone.
    """

    arxiv_id: str
    version: int
    title: str
    abstract: str
    authors: tuple[Author, ...]
    categories: tuple[str, ...]  # the primary one first
    submitted_at: datetime  # of version 1
    updated_at: datetime  # of this version
    announced_on: date | None = None
    withdrawn: bool = False
    comment: str = ""
    doi: str = ""
    journal_ref: str = ""
    code_url: str = ""
    seq: int = 0
    first_seen_at: datetime | None = None

    def __hash__(self) -> int:
        # Nearly all differ by this; what is drawn of a paper is looked up for each of its readers.
        return hash((self.arxiv_id, self.version))

    @property
    def primary(self) -> str:
        """The one primary category; "" where the source named none."""
        return self.categories[0] if self.categories else ""

    @property
    def is_sample(self) -> bool:
        """Whether this paper is invented, for trying Paperround without arXiv."""
        return self.arxiv_id.startswith("sample/")

    @property
    def url(self) -> str:
        """Where the paper is read: arXiv's abstract page."""
        return f"https://{'example.org' if self.is_sample else 'arxiv.org/abs'}/{self.arxiv_id}"

    @property
    def pdf_url(self) -> str:
        """arXiv's PDF of the newest version."""
        return f"https://{'example.org' if self.is_sample else 'arxiv.org/pdf'}/{self.arxiv_id}"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A paper as a source showed it, and how the listing called it where the source says."""

    paper: Paper
    announced: Announced | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An entry that could not be read: kept for a human, never in the way of the others."""

    raw: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Until when, in real epoch seconds, nobody asks a host anything, and why."""

    until: float
    reason: str


class Completeness(StrEnum):
    """How much a source showed of what it was asked for, the fullest first.

    This decides when it is asked again, whatever the remark beside it says.
    """

    WHOLE = "whole"  # all that there was, as far as the source can know
    TRUNCATED = "truncated"  # the source cuts it off, and would again
    STALE = "stale"  # the batch of the day before
    DOUBTFUL = "doubtful"  # nothing, where papers were to be expected
    PART = "part"  # the rest did not come this time

    @classmethod
    def of_all(cls, *parts: "Completeness") -> "Completeness":
        """That of several answers together: of the one that lacks most."""
        return max(parts, key=list(cls).index)


# ------------------------------------------------------------------ topics


class Breadth(StrEnum):
    """How much a follow brings."""

    FOCUSED = "focused"
    BALANCED = "balanced"
    BROAD = "broad"


class Origin(StrEnum):
    """Where a topic comes from."""

    CATALOGUE = "catalogue"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Topic:
    """A named interest with a query.  `id` is 0 until it is stored."""

    id: int
    slug: str
    name: str
    query: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    field: str = ""  # the catalogue file it comes from: "machine-learning"
    origin: Origin = Origin.OWN
    version: int = 1
    weights: str = ""  # what matching learned for this version, opaque to everyone else
    derived: bool = False  # the query was read from the name; read anew as the thesaurus grows


@dataclass(frozen=True, slots=True)
class Match:
    """A paper belongs to a topic.  Kept at the broadest breadth; a follow's breadth cuts later."""

    number: int  # our own, increasing: digests select by it
    seq: int
    topic_id: int
    score: float
    reason: str
    live: bool = True  # came from ingest, not from the past


@dataclass(frozen=True, slots=True)
class Week:
    """One bar of momentum: the papers submitted in the week that starts on `monday` (UTC)."""

    monday: date
    papers: int
    all_papers: int
    complete: bool = True  # the mailing that covers its Sunday has been ingested
    observed: bool = True  # we read the source over the whole of it


@dataclass(frozen=True, slots=True)
class Momentum:
    """Whether a topic is heating up.

    `weeks` holds twelve complete weeks, oldest first, and the running one last where it has
    begun.  `current` counts the last four complete weeks, `previous` the four before.
    `change` is a fraction (1.41 is up 141 %), None where it would say nothing (a previous of 0,
    fewer than 5 papers, weeks that were not observed).  `share` is a fraction of all papers.
    `matched_after` is the day up to which papers still wait to be matched, None where none does.
    `read_from` is the day from which on every day was read, None where none was.
    `read_to` is the day the last of the complete weeks ends on where arXiv was not read for
    long since, None where the weeks reach today.
    """

    weeks: tuple[Week, ...]
    current: int
    previous: int
    change: float | None
    share: float | None
    observed: bool = True
    matched_after: date | None = None
    read_from: date | None = None
    read_to: date | None = None


# ------------------------------------------------------------------ people


_CONVERSATION = re.compile(r"[CG][A-Z0-9]+")
"""Slack's id of a channel or group; people are U… and W…, direct messages D…"""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is on one door: ``email:a@b.org``, ``slack:T1:U1``, ``console:me``."""

    kind: str  # email, slack, console
    workspace: str  # Slack's team id, else ""
    external_id: str

    def __str__(self) -> str:
        parts = (self.kind, self.workspace, self.external_id)
        return ":".join(part for part in parts if part)

    @classmethod
    def parse(cls, text: str) -> "Identity":
        """Read ``kind:id`` or ``slack:team:id``.  Raises ValueError with what to write instead."""
        kind, _, rest = text.strip().partition(":")
        if kind == "slack" and rest.count(":") == 1:
            workspace, _, external_id = rest.partition(":")
            if workspace and external_id:
                return cls(kind, workspace, external_id)
        elif kind == "email" and "@" in rest:
            return cls(kind, "", rest.strip())
        elif kind == "console" and rest:
            return cls(kind, "", rest)
        raise ValueError(
            f"“{text}” is not an identity; write email:reader@example.org, slack:T1:U1 "
            "(team, then user or conversation) or console:me"
        )

    @classmethod
    def in_slack(cls, address: str) -> "Identity":
        """Whom an address of the channel slack reaches: ``T1:C9``."""
        workspace, _, external_id = address.partition(":")
        return cls("slack", workspace, external_id)

    @property
    def is_conversation(self) -> bool:
        """Whether this is a Slack channel or group rather than a person."""
        return self.kind == "slack" and _CONVERSATION.fullmatch(self.external_id) is not None


@dataclass(frozen=True, slots=True)
class Follow:
    """A subscriber follows a topic."""

    id: int
    subscriber_id: int
    topic: Topic
    since: int  # the highest match number when it began
    breadth: Breadth = Breadth.BALANCED
    muted_until: datetime | None = None
    without_words: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    ended_at: datetime | None = None

    def is_muted(self, now: datetime) -> bool:
        """Whether its topic is silent; a mute that has ended stays written down."""
        return self.muted_until is not None and self.muted_until > now

    def at(self, now: datetime) -> "Follow":
        """As it stands at an instant: a mute that has ended is gone."""
        return self if self.is_muted(now) else replace(self, muted_until=None)


class MuteKind(StrEnum):
    """What a mute that is not about one topic silences."""

    AUTHOR = "author"
    PHRASE = "phrase"
    CATEGORY = "category"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Mute:
    """Silence for an author, a phrase, a category or everything, until an instant."""

    id: int
    subscriber_id: int
    kind: MuteKind
    value: str
    until: datetime

    def holds(self, now: datetime) -> bool:
        """Whether it silences anything yet; one that has ended stays written down."""
        return self.until > now


class DestinationState(StrEnum):
    """Whether a destination gets digests.  Only people turn one off; a paused one resumes."""

    ACTIVE = "active"
    PAUSED = "paused"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Destination:
    """A subscriber reached by a channel at an address, at a cadence."""

    id: int
    subscriber_id: int
    channel: str  # email, slack, console
    address: str  # a mailbox; "T1:C9" for Slack; anything for the console
    cadence: str  # as timetable.Cadence prints it: "weekly mon 09:00"
    zone: str  # IANA
    next_due_at: datetime
    state: DestinationState = DestinationState.ACTIVE
    reason: str = ""
    last_sent_at: datetime | None = None
    epoch: int = 0  # raising it voids the links of older mail
    confirmed_at: datetime | None = None  # when a mail address was said yes to
    since: int = 0  # the highest match number when it began, or was turned on anew
    perhaps_sent: datetime | None = None  # until when since a backup it was due, and not settled
    most: int = 0  # papers a digest shows before the rest is asked for; 0: all of them

    @property
    def unconfirmed(self) -> bool:
        """Whether somebody has still to say yes to it; only mail addresses need that."""
        return self.channel == "email" and self.confirmed_at is None


# ------------------------------------------------------------------ deliveries


class DeliveryState(StrEnum):
    """The life of a delivery."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    HELD = "held"
    SKIPPED = "skipped"


class Verdict(StrEnum):
    """What becomes of a delivery that is being sent, unless it arrives."""

    NONE = ""
    HELD = "held"
    CANCELLED = "cancelled"
    GIVEN_BACK = "given back"  # cancelled, and its papers come with the next digest


@dataclass(frozen=True, slots=True)
class Page:
    """One message as it will be handed over.  An `offered` page is kept until someone asks.

    `papers` are the identifiers it tells of; the first page also has those that no page names.
    """

    content: bytes
    offered: bool = False
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a delivery, exactly as it is handed over.

    `key` is the same for every attempt, so that a receiver can tell a repeat.  `parent` is the
    receipt of the first page, where a channel threads the others under it.
    """

    delivery_id: int
    page: int
    key: str
    address: str
    content: bytes
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A digest on its way to one destination."""

    id: int
    destination_id: int
    channel: str
    address: str
    period: str
    state: DeliveryState
    attempts: int  # answered ones
    unknown: int  # attempts whose outcome nobody knows
    try_at: datetime
    due_at: datetime
    error: str = ""
    parts: tuple[Part, ...] = field(default=())  # those still to be sent
    claims: int = 0  # how often it was taken to be sent; the last to take it holds it
    verdict: Verdict = Verdict.NONE
