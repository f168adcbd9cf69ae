"""One reader, or nobody yet."""

from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from bot import web
from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.core import Core
from bot.core.reply import Actor
from bot.links import Links
from bot.model import DestinationState
from bot.web import people
from tests.databases import copy_into
from tests.web import invented
from tests.web.opened import open_core
from tests.web.people.reader import ADA, WEB, Desk, some_weeks


@pytest.fixture
def empty(tmp_path, clock) -> Desk:
    clock.set(invented.NOW)
    core = open_core(None, clock)
    copy_into(core.house.store, some_weeks())
    mail = Email(Folder(tmp_path / "mail"), "Digest <digest@d.example>", bounce_key=b"invented")
    house = replace(
        core.house,
        channels={"email": mail},
        links=Links(WEB, b"k" * 32),
    )
    core = Core(house)
    app = web.create(core, routes=people.routes(core), follow_by_mail="/join")
    yield Desk(core, TestClient(app, raise_server_exceptions=True, follow_redirects=False), clock)
    core.house.store.close()


@pytest.fixture
def desk(empty) -> Desk:
    operator = Actor(ADA, zone="Europe/Berlin", operator=True)
    empty.core.execute(operator, "email ada@example.org")
    empty.core.execute(operator, "follow RL for LLM Agents")
    empty.core.execute(operator, "follow KV-Cache Compression")
    assert empty.destination.state is DestinationState.ACTIVE
    return empty
