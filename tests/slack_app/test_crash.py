"""kill -9 between Slack's acceptance and our commit: nothing is lost, and hardly anything twice."""

import asyncio
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.core.reply import Actor
from bot.model import Identity
from bot.store.sqlite import SqliteStore
from tests.slack_app.conftest import NOW, ByHand, make_core, some_papers, words

pytestmark = pytest.mark.slow

ADA = Actor(Identity("slack", "T1", "U1"), zone="Europe/Berlin")
MONDAY = NOW.replace(day=7, month=12, hour=8, minute=1)


def fill(path: Path, server, clock, conversations: int) -> None:
    """Two pages wait to be sent to each of so many conversations."""
    store = SqliteStore(path)
    core, source = make_core(store, clock, server.url), ByHand()
    for n in range(1, conversations + 1):
        core.execute(ADA, f"follow rl for llm agents in <#C{n}>")
    source.waiting = some_papers(12)
    core.ingest(source)
    clock.set(MONDAY)
    core.prepare()
    store.close()


@pytest.fixture
def waiting(tmp_path, server, clock) -> Path:
    """A database in which two pages wait to be sent to a conversation."""
    path = tmp_path / "paperround.db"
    fill(path, server, clock, 1)
    return path


async def deliver(path: Path, server, now, *, die_at: int = 0) -> int:
    """Send what waits in a process of its own, killed when it posts its `die_at`-th page."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.slack_app.delivers", str(path), server.url, now.isoformat()
    )
    posts = len(server.messages)

    async def accepted(method: str) -> None:
        if method == "chat.postMessage" and len(server.messages) - posts == die_at:
            process.kill()
            await process.wait()

    server.accepted = accepted if die_at else None
    return await asyncio.wait_for(process.wait(), 60)


@pytest.mark.parametrize("page", [1, 2])
async def test_a_page_whose_post_outlived_us_is_found_and_not_sent_again(
    waiting, server, clock, page
):
    assert await deliver(waiting, server, clock(), die_at=page) != 0
    assert len(server.messages) == page
    clock.forward(hours=1)
    assert await deliver(waiting, server, clock()) == 0

    first, second = server.messages
    assert second["thread_ts"] == first["ts"]
    assert "12 new papers" in words(first)
    assert "Papers 6–12 of 12" in words(second)


async def test_where_history_cannot_be_read_only_that_page_is_sent_once_more(
    waiting, server, clock
):
    server.unreadable.add("C1")
    await deliver(waiting, server, clock(), die_at=2)
    clock.forward(hours=1)
    await deliver(waiting, server, clock())

    keys = [m["metadata"]["event_payload"]["key"][-2:] for m in server.messages]
    assert keys == [".0", ".1", ".1"]


async def test_an_outcome_nobody_knows_is_shown_until_it_is_known(waiting, server, clock):
    from tests.slack_server import LOSE

    server.script("chat.postMessage", LOSE)
    store = SqliteStore(waiting)
    await make_core(store, clock, server.url).deliver("slack")
    (line,) = store.outbox.waiting(clock())
    store.close()

    assert "may have arrived" in line.error


def silence(path: Path, server, clock, conversation: str) -> None:
    """Its topic is followed there no more, and that has been answered."""
    store = SqliteStore(path)
    core = make_core(store, clock, server.url)
    assert core.execute(ADA, f"unfollow rl for llm agents in <#{conversation}>").ok
    store.close()


async def test_killed_again_and_again_each_page_comes_once_and_silence_is_kept(
    tmp_path, server, clock
):
    dice, path, quiet = random.Random(11), tmp_path / "paperround.db", {}
    fill(path, server, clock, 15)
    for n in (15, 8, 3, 12, 5):
        await deliver(path, server, clock(), die_at=dice.randint(1, 5))
        silence(path, server, clock, f"C{n}")
        quiet[f"C{n}"] = len(server.messages)
        clock.forward(minutes=90)
    for _ in range(2):
        assert await deliver(path, server, clock()) == 0
        clock.forward(hours=5)

    came = Counter(m["metadata"]["event_payload"]["key"] for m in server.messages)
    pages = Counter(m["channel"] for m in server.messages)
    assert set(came.values()) == {1}
    assert {pages[f"C{n}"] for n in range(1, 16) if f"C{n}" not in quiet} == {2}
    late = [
        m["channel"]
        for at, m in enumerate(server.messages)
        if at >= quiet.get(m["channel"], at + 1)
    ]
    assert late == []
