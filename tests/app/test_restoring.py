"""What comes back from a backup sends nothing old unasked."""

import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.app.backups import restoring
from bot.core import Actor
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState, DestinationState
from bot.store.sqlite import verify_file
from tests.app.house import (
    ADA,
    a_paper_came,
    about,
    back_up,
    fail,
    follow,
    open_rooms,
    put_back,
    reopen,
    send,
    told,
)

FRIDAY, TUESDAY = (datetime(2026, *day, 18, tzinfo=UTC) for day in ((11, 27), (12, 1)))
"""Papers of these are announced on Sunday, and on Tuesday, at 20:00 New York."""
TOP = Path(__file__).parent.parent.parent
_RESTORE = """
import os
from datetime import UTC, datetime
from pathlib import Path
from bot.app.backups import restoring
{patch}
restoring.restore(Path("{{made}}"), Path("{{into}}"), datetime(2026, 11, 25, tzinfo=UTC))
"""
KILLED = {
    "before the database": _RESTORE.format(patch="restoring._set_aside = lambda *_: os._exit(9)"),
    "between the two": _RESTORE.format(patch="restoring.finish_restore = lambda _: os._exit(9)"),
    "after both": _RESTORE.format(patch="restoring.settle = lambda _: os._exit(9)"),
}


async def test_what_was_there_is_moved_aside(rooms, arxiv, clock):
    made = back_up(rooms)
    follow(rooms)

    done = put_back(rooms, made.path)

    assert done.aside
    assert verify_file(done.aside / "paperround.db")["subscribers"] == 1
    again, _ = reopen(rooms, clock)
    assert again.store.people.find(ADA) is None
    again.close()


def test_links_in_mails_sent_before_still_work_elsewhere(rooms, tmp_path, clock):
    token = rooms.core.house.links.token("leave", 1, 0)
    made = back_up(rooms)
    elsewhere = tmp_path / "elsewhere"
    restoring.restore(made.path, elsewhere, clock())
    there, _ = open_rooms(elsewhere, clock)

    assert there.core.house.links.read(token).destination_id == 1
    there.close()


@pytest.mark.parametrize("killed", ["before the database", "between the two", "after both"])
def test_a_database_put_back_has_its_own_key_though_whoever_did_it_was_killed(
    rooms, tmp_path, clock, killed
):
    token = rooms.core.house.links.token("leave", 1, 0)
    made = back_up(rooms)
    elsewhere = tmp_path / "elsewhere"
    open_rooms(elsewhere, clock)[0].close()
    own = (elsewhere / "link.key").read_bytes()
    doing = KILLED[killed].format(made=made.path, into=elsewhere)
    ended = subprocess.run([sys.executable, "-c", doing], cwd=TOP, check=False)
    assert ended.returncode == 9

    there, _ = open_rooms(elsewhere, clock)
    if killed == "before the database":
        assert (elsewhere / "link.key").read_bytes() == own
    else:
        assert there.core.house.links.read(token).destination_id == 1
    there.close()
    restoring.clear_half_restored(elsewhere)
    assert not (elsewhere / ".restoring.new").exists()


async def test_a_digest_sent_since_the_backup_is_not_sent_again_unasked(rooms, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=5)
    made = back_up(rooms)
    clock.forward(days=2)
    arxiv.announce(about(2, FRIDAY))  # seen and told after the backup
    rooms.core.ingest(arxiv)
    assert await send(rooms) == 1
    clock.forward(hours=3)

    put_back(rooms, made.path)
    again, mailbox = reopen(rooms, clock)

    assert await send(again) == 0, "nothing before arXiv was read"
    arxiv.announce(about(2, FRIDAY))
    again.core.ingest(arxiv)
    assert await send(again) == 0
    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1, 2)
    assert "perhaps sent before" in held.delivery.error

    # What comes later comes as ever.
    clock.forward(days=7)
    arxiv.announce(about(3, clock()))
    again.core.ingest(arxiv)
    assert await send(again) == 1
    assert b"part 3" in mailbox.arrived[-1][1]
    assert b"part 2" not in mailbox.arrived[-1][1]
    again.close()


