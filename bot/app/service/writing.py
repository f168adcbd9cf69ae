"""Whether the database can be written: a disk that is mounted read-only lets everything be read."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.core.house import House

log = logging.getLogger(__name__)

EVERY_S = 5.0
"""What was found well is asked again after so long, as the disk is waited for each time."""

LONG = timedelta(minutes=2)
"""What was over sooner is no news."""


class Writing:
    """The state of the database's disk, as the service last found it."""

    def __init__(self, house: House, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.why = ""
        self.over = ""  # what the operator is to hear: while it lasts no letter can be queued
        self._house = house
        self._monotonic = monotonic
        self._well_at: float | None = None
        self._since: datetime | None = None

    def look(self) -> str:
        """Why nothing can be written, or "".  It writes."""
        if self._well_at is not None and self._monotonic() - self._well_at < EVERY_S:
            return ""
        try:
            self._house.store.touch()
        except Exception as error:  # whatever it is, nothing can be promised meanwhile
            self._fails(str(error))
        else:
            self._is_well()
        return self.why

    def said(self) -> None:
        """The operator has heard of it."""
        self.over = ""

    def _fails(self, why: str) -> None:
        if self._since is None:
            self._since = self._house.clock()
            log.error("needs somebody", extra={"facts": {"key": "database", "sentence": why}})
        self.why, self._well_at = why, None

    def _is_well(self) -> None:
        now = self._house.clock()
        if self._since and now - self._since >= LONG:
            span = f"{self._since:%Y-%m-%d %H:%M} and {now:%H:%M} UTC"
            self.over = f"Nothing could be written between {span}: {self.why}."
        self.why, self._since, self._well_at = "", None, self._monotonic()
