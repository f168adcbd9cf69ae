"""Dashes and quotation marks as TeX writes them, to those that a reader knows."""

import re

_MARKS = {"--": "–", "---": "—", "``": "“", "''": "”"}
_WRITTEN = re.compile(
    r"\S*(?:://|www\.)\S*"  # an address stays
    r"|(?<=[\w)\]}$%.”’\"'])-{2,3}(?=[\w(\[{$“‘\"'`\\+])"
    r"|(?<=\s)-{2,3}(?=\s)"
    r"|(?<![`\w])``(?=[^\s`])"
    r"|(?<=[^\s'])''(?!['\w])"
)


def punctuation_from_tex(text: str) -> str:
    """The text with an en dash for "a--b", an em dash for "a --- b" and “c” for "``c''".

    Addresses and options ("--force") stay, and so do rows of more hyphens or quotation marks.
    Closing marks without an opening one stay, as in 5' 3''.
    """
    if "--" not in text and "``" not in text:
        return text
    quotes = "``" in text
    return _WRITTEN.sub(lambda found: _read(found[0], quotes=quotes), text)


def _read(mark: str, *, quotes: bool) -> str:
    return mark if mark == "''" and not quotes else _MARKS.get(mark, mark)
