"""The words in which people say how often, on which days and at what hour a digest comes."""

import re
from datetime import time
from typing import NamedTuple

from bot.timetable.complaint import TimetableError, quoted
from bot.timetable.words import PARTS_OF_DAY, WEEKDAYS, hour, weekday

_EXAMPLES = "write for example “weekly mon 09:00”, “mon thu 9”, “daily 8:30” or “monthly”"
_BUT = (
    "a digest comes on one or several weekdays, every week, every other week or in the first week "
    "of a month"
)
_SAID_BESIDE = (
    "a à and at both chaque digest digests each et every in jede jeden jeder le les o'clock of on "
    "once per please pls sharp the this to tous um und"
)
_FILLERS = frozenset(_SAID_BESIDE.split())
_KINDS = {
    **dict.fromkeys(("weekly", "week", "wöchentlich", "hebdomadaire"), "weekly"),
    **dict.fromkeys(
        ("daily", "day", "days", "everyday", "täglich", "tag", "jour", "jours"), "daily"
    ),
    **dict.fromkeys(("quotidien", "quotidienne"), "daily"),
    **dict.fromkeys(("weekdays", "weekday", "workdays", "workday", "werktags"), "weekdays"),
    **dict.fromkeys(("fortnightly", "fortnight", "biweekly"), "fortnightly"),
    **dict.fromkeys(("monthly", "month", "monatlich", "mensuel"), "monthly"),
}
_WHOLE = {"daily": range(7), "weekdays": range(5)}
_SPELLINGS = (
    (re.compile(r"(\d)\s*([ap])\.?\s?m\b\.?"), r"\1\2m"),
    (re.compile(r"(\d)\s+(h|uhr)\b"), r"\1\2"),
    (re.compile(r"(\d)\s*(?:uhr|h)\s*(\d\d)\b"), r"\1:\2"),
    (re.compile(r"\b12\s+(noon|midnight)\b"), r"\1"),
    (re.compile(r"(?<!\S)m\s?[-–]\s?f(?!\S)"), "weekdays"),
    (re.compile(r"\b(?:work|working|business|week)\s+(days?)\b"), "weekdays"),
    (re.compile(r"\b(?:twice|two times|2 ?x)\s+(?:a|per|each|every)\s+week\b"), "mon thu"),
    (
        re.compile(r"\b(?:thrice|three times|3 times|3 ?x)\s+(?:a|per|each|every)\s+week\b"),
        "mon wed fri",
    ),
    (
        re.compile(r"\b(?:every|each)\s+(?:other|second|two|2)\s+weeks?\b|\bbi-weekly\b"),
        "fortnightly",
    ),
    (re.compile(r"\b(?:every|each)\s+(?:other|second)\s+(?!day)(?=[a-z]{2,})"), "fortnightly "),
    (re.compile(r"\bfirst\s+([a-z]{3,}) (?=(?:of|in) (?:the|every|each|a) month)"), r"\1 "),
    (re.compile(r"\bweek-?ends?\b"), "sat sun"),
    (re.compile(r"\b(?:every|each)\s+(?=(?:morning|afternoon|evening)\b)"), "daily "),
    (re.compile(r"\b(morning|afternoon|evening)s\b"), r"\1"),
)  # fmt: skip
"""What people write in several words, or in one, as the words that are read."""
_RANGE = re.compile(r"\b([a-z]{2,})\.?\s*(?:-|–|to|till|until|through|thru|bis)\s*([a-z]{2,})\b")
_BUT_NOT = re.compile(
    r",?\s*\b(?:except(?:\s+(?:for|on))?|(?:but\s+)?not|but|without|excluding)\b\s*(?:on\b)?"
)
_OTHERWISE = re.compile(
    r"\b(?:months?|hourly|hours?|quarterly|yearly|twice|times|(?:every|each)"
    r"\s+(?:other|second|two|three|\d)|two|three|other|first|last|\d+(?:st|nd|rd|th))\b"
)
"""Words of rhythms that cannot be had."""
_COUNTED = re.compile(r"\b(?:every|each)\s+\d+\s+(?:hour|day|week|month)s?\b")
"""One of these whose number would be read as an hour."""


