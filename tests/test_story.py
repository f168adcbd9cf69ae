"""Ten announcement days, three readers in three zones, and a service that is killed meanwhile."""

import asyncio
import email
import email.message
import email.policy
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app.service.clockwork import deliver_all
from bot.app.wiring import Rooms, build
from bot.config import Arxiv, Config, Web
from bot.core import Actor
from bot.model import Identity
from tests.arxiv_server import ArxivServer, Printed
from tests.channels.smtp_server import SmtpServer
from tests.fakes import FrozenClock

MONDAY = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
SUBJECTS = {
    "KV-Cache Compression": "Evicting the KV cache with less regret, part {}",
    "Machine Unlearning": "Machine unlearning of what was never learned, part {}",
    "Sign Language": "Sign language translation for the impatient, part {}",
}
READERS = {  # zone, when, what is followed
    "ada@example.org": ("Europe/Berlin", "weekly mon 09:00", ["KV-Cache Compression"]),
    "bo@example.org": ("America/New_York", "daily 08:00", ["Machine Unlearning", "Sign Language"]),
    "chi@example.org": ("Asia/Tokyo", "weekdays 07:30", list(SUBJECTS)),
}


def printed_on(day: int) -> list[Printed]:
    """What arXiv announces on one of the ten days: a paper of each subject, and one of two."""
    at = MONDAY + timedelta(days=day) - timedelta(hours=20)
    titles = [title.format(day) for title in SUBJECTS.values()]
    titles.append(f"{titles[0]}, after machine unlearning")
    return [
        Printed(f"2611.{day:02}{n:03}", at, title=title, abstract=f"{title}. Invented.")
        for n, title in enumerate(titles)
    ]


@pytest.fixture
def arxiv() -> Iterator[ArxivServer]:
    with ArxivServer([]) as server:
        yield server


def open_rooms(folder: Path, arxiv: ArxivServer, clock: FrozenClock) -> Rooms:
    settings = Config(
        data=folder,
        arxiv=Arxiv(api_url=arxiv.api_url, delay_s=0, categories=("cs.LG",)),
        web=Web(address="https://papers.example.org"),
    )
    return build(settings, clock)


def enrol(rooms: Rooms) -> None:
    for address, (zone, cadence, topics) in READERS.items():
        actor = Actor(Identity("email", "", address), operator=True)
        for topic in topics:
            assert rooms.core.execute(actor, f"follow {topic}").ok
        assert rooms.core.execute(actor, f"digest {cadence} tz {zone}").ok


def mails(folder: Path) -> list[email.message.EmailMessage]:
    return [
        email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        for path in sorted((folder / "mail").glob("*.eml"))
    ]


def told(folder: Path) -> Counter[tuple[str, str]]:
    """How often each address was told of each paper."""
    return Counter(
        (str(mail["To"]), number)
        for mail in mails(folder)
        for number in set(re.findall(r"arxiv\.org/abs/(2611\.\d{5})", text_of(mail)))
    )


def text_of(mail: email.message.EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


async def test_every_matching_paper_arrives_once_whatever_the_zone(tmp_path, arxiv) -> None:
    clock = FrozenClock(MONDAY)
    rooms = open_rooms(tmp_path, arxiv, clock)
    enrol(rooms)
    rooms.core.ingest(rooms.reach().polling())  # what was there before anybody asked is the past
    for day in range(10):
        arxiv.papers += printed_on(day)
        assert rooms.core.ingest(rooms.reach().polling()).fault is None
        for _ in range(8):
            rooms.core.prepare()
            await deliver_all(rooms)
            clock.forward(hours=3)
    for _ in range(8):  # until every reader's day has come once more
        rooms.core.prepare()
        await deliver_all(rooms)
        clock.forward(days=1)

    wanted = {
        (address, paper.arxiv_id)
        for address, (_, _, topics) in READERS.items()
        for paper in arxiv.papers
        if any(is_about(paper, topic) for topic in topics)
    }
    assert told(tmp_path) == Counter(dict.fromkeys(wanted, 1))
    sent = len(mails(tmp_path))
    rooms.core.ingest(rooms.reach().polling())
    rooms.core.prepare()
    await deliver_all(rooms)
    assert len(mails(tmp_path)) == sent
    rooms.close()


def is_about(paper: Printed, topic: str) -> bool:
    return SUBJECTS[topic].split(",")[0].casefold() in paper.title.casefold() or (
        topic == "Machine Unlearning" and "machine unlearning" in paper.title.casefold()
    )


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Services that a test started; none outlives it."""
    services: list[subprocess.Popen[bytes]] = []
    yield services
    for each in services:
        each.kill()
        each.wait()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, 3])
async def test_a_service_killed_at_the_worst_moments_loses_nothing(
    tmp_path, arxiv, running, kills
) -> None:
    """kill -9 while arXiv answers, and some times between a mail's acceptance and its commit."""
    rooms = open_rooms(tmp_path, arxiv, FrozenClock(MONDAY))
    enrol(rooms)
    rooms.core.ingest(rooms.reach().polling())
    rooms.close()
    arxiv.papers += [paper for day in range(3) for paper in printed_on(day)]

    def kill_in_mid_poll(request: int) -> None:
        if len(running) == 1:
            running[-1].kill()

    def kill_after_acceptance(mail: int) -> None:
        if mail < kills:
            running[-1].kill()

    arxiv.before = kill_in_mid_poll
    async with SmtpServer({"DOT": kill_after_acceptance}) as smtp:
        while len(ids_of(smtp.bodies)) < len(READERS):
            assert len(running) < 8, "the service never got through"
            running.append(start(tmp_path, arxiv, smtp, MONDAY + timedelta(days=7)))
            await ended_or(running[-1], lambda: len(ids_of(smtp.bodies)) == len(READERS))
        running[-1].kill()
        bodies = list(smtp.bodies)

    repeats = len(bodies) - len(ids_of(bodies))
    assert repeats <= kills  # one for each kill in the window
    assert len(set(bodies)) == len(READERS)  # a repeat is the same mail, byte for byte


def ids_of(bodies: list[bytes]) -> set[bytes]:
    return {found[1] for body in bodies if (found := re.search(rb"Message-ID: <([^>]+)>", body))}


async def ended_or(service: subprocess.Popen[bytes], done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 90
    while service.poll() is None and not done():
        assert time.monotonic() < deadline, "the service does nothing"
        await asyncio.sleep(0.05)


def start(
    folder: Path, arxiv: ArxivServer, smtp: SmtpServer, now: datetime
) -> subprocess.Popen[bytes]:
    settings = {
        "PAPERROUND_DATA": str(folder),
        "PAPERROUND_ARXIV__API_URL": arxiv.api_url,
        "PAPERROUND_ARXIV__RSS_URL": arxiv.url + "/rss",
        "PAPERROUND_ARXIV__OAI_URL": arxiv.url + "/oai",
        "PAPERROUND_ARXIV__CATEGORIES": "cs.LG",
        "PAPERROUND_ARXIV__DELAY_S": "0",
        "PAPERROUND_MAIL__HOST": "127.0.0.1",
        "PAPERROUND_MAIL__PORT": str(smtp.port),
        "PAPERROUND_MAIL__TLS": "none",
        "PAPERROUND_MAIL__CONNECTIONS": "1",
        "PAPERROUND_WEB__PORT": "0",
        "PAPERROUND_WEB__ADDRESS": "https://papers.example.org",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "--now", now.isoformat(), "run"],
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
