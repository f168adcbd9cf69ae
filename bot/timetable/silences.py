"""How long a silence lasts, as people say it."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.model import FOREVER
from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.words import MONTH_NAMES, NUMBERS, month, weekday

MAXIMUM_DAYS = 3650
"""The longest silence with an end."""

LATELY = timedelta(days=183)
"""A day that passed within this is a slip, not a wish for the same day of next year."""

_EXAMPLES = "write for example 7d, 2w, 1 month, until 14 Dec, until 2026-12-14 or forever"
_FOREVER = {"forever", "for ever", "always", "indefinitely", "for good", "ever"}
_LENGTH = re.compile(r"(?P<count>[+-]?\d+|[a-z]+)\s*(?P<unit>[a-z]+)")
_UNITS = {
    **dict.fromkeys(("h", "hour", "hours", "hr", "hrs"), "hours"),
    **dict.fromkeys(("d", "day", "days"), "days"),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks"), "weeks"),
    **dict.fromkeys(("fortnight", "fortnights"), "fortnights"),
    **dict.fromkeys(("mo", "month", "months"), "months"),
    **dict.fromkeys(("y", "yr", "year", "years"), "years"),
}
_DAYS = {"days": 1, "weeks": 7, "fortnights": 14}
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([a-z]+\.?),?(?:\s+(\d{4}))?")
_MONTH_FIRST = re.compile(r"([a-z]+\.?)\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}))?")


def silence_until(text: str, now: datetime, zone: str) -> datetime:
    """The instant (UTC) at which a silence ends: "7d", "for 2w", "until 14 Dec", "forever".

    A length runs from now by the wall clock of the zone.  A date means 00:00 of that day in the
    zone; without a year it is the next such day, unless this year's passed within half a year;
    "until friday" is the next Friday.  Raises TimetableError for what is no time, has passed, or
    is more than ten years away.
    """
    words = " ".join(text.lower().replace("’", "'").split())
    if words in _FOREVER:
        return FOREVER
    place = ZoneInfo(zone)
    here = now.astimezone(place)
    bare = re.sub(r"^(for|until|till|til|to|through)\s+", "", words)
    if bare in _FOREVER:
        return FOREVER
    end = _after_length(bare, here, text) or _at_date(bare, here, text)
    if end is None:
        raise TimetableError(f"{quoted(text)} is not a length of time; {_EXAMPLES}")
    return _checked(end, now, text)


def _checked(end: datetime, now: datetime, text: str) -> datetime:
    if end <= now:
        raise TimetableError(f"{quoted(text)} has already passed; name a day from tomorrow on")
    if end - now > timedelta(days=MAXIMUM_DAYS + 1):
        raise TimetableError(_too_long(text))
    return end.astimezone(UTC)


def _too_long(text: str) -> str:
    return f"{quoted(text)} is too long; at most {MAXIMUM_DAYS}d, or write forever"


def _after_length(words: str, here: datetime, text: str) -> datetime | None:
    """Now plus a length such as "7d" or "a month"; None where the words are no length."""
    match = _LENGTH.fullmatch(words)
    if match is None or match["unit"] not in _UNITS:
        if match is not None and match["unit"] == "m" and match["count"].lstrip("+-").isdecimal():
            raise TimetableError(f"{quoted(text)} may be minutes or months; write 1 month or 2h")
        return None
    count = _count(match["count"])
    if count is None:
        return None
    if count <= 0:
        raise TimetableError(f"{quoted(text)} is no time at all; {_EXAMPLES}")
    if count > MAXIMUM_DAYS * 24:
        raise TimetableError(_too_long(text))
    return _plus(here, count, _UNITS[match["unit"]], text)


def _count(word: str) -> int | None:
    if word.lstrip("+-").isdecimal():
        return int(word[:12])
    return NUMBERS.get(word)


def _plus(here: datetime, count: int, unit: str, text: str) -> datetime:
    if unit == "hours":
        return here.astimezone(UTC) + timedelta(hours=count)
    days = count * _DAYS.get(unit, 0)
    months = count * 12 if unit == "years" else count
    if (days or months * 30) > MAXIMUM_DAYS:
        raise TimetableError(_too_long(text))
    day = here.date() + timedelta(days=days) if days else _months_later(here.date(), months)
    return localtime.instant(day, here.time(), ZoneInfo(str(here.tzinfo)))


def _months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last: 31 January and one is 28 February."""
    index = day.year * 12 + day.month - 1 + months
    first = date(index // 12, index % 12 + 1, 1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(day.day, last.day))


def _at_date(words: str, here: datetime, text: str) -> datetime | None:
    """00:00 of a named day; None where the words name no day."""
    today = here.date()
    day = _relative(words, today) or _calendar_day(words, today, text)
    return None if day is None else localtime.instant(day, time(0), ZoneInfo(str(here.tzinfo)))


def _relative(words: str, today: date) -> date | None:
    named = {
        "yesterday": -1,
        "today": 0,
        "tonight": 1,
        "tomorrow": 1,
        "the day after tomorrow": 2,
        "next week": 7 - today.weekday(),
        "monday next week": 7 - today.weekday(),
    }
    if words in named:
        return today + timedelta(days=named[words])
    if words == "next month":
        return _months_later(today.replace(day=1), 1)
    if words == "next year":
        return date(today.year + 1, 1, 1)
    wanted = weekday(re.sub(r"^(next|this|on)\s+", "", words))
    if wanted is None:
        return None
    return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)


def _calendar_day(words: str, today: date, text: str) -> date | None:
    if match := _ISO.fullmatch(words):
        return _date(int(match[1]), int(match[2]), int(match[3]), text)
    if match := _DOTTED.fullmatch(words):
        return _next(int(match[1]), int(match[2]), match[3], today, text)
    if (match := _DAY_FIRST.fullmatch(words)) and (number := month(match[2])):
        return _next(int(match[1]), number, match[3], today, text)
    if (match := _MONTH_FIRST.fullmatch(words)) and (number := month(match[1])):
        return _next(int(match[2]), number, match[3], today, text)
    if number := month(words):
        return _next(1, number, None, today, text)
    return None


def _next(day: int, month: int, year: str | None, today: date, text: str) -> date:
    """That day of the given year, or else the next one after today (29 February: a leap year)."""
    if year:
        return _date(int(year), month, day, text)
    for candidate in range(today.year, today.year + 9):
        try:
            found = date(candidate, month, day)
        except ValueError:
            continue
        if found > today:
            return found
        if today - found < LATELY:
            raise TimetableError(_passed(text, found))
    return _date(today.year, month, day, text)


def _passed(text: str, found: date) -> str:
    coming = _months_later(found, 12)
    meant = f"until {coming.day} {MONTH_NAMES[coming.month - 1][:3]} {coming.year}"
    return f"{quoted(text)} has already passed; name a day from tomorrow on, or write {meant}"


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        if not 1 <= month <= 12 or not 1 <= year <= 9999:
            raise TimetableError(f"{quoted(text)} is not a day; {_EXAMPLES}") from None
        last = (date(2025, month, 1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        raise TimetableError(
            f"{quoted(text)} is not a day; {MONTH_NAMES[month - 1]} has {last.day}"
        ) from None
