"""How often and at what hour a digest comes, and when it is due next."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.words import PARTS_OF_DAY, WEEKDAY_NAMES, WEEKDAYS, hour, weekday

_EXAMPLES = "write for example “weekly mon 09:00”, “daily 8:30” or “weekdays 7”"
_BUT = "a digest comes on one weekday, on weekdays or every day"
_SAID_BESIDE = (
    "a à and at chaque digest digests each every in jede jeden jeder le les o'clock of on once per "
    "please pls sharp the this to tous um"
)
_FILLERS = frozenset(_SAID_BESIDE.split())
_KINDS = {
    **dict.fromkeys(("weekly", "week", "wöchentlich", "hebdomadaire"), "weekly"),
    **dict.fromkeys(
        ("daily", "day", "days", "everyday", "täglich", "tag", "jour", "jours"), "daily"
    ),
    **dict.fromkeys(("quotidien", "quotidienne"), "daily"),
    **dict.fromkeys(("weekdays", "weekday", "workdays", "workday", "werktags"), "weekdays"),
}
_SPELLINGS = (
    (re.compile(r"(\d)\s*([ap])\.?\s?m\b\.?"), r"\1\2m"),
    (re.compile(r"(\d)\s+(h|uhr)\b"), r"\1\2"),
    (re.compile(r"(\d)\s*(?:uhr|h)\s*(\d\d)\b"), r"\1:\2"),
    (re.compile(r"\b12\s+(noon|midnight)\b"), r"\1"),
    (
        re.compile(r"\b(?:mon?|monday|montag)s?\s*(?:to|bis|-|–)\s*(?:fri?|friday|freitag)s?\b"),
        "weekdays",
    ),
    (re.compile(r"(?<!\S)m\s?[-–]\s?f(?!\S)"), "weekdays"),
    (re.compile(r"\b(?:work|working|business|week)\s+(days?)\b"), "weekdays"),
    (re.compile(r"\b(?:every|each)\s+(?=(?:morning|afternoon|evening)\b)"), "daily "),
    (re.compile(r"\b(morning|afternoon|evening)s\b"), r"\1"),
)
"""What people write in several words, or in one, as the words that are read."""
_OTHERWISE = re.compile(
    r"\b(?:bi-?weekly|fortnight\w*|monthly|months?|hourly|hours?|yearly|twice|weekends?|(?:every|each)"
    r"\s+(?:other|second|two|three|\d)|two|three|other)\b"
)
"""Words of rhythms that there are not."""


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
        if len(days) > 1 or (days and set(kinds) - {"weekly"}):
            raise TimetableError(f"{quoted(text)} names a day too many; {_BUT}")
        if len(kinds) > 1 or len(times) > 1 or not (kinds or days or times):
            raise _not_a_time(text)
        kind = kinds[0] if kinds else "weekly" if days else default.kind
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
    parts: list[str] = []
    for word in _words(text):
        day = weekday(word)
        if word in _KINDS:
            kinds.append(_KINDS[word])
        elif word in PARTS_OF_DAY:
            parts.append(word)
        elif day is not None:
            days.append(day)
        else:
            times.append(_time(word, text))
    times = [_in_part(each, parts) for each in times] or [PARTS_OF_DAY[each] for each in parts]
    return list(dict.fromkeys(kinds)), list(dict.fromkeys(days)), times


def _in_part(at: time, parts: list[str]) -> time:
    """An hour with the part of the day that is named beside it: "8 in the evening"."""
    is_late = parts and parts[0] != "morning" and at.hour < 12
    return at.replace(hour=at.hour + 12) if is_late else at


def _words(text: str) -> list[str]:
    flat = text.lower().replace("’", "'")
    for said, meant in _SPELLINGS:
        flat = said.sub(meant, flat)
    flat = re.sub(r"[,;!@&+]|\.(?=\s|$)", " ", flat)
    return [word for word in flat.split() if word not in _FILLERS]


def _time(word: str, text: str) -> time:
    found = hour(word)
    if found is None:
        raise _not_a_time(text)
    if found == (24, 0):
        raise TimetableError(f"{quoted(text)} is past the end of the day; write 00:00 for midnight")
    if found[0] > 23 or found[1] > 59:
        raise TimetableError(f"{quoted(text)} has no time of day; write one from 00:00 to 23:59")
    return time(*found)


def _not_a_time(text: str) -> TimetableError:
    if _OTHERWISE.search(text.lower()):
        return TimetableError(f"{quoted(text)} cannot be had: {_BUT}; {_EXAMPLES}")
    return TimetableError(f"{quoted(text)} is not a time for digests; {_EXAMPLES}")
