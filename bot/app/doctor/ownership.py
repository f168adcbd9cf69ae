"""Whose the files are: others must not read them, and the user of the service must write them."""

import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.app import backups
from bot.app.doctor.findings import Check, State
from bot.config import Config
from bot.store.sqlite import DATABASE, KEY


def private(settings: Config, secrets: Sequence[Path]) -> Iterator[Check]:
    """Whether others on this machine may read addresses or secrets, of which mail is full."""
    data = settings.data
    kept = (data, data / KEY, data / DATABASE, data / backups.FOLDER, *_mail_of(settings))
    open_ = [path for path in (*kept, *secrets) if _others_may_read(path)]
    if open_:
        names = " ".join(str(path) for path in open_)
        yield Check("permissions", State.WARN, f"others may read {names}",
                    f"chmod -R go-rwx {shlex.join(map(str, open_))}")  # fmt: skip
    else:
        yield Check("permissions", State.OK, "addresses and secrets are for their owner alone")


def writable(settings: Config) -> Iterator[Check]:
    """A finding where this user cannot write what the service must, as after a command of root."""
    data = settings.data
    shut = [each for each in (data, data / backups.FOLDER, *_mail_of(settings)) if _is_shut(each)]
    if shut:
        yield Check(
            "folders", State.BAD, f"{', '.join(map(str, shut))} cannot be written by this user",
            f"chown -R USER {shlex.join(map(str, shut))}    (the user of the service)",
        )  # fmt: skip


def _mail_of(settings: Config) -> Sequence[Path]:
    """The folder that mails are written to, where no server takes them."""
    return () if settings.mail.host else (settings.data / settings.mail.folder,)


def _others_may_read(path: Path) -> bool:
    return path.exists() and bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _is_shut(path: Path) -> bool:
    """Whether it stands there, and is no folder that files can be put into."""
    return path.exists() and not (path.is_dir() and os.access(path, os.W_OK | os.X_OK))
