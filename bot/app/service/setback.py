"""A service sets back what a clock that was ahead has written: in the database and its backups."""

import logging
from contextlib import suppress

from bot.app import rotation
from bot.app.wiring import Rooms
from bot.core.pipeline.setback import sentence
from bot.store import StoreError

log = logging.getLogger(__name__)


def set_back(rooms: Rooms) -> bool:
    """Move what is dated in the future back to now; whether there was anything."""
    found = rooms.core.set_back()
    if found:
        with suppress(StoreError, OSError):  # alerts and the doctor speak of such a folder
            rotation.set_back(rooms.config.data, rooms.core.house.clock())
        log.warning("%s", sentence(found))
    return found is not None
