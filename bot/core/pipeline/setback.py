"""A clock that was ahead: rows that it dated in the future must not silence what comes first.

A machine without a clock of its own, or a virtual one that resumes, may believe for seconds that
it is years later; a look at arXiv written down then would be the last one until that day.
"""

from datetime import datetime, timedelta

from bot.core.house import House
from bot.core.pipeline.recovering import RESTORED, restored
from bot.store import Ahead, Outcome, Run
from bot.text import plural
from bot.timetable import Cadence, next_due

MARGIN = timedelta(hours=1)
SAID_FOR = timedelta(days=1)


def ahead(house: House, now: datetime) -> Ahead | None:
    """Rows that are dated in the future, or None."""
    return house.store.ledger.ahead(now + MARGIN)


def set_back(house: House) -> Ahead | None:
    """Date rows of the future back to now; return what was found, or None.

    Sources are read again, and digests come when they are next due.  Only a service may call
    it: whoever merely pretends an earlier time must change nothing.
    """
    now = house.clock()
    found = ahead(house, now)
    if found is None:
        return None
    with house.store.write():
        house.store.set_back(now)
        if (at := restored(house)) and at > now:
            house.store.ledger.set_watermark(RESTORED, now.isoformat(), now)
        _reschedule(house, now)
        house.store.ledger.record("clock", "ahead", now, Outcome.SET_BACK, sentence(found))
    return found


def lately(house: House, now: datetime) -> Run | None:
    """The latest such set-back, as long as it is worth a word."""
    last = house.store.ledger.last("clock")
    return last if last and now - last.at < SAID_FOR else None


def sentence(found: Ahead) -> str:
    """What happened, for an operator."""
    return (
        f"{plural(found.rows, 'record lies', 'records lie')} in the future: the clock of this "
        f"machine was ahead until {found.until:%Y-%m-%d %H:%M} UTC"
    )


def _reschedule(house: House, now: datetime) -> None:
    """No digest waits longer than its cadence says."""
    people = house.store.people
    for each in (d for subscriber in people.everyone() for d in people.destinations(subscriber)):
        due = next_due(Cadence.parse(each.cadence), each.zone, now)
        if each.next_due_at > due:
            people.schedule(each.id, due)
