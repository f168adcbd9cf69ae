"""What happens, for whoever counts it or reads of it in the log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """Something that an operator may count, or read about in the log.

    `what` and `outcome` are few fixed words.  `facts` name numbers and texts, never a person:
    what a peer said may quote an address, and is redacted where it is written.
    """

    what: str  # poll, match, unmatched, digest, delivery, leave
    outcome: str
    facts: Mapping[str, str | int | float]


Witness = Callable[[Event], None]
"""Hears of every event.  Must not raise, wait, or write to the store."""


def unheard(event: Event) -> None:
    """Nobody listens."""


def both(*witnesses: Witness) -> Witness:
    """A witness that passes everything on to several."""

    def heard(event: Event) -> None:
        for each in witnesses:
            each(event)

    return heard
