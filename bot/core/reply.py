"""What the core answers: plain data that each door renders in its own medium.

A line is a tuple of spans, so that no door has to parse markup and nothing a person typed can
become any.  ``line("Muted until ", Instant(when), ".")`` is the way to write one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict

from bot.core.dates import instant_words
from bot.digest import Action, Entry, Tag
from bot.model import Destination, Follow, Identity, Momentum, Mute, Topic


@dataclass(frozen=True, slots=True)
class Strong:
    """Text that stands out: a topic's name, a time."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Something to type."""

    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A topic's query, as it is read; nothing to type by itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Text that leads somewhere."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Instant:
    """A time, shown in the reader's zone ("Mon 14 Dec"; with the hour where `clock`).

    A time with a `zone` of its own, such as a digest's, is shown in that; `year` adds the year if
    it is not obvious.
    """

    at: datetime
    clock: bool = False
    zone: str = ""
    year: bool = False


Span = str | Strong | Code | Query | Link | Instant
Line = tuple[Span, ...]


def line(*spans: Span) -> Line:
    """A line of a reply."""
    return spans


def joined(spans: Iterable[Span], between: str = ", ") -> Line:
    """Spans with the same words between each two."""
    return tuple(each for span in spans for each in (between, span))[1:]


def text_of(said: Line, zone: str, *, urls: bool = True) -> str:
    """A line as plain text, its times in a zone, the addresses of its links behind them."""
    return "".join(_text(span, zone, urls=urls) for span in said)


def _text(span: Span, zone: str, *, urls: bool) -> str:
    match span:
        case Strong(text) | Code(text) | Query(text):
            return text
        case Link(text, url):
            return f"{text} ({url})" if urls else text
        case Instant(at, clock, own, year):
            return instant_words(at, own or zone, clock=clock, year=year)
        case str():
            return span


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, through which door, and where.

    `conversation` is the Slack channel or group the words were typed in, when not a direct
    message.  `zone` is the person's IANA zone where the door knows it.  An `operator` may speak
    for anyone, and what they do about an address counts as confirmed.  `may_configure` is False
    for those who may not change a conversation's settings: guests, people of other workspaces,
    and those who are `unknown` because the door could not find out just now.
    `mailbox` is the address that their link was sent to, if they are not known by it; `by_link`
    that all they showed is a link out of a mail, which may have been passed on.
    """

    identity: Identity
    conversation: Identity | None = None
    zone: str = ""
    operator: bool = False
    may_configure: bool = True
    unknown: bool = False
    mailbox: str = ""
    by_link: bool = False

    @property
    def is_stranger(self) -> bool:
        """Whether it is whoever reads a public page."""
        return self.identity.kind == "web"


@dataclass(frozen=True, slots=True)
class TopicCard:
    """A topic's face: what `/papers topic`, a follow's preview and the page show."""

    topic: Topic
    glossary: tuple[tuple[str, str], ...]  # ("RL", "Reinforcement Learning")
    momentum: Momentum
    related: tuple[tuple[Tag, Momentum], ...] = ()
    followed: bool = False
    muted_until: datetime | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a paper that bears on a question, word for word."""

    paper: Entry
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything one subscriber has set, for `list`, `settings`, App Home and the personal page.

    Mutes that have ended are left out, so that no door needs a clock.
    """

    follows: tuple[Follow, ...] = ()
    mutes: tuple[Mute, ...] = ()
    destinations: tuple[Destination, ...] = ()
    saved: tuple[Entry, ...] = ()  # the latest
    deliveries: tuple[tuple[Destination, str], ...] = ()  # last outcome in words


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of one request.

    `ok` is False where nothing was done; `status` is the HTTP status that fits, 200 where it was
    so already.  `lines` say what changed, how it is now and what comes next.  `papers` and
    `quotes` follow them, `buttons` offer the next step, `notice` is the one line a conversation
    sees when its settings changed, `conversation` says which one where it is not the one they
    were typed in.
    """

    lines: tuple[Line, ...]
    ok: bool = True
    status: int = 200
    papers: tuple[Entry, ...] = ()
    quotes: tuple[Quote, ...] = ()
    buttons: tuple[Action, ...] = ()
    card: TopicCard | None = None
    overview: Overview | None = None
    notice: Line | None = None
    conversation: Identity | None = None
    zone: str = "UTC"
    data: Mapping[str, object] = field(default_factory=dict)  # for --json


class Besides(TypedDict, total=False):
    """What a reply may hold besides its lines; see `Reply`."""

    papers: tuple[Entry, ...]
    quotes: tuple[Quote, ...]
    buttons: tuple[Action, ...]
    card: TopicCard | None
    overview: Overview | None
    notice: Line | None
    data: Mapping[str, object]
