"""How many there are of something, where and in which state."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """How many destinations, or deliveries, of one channel are in one state."""

    channel: str
    state: str
    count: int
