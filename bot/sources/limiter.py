"""Manners towards arXiv: one request at a time, far apart, from all processes together.

Source: arXiv's terms of use for its APIs, one request every three seconds over one connection.
"""

import random
import time
from collections.abc import Callable
from typing import Protocol

from bot.model import Pause, utc_now
from bot.sources import SourceError, SourceFault

HOST = "arxiv.org"
"""All of arXiv's interfaces are one host to us: API, RSS and OAI-PMH share one queue."""

GAP_S = 3.5
JITTER_S = 1.0

# A turn further away than this was reserved by a clock that has since been set back.
_LONGEST_WAIT_S = 120.0


class Turns(Protocol):
    """Turns at a host that every process shares.  The store keeps them."""

    def reserve(self, host: str, gap_s: float, now: float) -> float:
        """Take the next turn and return when it is (epoch seconds)."""
        ...

    def pause(self, host: str, until: float, reason: str) -> None:
        """Give nobody a turn before that instant."""
        ...

    def resumed(self, host: str) -> None:
        """The host answered well."""
        ...

    def pauses(self, host: str) -> int:
        """How many pauses there were since it last answered well."""
        ...

    def paused(self, host: str, now: float) -> Pause | None:
        """Until when nobody gets a turn, and why; None where turns are given."""
        ...


class PoliteLimiter:
    """One queue for every request to arXiv, over all processes.

    Real time, never a simulated one: what other people's servers bear does not depend on it.
    `gap_s` of 0 lifts the spacing, not the pauses; only a loopback server may be asked so.
    """

    def __init__(
        self,
        turns: Turns,
        *,
        gap_s: float = GAP_S,
        epoch: Callable[[], float] = lambda: utc_now().timestamp(),
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.turns = turns
        self.gap_s = gap_s
        self.jitter_s = JITTER_S if gap_s else 0.0
        self.epoch = epoch
        self.monotonic = monotonic
        self.sleep = sleep
        self._last = -1e9

    def wait(self) -> None:
        """Sleep until our turn.  Raises SourceError while everything is paused."""
        now = self.epoch()
        self._refuse_while_paused(now)
        gap = self.gap_s + random.random() * self.jitter_s
        turn = self.turns.reserve(HOST, gap, now)
        # The epoch may jump either way; the monotonic clock says how long ago we really asked.
        left = turn - now if turn - now <= _LONGEST_WAIT_S else gap
        wait = max(left, self._last + self.gap_s - self.monotonic())
        if wait > 0:
            self.sleep(wait)
            self._refuse_while_paused(self.epoch())  # another process may have met a 429
        self._last = self.monotonic()

    def pause(self, seconds: float, reason: str) -> None:
        """Let no process ask anything for so long."""
        self.turns.pause(HOST, self.epoch() + seconds, reason)

    def pauses(self) -> int:
        """How many pauses there were since the host last answered well."""
        return self.turns.pauses(HOST)

    def answered(self) -> None:
        """The host answered well, so that the next pause is a short one."""
        if self.turns.pauses(HOST):
            self.turns.resumed(HOST)

    def _refuse_while_paused(self, now: float) -> None:
        paused = self.turns.paused(HOST, now)
        if paused is None:
            return
        fault = SourceFault.BLOCKED if "403" in paused.reason else SourceFault.RATE_LIMITED
        left = max(paused.until - now, 1.0)
        raise SourceError(f"{paused.reason}; asking again in {in_words(left)}", fault, left)


def in_words(seconds: float) -> str:
    """A length of time for a sentence: "40 seconds", "15 minutes", "2 hours"."""
    for size, word in ((3600, "hour"), (60, "minute")):
        if seconds >= size * 1.5 or (word == "minute" and seconds >= size):
            count = round(seconds / size)
            return f"{count} {word}{'' if count == 1 else 's'}"
    count = max(1, round(seconds))
    return f"{count} second{'' if count == 1 else 's'}"
