"""All that is remembered: the contract of the store, one module for each subject.

Every method speaks of the domain; none takes a query.  Instants come from the caller's clock,
never from the database.  Today's engine is `bot.store.sqlite`; another one is an addition.
"""

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from bot.store.errors import NewerSchema, StoreError, StoreFull, TooBroad
from bot.store.ledger import READ_TO_THE_END, Ahead, Ledger, Outcome, Run
from bot.store.outbox import GiveBack, Outbox, QueueLine, Stuck, Told, Waiting
from bot.store.papers import Added, Papers
from bot.store.people import People
from bot.store.places import Places
from bot.store.reading import Fed, Reading, Sought
from bot.store.slack import Installation, SlackDesk
from bot.store.tally import Tally
from bot.store.telling import Candidate, Revision
from bot.store.topics import Scored, Topics
from bot.store.turns import Turns

__all__ = [
    "READ_TO_THE_END",
    "Added",
    "Ahead",
    "Candidate",
    "Fed",
    "GiveBack",
    "Installation",
    "Ledger",
    "NewerSchema",
    "Outcome",
    "QueueLine",
    "Revision",
    "Run",
    "Scored",
    "SlackDesk",
    "Sought",
    "Store",
    "StoreError",
    "StoreFull",
    "Stuck",
    "Tally",
    "Told",
    "TooBroad",
    "Waiting",
]


class Store(Protocol):
    """One database.  Use `write` around writes that belong together."""

    @property
    def papers(self) -> Papers: ...
    @property
    def topics(self) -> Topics: ...
    @property
    def people(self) -> People: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def reading(self) -> Reading: ...
    @property
    def places(self) -> Places: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def slack(self) -> SlackDesk: ...

    def write(self) -> AbstractContextManager[None]:
        """One transaction; another inside joins it.  Never await or use the network inside."""
        ...

    def touch(self) -> None:
        """Write what stands there already, through to the disk.  Raises StoreError.

        A transaction that changes nothing would say well of a disk that takes no byte.
        """
        ...

    def set_back(self, now: datetime) -> None:
        """What was written of times after `now` is of `now`; looks at sources count no more."""
        ...

    def tidy(self, now: datetime, keep: timedelta = timedelta(days=30)) -> None:
        """Forget the bytes and ledger lines of long ago; what was told stays told."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...
