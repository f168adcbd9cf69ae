"""The words people write for days, months, numbers and hours."""

import re
from datetime import time

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ELSEWHERE = (
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
    *("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
)
"""German and French, in full: their short forms are words of English."""
MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTHS_ELSEWHERE = (
    *("januar", "februar", "märz", "april", "mai", "juni"),
    *("juli", "august", "september", "oktober", "november", "dezember"),
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)
_COUNTING = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_FEW_ELSEWHERE = {"ein": 1, "eine": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4,
                  "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4}  # fmt: skip
NUMBERS = (
    {word: number for number, word in enumerate(_COUNTING, start=1)}
    | {"a": 1, "an": 1, "thirty": 30}
    | _FEW_ELSEWHERE
)
NOON, MIDNIGHT = time(12), time(0)
_NAMED_HOURS = {"noon": NOON, "midday": NOON, "12noon": NOON, "mittags": NOON, "midi": NOON,
                "midnight": MIDNIGHT, "12midnight": MIDNIGHT, "mitternacht": MIDNIGHT,
                "minuit": MIDNIGHT}  # fmt: skip
PARTS_OF_DAY = {"morning": time(9), "afternoon": time(15), "evening": time(18)}
"""What is meant where no hour is said."""
_HOUR = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})?|(?P<packed>\d{2}))?(?::00)?"
    r"\s*(?P<half>am|pm|a\.m\.?|p\.m\.?)?(?:h|uhr)?"
)


def weekday(word: str) -> int | None:
    """0 for "mon", "Mondays", "mo.", "Montag", "lundi"; None for a word that names no weekday."""
    word = word.lower().rstrip(".")
    for each in (word, word.removesuffix("s")):
        if each in _ELSEWHERE:
            return _ELSEWHERE.index(each) % 7
    return _position("wed" if word == "weds" else word, WEEKDAY_NAMES, shortest=2)


def month(word: str) -> int | None:
    """1 for "jan", "January", "Jan.", "Januar"; None for a word that names no month."""
    word = word.lower().rstrip(".")
    if word in _MONTHS_ELSEWHERE:
        return _MONTHS_ELSEWHERE.index(word) % 12 + 1
    position = _position(word, MONTH_NAMES, shortest=3)
    return None if position is None else position + 1


def hour(word: str) -> tuple[int, int] | None:
    """(17, 30) for "17:30", "5.30pm", "1730", "17h30"; None for a word that is not a time of day.

    Numbers are not checked: (25, 0) for "25:00", and (99, 0) for "13pm".
    """
    if word in _NAMED_HOURS:
        return _NAMED_HOURS[word].hour, 0
    match = _HOUR.fullmatch(word)
    if match is None:
        return None
    found, half = int(match["hour"]), (match["half"] or "")[:1]
    if half:
        found = found % 12 + (12 if half == "p" else 0) if 1 <= found <= 12 else 99
    return found, int(match["minute"] or match["packed"] or 0)


def _position(word: str, names: tuple[str, ...], *, shortest: int) -> int | None:
    """Where the one name stands that begins with the word."""
    if len(word) > shortest and word.endswith("s") and word[:-1] in {n.lower() for n in names}:
        word = word[:-1]
    found = [i for i, name in enumerate(names) if name.lower().startswith(word)]
    return found[0] if len(word) >= shortest and len(found) == 1 else None
