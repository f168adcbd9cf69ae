"""One writer, readers beside it, nothing half-written."""

import threading

import pytest

from bot.model import Identity, Sighting
from bot.store import StoreError
from bot.store.sqlite import SqliteStore, open_store
from tests.makers import MONDAY, paper


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "data")
    yield opened
    opened.close()


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

    threads = [threading.Thread(target=enrol, args=(n,)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert len(store.people.everyone()) == 40


def test_two_processes_worth_of_stores_share_one_file(store, tmp_path):
    other = open_store(tmp_path / "data")
    store.papers.add([Sighting(paper("1"))], MONDAY)
    other.papers.add([Sighting(paper("2"))], MONDAY)

    assert store.papers.count() == other.papers.count() == 2
    other.close()


def test_a_reader_cannot_write(store):
    with pytest.raises(Exception, match="readonly"):
        store.engine.db.conn.execute("DELETE FROM papers")


@pytest.mark.parametrize("name", ["my#data", "q?x", "a%20b", "a b&c=d", "ü\udcff"])
def test_a_data_folder_may_have_any_name(tmp_path, name):
    store = open_store(tmp_path / "here" / name)
    store.papers.add([Sighting(paper())], MONDAY)

    assert store.papers.count() == 1
    with pytest.raises(Exception, match="readonly"):
        store.engine.db.conn.execute("DELETE FROM papers")
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


def test_memory_needs_no_file():
    store = SqliteStore()
    store.papers.add([Sighting(paper())], MONDAY)

    assert store.papers.count() == 1
    store.close()