@pytest.mark.parametrize("decision", ["cancel", "retry"])
@pytest.mark.parametrize("listed", [None, date(2026, 12, 2)])
async def test_what_came_after_the_last_digest_waits_for_the_next_one(
    rooms, arxiv, clock, decision, listed
):
    """A weekly reader: on Monday a digest came, on Tuesday night a paper, on Wednesday a restore.

    Whatever is decided of what Monday's perhaps brought, Tuesday's comes next Monday.
    """
    follow(rooms)
    made = back_up(rooms)
    clock.set(datetime(2026, 12, 2, 12, tzinfo=UTC))
    put_back(rooms, made.path)
    again, mailbox = reopen(rooms, clock)
    arxiv.announce(about(1, FRIDAY), about(2, TUESDAY, announced_on=listed))
    again.core.ingest(arxiv)
    assert await send(again) == 0

    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1,)
    if decision == "cancel":
        queueing.cancel(again.core.house, [held.delivery.id], give_back=False)
    else:
        queueing.retry(again.core.house, [held.delivery.id])
    await send(again)
    clock.set(datetime(2026, 12, 7, 9, tzinfo=UTC))
    assert await send(again) == 1
    assert b"part 2" in mailbox.arrived[-1][1]
    assert b"part 1" not in mailbox.arrived[-1][1]
    again.close()


@pytest.mark.parametrize("why", ["nobody served", "put off"])
async def test_a_digest_that_came_late_since_the_backup_is_not_sent_again_unasked(
    rooms, arxiv, clock, why
):
    """Due on Monday and late in Wednesday's backup: it came after that, with Tuesday's papers."""
    follow(rooms)
    clock.set(datetime(2026, 12, 2, 2, tzinfo=UTC))
    if why == "put off":
        (place,) = rooms.store.people.destinations(rooms.store.people.find(ADA))
        rooms.store.people.schedule(place.id, clock() + timedelta(minutes=30))
    made = back_up(rooms)
    clock.forward(hours=10)
    arxiv.announce(about(1, FRIDAY), about(2, TUESDAY))
    rooms.core.ingest(arxiv)
    assert await send(rooms) == 1
    clock.forward(hours=5)

    put_back(rooms, made.path)
    again, _ = reopen(rooms, clock)
    arxiv.announce(about(1, FRIDAY), about(2, TUESDAY))
    again.core.ingest(arxiv)
    assert await send(again) == 0
    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1, 2)

    queueing.cancel(again.core.house, [held.delivery.id], give_back=False)
    clock.set(datetime(2026, 12, 7, 9, tzinfo=UTC))
    assert await send(again) == 0, "all of it was told"
    again.close()


@pytest.mark.parametrize("deed", ["digest now", "digest daily 9"])
async def test_what_came_between_two_due_dates_of_the_backup_is_held_as_well(
    rooms, arxiv, clock, deed
):
    """No schedule in the backup tells of it; the database that was replaced does."""
    follow(rooms)
    made = back_up(rooms)
    clock.forward(hours=1)
    monday_night = about(1, clock() - timedelta(days=3))
    arxiv.announce(monday_night)
    rooms.core.ingest(arxiv)
    told(rooms, ADA, deed)
    clock.forward(days=1, hours=2)
    assert await send(rooms) == 1
    clock.forward(hours=1)
    assert put_back(rooms, made.path).held.is_known

    again, mailbox = reopen(rooms, clock)
    arxiv.announce(monday_night)
    again.core.ingest(arxiv)
    clock.set(datetime(2026, 11, 29, 9, tzinfo=UTC))
    arxiv.announce(about(2, clock()))
    again.core.ingest(arxiv)
    clock.set(datetime(2026, 11, 30, 9, tzinfo=UTC))
    await send(again)

    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1,)
    (mail,) = mailbox.to(ADA.external_id)
    assert b"part 2" in mail
    assert b"part 1" not in mail
    again.close()


def test_a_replaced_database_that_cannot_be_read_is_spoken_of(rooms):
    made = back_up(rooms)
    rooms.close()
    (rooms.config.data / "paperround.db").write_bytes(b"spoilt" * 9_000)

    assert not put_back(rooms, made.path).held.is_known


async def test_asked_for_at_once_nothing_comes_that_was_perhaps_sent_since_the_backup(
    rooms, arxiv, clock
):
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    made = back_up(rooms)
    clock.forward(days=7)
    assert await send(rooms) == 1
    put_back(rooms, made.path)
    again, mailbox = reopen(rooms, clock)

    refused = again.core.execute(Actor(ADA), "digest now")
    assert not refused.ok
    assert "perhaps sent before" in str(refused.lines)
    again.core.ingest(arxiv)
    await send(again)

    assert again.core.execute(Actor(ADA), "digest now").ok, "it stands among what is held"
    assert await send(again) == 0
    assert mailbox.arrived == []
    again.close()


