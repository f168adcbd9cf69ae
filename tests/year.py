"""A world in which readers live for a year: an arXiv, channels with moods, deaths, and deeds.

Everything comes from one seed.  Beside the real installation an `Oracle` is told the same.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app.service import looks as looking
from bot.app.service.clockwork import Service
from bot.app.wiring import build, calendar
from bot.channels import ChannelError, Fault
from bot.core import Actor, Reply
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState, DestinationState, Identity, Paper, Part, Sighting
from bot.sources import Page, SourceError, SourceFault
from tests.app.house import settings
from tests.deeds import AUTHORS, WORDS, do_something, marks_of, topics_of
from tests.fakes import FrozenClock, Inbox
from tests.houses import CATALOGUE
from tests.makers import paper
from tests.oracle import Oracle, Reader

START = datetime(2026, 10, 16, 12, tzinfo=UTC)
"""Clocks change in Europe and in America within three weeks."""

MOODS = {
    "closed": Fault.CHANNEL,
    "greylisting": Fault.RETRY,
    "full": Fault.RECIPIENT,
    "unknown here": Fault.ADDRESS,
    "breaking off": Fault.UNKNOWN,
}
PATIENCE = timedelta(hours=30)
"""After a channel was in a mood, or nobody served, until all is out: what was held goes at four."""
Span = tuple[datetime, datetime, str]


class Killed(BaseException):
    """The process died at a write."""


class Peer(Inbox):
    """A channel whose other side is in a mood at times."""

    def __init__(self, year: "Year", name: str) -> None:
        super().__init__(name)
        self.year, self.remembers, self.read = year, name == "slack", 0

    async def send(self, part: Part) -> str:
        for begin, end, mood in self.year.moods[self.name]:
            if begin <= self.year.clock() < end and self.year.chance(0.5):
                self.lost_answers = int(mood == "breaking off" and self.year.chance(0.5))
                if not self.lost_answers:
                    raise ChannelError(mood, MOODS[mood])
        return await super().send(part)


class Face:
    """One of arXiv's interfaces: what was announced lately, cut off at times, or nothing."""

    def __init__(self, year: "Year", name: str) -> None:
        self.year, self.name = year, name

    def pages(self, watermark: str | None) -> Iterator[Page]:
        now = self.year.clock()
        if any(begin <= now < end for begin, end, _ in self.year.moods[self.name]):
            raise SourceError("arXiv answered 503", SourceFault.TRANSIENT)
        since = datetime.fromisoformat(watermark or now.isoformat()) - timedelta(days=8)
        shown = [s for at, s in self.year.announced if since < at <= now]
        if self.name == "arxiv":
            shown = [s for s in shown if s.submitted_at > since]
        half = len(shown) // 2
        yield Page(tuple(map(Sighting, shown[:half])))
        if self.year.chance(0.05):
            raise SourceError("cut off", SourceFault.TRANSIENT)
        yield Page(tuple(map(Sighting, shown[half:])), watermark=now.isoformat())


