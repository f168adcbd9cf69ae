"""Once a day: a backup."""

from datetime import timedelta

from bot.app import backups
from bot.app.rotation import rotate
from bot.app.wiring import Rooms
from bot.store import Outcome

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)
OLD = timedelta(hours=36)
"""A backup of this age is a trouble."""


def back_up_if_due(rooms: Rooms) -> bool:
    """Make a backup and rotate, where the last one is a day old; whether one was made.

    Raises StoreError where it fails; it is tried again in an hour.
    """
    keep, ledger, now = rooms.config.operator.backups, rooms.store.ledger, rooms.core.house.clock()
    if not keep or rooms.store.engine.path is None:
        return False
    last = ledger.last("backup", outcomes=(Outcome.DONE, Outcome.FAILED))
    wait = AGAIN if last and last.outcome == Outcome.FAILED else EVERY
    if last and now - last.at < wait:
        return False
    backups.make(rooms.store, rooms.config.data, now)
    rotate(rooms.config.data, keep, now)
    return True
