"""From what a person types to when digests come, and in which zone."""

import re
from contextlib import suppress

from bot.core.commands.errand import Refused, refused
from bot.core.commands.words.vocabulary import phrase
from bot.core.reply import Code
from bot.model import Destination
from bot.timetable import Cadence, TimetableError, canonical_zone, zone_at_end
from bot.timetable.words import weekday

_ZONE = re.compile(r"\b(?:tz|zone|timezone)\s+(.+)$", re.IGNORECASE)
_TZ = re.compile(r"\b(?:tz|zone|timezone)\s*$", re.IGNORECASE)
_PLACE = re.compile(r"(?<!\S)[a-z]\w+(?:/[\w+-]+)+(?!\S)", re.IGNORECASE)
_BEST = "(?:best|closest|first|top)"
_AT_MOST = (
    rf"(?:at most|up to|no more than|max(?:imum|\.)?(?: of)?|limit(?:ed)?(?: (?:to|of))?|{_BEST})"
)
_LIMIT = phrase(
    rf"(?:(?:with|and|the|only) )*(?:{_AT_MOST}(?: the)?(?: {_BEST})? (?P<most>\d{{1,4}})"
    r"(?: (?:new|best|closest))?(?: papers?)?"
    r"|(?P<papers>(?<!\S)\d{1,4}) (?:(?:best|closest|new) )?papers?)"
    r"(?: (?:in all|only|(?:a|per|each|every) (?:digest|mail|time)|each|at a time))?(?=$|[\s,])"
)
"""How many papers are wanted at most: "at most 20", "only the best 10 papers"."""
_OFFERED = (0, 5, 10, 20, 50, 100)
_NO_LIMIT = phrase(
    r"(?:with )?(?:no|without (?:a|any)?|remove(?: the)?) ?(?:limit|maximum)|unlimited"
    r"|(?:at most |show )?all(?: (?:of them|papers))|limit (?:off|none)"
)


def cadence_in(text: str, destination: Destination) -> tuple[Cadence, str]:
    """The cadence and zone that the words ask for; what they leave open stays.  Raises Refused."""
    try:
        text, zone = _zone_in(text)
        standing = Cadence.parse(destination.cadence)
        cadence = Cadence.parse(text, standing) if text.strip() else standing
    except TimetableError as error:
        raise refused(str(error)) from error
    return cadence, zone or destination.zone


def limit_in(text: str) -> tuple[str, int | None]:
    """Split from the words how many papers are wanted at most, 0 for all; None if they leave it.

    Raises Refused for none at all.
    """
    if found := _LIMIT.search(text):
        most = int(found["most"] or found["papers"])
        if not most:
            raise refused("Write at least 1, or ", Code("digest off"), " for none.")
    elif found := _NO_LIMIT.search(text):
        most = 0
    else:
        return text, None
    return f"{text[: found.start()]} {text[found.end() :]}".strip(" ,"), most


def limits(most: int) -> tuple[tuple[str, str], ...]:
    """The choices of how many papers are shown, with the present one among them."""
    offered = sorted({*_OFFERED, most})
    return tuple((str(n), f"at most {n}" if n else "all of them") for n in offered)


def limit_words(chosen: str) -> str:
    """One of these choices as it is typed; "" where none was made."""
    return {"": "", "0": "no limit"}.get(chosen, f"at most {chosen}")


def is_schedule(text: str) -> bool:
    """Whether words alone say when digests come: "mon 9", "every morning at 8"."""
    return len(text.split()) > 1 and is_rhythm(text)  # "sun" and "9" can be anything


def is_rhythm(text: str) -> bool:
    """Whether words say when digests come, even a single one: "Fridays"."""
    try:
        words, _ = _zone_in(text)
        Cadence.parse(words)
    except (TimetableError, Refused):
        return False
    return bool(words.split())


def _zone_in(text: str) -> tuple[str, str]:
    """Split `tz New York`, or a name like Europe/Kyiv, from the words.  Raises TimetableError."""
    if place := next((found for found in _PLACE.finditer(text) if not _are_days(found[0])), None):
        before = _TZ.sub("", text[: place.start()])
        return f"{before} {text[place.end() :]}", canonical_zone(place[0])
    if found := _ZONE.search(text):
        rest, zone = _longest_zone(found[1].split())
        return f"{text[: found.start()]} {rest}", zone
    with suppress(TimetableError):
        return "", canonical_zone(text)
    return zone_at_end(text)


def _are_days(words: str) -> bool:
    """Whether these are days with slashes between them: "tue/thu"."""
    return all(weekday(word) is not None for word in words.split("/"))


def _longest_zone(words: list[str]) -> tuple[str, str]:
    """What follows the longest name of a zone that they begin with.  Raises TimetableError."""
    for count in range(len(words), 0, -1):
        with suppress(TimetableError):
            return " ".join(words[count:]), canonical_zone(" ".join(words[:count]))
    return "", canonical_zone(" ".join(words))
