"""What an examination found: one thing looked at, how it is, what to do."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, and what to do where it is not well."""

    name: str
    state: State
    said: str
    advice: str = ""
