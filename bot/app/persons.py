"""Forget everything kept about a person, and say which backups still hold it."""

import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.app import backups
from bot.app.wiring import Rooms
from bot.model import Identity

AGAIN = 5
ANSWERED_WITHIN = timedelta(days=30)

_MAIL = re.compile(r"\.?[dlt](\d{1,18})\.")
"""Mails of the folder transport are named by destination: d for digests, l, t for the rest."""

_TO = re.compile(rb"^To: ([^\r\n]*)", re.MULTILINE)


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
    if not rooms.core.erase(identity):
        remove_mails(rooms)  # what an erasure that was cut short has left
        return None
    for _ in range(AGAIN):
        if rooms.store.engine.checkpoint():
            break
    data, removed = rooms.config.data, remove_mails(rooms)
    try:
        return Erased(removed, tuple(_holding(data)))
    except OSError:
        return Erased(removed, (), data / backups.FOLDER)


def forget_unanswered(rooms: Rooms) -> None:
    """Forget every address that was asked for a yes and gave none; mail to it is removed after."""
    rooms.store.people.forget_unanswered(rooms.core.house.clock() - ANSWERED_WITHIN)


def remove_mails(rooms: Rooms) -> int:
    """Remove from the mail folder what was written to whoever is forgotten; how many mails.

    Also of people who erased themselves, or whose erasure was interrupted.
    """
    folder, people = rooms.config.data / rooms.config.mail.folder, rooms.store.people
    named = [(path, name) for path in folder.glob("*") if (name := _MAIL.match(path.name))]
    gone = people.forgotten(int(name[1]) for _, name in named)
    # Of two destinations at one address that became one, the mails of either are its owner's.
    found = [
        path
        for path, name in named
        if int(name[1]) in gone and not people.at("email", _recipient(path))
    ]
    for path in sorted(found):  # .eml before .html
        path.unlink(missing_ok=True)
    return sum(path.suffix == ".eml" for path in found)


def _recipient(path: Path) -> str:
    """The recipient of a mail in the folder; "" if the mail beside a page is gone."""
    mail = path.with_suffix(".eml")
    to = _TO.search(mail.read_bytes()) if mail.exists() else None
    return to[1].decode("utf-8", "replace") if to else ""


def _holding(data: Path) -> list[Path]:
    folder = data / backups.FOLDER
    return sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
