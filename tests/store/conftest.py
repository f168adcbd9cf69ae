"""Every engine there is, as one fixture: a new one is put under all of these tests by a line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import Store
from bot.store.sqlite import SqliteStore

ENGINES = {
    "sqlite-memory": lambda folder: SqliteStore(),
    "sqlite-file": lambda folder: SqliteStore(folder / "paperround.db"),
}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = ENGINES[request.param](tmp_path)
    yield opened
    opened.close()
