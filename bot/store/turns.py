"""Turns at one host: the contract."""

from typing import Protocol

from bot.model import Pause


class Turns(Protocol):
    """Turns at one host, shared by every process; real time."""

    def reserve(self, host: str, gap_s: float, now: float) -> float:
        """Reserve the next turn and return when it is; turns are `gap_s` seconds apart."""
        ...

    def pause(self, host: str, until: float, reason: str) -> None:
        """Nobody asks this host anything before `until`."""
        ...

    def resumed(self, host: str) -> None:
        """The host answered well: the next pause is short again."""
        ...

    def pauses(self, host: str) -> int:
        """How many pauses there were since the host last answered well."""
        ...

    def paused(self, host: str, now: float) -> Pause | None:
        """Until when and why nobody asks this host, or None."""
        ...
