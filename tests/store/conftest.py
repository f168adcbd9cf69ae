"""Every engine there is, as one fixture: a new one is put under all of these tests by a line."""

from collections.abc import Callable, Iterator
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


def effort(store: SqliteStore, work: Callable[[], object]) -> int:
    """How many steps SQLite takes for some work done before: the same on every machine."""
    work()
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    with store.engine.connection() as db:
        db.conn.set_progress_handler(step, 1)
        work()
        db.conn.set_progress_handler(None, 0)
    return steps