class Rhythm(NamedTuple):
    """What words say, each part empty where they leave it open."""

    kinds: tuple[str, ...]
    days: tuple[int, ...]
    times: tuple[time, ...]


def rhythm_of(text: str) -> Rhythm:
    """The kinds, weekdays and times among the words.  Raises TimetableError for any other."""
    said, *left_out = _BUT_NOT.split(_spelled(text), maxsplit=1)
    if _COUNTED.search(said):
        raise not_a_time(text)
    kinds, days, times = _sort_words(said, text)
    if left_out:
        out = _sort_words(left_out[0], text)
        times = times or out.times
        kinds, days = _without(kinds, days, out)
        if not days:
            raise not_a_time(text)
    if len(days) > 1 and set(days) in ({*range(5)}, {*range(7)}):
        kinds, days = (*kinds, "weekdays" if len(days) == 5 else "daily"), ()
    if days and _WHOLE.keys() & kinds:
        raise TimetableError(f"{quoted(text)} names a day too many; {_EXAMPLES}")
    if len(times) > 1:
        raise TimetableError(
            f"{quoted(text)} names several hours, and one comes a day; {_EXAMPLES}"
        )
    if len(kinds) > 1 or not (kinds or days or times):
        raise not_a_time(text)
    return Rhythm(kinds, days, times)


def not_a_time(text: str) -> TimetableError:
    """What to say of words that are no time for digests."""
    if _OTHERWISE.search(text.lower()):
        return TimetableError(f"{quoted(text)} cannot be had: {_BUT}")
    return TimetableError(f"{quoted(text)} is not a time for digests; {_EXAMPLES}")


def _without(
    kinds: tuple[str, ...], days: tuple[int, ...], out: Rhythm
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """What is left of every day, of weekdays or of some days: "daily except sunday"."""
    kept = _all_of(kinds, days) - _all_of(out.kinds, out.days) if out.kinds or out.days else ()
    return tuple(kind for kind in kinds if kind not in _WHOLE), tuple(sorted(kept))


def _all_of(kinds: tuple[str, ...], days: tuple[int, ...]) -> set[int]:
    return set(days).union(*(_WHOLE.get(kind, ()) for kind in kinds))


def _sort_words(said: str, text: str) -> Rhythm:
    kinds: list[str] = []
    days: list[int] = []
    times: list[time] = []
    parts: list[str] = []
    for word in said.split():
        day = weekday(word)
        if word in _KINDS:
            kinds.append(_KINDS[word])
        elif word in PARTS_OF_DAY:
            parts.append(word)
        elif day is not None:
            days.append(day)
        elif word not in _FILLERS:
            times.append(_time(word, text))
    times = [_in_part(each, parts) for each in times] or [PARTS_OF_DAY[each] for each in parts]
    return Rhythm(tuple(dict.fromkeys(kinds)), tuple(sorted({*days})), tuple(times))


def _in_part(at: time, parts: list[str]) -> time:
    """An hour with the part of the day that is named beside it: "8 in the evening"."""
    is_late = parts and parts[0] != "morning" and at.hour < 12
    return at.replace(hour=at.hour + 12) if is_late else at


def _spelled(text: str) -> str:
    """The words of a text, single, with what stands in several words in one."""
    flat = text.lower().replace("’", "'")
    for said, meant in _SPELLINGS:
        flat = said.sub(meant, flat)
    flat = _RANGE.sub(_every_day_of, flat)
    return " ".join(re.sub(r"(?<=[a-z])/(?=[a-z])|[,;!@&+]|\.(?=\s|$)", " ", flat).split())


def _every_day_of(found: re.Match[str]) -> str:
    """ "tue wed thu" of "tue to thu"; the words themselves where they are no days."""
    first, last = weekday(found[1]), weekday(found[2])
    if first is None or last is None:
        return found[0]
    return " ".join(WEEKDAYS[(first + each) % 7] for each in range((last - first) % 7 + 1))


def _time(word: str, text: str) -> time:
    found = hour(word)
    if found is None:
        raise not_a_time(text)
    if found == (24, 0):
        raise TimetableError(f"{quoted(text)} is past the end of the day; write 00:00 for midnight")
    if found[0] > 23 or found[1] > 59:
        raise TimetableError(f"{quoted(text)} has no time of day; write one from 00:00 to 23:59")
    return time(*found)
