"""How long a silence lasts, as people say it."""

import re
from datetime import UTC, datetime, timedelta

from bot.model import FOREVER
from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.moments import EXAMPLES, moment, months_later
from bot.timetable.words import NUMBERS

MAXIMUM_DAYS = 3650
"""The longest silence with an end."""

_FOREVER = {"forever", "for ever", "always", "indefinitely", "for good", "ever", "permanently",
            "until further notice", "further notice", "i say so", "i say otherwise", "i unmute it",
            "i come back", "i return", "i am back", "i'm back"}  # fmt: skip
_BEGINNING = re.compile(
    r"(for|until|till|til|to|through|thru|during|over|bis(?: zum)?|jusqu'[àa])\s+"
)
_THROUGH = {"for", "through", "thru", "during", "over"}
"""Behind these the day that is named is silent, too."""
_AT_THE_END = re.compile(r"\s+(?:please|pls|from now(?: on)?)$|[!?,;]+$|(?<=[a-z]{3})\.+$")
_LENGTH = re.compile(r"(?P<count>[+-]?\d+(?:[.,]5)?|(?:a )?few|half an?|[a-z]+)\s*(?P<unit>[a-z]+)")
_COUPLE = re.compile(r"\b(?:a )?couple (?:of )?")
_UNCOUNTED = {"few", "a few", "some", "several", "many"}
_BETWEEN = re.compile(r"\s*(?:,|\band\b|\bund\b|\bet\b)\s*|(?<=[a-z])\s*(?=\d)")
_DATED = (
    (re.compile(r"^(?:until|till?)\s+after\s+"), "through "),
    (re.compile(r"\b(?:the\s+)?(?:\w+\s+)?deadline\s+(?:on\s+|is\s+|of\s+)?(?=\w)"), ""),
    (re.compile(r"\b(?:christmas|xmas)(?:\s+day)?$"), "25 dec"),
    (re.compile(r"\bnew\s+year(?:'?s)?(?:\s+day)?$"), "1 jan"),
)
_UNITS = {
    **dict.fromkeys(("min", "mins", "minute", "minutes", "minuten"), "minutes"),
    **dict.fromkeys(
        ("h", "hour", "hours", "hr", "hrs", "stunde", "stunden", "heure", "heures"), "hours"
    ),
    **dict.fromkeys(("d", "day", "days", "tag", "tage", "tagen", "jour", "jours"), "days"),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks", "woche", "wochen"), "weeks"),
    **dict.fromkeys(("semaine", "semaines"), "weeks"),
    **dict.fromkeys(("fortnight", "fortnights"), "fortnights"),
    **dict.fromkeys(("mo", "mos", "month", "months", "monat", "monate", "mois"), "months"),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years", "jahr", "jahre", "an", "ans"), "years"),
}
_LONGEST = 200  # characters; "for two weeks, until the end of Friday 14 November 2026 at noon"
_NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)  # no day of the year has passed by then
_HOURS = {"minutes": 1 / 60, "hours": 1, "days": 24, "weeks": 168, "fortnights": 336}


def silence_until(text: str, now: datetime, zone: str) -> datetime:
    """The instant (UTC) at which a silence ends: "7d", "for 2w", "until 14 Dec", "forever".

    A length runs from now by the wall clock of the zone.  "until 14 Dec" means 00:00 of that day
    in the zone, "for tomorrow" and "through Friday" the end of it; without a year a date is the
    next such day, unless this year's passed within half a year; "until friday" is the next Friday.
    Raises TimetableError for what is not a time, has passed, or is more than ten years away.
    """
    if len(text) > _LONGEST:
        raise TimetableError(f"{quoted(text)} is not a length of time; {EXAMPLES}")
    words = re.sub(r"(?<=\d)t(?=\d\d:)", " ", " ".join(text.lower().replace("’", "'").split()))
    words = _with_dates(_without_asides(words))
    here = now.astimezone(localtime.zone_of(zone))
    beginning = _BEGINNING.match(words)
    bare = words[beginning.end() :] if beginning else words
    if words in _FOREVER or bare in _FOREVER:
        return FOREVER
    end = _after_length(bare, here, text)
    if end is None:
        said = beginning[1] if beginning else ""
        is_whole = said in _THROUGH or (not said and not any(map(str.isdigit, bare)))
        end = moment(bare, here, text, is_whole=is_whole)
    if end is None:
        raise TimetableError(f"{quoted(text)} is not a length of time; {EXAMPLES}")
    return _checked(end, now, text)


