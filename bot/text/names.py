"""The names of authors as printed."""

import re
from collections.abc import Iterable, Sequence

from bot.text.latex import unicode_from_latex
from bot.text.plain import clean

_ET_AL = re.compile(r"(?:,?\s+)?\bet\.? al\.?$", re.IGNORECASE)
# "A. Foo and B. Bar" in one entry; "Research and Development Group" is one name.
_AND = re.compile(r"\s+(?:and|&)\s+")
_ONE_PERSON = re.compile(r"[^\W\d_][\w.'’-]*(?:\s+[^\W\d_][\w.'’-]*){1,4}")
_GROUP = re.compile(
    r"\b(team|group|collaboration|consortium|labs?|laboratory|institute|university|project|"
    r"research|cent(?:er|re)|department|association|society|inc)\b",
    re.IGNORECASE,
)
_LATIN = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ħ": "h",
     "Ħ": "H", "ı": "i", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe",
     "þ": "th", "Þ": "Th"}
)  # fmt: skip
_PHRASE = re.compile(r"\b(the|for|of|ai|development)\b", re.IGNORECASE)  # or Yuang Ai


def names(authors: Sequence[str], shown: int = 3) -> str:
    """ "A, B, C +4": the first names and how many more there are; "+1" is never shown for one
    name that would fit in its place."""
    more = len(authors) - shown
    if more == 1:
        shown, more = shown + 1, 0
    first = ", ".join(authors[:shown])
    return f"{first} +{more:,}" if more > 0 else first


def person_name(name: str) -> str:
    """One name: LaTeX accents as letters, one kind of space, no mark of a footnote.

    "" for a lone colon or "et al.".
    """
    name = clean(unicode_from_latex(name).replace("~", " ")).strip(" ,;:*†‡")
    return _ET_AL.sub("", name) if name.lower().rstrip(".") != "et al" else ""


def latin(text: str) -> str:
    """The letters that have no mark to be left out, as people type them without: "Nießner" is
    "Niessner", "Łukasz" is "Lukasz"; "Müller" stands."""
    return text if text.isascii() else text.translate(_LATIN)


def is_group(name: str) -> bool:
    """Whether it is the name of a group, which has no family name."""
    return bool(_GROUP.search(name))


def people(printed: Iterable[str]) -> tuple[str, ...]:
    """The names among the entries of a list: separators dropped, two people in one entry parted."""
    return tuple(name for entry in printed for name in _parted(person_name(entry)) if name)


def _parted(name: str) -> list[str]:
    if " and " not in name and " & " not in name:
        return [name]
    parts = _AND.split(name)
    each_is_one = all(_ONE_PERSON.fullmatch(part) for part in parts)
    return parts if each_is_one and not is_group(name) and not _PHRASE.search(name) else [name]
