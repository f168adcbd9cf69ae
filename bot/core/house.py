"""What the verbs work with: the outsides as contracts, the knowledge, the clock, the wishes."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from bot.answers import Answerer
from bot.channels import Channel
from bot.core.heat import Heat
from bot.links import Links
from bot.matching import Compiled, Language, Matcher, QueryError
from bot.model import Clock, Origin, Topic, utc_now
from bot.store import Store, StoreFull
from bot.timetable.announcements import Calendar


@dataclass(frozen=True, slots=True)
class Event:
    """Something that an operator may count, or read about in the log.

    `what` and `outcome` are few fixed words.  `facts` name numbers and texts, never a person:
    what a peer said may quote an address, and is redacted where it is written.
    """

    what: str  # poll, match, unmatched, digest, delivery, leave
    outcome: str
    facts: Mapping[str, str | int | float]


Done = TypeVar("Done")

Witness = Callable[[Event], None]
"""Hears of every event.  Must not raise, wait, or write to the store."""


def unheard(event: Event) -> None:
    """Nobody listens."""


def both(*witnesses: Witness) -> Witness:
    """A witness that passes everything on to several."""

    def heard(event: Event) -> None:
        for each in witnesses:
            each(event)

    return heard


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the operator decided for everyone.

    `cadence` and `zone` hold where a subscriber says nothing else.  `sample` marks everything as
    invented.
    """

    cadence: str = "weekly mon 09:00"
    zone: str = "UTC"
    base_url: str = ""
    own_topics: bool = False  # whether the web shows what people made
    stale_after: timedelta = timedelta(hours=48)
    give_up_after: timedelta = timedelta(days=3)
    claim_lapses_s: int = 900
    joins_a_day: int = 200
    sample: bool = False
    keep: timedelta = timedelta(days=30)  # the bytes of what was sent
    revisions: bool = False  # whether a digest names papers whose title was changed


class Compendium:
    """All topics, and all of them compiled.  One that changes is read and compiled anew alone.

    Compiling a thousand topics takes seconds, so only those who match papers wait for it.
    """

    def __init__(self, store: Store, language: Language) -> None:
        self._store = store
        self._language = language
        self._lock = threading.Lock()
        self._topics: tuple[str, dict[int, Topic]] = ("", {})
        self._compiled: dict[int, tuple[Topic, Compiled | None]] = {}
        self._matcher: tuple[str, Matcher] = ("", Matcher({}))
        self.unread: frozenset[int] = frozenset()  # topics that the matcher had to leave out

    def topics(self) -> dict[int, Topic]:
        """The topics by id."""
        return self._read()[1]

    def current(self) -> tuple[Matcher, dict[int, Topic], str]:
        """The matcher of all topics, the topics by id, and the stamp that both are true for."""
        with self._lock:
            stamp, topics = self._read()
            if self._matcher[0] != stamp:
                self._compiled = {t.id: self._kept(t) for t in topics.values()}
                ready = {i: c for i, (_, c) in self._compiled.items() if c}
                self.unread = frozenset(topics.keys() - ready.keys())
                self._matcher = (stamp, Matcher(ready))
            return self._matcher[1], topics, stamp

    def compile(self, topic: Topic) -> Compiled | None:
        """The topic ready to judge; None where its query cannot be read any more."""
        try:
            name = topic.name if self._means_its_name(topic) else ""
            return self._language.compile(topic.query, name=name, weights=topic.weights)
        except QueryError:
            return None

    def _means_its_name(self, topic: Topic) -> bool:
        """Whether the name's words count as well: not once somebody has put a query in their place.

        The catalogue's queries were written for its names.
        """
        if topic.origin is Origin.CATALOGUE or self._language.is_query(topic.name):
            return topic.origin is Origin.CATALOGUE
        return self._language.derive(topic.name) == topic.query

    def _read(self) -> tuple[str, dict[int, Topic]]:
        stamp = self._store.topics.stamp()
        if stamp != self._topics[0]:
            self._topics = (stamp, {topic.id: topic for topic in self._store.topics.all()})
        return self._topics

    def _kept(self, topic: Topic) -> tuple[Topic, Compiled | None]:
        known = self._compiled.get(topic.id)
        if known and known[0] == topic:
            return known
        try:
            return topic, self.compile(topic)
        except Exception:  # whatever it is, the other topics are matched
            return topic, None


@dataclass(frozen=True, slots=True)
class House:
    """Everything a verb needs."""

    store: Store
    channels: Mapping[str, Channel]
    language: Language
    links: Links
    calendar: Calendar
    answerer: Answerer
    clock: Clock
    wishes: Wishes
    compendium: Compendium
    heat: Heat
    real_clock: Clock = utc_now  # for what other people's servers bear
    witness: Witness = unheard

    def has_page(self, topic: Topic) -> bool:
        """Whether the web shows this topic."""
        return topic.origin is Origin.CATALOGUE or self.wishes.own_topics

    def tell(self, what: str, outcome: str, **facts: str | int | float) -> None:
        """Let the witness know."""
        self.witness(Event(what, outcome, facts))


def with_room(work: Callable[[], Done]) -> Done:
    """What it returns; on a full disk once more: what was kept free for it was given up by then."""
    try:
        return work()
    except StoreFull:
        return work()
