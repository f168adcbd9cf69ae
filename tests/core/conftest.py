"""A small world: one core, three topics about the coast, and an inbox for everyone."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.channels import ChannelError, Fault
from bot.core import Core, Ingested, Reply
from bot.core.reply import text_of
from bot.model import Announced, DeliveryState, Identity, Paper, Part, Sighting
from bot.store.sqlite import SqliteStore
from tests.fakes import ArxivByHand, FrozenClock, Inbox
from tests.houses import ADA, house, say
from tests.makers import paper

TUESDAY = datetime(2026, 11, 24, 7, 0, tzinfo=UTC)
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
"""When the first digest is due."""
NEXT_MONDAY = MONDAY + timedelta(days=7)

BEA = Identity("email", "", "bea@example.org")


class FirstPages(Inbox):
    """Takes first pages only, until it `is_open`."""

    is_open = False

    async def send(self, part: Part) -> str:
        if part.page and not self.is_open:
            raise ChannelError("too many requests", Fault.RETRY)
        return await super().send(part)


class World:
    """Everything a test touches, in words."""

    def __init__(self, clock: FrozenClock, store: SqliteStore | None = None, **wishes: Any) -> None:
        self.clock = clock
        self.inboxes = {name: Inbox(name) for name in ("console", "email", "slack")}
        self.core: Core = house(clock, store=store, channels=tuple(self.inboxes.values()), **wishes)
        self.store = self.core.house.store
        self.arxiv = ArxivByHand()
        self.count = 0

    def say(self, text: str, who: Identity = ADA, **more: Any) -> Reply:
        return say(self.core, text, who, **more)

    def asks(self, text: str, who: Identity = ADA, **more: Any) -> str:
        """What somebody types; what they read."""
        return said(self.say(text, who, **more))

    def press(self, reply: Reply, label: str, who: Identity = ADA) -> Reply:
        """A button of a reply."""
        return self.say(next(b.command for b in reply.buttons if b.label == label), who)

    def announce(
        self, *titles: str | Paper, kind: Announced | None = Announced.NEW, **more: Any
    ) -> list[str]:
        """arXiv lists papers, and they are read; their identifiers."""
        papers = [each if isinstance(each, Paper) else self.paper(each, **more) for each in titles]
        self.arxiv.announce(*papers, kind=kind)
        self.ingest()
        return [each.arxiv_id for each in papers]

    def paper(self, title: str, **more: Any) -> Paper:
        self.count += 1
        at = more.pop("submitted_at", self.clock())
        return paper(f"2611.{self.count:05d}", title, submitted_at=at, updated_at=at, **more)

    def ingest(self) -> Ingested:
        return self.core.ingest(self.arxiv)

    def backfill(self, *papers: Paper) -> None:
        """The past is read; nobody is to be told."""
        past = ArxivByHand()
        past.sightings = [Sighting(each) for each in papers]
        for day in sorted({each.submitted_at.date() for each in papers}):
            self.core.backfill(past, day)

    def prepare(self, now: datetime | None = None) -> None:
        if now:
            self.clock.set(now)
        while self.core.prepare().more:
            pass

    def deliver(self) -> None:
        for channel in self.inboxes:
            asyncio.run(self.core.deliver(channel))

    def morning(self, now: datetime = MONDAY) -> None:
        """Digests that are due are composed and sent."""
        self.prepare(now)
        self.deliver()

    def got(self, who: Identity = ADA) -> list[str]:
        """Every paper that arrived at somebody, in order."""
        return [
            arxiv_id
            for address, papers, _ in self.inboxes[who.kind].arrived
            if address == who.external_id
            for arxiv_id in papers
        ]

    def states(self) -> list[str]:
        return [str(each.delivery.state) for each in self.store.outbox.queue(list(DeliveryState))]

    def digest(self, who: Identity = ADA) -> Any:
        return self.core.preview(who)


def said(reply: Reply) -> str:
    """What a person reads, line by line."""
    return "\n".join(text_of(line, reply.zone) for line in reply.lines)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(TUESDAY)


@pytest.fixture
def world(clock: FrozenClock) -> Iterator[World]:
    made = World(clock)
    yield made
    made.store.close()


@pytest.fixture
def half(world: World) -> FirstPages:
    """The console's inbox, which takes no second page until it is opened."""
    made = FirstPages("console")
    world.inboxes["console"] = world.core.house.channels["console"] = made  # type: ignore[index]
    return made
