"""A database of a version before, or of a later one."""

import gzip
from pathlib import Path

import pytest

from bot.app.backups import restoring
from bot.app.locks import only_service
from bot.model import Identity
from bot.store import NewerSchema, StoreError
from bot.store.sqlite import SqliteStore, verify_file
from tests.app.house import ADA, back_up, follow, open_rooms

SCHEMAS = sorted((Path(__file__).parent.parent / "recorded" / "schema").glob("*.db.gz"))


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
        restoring.restore(made.path, tmp_path / "d", clock())


def _forget_last_step(rooms, *, drop: bool = True) -> None:
    engine = rooms.store.engine
    if drop:
        for table in ("inbox", "installations", "conversation_keepers"):
            engine.run(f"DROP TABLE {table}")
    engine.run("DELETE FROM _sqlite_migrations WHERE name = 'm001_slack'")
