"""A digest in plain words: the console, the text part of a mail, the fallback of a chat.  Pure.

The small sentences here (who wrote it, when it was submitted, why it came) are the ones that
every medium uses, so that a mail and its text part say the same.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from itertools import groupby

from bot import charts, momentum, text
from bot.digest import Action, Digest, Entry, Notice, Section, Tag
from bot.model import Author, Momentum, Paper
from bot.timetable import zone_of, zone_words

WIDTH = 72
WHOLE = 50
"""The first papers come with authors, abstract and reason, the rest by their titles."""

ABSTRACT, TITLE = 280, 300  # characters
PLACES, MUTED = 3, 8  # named, of however many
STOP_ALL = "Stop all mail"
THANKS = "Thank you to arXiv for use of its open access interoperability."
DISCLAIMER = (
    "This service was not reviewed or approved by, nor does it necessarily express or reflect "
    "the policies or opinions of, arXiv."
)
SAMPLE = "This is a sample: its papers are invented."

_INDENT = "    "
_UNSHOWN = frozenset({"one-click"})


def as_text(digest: Digest, *, width: int = WIDTH) -> str:
    """The whole digest as plain text, every paper in it.  Same digest, same text.

    Lines are at most `width` characters, but for addresses, which are never broken.
    """
    blocks = [_head(digest, width), _remarks(digest, width), _doors(digest.actions)]
    numbers = iter(range(1, len(digest.entries) + 1))
    blocks += [_section(section, digest, numbers, width) for section in digest.sections]
    blocks.append(_foot(digest, width))
    return "\n\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def letter_as_text(notice: Notice) -> str:
    """A notice as plain text."""
    paragraphs = ["\n".join(_wrapped(words, WIDTH)) for words in (notice.title, *notice.lines)]
    paragraphs += [f"{action.label}:\n{action.url or action.command}" for action in notice.actions]
    paragraphs += [f"{STOP_ALL}:\n{notice.stop_url}"] if notice.stop_url else []
    return "\n\n".join(paragraphs) + "\n"


# ------------------------------------------------------------------ the parts


def _head(digest: Digest, width: int) -> list[str]:
    rule = "-" * min(width, WIDTH)
    return [*_wrapped(digest.title, width), due_line(digest.due_at, digest.zone), rule]


def _remarks(digest: Digest, width: int) -> list[str]:
    said = [SAMPLE] if digest.sample else []
    said += digest.notes
    said += [muted_line(digest)] if digest.muted else []
    return [line for remark in said for line in _wrapped(remark, width)]


def _doors(actions: Sequence[Action]) -> list[str]:
    """What a reader can do, one a line: its address where there is one, else the words to type."""
    shown = [
        (_plain(a.label), _plain(a.url or a.command))
        for a in actions
        if a.label not in _UNSHOWN and (a.url or a.command)
    ]
    longest = max((len(label) for label, _ in shown), default=0)
    return [f"{label:{longest}}  {words}" for label, words in shown]


def _section(section: Section, digest: Digest, numbers: Iterator[int], width: int) -> list[str]:
    heading = f"{text.clean(section.tag.name)} · {momentum.papers(section.count)}"
    block = [*_wrapped(heading, width), "-" * min(len(heading), width)]
    if section.momentum:
        block += _wrapped(momentum.sentence(section.momentum), width)
        block += [weeks] if (weeks := charts.weeks_line(section.momentum)) else []
    for entry in section.entries:
        block += _entry(entry, digest, next(numbers), width)
    block += _rest(section, width)
    page = (Action("All papers", "", section.tag.url),) if section.tag.url else ()
    more = (section.behind,) if section.behind and section.is_kept else ()
    doors = _doors((*more, *page, *section.actions))
    return [*block, "", *doors] if doors else block


def _rest(section: Section, width: int) -> list[str]:
    """Papers that no link leads to, by title."""
    if not section.rest or section.is_kept:
        return []
    lines = ["", f"{_INDENT}{len(section.rest)} more, by title"]
    for entry in section.rest:
        lines += ["", *_indented(title_of(entry.paper), width), f"{_INDENT}{entry.paper.url}"]
    return lines


def _entry(entry: Entry, digest: Digest, number: int, width: int) -> list[str]:
    if number > WHOLE:
        first = f"{number:>2}  "
        title = _wrapped(title_of(entry.paper), width, first, " " * len(first))
        return ["", *title, f"{_INDENT}{entry.paper.url}"]
    body = _body(entry.paper, entry.tags, entry.reason, digest.due_at.date(), width)
    doors = _doors([action for action in entry.actions if action.url])
    return ["", f"{number:>2}{body}", *(f"{_INDENT}{door}" for door in doors)]


@lru_cache(8192)  # one paper is read for many people
def _body(paper: Paper, tags: tuple[Tag, ...], reason: str, today: date, width: int) -> str:
    """A paper in full, but for the number before it."""
    above, below = _whatever_brings_it(paper, today, width)
    tagged = _indented(tags_line(tags), width)
    why = _indented(f"Why: {cut(reason, 200)}" if reason else "", width)
    lines = [*above, *tagged, *below, *why, f"{_INDENT}{paper.url}"]
    return "\n".join(lines)[len("00") :]


@lru_cache(8192)  # by many topics, each with its own reason
def _whatever_brings_it(paper: Paper, today: date, width: int) -> tuple[list[str], list[str]]:
    """The lines of a paper above its tags, and below them without a reason."""
    said = (title_of(paper), authors_line(paper), places_line(paper),
            " · ".join(facts(paper, today)))  # fmt: skip
    above = [line for words in said for line in _indented(words, width)]
    return above, _indented(abstract_of(paper), width)


def _indented(words: str, width: int) -> list[str]:
    return _wrapped(words, width, _INDENT, _INDENT)


def _foot(digest: Digest, width: int) -> list[str]:
    block = ["-" * min(width, WIDTH)]
    for words in (reason_line(digest), THANKS, DISCLAIMER):
        block += _wrapped(words, width)
    return block


# ------------------------------------------------------------------ sentences for every medium


def due_line(at: datetime, zone: str) -> str:
    """The promised instant in the reader's zone: "Monday 30 November 2026, 09:00 Europe/Berlin"."""
    local = at.astimezone(zone_of(zone))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} {local.tzinfo}"


