"""Backups by themselves: one a day; which go again, and never one of somebody else's."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.app import backups
from bot.app.locks import nobody_works_in
from bot.app.wiring import Rooms
from bot.store import Outcome

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)
OLD = timedelta(hours=36)
"""A backup of this age is a trouble."""

ASIDE = timedelta(days=30)
HALF_MADE = timedelta(days=1)


def back_up_if_due(rooms: Rooms) -> bool:
    """Make a backup and rotate, where the last one here is a day old; whether one was made.

    Raises StoreError where it fails; it is tried again in an hour.
    """
    keep, now = rooms.config.operator.backups, rooms.core.house.clock()
    if not keep or rooms.store.engine.path is None:
        return False
    if _failed_lately(rooms, now) or _is_fresh(rooms, now):
        return False
    # Before, not after: one that is cut short at every start would fill the disk.
    _remove(_half_made(rooms.config.data / backups.FOLDER, now, ours=True))
    backups.make(rooms.store, rooms.config.data, now)
    rotate(rooms.config.data, keep, now)
    return True


def _failed_lately(rooms: Rooms, now: datetime) -> bool:
    last = rooms.store.ledger.last("backup", outcomes=(Outcome.DONE, Outcome.FAILED))
    return bool(last and last.outcome == Outcome.FAILED and now - last.at < AGAIN)


def _is_fresh(rooms: Rooms, now: datetime) -> bool:
    """Whether a backup here is less than a day old; those made elsewhere do not count."""
    made = newest_here(rooms.config.data, now)
    return bool(made and now - made < EVERY)


def newest_here(data: Path, now: datetime) -> datetime | None:
    """The UTC instant of the newest backup in the data folder; None for none, or one of later."""
    newest = next(iter(backups.kept(data)), None)
    made = backups.instant(newest.name) if newest else None
    return made if made and made <= now else None


def rotate(data: Path, keep: int, now: datetime, folder: Path | None = None) -> list[Path]:
    """Remove all but the newest `keep`, and after a month what was set aside; 0 removes nothing.

    Keeps the last backup with readers for a month, even if newer ones have none.  Returns what
    was removed.
    """
    if not keep:
        return []
    here = backups.kept(data, folder)
    old = [path for path in here[keep:] if path != _last_with_readers(here, keep, now)]
    old += _half_made(folder or data / backups.FOLDER, now, ours=folder is None)
    old += _long_aside(data / backups.FOLDER, now) if folder is None else []
    _remove(old)
    return old


def _remove(paths: list[Path]) -> None:
    for path in paths:
        shutil.rmtree(path, ignore_errors=True)


def _last_with_readers(here: list[Path], keep: int, now: datetime) -> Path | None:
    """The newest backup with readers, where all that are to be kept have none."""
    with_readers = [path for path in here if int(backups.about(path).get("subscribers", 1))]
    if not with_readers or with_readers[0] in here[:keep]:
        return None
    made = backups.instant(with_readers[0].name)
    return with_readers[0] if made and now - made < ASIDE else None


def _long_aside(folder: Path, now: datetime) -> list[Path]:
    """What a restore or a migration set aside a month ago."""
    return [
        path
        for kind in ("replaced-*", "before-*")
        for path in folder.glob(kind)
        if any(path.glob("paperround.*")) and _is_older(path, ASIDE, now)
    ]


def _half_made(folder: Path, now: datetime, *, ours: bool) -> list[Path]:
    """What backups left that were cut short.

    In a shared folder only those a day old: another machine may be at work there, which no lock
    shows.
    """
    return [
        path
        for path in folder.glob(".*.new")
        if backups.instant(path.name[1:])
        and path.is_dir()
        and (_is_older(path, HALF_MADE, now) or (ours and nobody_works_in(path)))
    ]


def _is_older(path: Path, age: timedelta, now: datetime) -> bool:
    return now.timestamp() - path.stat().st_mtime > age.total_seconds()


def set_back(data: Path, now: datetime) -> None:
    """Rename backups from the future to now: else they stay the latest.

    What they say of themselves stays as it is.
    """
    stamp = now.astimezone(UTC).strftime(backups.STAMP)
    for path in backups.kept(data):
        made = backups.instant(path.name)
        if made and made > now:
            path.rename(backups.free(path.with_name(stamp)))
