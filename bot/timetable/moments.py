"""Which day or moment some words name: "14 Dec", "friday 5pm", "the end of the month"."""

import re
from datetime import date, datetime, time, timedelta

from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.words import MONTH_NAMES, PARTS_OF_DAY, hour, month, weekday

LATELY = timedelta(days=183)
"""A day that passed within this is a slip, not a wish for the same day of next year."""

EXAMPLES = "write for example 7d, 2w, 1 month, until 14 Dec, until 2026-12-14 or forever"
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})(?P<sign>[-/.])\s?(\d{1,2})(?:[-/.]\s?(\d{4}|\d{2})?)?")
_DAY_FIRST = re.compile(
    r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:of\s+)?([^\W\d]+\.?),?(?:\s+(\d{4}))?"
)
_MONTH_FIRST = re.compile(r"([^\W\d]+\.?)\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}))?")
_MONTH = re.compile(r"([^\W\d]+\.?)(?:\s+(\d{4}))?")
_OF_THE_MONTH = re.compile(r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)")
_LED_IN = re.compile(r"([^\W\d]{2,}\.?),?\s+(?=\S)")
_CLOCK = (
    r"(?:(?:at|um|à)\s+|@\s*)?"
    r"(?P<clock>(?!(?:[ap]\.?m\.?|uhr|h)$)\S+(?:\s(?:[ap]\.?m\.?|uhr|h)(?!\S))?)"
)
_AT = re.compile(rf"(?:(?P<day>.+?)(?:,\s*|\s+|\b(?=@)))?{_CLOCK}")
_HOUR_FIRST = re.compile(rf"{_CLOCK},?\s+(?:on\s+)?(?P<day>\S.*)")
_END_OF_DAY = re.compile(r"24(?:[:.]00|\s?h|\s?uhr)|(?:12\s?)?midnight|mitternacht|minuit")
"""The midnight of a day is the one that it ends with: "until Friday midnight" has all of Friday."""
_PERIOD = re.compile(
    r"(?:(?:the\s+)?(?:end|rest)\s+of\s+(?:the\s+|this\s+)?|after\s+the\s+|this\s+|the\s+)"
    r"(day|week|weekend|month|year)|(?:the\s+)?end\s+of\s+(today)|(tonight|today|overnight)"
)
_END_OF = re.compile(r"(?:the\s+)?end\s+of\s+(.+)")
_ENDS_OF = {"eod": "day", "eow": "week", "eom": "month", "eoy": "year"}
_END_OF_MONTH = re.compile(r"(?:the\s+)?end\s+of\s+([^\W\d]+)(?:\s+(\d{4}))?")
_NAMED_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1, "morgen": 1, "demain": 1,
               "day after tomorrow": 2, "übermorgen": 2}  # fmt: skip


def moment(words: str, here: datetime, text: str, *, is_whole: bool = False) -> datetime | None:
    """The instant (UTC) that lower-case words name, as of `here`; None where they name none.

    A day is 00:00 of it, or its end where `is_whole`; an hour without a day is the next such hour.
    Raises TimetableError, with `text` quoted, for a day that does not exist or may mean two.
    """
    today, zone = here.date(), localtime.zone_of(str(here.tzinfo))
    if (end := _end_of_period(words, today, is_whole=is_whole)) is not None:
        return localtime.instant(end, time(0), zone)
    if found := _END_OF.fullmatch(words):
        words, is_whole = found[1], True
    if (days := _days(words, today, text)) is not None:
        return localtime.instant(days[1] if is_whole else days[0], time(0), zone)
    return _at_hour(words, here, text)


def _end_of_period(words: str, today: date, *, is_whole: bool) -> date | None:
    """The day on which "this week" or "the end of the month" is over."""
    found = _PERIOD.fullmatch(words)
    period = _ENDS_OF.get(words) or (next(filter(None, found.groups())) if found else "")
    if period == "today" and found and found[3] and not is_whole:
        return None  # "until today" is over
    ends = {
        **dict.fromkeys(("day", "today", "tonight", "overnight"), today + timedelta(days=1)),
        **dict.fromkeys(("week", "weekend"), today + timedelta(days=7 - today.weekday())),
        "month": months_later(today.replace(day=1), 1),
        "year": date(today.year + 1, 1, 1),
    }
    return ends.get(period)


def _days(words: str, today: date, text: str) -> tuple[date, date] | None:
    """The first day of what is named, and the first after it; None where no day is named."""
    if found := _END_OF_MONTH.fullmatch(words):
        if number := month(found[1]):
            first = _first_of(number, found[2], today, text, is_over=True)
            return (months_later(first, 1),) * 2
        return None
    if (found := _MONTH.fullmatch(words)) and (number := month(found[1])):
        first = _first_of(number, found[2], today, text)
        return first, months_later(first, 1)
    if span := _next_span(words, today):
        return span
    day = _relative(words, today) or _calendar_day(words, today, text)
    return (day, min(day, date.max - timedelta(days=1)) + timedelta(days=1)) if day else None


def _next_span(words: str, today: date) -> tuple[date, date] | None:
    monday = today + timedelta(days=7 - today.weekday())
    first, year = months_later(today.replace(day=1), 1), date(today.year + 1, 1, 1)
    return {
        "next week": (monday, monday + timedelta(days=7)),
        "next month": (first, months_later(first, 1)),
        "next year": (year, months_later(year, 12)),
    }.get(words)


def _first_of(
    number: int, year: str | None, today: date, text: str, *, is_over: bool = False
) -> date:
    """The first day of a month: the one that runs now where its end `is_over` is meant."""
    if is_over and not year and number == today.month:
        return today.replace(day=1)
    return _next(1, number, year, today, text)


