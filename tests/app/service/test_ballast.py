"""A full disk: reading stops first, and whoever leaves is heard."""

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from bot.app.service.ballast import LOW, SCANT, SIZE, Ballast
from bot.app.service.clockwork import Service
from bot.core import Actor
from bot.model import DeliveryState, DestinationState
from bot.store import StoreFull
from tests.app.house import ADA, ByHand, a_paper_came, about, follow, open_rooms, send

MB = 1 << 20


def test_the_room_is_kept_and_given_up(tmp_path):
    ballast = Ballast(tmp_path, size=4 * MB, low=8 * MB, free=lambda _: 100 * MB)
    ballast.keep()
    assert ballast.path.stat().st_blocks * 512 >= 4 * MB

    ballast.drop()
    ballast.drop()
    assert not ballast.path.exists()


def test_it_does_not_make_a_narrow_disk_narrower(tmp_path):
    ballast = Ballast(tmp_path, size=4 * MB, low=8 * MB, free=lambda _: 15 * MB)
    ballast.keep()

    assert not ballast.path.exists()


def test_on_a_narrow_disk_nothing_is_read_and_it_is_written_down(rooms, clock):
    service = Service(rooms)
    service.ballast = Ballast(rooms.config.data, free=lambda _: 10 * MB)

    assert service.poll_due() == 0

    (last,) = rooms.store.ledger.runs("poll", "arxiv")
    assert last.outcome == "deferred"
    assert "10 MB" in last.reason


def test_a_full_disk_gives_up_the_ballast_and_the_one_who_leaves_is_heard(rooms, arxiv, clock):
    follow(rooms)
    engine = rooms.store.engine
    _fill(engine)
    dropped = []

    def make_room() -> None:
        dropped.append(True)
        engine._writer.conn.execute("PRAGMA max_page_count = 1073741823")

    engine.on_full = make_room
    arxiv.announce(*(about(n, clock(), "World models " * 500) for n in range(1, 4)))
    with pytest.raises(StoreFull, match="free some space"):
        rooms.core.ingest(arxiv)
    assert rooms.store.papers.count() == 0, "nothing was half-written"
    assert dropped

    _fill(engine)
    assert rooms.core.execute(Actor(ADA), "digest off").ok
    (there,) = rooms.store.people.destinations(rooms.store.people.find(ADA))
    assert there.state is DestinationState.OFF


async def test_a_mail_that_was_taken_on_a_full_disk_is_written_down_and_not_sent_twice(
    rooms, arxiv, clock, monkeypatch
):
    a_paper_came(rooms, arxiv, clock, days=7)
    accepted, full = rooms.store.outbox.accepted, [True]
    dropped = []
    rooms.store.engine.on_full = lambda: dropped.append(full.pop())

    def written(*arguments) -> None:
        if full:
            raise StoreFull("the disk is full")
        accepted(*arguments)

    monkeypatch.setattr(rooms.store.outbox, "accepted", written)
    assert await send(rooms) == 1
    assert dropped

    clock.forward(hours=1)
    assert await send(rooms) == 0
    (line,) = rooms.store.outbox.queue(list(DeliveryState))
    assert line.delivery.state is DeliveryState.SENT


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 20 MB; only root may make one."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(path)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def test_on_a_disk_that_is_really_full_whoever_leaves_is_heard(small_disk, clock):
    rooms, _ = open_rooms(small_disk / "data", clock)
    service = Service(rooms)
    service.ballast = Ballast(rooms.config.data, size=8 * MB, low=MB)
    service.ballast.keep()
    follow(rooms)
    _fill_up(rooms.config.data)
    source = ByHand()
    source.announce(*(about(n, clock(), "World models " * 300) for n in range(1, 300)))

    with pytest.raises(StoreFull):
        rooms.core.ingest(source)
    assert not service.ballast.path.exists()
    for command in ("digest off", "digest on", "unfollow world models"):
        assert rooms.core.execute(Actor(ADA), command).ok
    assert rooms.store.engine.problems() == []
    assert rooms.store.papers.count() % 100 == 0, "no batch was half-written"
    rooms.close()


def test_on_a_disk_that_is_really_full_a_service_starts_with_the_room_that_was_kept(
    small_disk, clock
):
    rooms, _ = open_rooms(small_disk / "data", clock)
    follow(rooms)
    rooms.close()
    ballast = Ballast(rooms.config.data, size=SCANT, low=0)
    ballast.keep()
    _fill_up(rooms.config.data)

    with pytest.raises(StoreFull, match="free some space"):
        open_rooms(rooms.config.data, clock)
    ballast.give_way()
    rooms, _ = open_rooms(rooms.config.data, clock)
    assert rooms.core.execute(Actor(ADA), "unfollow world models").ok
    rooms.close()


def test_the_room_is_not_given_up_at_a_start_while_there_is_some(tmp_path):
    ballast = Ballast(tmp_path, size=MB, low=0, free=lambda _: SCANT)
    ballast.give_way()  # there is none yet
    ballast.keep()
    ballast.give_way()

    assert ballast.path.exists()


def _fill_up(folder: Path) -> None:
    """To the last byte."""
    with (folder / "filling").open("wb", buffering=0) as filling, suppress(OSError):
        while True:
            filling.write(b"x" * 4096)


def _fill(engine) -> None:
    """As if the disk had no page left."""
    pages = engine._writer.conn.execute("PRAGMA page_count").fetchone()[0]
    engine._writer.conn.execute(f"PRAGMA max_page_count = {pages}")


def test_a_disk_at_the_limit_is_low_until_there_is_clearly_more(tmp_path):
    free = [LOW + 1]
    ballast = Ballast(tmp_path, free=lambda _: free[0])
    assert not ballast.is_low()

    for left, low in ((LOW - 1, True), (LOW + 1, True), (LOW + SIZE, False), (LOW + 1, False)):
        free[0] = left
        assert ballast.is_low() is low
