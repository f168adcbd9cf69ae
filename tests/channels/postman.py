"""A whole Paperround that sends mail, to be killed: `python -m tests.channels.postman DB PORT`."""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bot.channels.email import Email
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp
from bot.core import Core
from bot.core.pipeline.papers.catalogue import Listed
from bot.core.reply import Actor
from bot.links import Links
from bot.model import Clock, Identity, Paper, Sighting, utc_now
from bot.sources import Page
from tests.channels import days
from tests.web.opened import open_core

WEB = "https://digest.example.org"
SLOTS = 8


def open_post_office(
    path: Path | None, port: int, clock: Clock = utc_now, patience: float = 60
) -> Core:
    """A core over a database file that hands its mail to a server on loopback."""
    core = open_core(path, clock)
    transport = Smtp(
        "127.0.0.1", port, tls="none", connections=4, pace=Pace(0, 0),
        timeout=patience, data_timeout=patience,
    )  # fmt: skip
    email = Email(transport, "Digest <digest@digest.example.org>", bounce_key=b"an invented key")
    links = Links(WEB, b"an invented key of enough bytes")
    return Core(replace(core.house, channels={"email": email}, links=links))


class Announced:
    """A source that shows some papers once."""

    name = "announced"

    def __init__(self, papers: list[Paper], mark: str) -> None:
        self._papers, self._mark = papers, mark

    def pages(self, watermark: str | None) -> Iterator[Page]:
        if watermark != self._mark:
            yield Page(tuple(Sighting(paper) for paper in self._papers), self._mark)


def fill_outbox(core: Core, readers: int, papers: int = 3, also: tuple[str, ...] = ()) -> None:
    """Let so many readers follow a topic, and prepare a digest of its papers for each."""
    enrol(core, readers, also)
    announce(core, papers)
    make_due(core)
    while core.prepare(500).more:
        pass


def enrol(core: Core, readers: int, also: tuple[str, ...] = ()) -> None:
    """So many readers, confirmed, who follow one topic; others at these addresses, too."""
    topic = Listed("agents", "Language Agents", "", "agents", '"language agents"')
    core.learn_catalogue([topic])
    while core.rematch():
        pass
    with core.house.store.write():
        for address in (*(f"reader{n}@example.org" for n in range(readers)), *also):
            actor = Actor(Identity("email", "", address), operator=True)
            core.execute(actor, f"email {address}")
            core.execute(actor, "follow Language Agents")


def announce(core: Core, papers: int = 3) -> None:
    """New papers of that topic appear."""
    now, known = core.house.clock(), core.house.store.papers.count()
    recent = [
        replace(days.invented(known + n), submitted_at=now, updated_at=now) for n in range(papers)
    ]
    core.ingest(Announced(recent, str(known)))


def make_due(core: Core) -> None:
    """Every destination is due now."""
    people = core.house.store.people
    with core.house.store.write():
        for subscriber in people.everyone():
            for destination in people.destinations(subscriber):
                people.schedule(destination.id, core.house.clock())


async def work(core: Core) -> None:
    """Send until nothing is left."""
    core.recover()
    while await core.deliver("email", slots=SLOTS):
        pass
    await core.house.channels["email"].close()  # type: ignore[attr-defined]


if __name__ == "__main__":
    asyncio.run(work(open_post_office(Path(sys.argv[1]), int(sys.argv[2]))))