def _relative(words: str, today: date) -> date | None:
    name = words.removeprefix("the ")
    if name in _NAMED_DAYS:
        return today + timedelta(days=_NAMED_DAYS[name])
    if name == "monday next week":
        return today + timedelta(days=7 - today.weekday())
    wanted = weekday(re.sub(r"^(next|this|on|coming|nächsten|kommenden)\s+", "", name))
    if wanted is None:
        return None
    return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)


def _calendar_day(words: str, today: date, text: str) -> date | None:
    led = _LED_IN.match(words)
    named = weekday(led[1]) if led else None
    if led and named is not None:
        found = _calendar_day(words[led.end() :], today, text)
        return found and _agreeing(found, named, text)
    if match := _YEAR_FIRST.fullmatch(words):
        return _date(int(match[1]), int(match[2]), int(match[3]), text)
    if match := _NUMERIC.fullmatch(words):
        return _in_numbers(match, today, text)
    if (match := _DAY_FIRST.fullmatch(words)) and (number := month(match[2])):
        return _next(int(match[1]), number, match[3], today, text)
    if (match := _MONTH_FIRST.fullmatch(words)) and (number := month(match[1])):
        return _next(int(match[2]), number, match[3], today, text)
    if match := _OF_THE_MONTH.fullmatch(words):
        return _next_of_a_month(int(match[1]), today)
    return None


def _agreeing(found: date, named: int, text: str) -> date:
    if found.weekday() != named:
        raise TimetableError(f"{quoted(text)} is not a day; that date is a {found:%A}")
    return found


def _in_numbers(match: re.Match[str], today: date, text: str) -> date | None:
    """A day in numbers: with dots the day comes first, with other signs the one above twelve."""
    first, second, year = int(match[1]), int(match[3]), match[4]
    if match["sign"] == "." and match[0].count(".") == 1 and not year:
        return _or_an_hour(first, second, today, text)
    if match["sign"] == "." or first > 12 or first == second:
        return _next(first, second, _century(year), today, text)
    if second <= 12:
        raise TimetableError(
            f"{quoted(text)} may be {_named(first, second)} or {_named(second, first)}; write one"
        )
    return _next(second, first, _century(year), today, text)


def _or_an_hour(first: int, second: int, today: date, text: str) -> date | None:
    """ "14.12" is a day, "8.30" an hour, and "8.10" may be either."""
    is_day, is_hour = 1 <= second <= 12 and 1 <= first <= 31, first < 24 and second % 5 == 0
    if is_day and is_hour and second >= 5:
        raise TimetableError(
            f"{quoted(text)} may be {_named(first, second)} or {first}:{second:02}; write one"
        )
    return _next(first, second, None, today, text) if is_day else None


def _named(day: int, number: int) -> str:
    return f"{day} {MONTH_NAMES[number - 1][:3]}"


def _century(year: str | None) -> str | None:
    return f"20{year}" if year and len(year) == 2 else year


def _next_of_a_month(day: int, today: date) -> date | None:
    """The next day of that number, in this month or a later one that has it."""
    for months in range(13):
        first = months_later(today.replace(day=1), months)
        found = first + timedelta(days=day - 1)
        if found > today and found.month == first.month and day:
            return found
    return None


def _at_hour(words: str, here: datetime, text: str) -> datetime | None:
    """An hour of a named day, "fri 17" or "5 pm tomorrow", or the next such hour."""
    ways = ((_AT.fullmatch(words), False), (_HOUR_FIRST.fullmatch(words), True))
    found = (
        _at(match, here, text, is_alone=is_first or not match["day"])
        for match, is_first in ways
        if match
    )
    return next(filter(None, found), None)


def _at(match: re.Match[str], here: datetime, text: str, *, is_alone: bool) -> datetime | None:
    day, at = match["day"], _hour(match["clock"], is_alone=is_alone)
    if _END_OF_DAY.fullmatch(match["clock"]):
        return moment(day or "today", here, text, is_whole=True)
    if at is None:
        return None
    zone = localtime.zone_of(str(here.tzinfo))
    if day:
        days = _days(day, here.date(), text) or _today(day, here.date())
        return localtime.instant(days[0], at, zone) if days else None
    found = localtime.instant(here.date(), at, zone)
    return found if found > here else localtime.instant(here.date() + timedelta(days=1), at, zone)


def _today(words: str, today: date) -> tuple[date, date] | None:
    return (today, today) if words in ("this", "today", "heute") else None


def _hour(word: str, *, is_alone: bool) -> time | None:
    """The time of day; a number alone does not name one."""
    if word in PARTS_OF_DAY:
        return None if is_alone else PARTS_OF_DAY[word]
    found = hour(re.sub(r"\s|(?<=[ap])\.(?=m)|(?<=m)\.$", "", word))
    if found is None or (is_alone and word.isdecimal()) or found[0] > 23 or found[1] > 59:
        return None
    return time(*found)


def months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last: 31 January and one is 28 February."""
    index = day.year * 12 + day.month - 1 + months
    first = date(index // 12, index % 12 + 1, 1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(day.day, last.day))


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
    coming = months_later(found, 12)
    meant = f"until {coming.day} {MONTH_NAMES[coming.month - 1][:3]} {coming.year}"
    return f"{quoted(text)} has already passed; name a day from tomorrow on, or write {meant}"


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        if not 1 <= month <= 12 or not 1 <= year <= 9999:
            raise TimetableError(f"{quoted(text)} is not a day; {EXAMPLES}") from None
        last = (date(2025, month, 1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        raise TimetableError(
            f"{quoted(text)} is not a day; {MONTH_NAMES[month - 1]} has {last.day}"
        ) from None