def reason_line(digest: Digest) -> str:
    """Why this came: how often, to whom, for which topics; and how to leave without a link."""
    names = [text.clean(section.tag.name) for section in digest.sections]
    by_mail = digest.channel == "email"
    linked = any(action.url for action in digest.actions)
    to = f" to {digest.address}" if by_mail else ""
    leave = "" if linked or not by_mail else " To change it or to leave, answer this mail."
    why = f"You get this because you follow {listed(names, 5)}. " if names else ""
    return f"{why}It comes {digest.cadence} ({zone_words(digest.zone)}){to}.{leave}"


def counts(m: Momentum) -> str:
    """The complete weeks as read aloud, unobserved ones not as 0: "2 weeks not observed, 47"."""
    said: list[str] = []
    weeks = [week for week in m.weeks if week.complete]
    for observed, alike in groupby(weeks, key=lambda week: week.observed):
        papers = [str(week.papers) for week in alike]
        said += papers if observed else [f"{text.plural(len(papers), 'week')} not observed"]
    return ", ".join(said)


def title_of(paper: Paper) -> str:
    """The title on one line, cut where it runs to nonsense."""
    return cut(paper.title, TITLE)


def authors_line(paper: Paper, most: int = 3) -> str:
    """Names as printed: "Ada Lovelace, Mary Somerville +4"."""
    return text.names([cut(author.name, 60) for author in paper.authors], most)


def places_line(paper: Paper) -> str:
    """Where the authors work, each place once, where the source told; else ""."""
    places = dict.fromkeys(place for author in paper.authors for place in _places(author))
    more = f" +{len(places) - PLACES}" if len(places) > PLACES else ""
    return "; ".join(list(places)[:PLACES]) + more


def facts(paper: Paper, today: date) -> tuple[str, ...]:
    """Day of submission, primary category, and what else is good to know before a click."""
    on = paper.submitted_at.date()
    day = text.short_day(on) + ("" if abs((today - on).days) < 300 else f" {on.year}")
    remarks = ("sample" if paper.is_sample else "", "withdrawn" if paper.withdrawn else "")
    return tuple(word for word in (day, paper.primary, *remarks) if word)


def tags_line(tags: Sequence[Tag]) -> str:
    """Every followed topic that the paper belongs to; "" where there is only one."""
    return " · ".join(tag.name for tag in tags) if len(tags) > 1 else ""


def abstract_of(paper: Paper) -> str:
    """About three lines of the abstract, cut at a word."""
    return cut(paper.abstract, ABSTRACT)


def muted_line(digest: Digest) -> str:
    """What is silent: "Muted until Mon 14 Dec: World Models; muted until …" in one sentence."""
    shown = "; ".join(text.clean(each) for each in digest.muted[:MUTED])
    more = f"; and {len(digest.muted) - MUTED} more" if len(digest.muted) > MUTED else ""
    return f"{shown[:1].upper()}{shown[1:]}{more}."


@lru_cache(8192)  # one paper is read for many people, and for the text and the HTML of each
def cut(words: str, most: int) -> str:
    """One plain line of at most `most` characters, cut at a word."""
    # No more is read than can be needed: an abstract of megabytes costs nothing.
    return text.cut(text.clean(words[: most * 4]), most)


def _places(author: Author) -> Iterator[str]:
    return (cut(place, 80) for place in author.affiliations if place.strip())


def listed(names: Sequence[str], most: int) -> str:
    """Names in a sentence: "World Models and KV-Cache Compression", or the first and how many."""
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return " and ".join(
        part for part in (", ".join(shown[:-1]), shown[-1] if shown else "") if part
    )


def _plain(words: str) -> str:
    return words if words.isprintable() else text.clean(words)


def _wrapped(words: str, width: int, first: str = "", then: str = "") -> list[str]:
    """The words in lines of at most `width`, broken at spaces only and never before a "%"."""
    flat = text.clean(words).replace(" %", "\u00a0%")
    lines = [line.replace("\u00a0", " ") for line in _lines(width - len(then)).findall(flat)]
    return [f"{then if n else first}{line}" for n, line in enumerate(lines)]


@cache
def _lines(room: int) -> re.Pattern[str]:
    """As much as fits up to a space, or one word that does not fit.

    The standard library's textwrap costs ten times as much, which tells in ten thousand digests.
    """
    return re.compile(rf"[^ ].{{0,{max(room - 1, 0)}}}(?![^ ])|[^ ]+")
