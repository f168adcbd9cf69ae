"""Forget everything kept about a person, and say which backups still hold it."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.app import backups
from bot.app.wiring import Rooms
from bot.model import Identity

AGAIN = 5
ANSWERED_WITHIN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Erased:
    """What was removed, and which backups still hold it.

    `unseen` is the folder of backups where nobody could look into it.
    """

    mails: int
    backups: tuple[Path, ...]
    unseen: Path | None = None


def erase(rooms: Rooms, identity: Identity) -> Erased | None:
    """Forget someone wholly; None for someone unknown.

    Nothing of them stays in the database, its log or its free pages, nor in the mail folder.
    Backups made before are not touched: they go as they are rotated.
    """
    people = rooms.store.people
    subscriber = people.find(identity)
    if subscriber is None:
        return None
    reached = [destination.id for destination in people.destinations(subscriber)]
    rooms.core.erase(identity)
    for _ in range(AGAIN):
        if rooms.store.engine.checkpoint():
            break
    data = rooms.config.data
    removed = sum(_remove_mails(data / rooms.config.mail.folder, each) for each in reached)
    try:
        return Erased(removed, tuple(_holding(data)))
    except OSError:
        return Erased(removed, (), data / backups.FOLDER)


def forget_unanswered(rooms: Rooms) -> None:
    """Forget, with all mail to it, every address that was asked for a yes and gave none."""
    before = rooms.core.house.clock() - ANSWERED_WITHIN
    for destination in rooms.store.people.forget_unanswered(before):
        _remove_mails(rooms.config.data / rooms.config.mail.folder, destination)


def _remove_mails(folder: Path, destination_id: int) -> int:
    """Mails of the folder transport are named by destination: d for digests, l, t for the rest."""
    found = [
        path
        for kind in "dlt"
        for path in folder.glob(f"*{kind}{destination_id}.*")
        if path.name.lstrip(".").startswith(f"{kind}{destination_id}.")
    ]
    for path in found:
        path.unlink(missing_ok=True)
    return sum(path.suffix == ".eml" for path in found)


def _holding(data: Path) -> list[Path]:
    folder = data / backups.FOLDER
    return sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
