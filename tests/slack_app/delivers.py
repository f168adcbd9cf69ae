"""A process that sends what waits for Slack, to be killed while it does.

``python -m tests.slack_app.delivers DATABASE SERVER_URL NOW``
"""

import asyncio
import sys
from datetime import datetime
from pathlib import Path

from bot.store.sqlite import SqliteStore
from tests.fakes import FrozenClock
from tests.slack_app.conftest import make_core


async def main(path: str, url: str, now: str) -> None:
    store = SqliteStore(Path(path))
    core = make_core(store, FrozenClock(datetime.fromisoformat(now)), url)
    core.recover()
    await core.deliver("slack", slots=1)
    store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
