"""Connections to one SQLite file: how they are opened, lent and explained."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from bot.store.errors import StoreError, StoreFull

BUSY_S = 15  # how long to wait for another process that writes
KEPT = 8  # readers that nobody uses and that stay open for whoever comes next

_FULL = "database or disk is full"
_SCANT = 64 << 10  # so much SQLite needs to open a file
_ADVICE = {
    _FULL: "free some space on that disk, nothing was half-written",
    "disk I/O error": "look at the disk, nothing was half-written",
    "unable to open database file": "see that the folder exists and can be written by this user",
    "attempt to write a readonly": "see that the file and its folder can be written by this user",
    "readonly database": "see that the file and its folder can be written by this user",
    "database is locked": "another program holds it; is a second Paperround or a backup running?",
    "file is not a database": "paperround restore latest where it was ours, else another --data",
    "malformed": "restore the last backup (paperround restore latest)",
}


class Readers:
    """Connections that only read, each lent to one thread at a time.

    As many are opened as are read through at once, and a few stay open.  None is a thread's own:
    threads come and go by the thousand, and a process may have a thousand files open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mine = threading.local()
        self._lock = threading.Lock()
        self._idle: list[Database] = []
        self._is_closed = False

    @contextmanager
    def lent(self) -> Iterator[Database]:
        """A reader for a while; one within another is the same.  Raises StoreError."""
        mine: Database | None = getattr(self._mine, "reader", None)
        if mine is not None:
            yield mine
            return
        reader = self._mine.reader = self._taken()
        try:
            yield reader
        finally:
            self._mine.reader = None
            self._give_back(reader)

    def close(self) -> None:
        """Close those that nobody uses; the others are closed when they are given back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for reader in idle:
            reader.close()

    def _taken(self) -> Database:
        with self._lock:
            if self._is_closed:
                raise StoreError(f"{self._path} was closed meanwhile; open it anew")
            if self._idle:
                return self._idle.pop()  # the last one used: what it has read is still at hand
        with explained(self._path):
            return connected(self._path, read_only=True)

    def _give_back(self, reader: Database) -> None:
        with self._lock:
            if not self._is_closed and len(self._idle) < KEPT:
                self._idle.append(reader)
                return
        reader.close()


def connected(path: Path | None, *, read_only: bool = False) -> Database:
    """A connection that is set up; `path` None is a database in memory."""
    # As a URI: a folder may be called “what?” or “#1”.
    where = f"{path.absolute().as_uri()}?mode=ro" if path and read_only else str(path or ":memory:")
    conn = sqlite3.connect(
        where, uri=read_only, isolation_level=None, check_same_thread=False, timeout=BUSY_S
    )
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute("PRAGMA secure_delete = ON")  # who is erased leaves no trace in free pages
    if read_only:
        conn.execute("PRAGMA query_only = ON")
    elif path:
        conn.execute("PRAGMA journal_mode = WAL")
        # What was acknowledged survives a power cut; NORMAL would lose the last commits.
        conn.execute("PRAGMA synchronous = FULL")
    return Database(conn, execute_plugins=False)


@contextmanager
def explained(path: Path | None) -> Iterator[None]:
    """Turn what SQLite says into what an operator can do about it.  Raises StoreError."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as exc:
        said = _FULL if path and _is_for_want_of_room(exc, path) else str(exc)
        for words, advice in _ADVICE.items():
            if words in said:
                kind = StoreFull if words == _FULL else StoreError
                raise kind(f"{path}: {said}; {advice}") from exc
        raise


def _is_for_want_of_room(exc: Exception, path: Path) -> bool:
    """Whether the disk is full: SQLite says I/O error if the index of its log has no room."""
    if "disk I/O error" not in str(exc):
        return False
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free < _SCANT
    return False
