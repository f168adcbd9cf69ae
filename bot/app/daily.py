"""Once a day: a backup."""

from datetime import timedelta

from bot.app import backups
from bot.app.rotation import rotate
from bot.app.wiring import Rooms
from bot.store import Outcome

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)


def back_up_if_due(rooms: Rooms) -> bool:
    """Make a backup and rotate, where the last one is a day old; whether one was made.

    Raises StoreError where it fails; it is tried again in an hour.
    """
    keep, ledger, now = rooms.config.operator.backups, rooms.store.ledger, rooms.core.house.clock()
    if not keep or rooms.store.engine.path is None:
        return False
    tries = ledger.runs("backup", outcomes=(Outcome.DONE, Outcome.FAILED), limit=1)
    wait = AGAIN if tries and tries[0].outcome == Outcome.FAILED else EVERY
    if tries and now - tries[0].at < wait:
        return False
    backups.make(rooms.store, rooms.config.data, now)
    rotate(rooms.config.data, keep, now)
    return True
