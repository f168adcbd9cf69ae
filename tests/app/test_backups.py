"""Backups are whole or are not there; what comes back sends nothing old unasked."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import backups
from bot.app.backups import restoring
from bot.app.locks import working_in
from bot.app.rotation import back_up_if_due, rotate
from bot.config import ConfigError
from bot.model import utc_now
from bot.store import StoreError
from bot.store.sqlite import verify_file
from tests.app.house import ADA, about, back_up, fail, follow, open_rooms, put_back, reopen


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


def test_a_folder_that_cannot_be_looked_at_is_not_an_empty_one(rooms):
    (rooms.config.data / "backups").write_text("")  # root may read any folder, but this is none

    with pytest.raises(StoreError, match="user of the service"):
        backups.chosen("latest", rooms.config.data)


@pytest.mark.parametrize("how", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_database_that_is_gone_is_not_begun_anew(rooms, clock, how):
    follow(rooms)
    back_up(rooms)
    rooms.close()
    how(rooms.config.data / "paperround.db")

    with pytest.raises(StoreError, match="restore latest"):
        reopen(rooms, clock)
    restoring.restore(backups.chosen("latest", rooms.config.data), rooms.config.data, clock())
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

    assert restoring.try_out(made.path, rooms.config.data) == backups.read(made.path)
    assert sorted(p.name for p in rooms.config.data.rglob("*")) == before


def test_what_a_killed_restore_or_examination_left_does_not_stay(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    here = rooms.config.data
    made = backups.make(rooms.store, here, clock())
    for left in (here / ".restoring.new", here / "backups" / ".trying.new"):
        left.mkdir()
        (left / "paperround.db").write_text("everybody's address")

    restoring.clear_half_restored(here)
    restoring.try_out(made.path, here)

    assert not list(here.rglob("*.new"))
    rooms.close()