class Year:
    """An installation, its readers, and what the promises say about them."""

    def __init__(
        self, folder: Path, seed: int, *, days: int, readers: int, deeds_a_day: float
    ) -> None:
        self.random, self.days, self.folder = random.Random(seed), days, folder
        self.deeds_a_day = deeds_a_day
        self.clock, self.oracle = FrozenClock(START), Oracle()
        self.boxes = {name: Peer(self, name) for name in ("email", "slack", "console")}
        names = (*self.boxes, "arxiv", "rss", "oai", "sweep")
        self.moods = {name: list(self._moods()) for name in names}
        self.announced = sorted(self._announcements(), key=lambda each: (each[0], each[1].arxiv_id))
        self.places: dict[str, int] = {}  # where each reader is reached
        self.by_mail: dict[str, str] = {}  # who reads by mail too, and as which reader
        self.seen: set[tuple[tuple[str, ...], str]] = set()
        self.failed: set[int] = set()
        self.dies_in, self.woke_at = 0, START
        self.open()
        self.people = [self._identity(n) for n in range(readers)]

    def _identity(self, number: int) -> Identity:
        return (
            Identity("email", "", f"reader{number}@example.org"),
            Identity("slack", "T1", f"U{number}"),
            Identity("console", "", f"reader{number}"),
        )[number % 3]

    def say(self, who: Identity, text: str) -> Reply:
        """What a reader types, which the product must understand."""
        reply = self.rooms.core.execute(Actor(who, operator=True), text)
        assert reply.ok, f"{text}: {reply.lines}"
        return reply

    def both(self, who: Identity) -> list[Reader]:
        """Somebody's own digest and, where there is one, that by mail."""
        names = [str(who), self.by_mail.get(str(who), "")]
        return [self.oracle.readers[name] for name in names if name]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # ------------------------------------------------------------- the world

    def _announcements(self) -> Iterator[tuple[datetime, Paper]]:
        days, mailing, count = calendar(), START, 0
        while (mailing := days.next_mailing(mailing)) < START + timedelta(days=self.days):
            for _ in range(self.random.randint(2, 8)):
                count += 1
                shown = self._paper(f"{mailing:%y%m}.{count:05d}", days.opens_for(mailing))
                yield mailing, shown
                if self.chance(0.1):
                    yield mailing + timedelta(days=5), self._later(shown, mailing)

    def _paper(self, number: str, opens: datetime) -> Paper:
        words = self.random.sample(sorted(WORDS.values()), self.random.randint(0, 2))
        at = opens + timedelta(hours=self.random.randint(0, 20))
        at -= timedelta(days=self.random.randint(10, 24) if self._is_held(opens) else 0)
        title, by = f"On the {' and the '.join(words) or 'sea'}", self.random.sample(AUTHORS, 2)
        return paper(number, title, authors=tuple(by), submitted_at=at, updated_at=at)

    def _is_held(self, opens: datetime) -> bool:
        return opens > START + timedelta(days=3) and self.chance(0.05)

    def _later(self, shown: Paper, mailing: datetime) -> Paper:
        if self.chance(0.5):
            return replace(shown, categories=(*shown.categories, "cs.MA"))
        again = {"version": 2, "updated_at": mailing + timedelta(days=4)}
        return replace(shown, **again, withdrawn=self.chance(0.5))  # type: ignore[arg-type]

    def _moods(self) -> Iterator[Span]:
        at = START + timedelta(days=2)
        while at < START + timedelta(days=self.days):
            at += timedelta(days=self.random.expovariate(1 / 12))
            end = at + timedelta(days=self.random.choice([0.1, 0.5, 1, 3]))
            yield at, end, self.random.choice(sorted(MOODS))

    @property
    def is_over(self) -> bool:
        return self.clock() >= START + timedelta(days=self.days)

    # ------------------------------------------------------ the installation

    def open(self) -> None:
        self.rooms = build(settings(self.folder), self.clock, topics=CATALOGUE)
        object.__setattr__(self.rooms.core.house, "channels", self.boxes)
        self.service = Service(self.rooms)
        self.rooms.core.recover()
        engine = self.rooms.store.engine
        self._run, engine.run = engine.run, self._mortal  # type: ignore[method-assign]

    def _mortal(self, *statement: object) -> int:
        self.dies_in -= 1
        if self.dies_in == 0:
            raise Killed
        return self._run(*statement)  # type: ignore[arg-type]

    def looks(self, rooms: object, now: datetime) -> list[looking.Look]:
        """In the place of the service's: the same moments, and our arXiv."""
        return [
            replace(look, source=lambda name=look.name: Face(self, name))  # type: ignore[misc]
            for look in looking.looks(self.rooms, now)
            if look.name in self.moods
        ]

    async def hour(self) -> None:
        """One hour of everybody's life, perhaps after days in which nobody served."""
        if self.chance(0.002):
            self.clock.forward(hours=self.random.choice([30, 100]))
            self.woke_at = self.clock()
        else:
            self.clock.forward(hours=1)
        for who in tuple(self.people):
            if self.chance(self.deeds_a_day / 24) or str(who) not in self.places:
                do_something(self, who)
        self.dies_in = self.random.randint(1, 60) if self.chance(0.01) else 0
        try:
            await self.work()
        except Killed:
            self.rooms.close()
            self.open()
            self._what_was_shown()
            await self.work()
        self.dies_in = 0
        self.compare()

    async def work(self) -> None:
        if self.service.poll_due():
            self._what_was_shown()
        self.oracle.time_comes(self.clock())
        while self.rooms.core.prepare().more:
            pass
        for name in self.boxes:
            await self.rooms.core.deliver(name, slots=1)
        held = self.rooms.store.outbox.queue([DeliveryState.HELD])
        if held and self.clock().hour == 4:
            queueing.retry(self.rooms.core.house, [line.delivery.id for line in held])

    def _what_was_shown(self) -> None:
        """What is stored by now; the last announcement of each paper is enough."""
        since = self.clock() - timedelta(days=40)
        lately = {s.arxiv_id for at, s in self.announced if since < at <= self.clock()}
        for number in sorted(lately):
            if stored := self.rooms.store.papers.get(number):
                self.oracle.shows(number, topics_of(stored), marks_of(stored))
                self.oracle.papers[number].withdrawn = stored.withdrawn

    # ---------------------------------------------------------- the promises

    def compare(self) -> None:
        now, oracle, ledger = self.clock(), self.oracle, self.rooms.store.ledger
        for box in self.boxes.values():
            self._read(box)
        self._what_was_given_up()
        for who, place in self.places.items():
            self._as_it_stands(oracle.readers[who], place)
            said = ledger.last("prepare", f"d{place}")
            oracle.nothing_is_silent(who, said and said.at, now)
            if not self._is_moody(who.partition(":")[0]) and now > self.woke_at + PATIENCE:
                oracle.nothing_is_lost(who, now, timedelta(0))

    def _read(self, box: Peer) -> None:
        whose = {place: who for who, place in self.places.items()}
        for _, papers, key in box.arrived[box.read :]:
            who = whose[int(key[1:].partition(".")[0])]
            again = (papers, key) in self.seen
            self.seen.add((papers, key))
            if not again and int(key.split(".")[2]):  # composed anew: what is new comes with it
                self.oracle.comes_anew(who, papers, self.clock())
            digest = key.rpartition(".")[0]
            self.oracle.is_shown_in(who, digest, papers, self.clock())
            for number in papers:
                self.oracle.arrived(who, number, self.clock(), repeated=again)
            self.oracle.stands_behind(who, digest)
        box.read = len(box.arrived)

    def _what_was_given_up(self) -> None:
        """Only where the way was closed of late; else what fails is lost."""
        whose = {place: who for who, place in self.places.items()}
        for line in self.rooms.store.outbox.queue([DeliveryState.FAILED]):
            who = whose.get(line.delivery.destination_id)
            if (
                who
                and self._is_moody(line.delivery.channel)
                and line.delivery.id not in self.failed
            ):
                self.failed.add(line.delivery.id)
                self.oracle.given_up(who)

    def _as_it_stands(self, reader: Reader, place: int) -> None:
        """Only a refusal pauses, and only a look at the product shows whom it met."""
        standing = self.rooms.store.people.destination(place)
        assert standing is not None
        if standing.state is DestinationState.PAUSED and reader.state == "active":
            reader.state = "paused"
            self.oracle.silenced(reader, self.clock())
        assert standing.state.value == reader.state
        assert reader.state == "off" or standing.next_due_at == reader.due_at

    def _is_moody(self, channel: str) -> bool:
        now, spans = self.clock(), self.moods[channel]
        return any(begin <= now < end + PATIENCE for begin, end, _ in spans)


async def live(folder: Path, seed: int, *, days: int, readers: int, deeds_a_day: float) -> Year:
    """A year, or less of it, to its end."""
    random.seed(seed)  # how long a refused delivery waits
    with pytest.MonkeyPatch.context() as swap:
        swap.setattr("bot.app.wiring.JITTER_MINUTES", 1)
        year = Year(folder, seed, days=days, readers=readers, deeds_a_day=deeds_a_day)
        swap.setattr("bot.app.service.clockwork.looks", year.looks)
        while not year.is_over:
            await year.hour()
        year.rooms.close()
    return year
