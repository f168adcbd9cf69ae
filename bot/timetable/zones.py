"""Time zones as people type them."""

import re
from functools import cache
from zoneinfo import available_timezones

from rapidfuzz import fuzz, process

from bot.timetable.cities import CITIES
from bot.timetable.complaint import TimetableError, quoted

# Abbreviations say an offset, not a place, and most mean several.  EST, MST and HST are also
# names in the database, but of places without summer time: not what a New Yorker means.
_ABBREVIATIONS: dict[str, tuple[str, ...]] = {
    "cest": ("Europe/Berlin", "Europe/Paris"),
    "mez": ("Europe/Berlin",),
    "mesz": ("Europe/Berlin",),
    "bst": ("Europe/London",),
    "eest": ("Europe/Kyiv", "Europe/Helsinki"),
    "msk": ("Europe/Moscow",),
    "est": ("America/New_York",),
    "edt": ("America/New_York",),
    "et": ("America/New_York",),
    "cst": ("America/Chicago", "Asia/Shanghai"),
    "cdt": ("America/Chicago",),
    "ct": ("America/Chicago",),
    "mst": ("America/Denver", "America/Phoenix"),
    "mdt": ("America/Denver",),
    "pst": ("America/Los_Angeles",),
    "pdt": ("America/Los_Angeles",),
    "pt": ("America/Los_Angeles",),
    "hst": ("Pacific/Honolulu",),
    "akst": ("America/Anchorage",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "sgt": ("Asia/Singapore",),
    "hkt": ("Asia/Hong_Kong",),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "aedt": ("Australia/Sydney",),
    "awst": ("Australia/Perth",),
    "nzst": ("Pacific/Auckland",),
    "nzdt": ("Pacific/Auckland",),
    "brt": ("America/Sao_Paulo",),
}
_SAME_AS_UTC = {"utc", "z", "zulu", "universal"}
_LONGEST = 5  # words of a zone with what is said beside it: "in New York time"
_BESIDE = re.compile(r"^\(?(?:in\s+)?|\s+time\)?$|\)$", re.IGNORECASE)
_OFFSET = re.compile(r"(utc|gmt)?\s*[+-]\s*\d{1,2}([:.]?\d{2})?", re.IGNORECASE)


def canonical_zone(text: str) -> str:
    """The IANA name of the zone that somebody typed, in any case: "europe/berlin", "New York".

    Links of the database stand as they are ("Europe/Kiev").  Raises TimetableError with near
    names for abbreviations, offsets and typing errors.
    """
    word = re.sub(r"\s*/\s*", "/", text.strip()).replace(" ", "_").lower()
    if word in _SAME_AS_UTC:
        return "UTC"
    if word in _ABBREVIATIONS:
        raise TimetableError(
            f"{quoted(text)} is not a time zone; write {_or(_ABBREVIATIONS[word])}"
        )
    if word in _names():
        return _names()[word]
    places = _cities().get(word, ())
    if len(places) == 1:
        return places[0]
    raise TimetableError(_complaint(text, word, places))


def zone_at_end(text: str) -> tuple[str, str]:
    """Split a zone from the end of a text: ("mon 9", "Europe/Berlin"); "" where none is there.

    Raises TimetableError, as `canonical_zone` does, for an abbreviation or an offset.
    """
    words = text.split()
    for count in range(min(len(words) - 1, _LONGEST), 0, -1):
        name = _BESIDE.sub("", " ".join(words[-count:]))
        is_complained_of = name.lower() in _ABBREVIATIONS or _OFFSET.fullmatch(name)
        if is_complained_of or _is_named(name):
            return " ".join(words[:-count]), canonical_zone(name)
    return text, ""


def _is_named(name: str) -> bool:
    word = name.replace(" ", "_").lower()
    return word in _SAME_AS_UTC or word in _names() or len(_cities().get(word, ())) == 1


def _complaint(text: str, word: str, places: tuple[str, ...]) -> str:
    if places:
        return f"{quoted(text)} could be several time zones; write {_or(places[:3])}"
    if _OFFSET.fullmatch(text.strip()):
        return (
            f"{quoted(text)} is an offset, not a time zone; "
            "write a place, so that summer time is followed: Europe/Berlin, say"
        )
    near = _near(word)
    if near:
        return f"{quoted(text)} is not a time zone; did you mean {_or(near)}?"
    return f"{quoted(text)} is not a time zone; write for example Europe/Berlin or America/New_York"


def _near(word: str) -> tuple[str, ...]:
    """Up to three names that look like the word, or whose city does."""
    if not 3 <= len(word) <= 40:
        return ()
    whole = process.extract(word, _names().keys(), scorer=fuzz.ratio, limit=3, score_cutoff=75)
    city = process.extract(word, _cities().keys(), scorer=fuzz.ratio, limit=3, score_cutoff=75)
    scored = [(score, _names()[name]) for name, score, _ in whole]
    scored += [(score, _cities()[name][0]) for name, score, _ in city]
    return tuple(dict.fromkeys(name for _, name in sorted(scored, key=lambda s: (-s[0], s[1]))))[:3]


def _or(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


@cache
def _names() -> dict[str, str]:
    """Every zone by its name in lower case."""
    return {
        name.lower(): name for name in available_timezones() if name not in ("localtime", "Factory")
    }


@cache
def _cities() -> dict[str, tuple[str, ...]]:
    """Zones by the last part of their name, a city, and by other cities."""
    found: dict[str, list[str]] = {}
    for name in sorted(_names().values()):
        if "/" in name and not name.startswith(("Etc/", "US/", "SystemV/")):
            found.setdefault(name.rpartition("/")[2].lower(), []).append(name)
    own = {city: tuple(names) for city, names in found.items()}
    return {city: (zone,) for city, zone in CITIES.items()} | own
