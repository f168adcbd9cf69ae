"""The place in a list that words name: "2", "the second", "option 3", "the last one"."""

import re

_ORDINALS = ("1|1st|first|one|former", "2|2nd|second|two", "3|3rd|third|three",
             "4|4th|fourth|four", "5|5th|fifth|five")  # fmt: skip
_NUMBERS = {
    **{word: n for n, words in enumerate(_ORDINALS, start=1) for word in words.split("|")},
    **{str(n): n for n in range(6, 31)},
    **dict.fromkeys(("last", "latter"), -1),
}
_NUMBERED = re.compile(
    r"(?:(?:the|number|option|paper|no\.|nr\.|#)\s*)*(?P<which>\w+)"
    r"(?:\s+(?:one|option|paper|topic))?"
)


def number_in(text: str) -> int | None:
    """1 for the first, -1 for the last; None for words that name no place."""
    found = _NUMBERED.fullmatch(text.casefold().strip(" ."))
    return _NUMBERS.get(found["which"]) if found else None
