"""A reader with a weekly digest by mail, and the pages they reach."""

import re
from dataclasses import dataclass
from functools import cache
from html import unescape

from starlette.testclient import TestClient

from bot.core import Actor, Core
from bot.model import Destination, Follow, Identity, Paper
from bot.store.sqlite import SqliteStore
from tests.fakes import FrozenClock
from tests.web import invented
from tests.web.opened import fill, open_core

ADA = Identity("email", "", "ada@example.org")
WEB = "https://digest.example.org"


@dataclass
class Desk:
    """One reader with a weekly digest by mail, and the pages they reach."""

    core: Core
    client: TestClient
    clock: FrozenClock

    @property
    def destination(self) -> Destination:
        return self.destinations[0]

    @property
    def destinations(self) -> list[Destination]:
        return self.store.people.destinations(self.subscriber)

    @property
    def subscriber(self) -> int:
        return self.store.people.find(ADA) or 0

    @property
    def store(self):
        return self.core.house.store

    @property
    def follows(self) -> dict[str, Follow]:
        return {f.topic.slug: f for f in self.store.people.follows(self.subscriber)}

    def link(self, purpose: str, command: str = "") -> str:
        d = self.destination
        return f"/l/{self.core.house.links.token(purpose, d.id, d.epoch, command)}"

    def press(self, page: str, label: str) -> str:
        """Press the button of that label on a page; the next page."""
        found = re.search(
            rf'action="([^"]+)">(?:<input type="hidden" name="do" value="([^"]*)">)?'
            rf"<button[^>]*>{re.escape(label)}<",
            page,
        )
        assert found, f"no button “{label}” in {page}"
        fields = {"do": unescape(found[2])} if found[2] else None
        answer = self.client.post(found[1], data=fields)
        assert answer.status_code == 200
        return answer.text

    def everything(self) -> object:
        return self.core.export(ADA), self.store.people.destinations(self.subscriber)


@cache
def some_weeks() -> SqliteStore:
    core = open_core(None, lambda: invented.NOW)
    fill(core, invented.TOPICS, list(invented.papers())[:60])
    return core.house.store


def text(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page.partition("<main")[2].partition("</main>")[0]))


def save_all(desk) -> list[Paper]:
    """Everything that is stored, saved one a minute; the latest saved first."""
    papers = desk.store.papers.some(range(1, 1001))
    for paper in papers:
        desk.clock.forward(minutes=1)
        desk.core.execute(Actor(ADA), f"save {paper.arxiv_id}")
    return papers[::-1]
