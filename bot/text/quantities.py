"""Numbers, shares and days as people read them in English."""

import re
from datetime import date

_NO_BREAK = "\N{NO-BREAK SPACE}"
_THIN_SPACE = "\u2009"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def number(n: int) -> str:
    """ "1,902": thousands by commas, for plain text."""
    return f"{n:,}"


def thin(n: int) -> str:
    """Thousands by thin spaces, for a page."""
    return f"{n:,}".replace(",", _THIN_SPACE)


def thinned(words: str) -> str:
    """Words for a page: thin spaces for the commas of thousands."""
    return _THOUSANDS.sub(_THIN_SPACE, words)


def plural(count: int, word: str, words: str = "") -> str:
    """ "1 paper", "70 papers", "1,902 papers"; `words` where the plural is not regular."""
    return f"{number(count)} {word if count == 1 else words or word + 's'}"


def small(text: str, otherwise: int = 0) -> int:
    """A number of at most five digits; `otherwise` for anything else that somebody wrote."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise


def percent(fraction: float) -> str:
    """A fraction in per cent: "141 %", "0.7 %".  One decimal below ten, where it says something."""
    value = fraction * 100
    if 0 < abs(value) < 0.05:
        return "under 0.1 %"
    rounded = round(value, 1)
    shown = f"{rounded:.1f}" if abs(rounded) < 10 and rounded % 1 else number(round(value))
    return f"{shown} %"


def tight(words: str) -> str:
    """Words for a page: a number stays on one line with its sign, "141 %"."""
    return words.replace(" %", f"{_NO_BREAK}%")


def day(at: date, *, year: bool = False) -> str:
    """ "Mon 14 Dec", or "Mon 14 Dec 2026" where the year is not plain."""
    return f"{_WEEKDAYS[at.weekday()]} {short_day(at)}" + (f" {at.year}" if year else "")


def short_day(at: date) -> str:
    """ "30 Sep"."""
    return f"{at.day} {_MONTHS[at.month - 1]}"
