"""How often and at what hour a digest comes, and when it is due next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from bot.timetable import localtime
from bot.timetable.rhythms import rhythm_of
from bot.timetable.words import WEEKDAY_NAMES, WEEKDAYS

_OF_SOME_DAYS = ("weekly", "fortnightly", "monthly")
_FIRST_WEEK = 7  # days of a month


@dataclass(frozen=True, slots=True)
class Cadence:
    """Some weekdays (0 is Monday) of each week, every other week or the first seven days of a
    month, every day, or Monday to Friday, at a time of day.

    There are no `weekdays` where it is daily or Monday to Friday.  The zone belongs to the
    destination.
    """

    kind: str = "weekly"
    weekdays: tuple[int, ...] = (0,)
    at: time = time(9)

    @classmethod
    def parse(cls, text: str, default: "Cadence | None" = None) -> "Cadence":
        """Read "weekly mon 09:00", "Fridays at 17", "mon and thu", "daily 8:30", "9am".

        What the words leave open is taken from `default`: a bare time keeps its kind and days.
        Raises TimetableError.
        """
        default = default or cls()
        kinds, days, times = rhythm_of(text)
        kind = kinds[0] if kinds else "weekly" if days else default.kind
        at = times[0] if times else default.at
        if kind not in _OF_SOME_DAYS:
            return cls(kind, (), at)
        kept = default.weekdays[:1] if kinds else default.weekdays
        return cls(kind, days or kept or (0,), at)

    def __str__(self) -> str:
        return f"{self.rhythm} {self.at:%H:%M}"

    @property
    def rhythm(self) -> str:
        """It without its hour, as it is typed: "weekly mon thu", "daily"."""
        return " ".join((self.kind, *(WEEKDAYS[each] for each in self.weekdays)))

    def days(self) -> str:
        """The days as people read them: "Monday and Thursday", "every day", "weekdays"."""
        if not self.weekdays:
            return "every day" if self.kind == "daily" else self.kind
        named = _listed(self.weekdays)
        around = {"fortnightly": "every other {}", "monthly": "the first {} of the month"}
        return around.get(self.kind, "{}").format(named)

    def words(self) -> str:
        """As people read it: "Monday 09:00", "every day 08:30", "every other Friday 17:00"."""
        return f"{self.days()} {self.at:%H:%M}"

    def among(self, offered: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """Rhythms that are offered, each with its words; this one first unless it is among them."""
        return offered if self.rhythm in dict(offered) else ((self.rhythm, self.days()), *offered)

    def falls_on(self, day: date) -> bool:
        """Whether a digest comes on that day."""
        if self.kind == "daily":
            return True
        if self.kind == "fortnightly" and _week_of(day) % 2:
            return False
        if self.kind == "monthly" and day.day > _FIRST_WEEK:
            return False
        return day.weekday() in (self.weekdays or range(5))


def _listed(weekdays: tuple[int, ...]) -> str:
    """ "Monday", "Monday and Thursday", "Monday to Saturday"."""
    *firsts, last = (WEEKDAY_NAMES[each] for each in weekdays)
    if len(firsts) > 1 and weekdays[-1] - weekdays[0] == len(firsts):
        return f"{firsts[0]} to {last}"
    return f"{', '.join(firsts)} and {last}" if firsts else last


def _week_of(day: date) -> int:
    """The number of a week since the calendar began, so that no year begins a pair anew."""
    return (day.toordinal() - 1) // 7


def next_due(cadence: Cadence, zone: str, after: datetime) -> datetime:
    """The first instant (UTC) strictly after `after` at which a digest is due in the zone.

    In a gap of the clocks it is the first valid instant, in a fold the first occurrence; so
    there is exactly one for every local day of the cadence.
    """
    place = localtime.zone_of(zone)
    day = after.astimezone(place).date()
    while True:
        if cadence.falls_on(day):
            due = localtime.instant(day, cadence.at, place)
            if due > after and localtime.exists(day, place):
                return due.astimezone(UTC)
        day += timedelta(days=1)