@pytest.mark.parametrize(
    ("in_the_backup", "since", "restored"),
    [
        pytest.param("paused", "resume", "resume", id="paused in the backup"),
        pytest.param("off", "undo", "undo", id="off in the backup, undone again"),
        pytest.param("", "", "off, undo", id="turned off and on before the first look"),
    ],
)
async def test_what_was_off_in_the_backup_and_told_since_is_not_told_again(
    rooms, arxiv, clock, in_the_backup, since, restored
):
    follow(rooms)
    told(rooms, ADA, "digest daily 9")
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    stop(rooms, in_the_backup)
    made = back_up(rooms)
    go_on(rooms, since)
    clock.forward(days=1)
    assert await send(rooms) == 1
    put_back(rooms, made.path)
    clock.forward(minutes=1)
    again, mailbox = reopen(rooms, clock)
    stop(again, "off" if "off" in restored else "")
    go_on(again, restored)
    arxiv.announce(about(2, clock()))
    again.core.ingest(arxiv)
    clock.forward(days=2)
    await send(again)

    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1,)
    (raw,) = [raw for _, raw in mailbox.arrived]
    assert b"part 2" in raw
    assert b"part 1" not in raw
    again.close()


def stop(rooms, how):
    """As a refusal pauses it, or as its reader turns it off."""
    if how == "paused":
        rooms.store.people.set_state(1, DestinationState.PAUSED, "the mailbox was full")
    elif how:
        told(rooms, ADA, "digest off")


def go_on(rooms, how):
    if "undo" in how:
        told(rooms, ADA, "resume 1")
    elif how:
        told(rooms, ADA, how)


async def test_of_many_digests_since_the_backup_the_last_one_counts(rooms, arxiv, clock):
    follow(rooms)
    told(rooms, ADA, "digest daily 9")
    made = back_up(rooms)
    clock.set(datetime(2026, 12, 2, 12, tzinfo=UTC))
    put_back(rooms, made.path)
    again, _ = reopen(rooms, clock)
    arxiv.announce(about(1, FRIDAY), about(2, TUESDAY), about(3, clock()))
    again.core.ingest(arxiv)
    await send(again)

    (held,) = again.store.outbox.queue([DeliveryState.HELD])
    assert again.store.outbox.contents(held.delivery).papers == (1, 2)
    again.close()


async def test_what_waited_in_the_backup_is_held(rooms, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=7)
    rooms.core.prepare()
    made = back_up(rooms)

    assert put_back(rooms, made.path).held.deliveries == 1
    again, _ = reopen(rooms, clock)
    assert await send(again) == 0
    again.close()


async def test_without_hold_it_goes_on_where_the_backup_was(rooms, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=7)
    rooms.core.prepare()
    made = back_up(rooms)

    put_back(rooms, made.path, hold=False)
    again, _ = reopen(rooms, clock)
    assert await send(again) == 1
    again.close()


def test_a_power_cut_in_a_restore_leaves_all_that_was_committed(rooms, clock, monkeypatch):
    """Also what stood in the log of a service that had crashed."""
    made = back_up(rooms)
    data, crashed = rooms.config.data, rooms.config.data.with_name("crashed")
    follow(rooms)
    shutil.copytree(data, crashed)  # the service is there still: its log is not folded
    assert (crashed / "paperround.db-wal").stat().st_size
    monkeypatch.setattr(restoring, "settle", lambda folder: None)
    monkeypatch.setattr(Path, "replace", lambda *_: fail(KeyboardInterrupt()))

    with pytest.raises(KeyboardInterrupt):
        restoring.restore(made.path, crashed, clock())
    monkeypatch.undo()
    assert verify_file(crashed / "paperround.db")["subscribers"] == 1


def test_a_log_without_its_database_is_not_taken_for_the_restored_one(rooms, clock):
    made = back_up(rooms)
    data = rooms.config.data
    rooms.close()
    (data / "paperround.db").unlink()
    (data / "paperround.db-wal").write_bytes(b"of another database")

    aside = restoring.restore(made.path, data, clock()).aside
    assert aside
    assert (aside / "paperround.db-wal").exists()
