"""LaTeX to Unicode, names, cutting at words, numbers and days as people read them.  Pure."""

from bot.text.latex import unicode_from_latex
from bot.text.names import is_group, latin, names, people, person_name
from bot.text.places import places
from bot.text.plain import clean, cut
from bot.text.quantities import (
    day,
    number,
    percent,
    plural,
    short_day,
    small,
    thin,
    thinned,
    tight,
)

__all__ = [
    "clean",
    "cut",
    "day",
    "is_group",
    "latin",
    "names",
    "number",
    "people",
    "percent",
    "person_name",
    "places",
    "plural",
    "short_day",
    "small",
    "thin",
    "thinned",
    "tight",
    "unicode_from_latex",
]
