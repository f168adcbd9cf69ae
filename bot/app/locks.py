"""Which processes work on a data folder: one serves, several may send.

Locks of the kernel's: they end with the process that holds them, however it ends.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from bot.config import ConfigError

_SERVICE, _SENDING = "service.lock", "sending.lock"
_A_LOOK_S = 0.1  # far longer than `is_served` holds what it asks for


class Occupied(Exception):
    """What the service needs is another's now, or not there yet: no setting is wrong, and who
    tries again may have it.  The message says what stands in the way."""


@contextmanager
def only_service(folder: Path) -> Iterator[None]:
    """Hold the data folder's lock: one service a folder.  Raises Occupied for a second one."""
    with (folder / _SERVICE).open("w") as lock:
        if not _taken(lock, fcntl.LOCK_EX) and not _taken_after_a_look(lock):
            raise Occupied(
                f"another paperround run already serves {folder}; stop it first, "
                "or use other --data"
            )
        yield


def is_served(folder: Path) -> bool:
    """Whether a service holds the data folder."""
    with (folder / _SERVICE).open("w") as lock:
        return not _taken(lock, fcntl.LOCK_SH)  # others may look at the same moment


@contextmanager
def sending(folder: Path) -> Iterator[None]:
    """Say for as long as it lasts that this process has messages in the air."""
    with (folder / _SENDING).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH)  # waits for no longer than `nobody_sends` looks
        except OSError as error:
            raise _without_locks(lock, error) from None
        yield


def nobody_sends(folder: Path) -> bool:
    """Whether no process has messages in the air: what seems to be was left by a dead one."""
    with (folder / _SENDING).open("w") as lock:
        return _taken(lock, fcntl.LOCK_EX)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Say for as long as it lasts that this process writes what is in that folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # where nothing can be locked, its age tells
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def nobody_works_in(folder: Path) -> bool:
    """Whether whoever wrote what is in that folder has left it; False where nobody can tell."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _taken(lock: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:  # some network file systems
        raise _without_locks(lock, error) from None
    return True


def _taken_after_a_look(lock: IO[str]) -> bool:
    """Whether it was only that somebody asked at that moment whether a service holds it."""
    time.sleep(_A_LOOK_S)
    return _taken(lock, fcntl.LOCK_EX)


def _without_locks(lock: IO[str], error: OSError) -> ConfigError:
    folder = Path(lock.name).parent
    return ConfigError(
        f"{folder} lies where no file can be locked ({error.strerror}); "
        "keep the data folder on a local disk"
    )
