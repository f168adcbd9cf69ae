"""Room on the disk kept free for the day it is full.

Polling stops first, while there is still room; people who leave are heard to the end, with the
room that this file gives up.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from bot.core.house import House
from bot.store import Outcome

SIZE = 64 << 20
LOW = 192 << 20
"""Less free than this, ballast not counted: nothing new is read."""

SCANT = 8 << 20
"""Less free than this: a service that starts needs the ballast."""


class Ballast:
    """A file that is deleted when the disk is full, and comes back when there is room again."""

    def __init__(
        self,
        folder: Path,
        *,
        size: int = SIZE,
        low: int = LOW,
        free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        self.path = folder / "ballast"
        self._folder = folder
        self._size = size
        self._low = low
        self._free = free
        self._was_low = False

    def keep(self) -> None:
        """Put it in place where there is ample room."""
        if self.path.exists() or self._free(self._folder) < self._low + 2 * self._size:
            return
        try:
            with self.path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._size)
        except OSError:
            self.drop()

    def give_way(self) -> None:
        """Give it up where the disk is so full that the database could not even be opened."""
        if self.path.exists() and self._free(self._folder) < SCANT:
            self.drop()

    def drop(self) -> None:
        """Give the room up."""
        self.path.unlink(missing_ok=True)

    def is_low(self) -> bool:
        """Whether nothing that can wait should be written; once so, until there is clearly more."""
        enough = self._low + (self._size // 2 if self._was_low else 0)
        self._was_low = self._free(self._folder) < enough
        return self._was_low

    def deferred(self, house: House, source: str) -> str:
        """Why a source is not read now, written down; "" where there is room."""
        if not self.is_low():
            return ""
        house.store.ledger.record("poll", source, house.clock(), Outcome.DEFERRED, self.why())
        return self.why()

    def why(self) -> str:
        """How little there is, in a sentence."""
        return f"the disk has {self._free(self._folder) >> 20} MB left; free some space"
