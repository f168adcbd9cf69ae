"""A whole installation in a folder of its own, with few topics and a source by hand."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.app import backups
from bot.app.backups import restoring
from bot.app.wiring import Rooms, build
from bot.channels import ChannelError, Fault
from bot.config import Config, Mail, Operator
from bot.core import Actor
from bot.core.events import Witness, unheard
from bot.core.pipeline.papers.catalogue import Listed
from bot.model import Completeness, Identity, Paper, Sighting
from bot.sources import Page, SourceError, SourceFault
from tests.fakes import FrozenClock
from tests.makers import paper

ADA = Identity("email", "", "ada@example.org")
TOPICS = [
    Listed("world-models", "World Models", "Models of what happens next.", "ml"),
    Listed("kv-cache-compression", "KV-Cache Compression", "Smaller caches.", "ml"),
]


class ByHand:
    """A source that shows what a test announces, or fails as it is told."""

    def __init__(self, name: str = "arxiv") -> None:
        self.name = name
        self.waiting: list[Sighting] = []
        self.trouble: SourceError | None = None
        self.completeness = Completeness.WHOLE

    def announce(self, *papers: Paper) -> None:
        self.waiting += [Sighting(each) for each in papers]

    def fail(self, fault: SourceFault = SourceFault.TRANSIENT, said: str = "down") -> None:
        self.trouble = SourceError(said, fault)

    def pages(self, watermark: str | None) -> Iterator[Page]:
        if self.trouble:
            trouble, self.trouble = self.trouble, None
            raise trouble
        shown, self.waiting = self.waiting, []
        yield Page(tuple(shown), watermark=str(len(shown)), completeness=self.completeness)


class Mailbox:
    """A transport that keeps what it is handed, or refuses as it is told."""

    def __init__(self) -> None:
        self.arrived: list[tuple[str, bytes]] = []
        self.refusals: list[ChannelError] = []
        self.closed_for: ChannelError | None = None

    async def carry(self, name: str, sender: str, recipient: str, raw: bytes) -> str:
        if self.closed_for:
            raise self.closed_for
        if self.refusals:
            raise self.refusals.pop(0)
        self.arrived.append((recipient, raw))
        return f"250 {len(self.arrived)}"

    async def close(self) -> None:
        """Nothing is held open."""

    def to(self, recipient: str) -> list[bytes]:
        return [raw for who, raw in self.arrived if who == recipient]


def settings(data: Path, **more: Any) -> Config:
    fields: dict[str, Any] = {
        "mail": Mail(password=SecretStr("a-very-secret-password")),
        "operator": Operator(),
        **more,
    }
    return Config(data=data, **fields)


def open_rooms(
    data: Path, clock: FrozenClock, witness: Witness = unheard, **more: Any
) -> tuple[Rooms, Mailbox]:
    """An installation whose mail goes to a mailbox in memory."""
    rooms = build(settings(data, **more), clock, topics=TOPICS, witness=witness)
    mailbox = Mailbox()
    rooms.core.house.channels["email"]._transport = mailbox  # type: ignore[attr-defined]
    return rooms, mailbox


def follow(rooms: Rooms, who: Identity = ADA, what: str = "world models") -> None:
    reply = rooms.core.execute(Actor(who, operator=True), f"follow {what}")
    assert reply.ok, reply.lines


def a_paper_came(rooms: Rooms, arxiv: ByHand, clock: FrozenClock, *, days: int) -> None:
    """Ada follows, a paper comes, and so many days pass."""
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=days)


def told(rooms: Rooms, who: Identity, command: str) -> None:
    reply = rooms.core.execute(Actor(who, operator=True), command)
    assert reply.ok, reply.lines


def about(number: int, now: datetime, words: str = "World models", **more: Any) -> Paper:
    at = now - timedelta(hours=12)
    return paper(
        f"{at:%y%m}.{number:05d}",
        f"{words}, part {number}",
        abstract=f"We study {words}: what a model of the world foresees. Part {number}.",
        **{"submitted_at": at, "updated_at": at, **more},
    )


async def send(rooms: Rooms) -> int:
    """Prepare and deliver all that is due."""
    while rooms.core.prepare().more:
        pass
    return sum([await rooms.core.deliver(name) for name in rooms.core.house.channels])


def refused(said: str = "550 unknown", fault: Fault = Fault.ADDRESS, **more: Any) -> ChannelError:
    return ChannelError(said, fault, reported="550", **more)


def back_up(rooms: Rooms) -> backups.Backup:
    return backups.make(rooms.store, rooms.config.data, rooms.core.house.clock())


def put_back(rooms: Rooms, path: Path, **more: Any) -> restoring.Restored:
    """Restore with the installation closed, as an operator would."""
    rooms.close()
    return restoring.restore(path, rooms.config.data, rooms.core.house.clock(), **more)


def reopen(rooms: Rooms, clock: FrozenClock) -> tuple[Rooms, Mailbox]:
    return open_rooms(rooms.config.data, clock)


def fail(trouble: Exception) -> None:
    raise trouble
