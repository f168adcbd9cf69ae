"""A backup is put in the place of what is there, which is kept aside."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.app.backups import FOLDER, STAMP, Backup, free, read
from bot.app.backups.drafts import copy_private, draft_of, settle
from bot.app.backups.held_back import HeldBack, hold_back
from bot.store import Outcome
from bot.store.sqlite import DATABASE, KEY, SqliteStore, copy_file, fold_log

_RESTORING = ".restoring"
_NEXT_KEY = f"{KEY}.next"
_LOG = (f"{DATABASE}-wal", f"{DATABASE}-shm")


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in place now.  `aside` holds what was there before, None where there was nothing."""

    backup: Backup
    held: HeldBack
    aside: Path | None


def try_out(path: Path, room: Path) -> Backup:
    """Put a backup together in a room of its own, open and migrate it, and throw it away.

    Raises StoreError where it could not be restored.
    """
    # Beside the backups: what a killed one leaves half-made is removed with theirs.
    with draft_of(room / FOLDER / ".trying", keep=False) as draft:
        backup = read(path)
        _build(path, draft).close()
    return backup


def restore(path: Path, data: Path, now: datetime, *, hold: bool = True) -> Restored:
    """Put a backup in the place of what is there, which is moved aside.

    With `hold`, deliveries that waited and digests that were due until now are held, as they may
    have been sent since.  Under the service's lock.  Raises StoreError; what is there stays then.
    """
    backup = read(path)
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with draft_of(data / _RESTORING, keep=False) as draft:
        store = _build(path, draft)
        try:
            held = HeldBack()
            if hold:
                held = hold_back(store, data / DATABASE, backup.made_at, now)
            store.ledger.record("backup", path.name, now, Outcome.RESTORED, papers=backup.papers)
            store.engine.checkpoint()
        finally:
            store.close()
        aside = _set_aside(data, now)
        (draft / DATABASE).replace(data / DATABASE)
        finish_restore(data)
        settle(data)
    return Restored(backup, held, aside)


def finish_restore(data: Path) -> None:
    """Give a restored database its own key, where whoever restored it was killed before that."""
    draft = data / f"{_RESTORING}.new"
    with suppress(OSError):  # mostly nothing was left; who may not, hears of it at the database
        if not (draft / DATABASE).exists():
            (draft / _NEXT_KEY).replace(data / KEY)


def clear_half_restored(data: Path) -> None:
    """Remove the copy of everything that a killed restore left.  Under the service's lock."""
    finish_restore(data)
    draft = data / f"{_RESTORING}.new"
    (draft / _NEXT_KEY).unlink(missing_ok=True)  # first: without the database it would count
    shutil.rmtree(draft, ignore_errors=True)


def _build(path: Path, draft: Path) -> SqliteStore:
    """A store of its own out of a backup, brought up to this version's schema."""
    database = path / DATABASE if path.is_dir() else path
    copy_file(database, draft / DATABASE)
    if (database.parent / KEY).exists():
        copy_private(database.parent / KEY, draft / _NEXT_KEY)
    return SqliteStore(draft / DATABASE)


def _set_aside(data: Path, now: datetime) -> Path | None:
    """Keep what is there under another name too; the restored files take its place in one step.

    A power cut in between leaves the old database, never none, with all that stood in its log.
    A log that could not be folded into it must go first: it would be taken for one of the
    restored database.
    """
    if (data / DATABASE).exists():
        fold_log(data / DATABASE)
    if not any((data / name).exists() for name in (DATABASE, *_LOG)):
        return None
    aside = free(data / FOLDER / f"replaced-{now.astimezone(UTC):{STAMP}}")
    aside.mkdir(parents=True, mode=0o700)
    for name in (DATABASE, KEY):
        if (data / name).exists():
            _also(data / name, aside / name)
    for name in _LOG:
        if (data / name).exists():
            (data / name).replace(aside / name)
    return aside


def _also(path: Path, other: Path) -> None:
    try:
        os.link(path, other)
    except OSError:  # not every file system knows a second name
        shutil.copy2(path, other)