def _with_dates(words: str) -> str:
    """With the date of a feast, or of a deadline; "until after Friday" is through that day."""
    for said, meant in _DATED:
        words = said.sub(meant, words)
    return words


def is_time(text: str) -> bool:
    """Whether a text says how long, or until when, and nothing else."""
    try:
        return bool(silence_until(text, _NEW_YEAR, "UTC"))
    except TimetableError:
        return False


def _without_asides(words: str) -> str:
    """Without what somebody says besides, as in "2 weeks please!"."""
    while found := _AT_THE_END.search(words):
        words = words[: found.start()]
    return words


def _checked(end: datetime, now: datetime, text: str) -> datetime:
    if end <= now:
        raise TimetableError(f"{quoted(text)} has already passed; name a day from tomorrow on")
    if end - now > timedelta(days=MAXIMUM_DAYS + 1):
        raise TimetableError(_too_long(text))
    return end.astimezone(UTC)


def _too_long(text: str) -> str:
    return f"{quoted(text)} is too long; at most {MAXIMUM_DAYS}d, or write forever"


def _after_length(words: str, here: datetime, text: str) -> datetime | None:
    """Now plus a length such as "7d", "a month" or "1w 2d"; None where the words are no length."""
    parts = [each for each in _BETWEEN.split(_COUPLE.sub("2 ", words)) if each]
    lengths = [_length(each, text) for each in parts]
    for each in lengths:
        if each is None:
            return None
        count, unit = each
        here = _plus(here, count, unit, text).astimezone(here.tzinfo)
    return here if lengths else None


def _length(words: str, text: str) -> tuple[float, str] | None:
    """(7, "days") for "7d"; None where the words are no length.  Raises TimetableError."""
    if words == "fortnight":
        return 1, "fortnights"
    match = _LENGTH.fullmatch(words)
    unit = _UNITS.get(match["unit"]) if match else None
    if match is None or unit is None:
        if match is not None and match["unit"] == "m" and match["count"].lstrip("+-").isdecimal():
            raise TimetableError(f"{quoted(text)} may be minutes or months; write 1 month or 2h")
        return None
    if match["count"] in _UNCOUNTED:
        raise TimetableError(f"{quoted(text)} may be any number of {unit}; write 3 {unit}, say")
    count = _count(match["count"])
    if count is None:
        return None
    if count <= 0:
        raise TimetableError(f"{quoted(text)} is no time at all; {EXAMPLES}")
    if count > MAXIMUM_DAYS * 24:
        raise TimetableError(_too_long(text))
    return count, unit


def _count(word: str) -> float | None:
    if word in ("half a", "half an"):
        return 0.5
    if word.lstrip("+-")[:1].isdecimal():
        return float(word[:12].replace(",", "."))
    return NUMBERS.get(word)


def _plus(here: datetime, count: float, unit: str, text: str) -> datetime:
    """That much later: whole days by the wall clock, anything less by the hour."""
    if unit in ("months", "years"):
        months = count * 12 if unit == "years" else count
        if months * 30 > MAXIMUM_DAYS:
            raise TimetableError(_too_long(text))
        if months % 1:
            raise TimetableError(f"{quoted(text)} has no whole number of months; write 6w, say")
        day = months_later(here.date(), int(months))
        return localtime.instant(day, here.time(), localtime.zone_of(str(here.tzinfo)))
    hours = count * _HOURS[unit]
    if hours > MAXIMUM_DAYS * 24:
        raise TimetableError(_too_long(text))
    if hours % 24 or unit == "hours":
        return here.astimezone(UTC) + timedelta(hours=hours)
    day = here.date() + timedelta(days=hours // 24)
    return localtime.instant(day, here.time(), localtime.zone_of(str(here.tzinfo)))
