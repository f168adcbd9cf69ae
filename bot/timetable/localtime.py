"""Wall clocks and instants.  Knows gaps and folds; nothing about digests."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo


@cache
def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name that was written down; UTC where this machine does not know it.

    Names leave the database of zones, and some machines hold less of it than others: a digest at
    another hour is better than none.  `zone_words` say so.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def is_known(name: str) -> bool:
    """Whether this machine knows a zone by that IANA name."""
    return zone_of(name).key == name


def zone_words(name: str) -> str:
    """A zone as it is read: "Europe/Kyiv", or what is in force in place of one not known here."""
    return name if is_known(name) else f"UTC, as {name} is not known here"


def instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant (UTC) at which the wall clock of the zone first shows that time or later.

    A time that a clock change skips is the first valid instant after the gap; a time that comes
    twice is its first occurrence.
    """
    wall = datetime.combine(day, at.replace(tzinfo=None, fold=0))
    early = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    late = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return early if early <= late else _end_of_gap(late, early, zone)


def _end_of_gap(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The instant in (before, after] at which the zone's offset changes."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def exists(day: date, zone: ZoneInfo) -> bool:
    """Whether the zone has that day at all: Samoa skipped 2011-12-30."""
    return instant(day, time(0), zone).astimezone(zone).date() == day
