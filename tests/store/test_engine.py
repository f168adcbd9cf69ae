"""One writer, readers beside it, nothing half-written."""

import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from bot.model import Identity, Sighting
from bot.store import StoreError
from bot.store.sqlite import DATABASE, SqliteStore, connections, open_store
from bot.store.sqlite.connections import KEPT
from bot.store.sqlite.engine import Engine
from tests import databases
from tests.makers import MONDAY, paper
from tests.open_files import open_files


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


def at_once(number: int, work: Callable[[], object]) -> None:
    """Do it in so many threads, which have ended afterwards."""
    threads = [threading.Thread(target=work) for _ in range(number)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def test_a_transaction_is_all_or_nothing(store):
    def half_of_it():
        with store.write():
            store.papers.add([Sighting(paper())], MONDAY)
            with store.write():  # joins the outer one
                store.people.enrol(Identity("console", "", "ada"), "", MONDAY)
            raise KeyError

    with pytest.raises(KeyError):
        half_of_it()
    assert store.papers.count() == 0
    assert store.people.everyone() == []
    store.papers.add([Sighting(paper())], MONDAY)  # the next one begins cleanly
    assert store.papers.count() == 1


def test_the_log_is_folded_into_the_file_once_nobody_reads_what_stood_there(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "BUSY_S", 0.01)
    with closing(open_store(tmp_path)) as store:
        store.papers.add([Sighting(paper())], MONDAY)
        with closing(connections.connected(tmp_path / DATABASE, read_only=True)) as reader:
            reader.conn.execute("BEGIN")
            reader.conn.execute("SELECT count(*) FROM papers").fetchone()
            store.papers.add([Sighting(paper("2611.00002"))], MONDAY)
            assert not store.engine.checkpoint()
            assert store.engine.sizes()["wal"] > 0

        assert store.engine.checkpoint()
        assert store.engine.sizes()["wal"] == 0


def test_who_only_reads_never_waits_and_sees_what_is_committed(store):
    seen = []
    with store.write():
        store.papers.add([Sighting(paper())], MONDAY)
        reader = threading.Thread(target=lambda: seen.append(store.papers.count()))
        reader.start()
        reader.join(timeout=5)
        assert store.papers.count() == 1

    assert seen == [0]
    assert store.papers.count() == 1


def test_many_threads_write_one_after_the_other(store):
    def enrol(n):
        for k in range(5):
            store.people.enrol(Identity("console", "", f"{n}.{k}"), "", MONDAY)

    numbers = iter(range(8))
    at_once(8, lambda: enrol(next(numbers)))

    assert len(store.people.everyone()) == 40


def test_two_processes_worth_of_stores_share_one_file(store, tmp_path):
    other = open_store(tmp_path / "data")
    store.papers.add([Sighting(paper("1"))], MONDAY)
    other.papers.add([Sighting(paper("2"))], MONDAY)

    assert store.papers.count() == other.papers.count() == 2
    other.close()


def test_a_reader_cannot_write(store):
    with store.engine.connection() as db, pytest.raises(Exception, match="readonly"):
        db.conn.execute("DELETE FROM papers")


def test_threads_that_come_and_go_leave_nothing_open(store):
    at_once(1, store.papers.count)
    before = open_files()
    for _ in range(200):
        at_once(1, store.papers.count)

    assert open_files() == before


def test_crowds_of_readers_leave_no_more_open_than_the_first_one(store):
    """SQLite keeps the file of one that is closed for the next: closing it drops others' locks."""
    all_read, others = threading.Barrier(40), open_files()

    def read() -> None:
        with store.engine.connection():
            assert store.papers.count() == 0
            all_read.wait(10)

    at_once(40, read)
    before = open_files()
    for _ in range(5):
        at_once(40, read)

    assert open_files() <= before
    assert before - others < 40 + 2 * KEPT


def test_what_is_read_inside_a_loan_is_read_through_it(store):
    with store.engine.connection() as outer, store.engine.connection() as inner:
        assert inner is outer


def test_a_reader_that_is_out_while_all_is_closed_is_closed_when_it_comes_back(tmp_path):
    before = open_files()
    store = open_store(tmp_path / "data")
    with store.engine.connection():
        store.close()

    assert open_files() == before
    with pytest.raises(StoreError, match="was closed meanwhile; open it anew"):
        store.papers.count()


@pytest.mark.parametrize(
    "read", [lambda store: store.papers.count(), lambda store: store.people.everyone()]
)
def test_a_read_that_fails_says_what_to_do(store, tmp_path, read):
    (tmp_path / "data").rename(tmp_path / "elsewhere")

    with pytest.raises(StoreError, match="unable to open database file; see that the folder"):
        read(store)


@pytest.mark.parametrize("name", ["my#data", "q?x", "a%20b", "a b&c=d", "ü\udcff"])
def test_a_data_folder_may_have_any_name(tmp_path, name):
    store = open_store(tmp_path / "here" / name)
    store.papers.add([Sighting(paper())], MONDAY)

    assert store.papers.count() == 1
    with store.engine.connection() as db, pytest.raises(Exception, match="readonly"):
        db.conn.execute("DELETE FROM papers")
    store.engine.copy(tmp_path / "copy.db")
    assert [each.name for each in (tmp_path / "here").iterdir()] == [name]
    store.close()


def test_opening_again_changes_nothing(store, tmp_path):
    store.papers.add([Sighting(paper())], MONDAY)
    store.close()
    again = open_store(tmp_path / "data")

    assert again.papers.count() == 1
    again.close()


@pytest.mark.parametrize("content", [b"not a database, and long enough to be read as one. " * 40])
def test_a_file_that_is_none_is_said_to_be_none(tmp_path, content):
    (tmp_path / "paperround.db").write_bytes(content)

    with pytest.raises(StoreError, match="file is not a database; paperround restore latest"):
        open_store(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be made"):
        open_store(tmp_path / "file" / "data")


def test_every_table_is_strict_and_foreign_keys_hold(store):
    tables = store.engine.rows(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        " AND name NOT LIKE '%fts%' AND substr(name, 1, 1) != '_' AND name NOT LIKE 'sqlite%'"
    )

    assert len(tables) > 20
    assert [t["name"] for t in tables if "STRICT" not in t["sql"]] == []
    assert store.engine.value("PRAGMA foreign_keys") == 1
    with store.write():
        assert store.engine.value("PRAGMA synchronous") == 2
        assert store.engine.value("PRAGMA journal_mode") == "wal"


@pytest.mark.parametrize("name", ["paperround.db", None], ids=["file", "memory"])
def test_a_database_that_begins_as_a_copy_is_what_its_steps_make(tmp_path, monkeypatch, name):
    """Nearly all databases of these tests begin so."""
    copy = SqliteStore(name and tmp_path / f"copy.{name}")
    monkeypatch.setattr(Engine, "_migrate", databases.taken_step_by_step)
    made = SqliteStore(name and tmp_path / name)

    assert all_that_is_in(copy) == all_that_is_in(made)
    for each in (copy, made):
        each.close()


def all_that_is_in(store: SqliteStore) -> list[object]:
    """How a database is set up, what is declared in it, and the rows of every table."""
    read = store.engine.rows
    with store.write():
        pragmas = [
            read(f"PRAGMA {each}")
            for each in ("journal_mode", "synchronous", "foreign_keys", "secure_delete",
                         "page_size", "encoding", "auto_vacuum", "user_version")
        ]  # fmt: skip
    declared = read("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    tables = [row["name"] for row in declared if row["type"] == "table"]
    rows = {name: read(f"SELECT * FROM {name}") for name in tables if name != "_sqlite_migrations"}
    steps = read("SELECT migration_set, name FROM _sqlite_migrations ORDER BY id")
    return [pragmas, declared, rows, steps]


def test_memory_needs_no_file():
    store = SqliteStore()
    store.papers.add([Sighting(paper())], MONDAY)

    assert store.papers.count() == 1
    store.close()


@pytest.mark.parametrize("odd", ["a\ud800b", "a\0b"], ids=["half", "NUL"])
def test_any_text_can_be_written_and_asked_for(store, odd):
    someone = Identity("console", "", odd)
    subscriber = store.people.enrol(someone, "", MONDAY)
    store.ledger.record("poll", odd, MONDAY, "failed", odd)

    assert store.people.find(someone) == subscriber
    [run] = store.ledger.runs("poll", odd)
    assert run.reason.encode() in (b"ab", b"a?b")
