"""The store in one SQLite file, through sqlite-utils.

engine      connections, transactions, migrations; instants, how times are stored
schema      the steps that make the tables
papers      what sources showed, and what pages read of it
topics      their queries and names, and what matched
people      who they are, what they follow, where they are reached
outbox      deliveries on their way
ledger      what happened, how far sources were read, and turns; ahead sets them back
slack       the Slack door
replaced    what a database tells in whose place a backup is put

A room's own class inherits those of its modules.
"""

import errno
import filecmp
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from bot.store.errors import StoreError
from bot.store.sqlite import ahead, ledger, outbox, papers, people, slack, topics
from bot.store.sqlite.engine import Engine, copy_file, fold_log, verify_file
from bot.store.sqlite.papers import places, reading
from bot.store.sqlite.schema import migrations

__all__ = ["DATABASE", "KEY", "SqliteStore", "copy_file", "fold_log", "open_store", "verify_file"]

DATABASE = "paperround.db"
KEY = "link.key"  # beside the database; it signs links

KEEP_RUNS = timedelta(days=400)
KEEP_JOINS = timedelta(days=2)  # where people signed up from, which is counted by the day
KEEP_INBOX = timedelta(days=1)


class SqliteStore:
    """One SQLite file; `path` None keeps everything in memory, for trying and for tests.

    `is_served` tells whether another process serves it: then it stays as that one knows it.
    Raises StoreError where the file cannot be opened or written, NewerSchema where a newer
    Paperround wrote it.
    """

    def __init__(
        self, path: Path | None = None, is_served: Callable[[], bool] = lambda: False
    ) -> None:
        self.engine = Engine(path, migrations(), partial(_before_migrating, is_served))
        self.papers = papers.SqlitePapers(self.engine)
        self.topics = topics.SqliteTopics(self.engine)
        self.people = people.SqlitePeople(self.engine, self.topics)
        self.outbox = outbox.SqliteOutbox(self.engine, self.papers)
        self.reading = reading.SqliteReading(self.engine, self.papers)
        self.places = places.SqlitePlaces(self.engine, self.papers)
        self.ledger = ledger.SqliteLedger(self.engine)
        self.turns = ledger.SqliteLimiter(self.engine)
        self.slack = slack.SqliteSlack(self.engine)

    def write(self) -> AbstractContextManager[None]:
        return self.engine.write()

    def touch(self) -> None:
        number = int(self.engine.value("PRAGMA user_version"))
        self.engine.run(f"PRAGMA user_version = {number}")

    def set_back(self, now: datetime) -> None:
        ahead.set_back(self.engine, now)

    def tidy(self, now: datetime, keep: timedelta = timedelta(days=30)) -> None:
        with self.write():
            outbox.tidy(self.engine, now - keep)
            self.ledger.forget(now - KEEP_RUNS)
            self.ledger.forget(now - KEEP_JOINS, "join")
            self.slack.forget(now - KEEP_INBOX)
            self.people.forget_offers(now)

    def close(self) -> None:
        self.engine.close()


def _before_migrating(is_served: Callable[[], bool], path: Path, step: str) -> None:
    """Keep a copy; while a service of the version before still runs, change nothing."""
    if is_served():
        raise StoreError(
            f"a paperround run of the version before the upgrade still serves {path}; "
            "restart it, and then try again"
        )
    _set_aside(path, step)


def _set_aside(path: Path, step: str) -> None:
    """Keep the database as it is before a migration changes it.

    Whoever went back and goes forth again has two copies: the first lacks what came since.
    """
    folder = path.parent / "backups" / f"before-{step}"
    for each in (folder.parent, folder):
        each.mkdir(exist_ok=True, mode=0o700)
    draft = folder / f"{path.stem}.new"
    draft.unlink(missing_ok=True)
    copy_file(path, draft)
    folder = _home_of(draft, path.name)
    draft.replace(folder / path.name)
    key = path.parent / KEY
    if key.exists():
        shutil.copy2(key, folder / key.name)


def _home_of(draft: Path, name: str) -> Path:
    """The folder for a copy: the first that holds none, or the same one from a failed start."""
    first, number = draft.parent, 1
    folder = first
    while (folder / name).exists() and not filecmp.cmp(draft, folder / name, shallow=False):
        number += 1
        folder = first.with_name(f"{first.name}-{number}")
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


def open_store(folder: Path, is_served: Callable[[], bool] = lambda: False) -> SqliteStore:
    """The database in a data folder; a new one where there has never been any.

    Raises StoreError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as exc:
        raise StoreError(
            f"the data folder {folder} cannot be made ({exc.strerror}); choose another with --data"
        ) from exc
    path = folder / DATABASE
    _refuse_if_lost(path)
    try:
        path.touch(mode=0o600)  # it holds addresses: for its owner alone, from the first byte
    except OSError as exc:
        advice = "see that the folder belongs to this user, or choose another with --data"
        if exc.errno == errno.EROFS:
            advice = "look why (dmesg), and mount its disk anew for writing"
        raise StoreError(f"{path} cannot be written ({exc.strerror}); {advice}") from exc
    return SqliteStore(path, is_served)


def _refuse_if_lost(path: Path) -> None:
    """An empty database in place of a lost one would look as if all were well."""
    key, backups = path.with_name(KEY), path.with_name("backups")
    copies = any(backups.glob(f"*/{path.name}"))
    if not (key.exists() or copies) or (path.exists() and path.stat().st_size):
        return
    said = "is empty" if path.exists() else "is missing"
    lost = "paperround restore latest" if copies else f"delete {key}, and all begins anew"
    raise StoreError(
        f"{path} {said}, though there was one; see that its disk is there, or if it is lost: {lost}"
    )
