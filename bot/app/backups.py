"""Backups: made while everything runs, found whole before they count, rotated, put back.

A backup is a folder named by its instant, with the database, the key that signs links, and
``about.json``.  Whoever holds one can read every address in it: it is for its owner alone.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from bot.app.held_back import HeldBack, hold_back
from bot.app.locks import working_in
from bot.config import ConfigError
from bot.store import Outcome, StoreError
from bot.store.sqlite import DATABASE, KEY, SqliteStore, copy_file, fold_log, verify_file

ABOUT = "about.json"
FOLDER = "backups"
_RESTORING = ".restoring"
_NEXT_KEY = f"{KEY}.next"
_LOG = (f"{DATABASE}-wal", f"{DATABASE}-shm")
STAMP = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole copy.  The counts are those of the copy."""

    path: Path
    made_at: datetime
    version: str
    papers: int
    subscribers: int
    deliveries: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in place now.  `aside` holds what was there before, None where there was nothing."""

    backup: Backup
    held: HeldBack
    aside: Path | None


def make(store: SqliteStore, data: Path, now: datetime, into: Path | None = None) -> Backup:
    """Copy the database and the key, check the copy, and leave a ledger row either way.

    Raises StoreError where it cannot be written or is not whole; nothing half-made stays.
    """
    folder, name = into or data / FOLDER, now.astimezone(UTC).strftime(STAMP)
    try:
        made = _made(store, data, now, folder / name)
    except Exception as error:
        store.ledger.record("backup", name, now, Outcome.FAILED, str(error))
        if isinstance(error, OSError):
            raise StoreError(
                f"{folder}: the backup cannot be written ({error.strerror}); "
                "free some space there, and see that it belongs to the user of the service"
            ) from error
        raise
    store.ledger.record("backup", made.path.name, now, Outcome.DONE, papers=made.papers)
    return made


def _made(store: SqliteStore, data: Path, now: datetime, path: Path) -> Backup:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = free(path)
    with _draft(target) as draft:
        store.engine.copy(draft / DATABASE)
        counts = verify_file(draft / DATABASE)
        if (data / KEY).exists():
            _copy_private(data / KEY, draft / KEY)
        said = {"made_at": now.isoformat(), "version": __version__, **counts}
        (draft / ABOUT).write_text(json.dumps(said, indent=1), encoding="utf-8")
    return Backup(target, now, __version__, **counts)


def kept(data: Path, folder: Path | None = None) -> list[Path]:
    """The daily backups that are there, the newest first.

    Of another folder only those of this installation: others may keep theirs beside them.
    Raises StoreError where they cannot be looked at.
    """
    here = folder or data / FOLDER
    try:
        found = [path for path in here.iterdir() if instant(path.name)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"{here} cannot be read ({error.strerror}); let it belong to the user of the service"
        ) from error
    key = _bytes(data / KEY) if folder else b""
    return sorted((path for path in found if _holds_one(path, key)), reverse=True)


def _holds_one(path: Path, key: bytes) -> bool:
    """Whether a folder is a backup, of the installation with `key` if one is given.

    One that cannot be read is somebody else's.
    """
    try:
        there = (path / DATABASE).is_file() and (not key or (path / ABOUT).is_file())
        return there and (not key or _bytes(path / KEY) == key)
    except OSError:
        return False


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b"none"


def read(path: Path) -> Backup:
    """A backup's description, once it is checked.  Raises StoreError."""
    database = path / DATABASE if path.is_dir() else path
    if not database.is_file():
        raise StoreError(f"{path} holds no {DATABASE}; name a folder that a backup made")
    counts = verify_file(database)
    said = about(database.parent)
    at = said.get("made_at") or datetime.fromtimestamp(database.stat().st_mtime, UTC).isoformat()
    return Backup(path, datetime.fromisoformat(at), said.get("version", ""), **counts)


def chosen(named: str, data: Path) -> Path:
    """The backup of that name: a path, a name in the backup folder, or "latest".

    Raises ConfigError.
    """
    here = kept(data)
    if named == "latest":
        if not here:
            raise ConfigError(f"there is no backup in {data / FOLDER}; name one by its path")
        return here[0]
    for path in (Path(named), data / FOLDER / named):
        if path.exists():
            return path
    known = ", ".join(p.name for p in here[:3])
    others = f", latest, or one of: {known}" if known else f"; {data / FOLDER} holds none"
    raise ConfigError(f"there is no backup “{named}”; name a path{others}")


def try_out(path: Path, room: Path) -> Backup:
    """Put a backup together in a room of its own, open and migrate it, and throw it away.

    Raises StoreError where it could not be restored.
    """
    # Beside the backups: what a killed one leaves half-made is removed with theirs.
    with _draft(room / FOLDER / ".trying", keep=False) as draft:
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
    with _draft(data / _RESTORING, keep=False) as draft:
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
        _settle(data)
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
        _copy_private(database.parent / KEY, draft / _NEXT_KEY)
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


@contextmanager
def _draft(target: Path, *, keep: bool = True) -> Iterator[Path]:
    """A folder that becomes `target` when all went well, and nothing otherwise."""
    draft = target.with_name(f".{target.name.lstrip('.')}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    try:
        with working_in(draft):
            yield draft
        if keep:
            draft.replace(target)
            _settle(target.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copy_private(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    target.write_bytes(source.read_bytes())


def _settle(folder: Path) -> None:
    """Sync a folder, so that its names survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def free(path: Path) -> Path:
    """The path, or the next free one with a number."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def instant(name: str) -> datetime | None:
    """When a backup of that name was made, None where it is no such name."""
    with suppress(ValueError):
        return datetime.strptime(name[:18], STAMP).replace(tzinfo=UTC)
    return None


def about(folder: Path) -> dict[str, str]:
    """A backup's own description; {} if it cannot be read."""
    with suppress(OSError, ValueError):
        return dict(json.loads((folder / ABOUT).read_text(encoding="utf-8")))
    return {}


def as_json(backup: Backup) -> dict[str, object]:
    """A backup as plain JSON values."""
    return {**asdict(backup), "path": str(backup.path), "made_at": backup.made_at.isoformat()}
