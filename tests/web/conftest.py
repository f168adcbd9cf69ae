"""One small library for all pages: nothing in these tests writes to it."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from bot import web
from bot.core import Core
from tests.web import invented
from tests.web.opened import fill, open_core, serving


@pytest.fixture(scope="session")
def library(tmp_path_factory) -> Iterator[Core]:
    core = open_core(tmp_path_factory.mktemp("web") / "paperround.db", lambda: invented.NOW)
    fill(core, invented.TOPICS, invented.papers())
    yield core
    core.house.store.close()


@pytest.fixture
def page(library) -> TestClient:
    app = web.create(library, follow_by_mail="/join")
    return TestClient(app, raise_server_exceptions=True, follow_redirects=False)


@pytest.fixture(scope="session")
def site(library) -> Iterator[str]:
    """The pages on a real port, for real browsers."""
    with serving(web.create(library, follow_by_mail="/join")) as address:
        yield address
