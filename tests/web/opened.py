"""A whole Paperround with a web door, over invented or real papers, and a server for it."""

import re
import socket
import threading
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from bot.core import Core
from bot.core.pipeline.papers.catalogue import Listed
from bot.model import Clock, Paper, Sighting
from bot.sources import Page
from bot.store.sqlite import SqliteStore
from tests.houses import core_over

CONFIG = Path(__file__).parents[2] / "config"


def open_core(path: Path | None, clock: Clock) -> Core:
    """A core over a database file, without sources or channels."""
    return core_over(SqliteStore(path), clock)


def catalogue() -> list[Listed]:
    """The topics in config/topics."""
    listed = []
    for path in sorted((CONFIG / "topics").glob("*.toml")):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        listed += [
            Listed(
                t["slug"], t["name"], t.get("description", ""), file["field"], t.get("query", ""),
                tuple(t.get("aliases", ())),
            )
            for t in file["topic"]
        ]  # fmt: skip
    return listed


class Days:
    """A source of papers by the day of their submission."""

    name = "days"

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._by_day: dict[date, list[Paper]] = {}
        for paper in papers:
            self._by_day.setdefault(paper.submitted_at.date(), []).append(paper)

    def days(self) -> list[date]:
        first, last = min(self._by_day), max(self._by_day)
        return [first + timedelta(days=n) for n in range((last - first).days + 1)]

    def slice(self, day: date) -> Iterator[Page]:
        found = [Sighting(paper) for paper in self._by_day.get(day, ())]
        for start in range(0, len(found), 500):
            yield Page(tuple(found[start : start + 500]))


def fill(core: Core, topics: Sequence[Listed], papers: Iterable[Paper]) -> None:
    """Learn the topics and read every day of the papers' past."""
    core.learn_catalogue(list(topics))
    source = Days(papers)
    for day in source.days():
        core.backfill(source, day)
    while core.rematch():
        pass


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """The app on a port of loopback, in a thread; its address."""
    # Named TCP, else asyncio leaves Nagle on and every answer waits 40 ms for an ACK.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def text(html: str) -> str:
    """The words of a page, one space between them."""
    plain = re.sub(r"<[^>]+>", " ", html)
    return " ".join(plain.replace("&nbsp;", " ").replace("\u00a0", " ").split())
