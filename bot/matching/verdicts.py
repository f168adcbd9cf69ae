"""What matching says of a paper, and what it refuses to read."""

from typing import NamedTuple

from bot.model import Breadth, Paper

_CUTS = {Breadth.FOCUSED: 0.65, Breadth.BALANCED: 0.5, Breadth.BROAD: 0.35}


def cut(breadth: Breadth) -> float:
    """The lowest score that counts at this breadth, the same for every topic."""
    return _CUTS[breadth]


BROAD = cut(Breadth.BROAD)


class QueryError(ValueError):
    """A query that cannot be read.

    The message is one sentence that quotes the place and ends with a corrected example.
    `place` is the index of the first character in question, `suggestion` the example alone.
    """

    def __init__(self, message: str, *, place: int = 0, suggestion: str = "") -> None:
        tail = f" For example: {suggestion}" if suggestion else ""
        super().__init__(message + tail)
        self.place = place
        self.suggestion = suggestion


class Verdict(NamedTuple):
    """A score above 0 and at most 1, and the words of the text that earned it."""

    score: float
    reason: str


class Hit(NamedTuple):
    """A paper that belongs to a topic, at the broadest breadth or closer."""

    paper: Paper
    topic_id: int
    score: float
    reason: str
