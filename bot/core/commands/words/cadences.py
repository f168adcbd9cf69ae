"""From what a person types to when digests come, and in which zone."""

import re
from contextlib import suppress

from bot.core.commands.errand import Refused, refused
from bot.model import Destination
from bot.timetable import Cadence, TimetableError, canonical_zone, zone_at_end
from bot.timetable.words import weekday

_ZONE = re.compile(r"\b(?:tz|zone|timezone)\s+(.+)$", re.IGNORECASE)
_TZ = re.compile(r"\b(?:tz|zone|timezone)\s*$", re.IGNORECASE)
_PLACE = re.compile(r"(?<!\S)[a-z]\w+(?:/[\w+-]+)+(?!\S)", re.IGNORECASE)


def cadence_in(text: str, destination: Destination) -> tuple[Cadence, str]:
    """The cadence and zone that the words ask for; what they leave open stays.  Raises Refused."""
    try:
        text, zone = _zone_in(text)
        standing = Cadence.parse(destination.cadence)
        cadence = Cadence.parse(text, standing) if text.strip() else standing
    except TimetableError as error:
        raise refused(str(error)) from error
    return cadence, zone or destination.zone


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
