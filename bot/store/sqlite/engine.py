"""One SQLite file: a single writing connection, readers beside it, migrations before both.

Anything that writes runs inside `Engine.write()`, which lets one thread in at a time; SQLite's
own locks are unfair, ours is short.  Reads outside of it borrow a read-only connection, so nobody
who only looks ever waits for a poll that writes.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from sqlite_utils import Database, Migrations
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from bot.store.errors import NewerSchema, StoreError, StoreFull
from bot.store.sqlite.connections import Readers, connected, explained

Params = Mapping[str, Any] | Sequence[Any]


class Engine:
    """The connections of one database file; `path` None keeps everything in memory.

    `on_write` hears how long each write took, in seconds.  `on_busy` is called where another
    process held the database, `on_full` when the disk is full, to make room for what comes next.
    """

    def __init__(
        self,
        path: Path | None,
        migrations: Sequence[Migrations],
        before_migrating: Callable[[Path, str], None] | None = None,
    ) -> None:
        self.path = path
        self.on_write: Callable[[float], None] = _unheard
        self.on_busy: Callable[[], None] = _unheard
        self.on_full: Callable[[], None] = _unheard
        self._before_migrating = before_migrating
        self._lock = threading.RLock()
        self._owner: int | None = None  # the thread inside write()
        self._readers = Readers(path) if path else None
        with explained(path):
            self._writer = connected(path)
            try:
                self._migrate(migrations)
            except BaseException:  # nobody would have it to close it
                self._writer.close()
                raise

    def connection(self) -> AbstractContextManager[Database]:
        """A connection for a while: the writing one inside `write()`, else one that only reads.

        What the same thread reads inside the block is read through it.  Raises StoreError.
        """
        if self._readers is None or self._owner == threading.get_ident():
            return nullcontext(self._writer)
        return self._readers.lent()

    @contextmanager
    def write(self) -> Iterator[None]:
        """A write transaction; one within another joins it.  Never await or use the network inside.

        IMMEDIATE, because a plain BEGIN that reads first cannot wait for another writer: SQLite
        answers "database is locked" at once, whatever the time-out says.
        Raises StoreError where the file cannot be written; nothing is half-written then.
        """
        with self._lock:
            if self._owner is not None:
                yield
                return
            began = time.perf_counter()
            try:
                with explained(self.path), self._transaction():
                    yield
            except StoreFull:
                self.on_full()
                raise
            except StoreError as error:
                if "is locked" in str(error):
                    self.on_busy()
                raise
            finally:
                self.on_write(time.perf_counter() - began)

    def rows(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a statement that reads, or that writes and returns (inside `write()`).

        Raises StoreError.
        """
        with explained(self.path), self.connection() as db:
            cursor = db.conn.execute(sql, _writable(params))
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def row(self, sql: str, params: Params = ()) -> dict[str, Any] | None:
        """The first row, or None.  Raises StoreError."""
        found = self.rows(sql, params)
        return found[0] if found else None

    def value(self, sql: str, params: Params = ()) -> Any:
        """The first column of the first row, or None.  Raises StoreError."""
        with explained(self.path), self.connection() as db:
            found = db.conn.execute(sql, _writable(params)).fetchone()
        return found[0] if found else None

    def values(self, sql: str, params: Params = ()) -> list[Any]:
        """The first column of every row.  Raises StoreError."""
        with explained(self.path), self.connection() as db:
            return [row[0] for row in db.conn.execute(sql, _writable(params)).fetchall()]

    def count(self, sql: str, params: Params = ()) -> int:
        """The first column of the first row as a number, 0 for none.  Raises StoreError."""
        return int(self.value(sql, params) or 0)

    def run(self, sql: str, params: Params = ()) -> int:
        """Execute a statement that writes; return how many rows it changed."""
        with self.write():
            return int(self._writer.conn.execute(sql, _writable(params)).rowcount)

    def insert(self, sql: str, params: Params = ()) -> int:
        """Execute an INSERT and return the new row's id."""
        with self.write():
            return int(self._writer.conn.execute(sql, _writable(params)).lastrowid or 0)

    def many(self, sql: str, params: Iterable[Params]) -> None:
        """Execute a statement that writes once for each of `params`, in one transaction."""
        with self.write():
            self._writer.conn.executemany(sql, map(_writable, params))

    @property
    def sqlite_version(self) -> str:
        """The version of SQLite in use."""
        return str(sqlite3.sqlite_version)

    def problems(self) -> list[str]:
        """What SQLite finds wrong with the file; [] where it is whole."""
        said = [str(row["quick_check"]) for row in self.rows("PRAGMA quick_check(5)")]
        return [] if said == ["ok"] else said

    def sizes(self) -> dict[str, int]:
        """Bytes of the database and of its write-ahead log."""
        if self.path is None:
            return {}
        wal = self.path.with_name(self.path.name + "-wal")
        return {n: p.stat().st_size for n, p in (("db", self.path), ("wal", wal)) if p.exists()}

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the file and empty it; False while someone reads it."""
        with self._lock, explained(self.path):
            return not self._writer.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]

    def copy(self, target: Path) -> None:
        """A whole copy of the database as it is at this moment; nobody waits for it.

        Raises StoreError.  `target` must not be there yet.
        """
        assert self.path is not None
        copy_file(self.path, target)

    def close(self) -> None:
        """Close every connection, a write under way ended first.  Not usable afterwards."""
        with self._lock:
            if self._readers:
                self._readers.close()
            self._writer.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._writer.conn.execute("BEGIN IMMEDIATE")
        self._owner = threading.get_ident()
        try:
            yield
            self._writer.conn.execute("COMMIT")
        except BaseException:
            if self._writer.conn.in_transaction:
                self._writer.conn.execute("ROLLBACK")
            raise
        finally:
            self._owner = None

    def _migrate(self, migrations: Sequence[Migrations]) -> None:
        with closing(Database(memory=True, execute_plugins=False)) as blank:
            known = {(each.name, step.name) for each in migrations for step in each.pending(blank)}
        here = _applied(self._writer)
        steps = sorted(name for _, name in known - here)
        if self.path and self._before_migrating and here and steps and not here - known:
            self._before_migrating(self.path, steps[0])
        with self.write():
            here = _applied(self._writer)
            if strangers := here - known:
                raise NewerSchema(
                    f"{self.path} was written by a newer Paperround "
                    f"(it knows “{min(strangers)[1]}”); upgrade, or restore a backup made before"
                )
            for each in migrations if known - here else ():
                each.apply(self._writer)


def copy_file(source: Path, target: Path) -> None:
    """Copy a database file whole, while others may write it, and wait until it is on the disk."""
    with explained(target), closing(connected(source, read_only=True)) as reader:
        target.touch(mode=0o600, exist_ok=False)
        with closing(sqlite3.connect(str(target), isolation_level=None)) as writer:
            # In one step: it reads one snapshot, and nobody who writes meanwhile starts it anew.
            reader.conn.backup(writer)
            writer.execute("PRAGMA journal_mode = DELETE")  # one file, no log beside it
    with target.open("rb") as file:
        os.fsync(file.fileno())


def fold_log(path: Path) -> None:
    """Fold the write-ahead log beside a file that nobody has open into it, if it can be read."""
    with suppress(sqlite3.DatabaseError), closing(connected(path)) as db:
        db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_HEAD = b"SQLite format 3\0"


def verify_file(path: Path) -> dict[str, int]:
    """How many papers, subscribers and deliveries a copy holds, after finding it whole.

    Raises StoreError where it is damaged or not a database of ours.
    """
    with path.open("rb") as file:
        if file.read(len(_HEAD)) != _HEAD:
            raise StoreError(f"{path} is not Paperround's; name a backup that it made")
    with explained(path), closing(connected(path, read_only=True)) as db:
        said = [row[0] for row in db.conn.execute("PRAGMA quick_check(3)").fetchall()]
        if said != ["ok"]:
            raise StoreError(f"{path} is damaged ({said[0]}); take another backup")
        if db.conn.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreError(f"{path} is damaged (rows that belong to nothing); take another")
        if not _applied(db):
            raise StoreError(f"{path} is not Paperround's; name a backup that it made")
        return {
            table: int(db.conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
            for table in ("papers", "subscribers", "deliveries")
        }


def _writable(params: Params) -> Params:
    """The same values, lists as JSON; texts without NUL, which ends one, and half characters."""
    if isinstance(params, Mapping):
        return {name: _whole(value) for name, value in params.items()}
    return [_whole(value) for value in params]


def _whole(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return json.dumps(value)
    if not isinstance(value, str):
        return value
    whole = value if value.isascii() else value.encode("utf-8", "replace").decode()
    return whole.replace("\0", "")


def _applied(db: Database) -> set[tuple[str, str]]:
    if "_sqlite_migrations" not in db.table_names():
        return set()
    rows = db.conn.execute("SELECT migration_set, name FROM _sqlite_migrations").fetchall()
    return {(each, name) for each, name in rows}


def _unheard(*_: float) -> None:
    """Nobody counts, or can make room."""
