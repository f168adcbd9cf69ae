"""Backups: made while everything runs, and found whole before they count.

A backup is a folder named by its instant, with the database, the key that signs links, and
``about.json``.  Whoever holds one can read every address in it: it is for its owner alone.

restoring   one is put back; held_back, what waits then until somebody decides
drafts      folders that are whole or not there
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from bot.app.backups.drafts import copy_private, draft_of
from bot.config import ConfigError
from bot.store import Outcome, StoreError
from bot.store.sqlite import DATABASE, KEY, SqliteStore, verify_file

ABOUT = "about.json"
FOLDER = "backups"
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
    with draft_of(target) as draft:
        store.engine.copy(draft / DATABASE)
        counts = verify_file(draft / DATABASE)
        if (data / KEY).exists():
            copy_private(data / KEY, draft / KEY)
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
