"""Backups are whole or are not there; what comes back sends nothing old unasked."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.app import backups
from bot.app.locks import only_service, working_in
from bot.app.rotation import back_up_if_due, rotate
from bot.config import ConfigError
from bot.core import Actor
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState, DestinationState, Identity, utc_now
from bot.store import NewerSchema, StoreError
from bot.store.sqlite import SqliteStore, verify_file
from tests.app.house import ADA, a_paper_came, about, follow, open_rooms, send, told

FRIDAY, TUESDAY = (datetime(2026, *day, 18, tzinfo=UTC) for day in ((11, 27), (12, 1)))
"""Papers of these are announced on Sunday, and on Tuesday, at 20:00 New York."""
TOP = Path(__file__).parent.parent.parent
_RESTORE = """
import os
from datetime import UTC, datetime
from pathlib import Path
from bot.app import backups
{patch}
backups.restore(Path("{{made}}"), Path("{{into}}"), datetime(2026, 11, 25, tzinfo=UTC))
"""
KILLED = {
    "before the database": _RESTORE.format(patch="backups._set_aside = lambda *_: os._exit(9)"),
    "between the two": _RESTORE.format(patch="backups.finish_restore = lambda _: os._exit(9)"),
    "after both": _RESTORE.format(patch="backups._settle = lambda _: os._exit(9)"),
}
SCHEMAS = sorted((Path(__file__).parent.parent / "recorded" / "schema").glob("*.db.gz"))


def back_up(rooms) -> backups.Backup:
    return backups.make(rooms.store, rooms.config.data, rooms.core.house.clock())


def put_back(rooms, path, **more) -> backups.Restored:
    """Restore with the installation closed, as an operator would."""
    rooms.close()
    return backups.restore(path, rooms.config.data, rooms.core.house.clock(), **more)


def reopen(rooms, clock):
    return open_rooms(rooms.config.data, clock)


# ------------------------------------------------------------------ making


def test_a_backup_holds_the_database_the_key_and_what_it_is(rooms, arxiv, clock):
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)

    made = back_up(rooms)

    assert (made.papers, made.subscribers) == (1, 1)
    assert (made.path / "link.key").read_bytes() == (rooms.config.data / "link.key").read_bytes()
    assert json.loads((made.path / "about.json").read_text())["papers"] == 1
    assert sorted(p.name for p in made.path.iterdir()) == [
        "about.json",
        "link.key",
        "paperround.db",
    ]


def test_a_backup_is_for_its_owner_alone(rooms):
    made = back_up(rooms)

    for path in (made.path.parent, made.path, made.path / "paperround.db", made.path / "link.key"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_backup_is_made_while_others_write(rooms, arxiv, clock):
    with rooms.store.write():
        rooms.store.ledger.record("poll", "arxiv", clock(), "new")
        copied = rooms.config.data / "copy.db"
        rooms.store.engine.copy(copied)  # must not wait for this transaction

    assert verify_file(copied)["papers"] == 0


def test_the_newest_are_kept_and_those_before_a_migration_too(rooms, clock):
    before = rooms.config.data / "backups" / "before-m002_words"
    before.mkdir(parents=True)
    for _ in range(5):
        clock.forward(days=1)
        back_up(rooms)

    rotate(rooms.config.data, 3, clock())

    names = [path.name for path in backups.kept(rooms.config.data)]
    assert names == ["2026-11-29T070000Z", "2026-11-28T070000Z", "2026-11-27T070000Z"]
    assert before.is_dir()


def test_what_was_set_aside_goes_after_a_month(rooms):
    aside = rooms.config.data / "backups" / "replaced-2026-11-01T000000Z"
    aside.mkdir(parents=True)
    (aside / "paperround.db").touch()

    assert rotate(rooms.config.data, 3, utc_now() + timedelta(days=29)) == []
    assert rotate(rooms.config.data, 3, utc_now() + timedelta(days=31)) == [aside]


def half_made(folder: Path) -> Path:
    left = folder / ".2026-11-02T000000Z.new"
    left.mkdir(parents=True)
    (left / "paperround.db").touch()
    return left


def test_what_a_killed_backup_left_goes_before_the_next_one_and_none_under_way(rooms, clock):
    half = half_made(rooms.config.data / "backups")
    with working_in(half):
        assert back_up_if_due(rooms)
        assert half.is_dir()

    clock.forward(days=1)
    key = rooms.config.data / "link.key"
    key.unlink()
    key.mkdir()  # so that no backup comes to its end
    with pytest.raises(StoreError):
        back_up_if_due(rooms)

    assert not half.exists()


def test_what_another_machine_may_be_making_stays_for_a_day(rooms, tmp_path):
    half = half_made(tmp_path / "nas")

    assert rotate(rooms.config.data, 3, utc_now(), half.parent) == []
    assert rotate(rooms.config.data, 3, utc_now() + timedelta(days=2), half.parent) == [half]


def test_what_others_keep_in_the_same_folder_is_theirs(rooms, tmp_path, clock):
    folder = tmp_path / "nas"
    theirs = [folder / name for name in ("before-wedding", "replaced-tyres", ".old.new",
                                         "2026-11-01T000000Z")]  # fmt: skip
    for each in theirs:
        each.mkdir(parents=True)
        (each / "paperround.db").touch()
    for _ in range(4):
        clock.forward(days=20)
        backups.make(rooms.store, rooms.config.data, clock(), folder)
        rotate(rooms.config.data, 2, clock(), folder)

    assert all(each.is_dir() for each in theirs)
    assert len(list(folder.iterdir())) == len(theirs) + 2


def test_two_installations_in_one_folder_rotate_their_own(rooms, tmp_path, clock):
    other, _ = open_rooms(tmp_path / "other", clock)
    folder = tmp_path / "nas"
    for _ in range(4):
        clock.forward(days=1)
        for each in (rooms, other):
            backups.make(each.store, each.config.data, clock(), folder)
            rotate(each.config.data, 2, clock(), folder)
    other.close()

    assert len(backups.kept(rooms.config.data, folder)) == 2
    assert len(backups.kept(other.config.data, folder)) == 2


def test_in_the_data_folder_only_what_holds_a_database_was_set_aside(rooms):
    holiday = rooms.config.data / "backups" / "before-the-holiday"
    holiday.mkdir(parents=True)

    assert rotate(rooms.config.data, 3, utc_now() + timedelta(days=60)) == []


def test_backups_of_nobody_displace_none_with_readers(rooms, clock):
    follow(rooms)
    with_readers = back_up(rooms)
    rooms.core.erase(ADA)
    for _ in range(5):
        clock.forward(days=1)
        back_up(rooms)
        rotate(rooms.config.data, 2, clock())
    assert with_readers.path in backups.kept(rooms.config.data)

    clock.forward(days=30)  # whoever was erased is forgotten after a month
    rotate(rooms.config.data, 2, clock())
    assert with_readers.path not in backups.kept(rooms.config.data)


def test_two_in_one_second_are_two(rooms):
    assert back_up(rooms).path != back_up(rooms).path


def test_a_backup_that_cannot_be_written_says_so_and_leaves_nothing(rooms, tmp_path, clock):
    blocked = tmp_path / "a file"
    blocked.write_text("")

    with pytest.raises(StoreError, match="cannot be written"):
        backups.make(rooms.store, rooms.config.data, clock(), blocked)
    assert rooms.store.ledger.runs("backup")[0].outcome == "failed"


@pytest.mark.parametrize("trouble", [PermissionError(13, "Permission denied"), ValueError("odd")])
def test_a_backup_that_fails_for_any_reason_leaves_a_row(rooms, monkeypatch, trouble):
    """A folder of another user, say: even looking into it is refused."""
    monkeypatch.setattr(backups, "free", lambda path: fail(trouble))

    with pytest.raises((StoreError, ValueError)):
        back_up(rooms)
    assert rooms.store.ledger.runs("backup")[0].outcome == "failed"


def fail(trouble: Exception) -> None:
    raise trouble


def test_a_folder_that_cannot_be_looked_at_is_not_an_empty_one(rooms):
    (rooms.config.data / "backups").write_text("")  # root may read any folder, but this is none

    with pytest.raises(StoreError, match="user of the service"):
        backups.chosen("latest", rooms.config.data)


# ------------------------------------------------------------------ a database that is gone


@pytest.mark.parametrize("how", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_database_that_is_gone_is_not_begun_anew(rooms, clock, how):
    follow(rooms)
    back_up(rooms)
    rooms.close()
    how(rooms.config.data / "paperround.db")

    with pytest.raises(StoreError, match="restore latest"):
        reopen(rooms, clock)
    backups.restore(backups.chosen("latest", rooms.config.data), rooms.config.data, clock())
    again, _ = reopen(rooms, clock)
    assert again.store.people.find(ADA)
    again.close()


def test_beside_a_key_alone_nothing_is_begun_anew_either(rooms, clock):
    rooms.close()
    (rooms.config.data / "paperround.db").unlink()
    with pytest.raises(StoreError, match=r"delete .*link\.key"):
        reopen(rooms, clock)

    (rooms.config.data / "link.key").unlink()
    again, _ = reopen(rooms, clock)
    again.close()


# ------------------------------------------------------------------ checking


def test_a_damaged_backup_is_found_and_what_is_there_stays(rooms, clock):
    follow(rooms)
    made = back_up(rooms)
    database = made.path / "paperround.db"
    raw = bytearray(database.read_bytes())
    raw[4096 * 3 : 4096 * 12] = os.urandom(4096 * 9)
    database.write_bytes(raw)

    with pytest.raises(StoreError, match=r"damaged|malformed|not a database"):
        put_back(rooms, made.path)
    again, _ = reopen(rooms, clock)
    assert again.store.people.find(ADA)
    again.close()


def test_what_is_no_backup_is_refused(tmp_path):
    (tmp_path / "paperround.db").write_bytes(b"no database at all, but long enough to be read")
    with pytest.raises(StoreError, match=r"not Paperround's|not a database|this is not"):
        backups.read(tmp_path)
    with pytest.raises(StoreError, match=r"holds no paperround\.db"):
        backups.read(tmp_path / "elsewhere")


def test_an_unknown_name_lists_those_that_are_there(rooms):
    made = back_up(rooms)
    with pytest.raises(ConfigError, match=made.path.name):
        backups.chosen("yesterday", rooms.config.data)

    assert backups.chosen("latest", rooms.config.data) == made.path
    assert backups.chosen(made.path.name, rooms.config.data) == made.path


def test_a_backup_can_be_tried_out_without_touching_anything(rooms):
    made = back_up(rooms)
    before = sorted(p.name for p in rooms.config.data.rglob("*"))

    assert backups.try_out(made.path, rooms.config.data) == backups.read(made.path)
    assert sorted(p.name for p in rooms.config.data.rglob("*")) == before


# ------------------------------------------------------------------ restoring


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
    backups.restore(made.path, elsewhere, clock())
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
    backups.clear_half_restored(elsewhere)
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
    monkeypatch.setattr(backups, "_settle", lambda folder: None)
    monkeypatch.setattr(Path, "replace", lambda *_: fail(KeyboardInterrupt()))

    with pytest.raises(KeyboardInterrupt):
        backups.restore(made.path, crashed, clock())
    monkeypatch.undo()
    assert verify_file(crashed / "paperround.db")["subscribers"] == 1


def test_a_log_without_its_database_is_not_taken_for_the_restored_one(rooms, clock):
    made = back_up(rooms)
    data = rooms.config.data
    rooms.close()
    (data / "paperround.db").unlink()
    (data / "paperround.db-wal").write_bytes(b"of another database")

    aside = backups.restore(made.path, data, clock()).aside
    assert aside
    assert (aside / "paperround.db-wal").exists()


# ------------------------------------------------------------------ schemas


def test_what_a_killed_restore_or_examination_left_does_not_stay(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    here = rooms.config.data
    made = backups.make(rooms.store, here, clock())
    for left in (here / ".restoring.new", here / "backups" / ".trying.new"):
        left.mkdir()
        (left / "paperround.db").write_text("everybody's address")

    backups.clear_half_restored(here)
    backups.try_out(made.path, here)

    assert not list(here.rglob("*.new"))
    rooms.close()


@pytest.mark.parametrize("packed", SCHEMAS, ids=[p.name.removesuffix(".db.gz") for p in SCHEMAS])
def test_every_released_schema_opens_and_keeps_what_it_held(packed, tmp_path, clock):
    (tmp_path / "paperround.db").write_bytes(gzip.decompress(packed.read_bytes()))
    (tmp_path / "link.key").write_text("ab" * 32)

    rooms, _ = open_rooms(tmp_path, clock)

    ada = rooms.store.people.find(ADA)
    assert rooms.store.papers.count() == 3
    assert [f.topic.name for f in rooms.store.people.follows(ada)] == ["World Models"]
    assert len(rooms.store.people.saved(ada)) == 1
    assert rooms.store.outbox.history(1)[0].sent_at
    rooms.close()


def test_before_a_migration_the_database_is_copied(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    follow(rooms)
    _forget_last_step(rooms)
    rooms.close()

    SqliteStore(tmp_path / "d" / "paperround.db").close()

    (aside,) = (tmp_path / "d" / "backups").iterdir()
    assert aside.name == "before-m001_slack"
    assert verify_file(aside / "paperround.db")["subscribers"] == 1


def test_before_a_second_upgrade_it_is_copied_too_and_after_a_failed_start_only_once(
    tmp_path, clock
):
    """Whoever went back to the older version lived on there, and goes forth again."""
    for readers in (1, 2):
        rooms, _ = open_rooms(tmp_path / "d", clock)
        follow(rooms, Identity("email", "", f"reader{readers}@example.org"))
        _forget_last_step(rooms)
        rooms.close()
        SqliteStore(tmp_path / "d" / "paperround.db").close()
    rooms, _ = open_rooms(tmp_path / "d", clock)
    _forget_last_step(rooms, drop=False)
    rooms.close()
    for _ in range(3):
        with pytest.raises(Exception, match="already exists"):
            SqliteStore(tmp_path / "d" / "paperround.db")

    aside = sorted((tmp_path / "d" / "backups").iterdir())
    assert [each.name for each in aside] == [f"before-m001_slack{n}" for n in ("", "-2", "-3")]
    counts = [verify_file(each / "paperround.db")["subscribers"] for each in aside]
    assert counts == [1, 2, 2]
    assert [len(list(each.iterdir())) for each in aside] == [2, 2, 2]


def test_under_a_running_service_of_the_version_before_nothing_is_migrated(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    _forget_last_step(rooms)
    rooms.close()
    before = (tmp_path / "d" / "paperround.db").read_bytes()

    with only_service(tmp_path / "d"), pytest.raises(StoreError, match="restart it"):
        open_rooms(tmp_path / "d", clock)
    assert (tmp_path / "d" / "paperround.db").read_bytes() == before
    assert not (tmp_path / "d" / "backups").exists()

    open_rooms(tmp_path / "d", clock)[0].close()
    assert verify_file(tmp_path / "d" / "paperround.db")


def test_a_migration_that_fails_leaves_the_old_schema(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    _forget_last_step(rooms, drop=False)  # its tables are there: making them again fails
    rooms.close()
    before = verify_file(tmp_path / "d" / "paperround.db")

    with pytest.raises(Exception, match="already exists"):
        SqliteStore(tmp_path / "d" / "paperround.db")
    assert verify_file(tmp_path / "d" / "paperround.db") == before


def test_a_newer_schema_is_refused_and_not_touched(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    rooms.store.engine.run(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('x', 'm9', '')"
    )
    made = back_up(rooms)
    rooms.close()

    with pytest.raises(NewerSchema, match="upgrade"):
        SqliteStore(tmp_path / "d" / "paperround.db")
    with pytest.raises(NewerSchema, match="upgrade"):
        backups.restore(made.path, tmp_path / "d", clock())


def _forget_last_step(rooms, *, drop: bool = True) -> None:
    engine = rooms.store.engine
    if drop:
        for table in ("inbox", "installations", "conversation_keepers"):
            engine.run(f"DROP TABLE {table}")
    engine.run("DELETE FROM _sqlite_migrations WHERE name = 'm001_slack'")
