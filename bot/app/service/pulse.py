"""Whether the clockwork beats, and whether somebody set the clock."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.model import Clock

JUMP = timedelta(seconds=60)
STILL_S = 60.0


class Pulse:
    """Beats once a round of the clockwork.

    What is due stands in the database, so a clock that jumps repeats and loses nothing; but it
    is worth a line, because digests came early or late.
    """

    def __init__(self, clock: Clock, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._beat: tuple[datetime, float] | None = None
        self.gap = timedelta(0)  # by the clock on the wall, between the last two beats

    def beat(self) -> timedelta | None:
        """How far the clock was set since the last beat; None where it went on as it should."""
        now, at = self._clock(), self._monotonic()
        before, self._beat = self._beat, (now, at)
        if before is None:
            return None
        self.gap = now - before[0]
        jumped = self.gap - timedelta(seconds=at - before[1])
        return jumped if abs(jumped) > JUMP else None

    def still_s(self) -> float:
        """Seconds since the last beat; 0 before the first."""
        return self._monotonic() - self._beat[1] if self._beat else 0.0
