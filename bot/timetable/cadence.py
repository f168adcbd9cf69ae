"""How often and at what hour a digest comes, and when it is due next."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.words import WEEKDAY_NAMES, WEEKDAYS, weekday

_EXAMPLES = "write for example “weekly mon 09:00”, “daily 8:30” or “weekdays 7”"
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})?|(?P<packed>\d{2}))?(?::00)?"
    r"\s*(?P<half>am|pm|a\.m\.?|p\.m\.?)?(?:h|uhr)?"
)
_NAMED_TIMES = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_FILLERS = {"on", "at", "every", "each", "the", "in", "digest", "digests", "o'clock", "and"}
_KINDS = {
    "weekly": "weekly",
    "week": "weekly",
    "daily": "daily",
    "day": "daily",
    "days": "daily",
    "everyday": "daily",
    "weekdays": "weekdays",
    "weekday": "weekdays",
    "workdays": "weekdays",
    "mon-fri": "weekdays",
    "mon–fri": "weekdays",
    "monday-friday": "weekdays",
}


@dataclass(frozen=True, slots=True)
class Cadence:
    """Weekly on a weekday (0 is Monday), daily, or Monday to Friday, at a time of day.

    `weekday` is None unless weekly.  The zone belongs to the destination.
    """

    kind: str = "weekly"
    weekday: int | None = 0
    at: time = time(9)

    @classmethod
    def parse(cls, text: str, default: "Cadence | None" = None) -> "Cadence":
        """Read "weekly mon 09:00", "Fridays at 17", "daily 8:30", "9am".

        What the words leave open is taken from `default`: a bare time keeps its kind and day.
        Raises TimetableError.
        """
        default = default or cls()
        kinds, days, times = _sort_words(text)
        if len(kinds) > 1 or len(times) > 1 or not (kinds or days or times):
            raise TimetableError(f"{quoted(text)} is not a time for digests; {_EXAMPLES}")
        kind = kinds[0] if kinds else "weekly" if days else default.kind
        if len(days) > 1 or (days and kind != "weekly"):
            raise TimetableError(
                f"{quoted(text)} names a day too many; "
                "a digest comes on one weekday, on weekdays or every day"
            )
        day = days[0] if days else default.weekday or 0
        return cls(kind, day if kind == "weekly" else None, times[0] if times else default.at)

    def __str__(self) -> str:
        day = "" if self.weekday is None else f" {WEEKDAYS[self.weekday]}"
        return f"{self.kind}{day} {self.at:%H:%M}"

    def words(self) -> str:
        """As people read it: "Monday 09:00", "every day 08:30", "weekdays 07:00"."""
        day = "every day" if self.kind == "daily" else "weekdays"
        return f"{day if self.weekday is None else WEEKDAY_NAMES[self.weekday]} {self.at:%H:%M}"

    def falls_on(self, weekday: int) -> bool:
        """Whether a digest comes on that day of the week."""
        if self.kind == "weekly":
            return weekday == self.weekday
        return self.kind == "daily" or weekday < 5


def next_due(cadence: Cadence, zone: str, after: datetime) -> datetime:
    """The first instant (UTC) strictly after `after` at which a digest is due in the zone.

    In a gap of the clocks it is the first valid instant, in a fold the first occurrence; so
    there is exactly one for every local day or week.
    """
    place = ZoneInfo(zone)
    # A time in a gap before midnight falls on the next day, so yesterday's may still be ahead.
    day = after.astimezone(place).date() - timedelta(days=1)
    while True:
        if cadence.falls_on(day.weekday()):
            due = localtime.instant(day, cadence.at, place)
            if due > after and localtime.exists(day, place):
                return due.astimezone(UTC)
        day += timedelta(days=1)


def _sort_words(text: str) -> tuple[list[str], list[int], list[time]]:
    """The kinds, weekdays and times among the words.  Raises TimetableError for any other."""
    kinds: list[str] = []
    days: list[int] = []
    times: list[time] = []
    for word in _words(text):
        day = weekday(word)
        if word in _KINDS:
            kinds.append(_KINDS[word])
        elif day is not None:
            days.append(day)
        else:
            times.append(_time(word, text))
    return list(dict.fromkeys(kinds)), list(dict.fromkeys(days)), times


def _words(text: str) -> list[str]:
    flat = text.lower().replace(",", " ").replace("’", "'")
    flat = re.sub(r"(\d)\s+(am|pm|a\.m|p\.m|h|uhr)\b", r"\1\2", flat)
    flat = re.sub(r"\b(mon|monday)\s*(?:to|-|–)\s*(fri|friday)\b", "weekdays", flat)
    flat = re.sub(r"\bevery\s+week\s+day\b", "weekdays", flat)
    return [word for word in flat.split() if word not in _FILLERS]


def _time(word: str, text: str) -> time:
    if word in _NAMED_TIMES:
        return _NAMED_TIMES[word]
    match = _TIME.fullmatch(word)
    if match is None:
        raise TimetableError(f"{quoted(text)} is not a time for digests; {_EXAMPLES}")
    hour = int(match["hour"])
    minute = int(match["minute"] or match["packed"] or 0)
    half = (match["half"] or "")[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 99
    if hour == 24 and minute == 0:
        raise TimetableError(f"{quoted(text)} is past the end of the day; write 00:00 for midnight")
    if hour > 23 or minute > 59:
        raise TimetableError(f"{quoted(text)} has no time of day; write one from 00:00 to 23:59")
    return time(hour, minute)
