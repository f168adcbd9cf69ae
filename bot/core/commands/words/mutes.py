"""From what a person types to what is muted, and until when."""

import re
from collections.abc import Iterator
from datetime import datetime

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.lookup import followed
from bot.core.commands.words.vocabulary import phrase
from bot.core.naming import is_everything, known
from bot.core.reply import Code
from bot.digest import Action
from bot.model import FOREVER, MuteKind
from bot.timetable import TimetableError, is_time, silence_until

_LED_IN = r"(?:for|until|till?)"
_BORDERS = phrase(rf"(?:^| )(?={_LED_IN} )")
_BARE = phrase(r" (?=\d+\s*(?:d|w|m|days?|weeks?|months?)\s*$)")
_BEGINS = phrase(
    r"(?:^| )(?:from|starting|beginning) (?:on )?(?P<start>\S.*?)"
    rf" (?P<to>to|through|thru|bis|{_LED_IN}) (?P<end>\S.*)$"
)
_SPAN = phrase(
    r"(?:between (?P<first>\S.*?) and|(?P<start>\S.*?) ?(?:-|–|—| to| through| thru| bis)) ?"
    r"(?P<end>\S.*)"
)
"""From one day to another, without a word before them: "20 dec - 3 jan", "1-10 sep"."""
_LENGTH = phrase(rf"^{_LED_IN} |\d ?(?:[dhmwy]|days?|weeks?|months?|hours?|years?)$")
_NUMBER = re.compile(r"\d{1,2}\.?")
_MONTH = r"(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_LATER = phrase(
    rf"(?:^| )(?:(?:from|starting|beginning) (?:on )?(?P<day>\S.*)|in (?P<then>{_MONTH}|\S+ \S+))$"
)
"""A beginning without an end."""
_LONGEST_ROW = 300  # characters of a name and of when it is to be silent
_NOW = {"now", "now on", "today", "this moment"}
_DANGLING = phrase(rf"(?:^|\s){_LED_IN}$")
_AROUND = " ,;:()-–"
_LONGEST = 6  # words of a time that nothing leads in: "the rest of the week"
_TIMED = phrase(rf"^(?:{_LED_IN} )?-?\d+")
_AUTHOR = re.compile(r'^author:\s*"?([^"]+)"?$', re.IGNORECASE)
_CATEGORY = re.compile(r'^cat(?:egory)?:\s*"?([^\s"*,]+?)\.?\*?"?$', re.IGNORECASE)
_PHRASE = re.compile(r'^"([^"]+)"$')


def timed(errand: Errand, text: str) -> tuple[str, datetime]:
    """What is muted and until when; the clause is read from the right, and only when valid.

    Raises Refused for a clause that was meant as a time but is none, "for 0d", "until 31 Feb",
    and for one that begins later.
    """
    if _is_topic(errand, text):
        return text, FOREVER
    text = _from_now_on(text)
    if is_time(text) or _DANGLING.fullmatch(text):
        return "", FOREVER
    trouble: TimetableError | None = None
    fallback: tuple[str, datetime] | None = None
    for name, clause, is_led_in in _splits(text):
        is_something = bool(general(name)) or _is_topic(errand, name)
        try:
            until = silence_until(clause, errand.now, errand.zone)
        except TimetableError as error:
            meant = is_led_in and (is_something or _TIMED.match(clause))
            trouble = trouble or (error if meant else None)
            continue
        if is_something:
            return name, until
        fallback = fallback or ((name, until) if is_led_in else None)
    if trouble and not _PHRASE.match(text):
        raise refused(str(trouble))
    return fallback or (text, FOREVER)


def _from_now_on(text: str) -> str:
    """The text without a "from now".  Raises Refused for a later beginning."""
    if len(text) > _LONGEST_ROW:  # patterns with two ends are slow on long rows of words
        return text
    found = _BEGINS.search(text)
    if not found or not is_time(found["end"]):
        _refuse_a_span(text)
        return _without_a_beginning(text)
    led_in = "for" if found["to"].casefold() == "for" else "until"
    at_once = f"{text[: found.start()].strip(_AROUND) or 'all'} {led_in} {found['end']}"
    if found["start"].casefold() in _NOW:
        return at_once
    if not is_time(found["start"]):
        return text
    raise _begins_at_once(at_once)


def _refuse_a_span(text: str) -> None:
    """Raises Refused for days with nothing but a line or a "to" between them."""
    for border in re.finditer(r"(?:^|(?<=\s))(?=\S)", text):
        name, span = text[: border.start()].strip(_AROUND), _SPAN.fullmatch(text, border.start())
        if span and not _DANGLING.search(name) and _is_span(span):
            raise _begins_at_once(f"{name or 'all'} until {span['end']}")


def _without_a_beginning(text: str) -> str:
    """The text without a "from today".  Raises Refused for a later beginning without an end."""
    later = _LATER.search(text)
    if later is None:
        return text
    name, when = text[: later.start()].strip(_AROUND) or "all", later["day"] or later["then"]
    if when.casefold() in _NOW:
        return name
    if re.fullmatch(_MONTH, when, re.IGNORECASE) or is_time(when):
        raise _begins_at_once(name)
    return text


def _is_span(span: re.Match[str]) -> bool:
    """Whether it is from one day, or the number of one, to another, and no length of time."""
    start, end = span["first"] or span["start"], span["end"]
    is_length = any(_LENGTH.search(each) for each in (start, end))
    is_day = _NUMBER.fullmatch(start) is not None or is_time(start)
    return not is_length and is_day and is_time(end)


def _begins_at_once(instead: str) -> Refused:
    return refused(
        "A silence begins at once. Say it on that day, or have it from now on: ",
        Code(f"mute {instead}"), ".",
        buttons=(Action("From now on", f"mute {instead}"),),
    )  # fmt: skip


def general(text: str) -> tuple[MuteKind, str] | None:
    """The author, category or phrase that is named, or everything; None for a topic."""
    for pattern, kind in ((_AUTHOR, MuteKind.AUTHOR), (_CATEGORY, MuteKind.CATEGORY),
                          (_PHRASE, MuteKind.PHRASE)):  # fmt: skip
        if found := pattern.match(text.strip()):
            return kind, found[1].strip()
    return (MuteKind.ALL, "") if is_everything(text) else None


def is_only_time(text: str) -> bool:
    """Whether the words of a mute only say for how long, not what is muted."""
    word = text.partition(" ")[0].casefold()
    is_led_in = word in ("", "for", "until", "till", "til", "forever")
    begins = _TIMED.match(text) or _BEGINS.match(text) or _LATER.match(text)
    return is_led_in or bool(begins) or is_time(text)


def _is_topic(errand: Errand, text: str) -> bool:
    return followed(errand, text) is not None or known(errand.house, text) is not None


def _splits(text: str) -> Iterator[tuple[str, str, bool]]:
    """(what is muted, the time, whether "for" or the like leads it in), the shortest time first.

    Times without "for" or the like come last: "mute all this week".
    """
    borders = [*_BORDERS.finditer(text), *_BARE.finditer(text)]
    for border in sorted(borders, key=lambda found: -found.start()):
        name = text[: border.start()].strip(_AROUND)
        if not _DANGLING.search(name):  # "X for | 2w" is cut before its "for" instead
            yield name, text[border.end() :].strip(), True
    words = text.split()
    for count in range(1, min(len(words), _LONGEST + 1)):
        name, clause = " ".join(words[:-count]), " ".join(words[-count:]).strip(_AROUND)
        is_led_in = count == 1 and bool(_TIMED.match(clause) or clause.casefold() == "forever")
        yield name.strip(_AROUND), clause, is_led_in
