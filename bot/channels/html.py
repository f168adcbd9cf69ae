"""The HTML of a mail: a template whose CSS was inlined beforehand, and a limit on its size.

Mail programs cut long messages off (Gmail at about 102 KB), and what is cut is the way out.  So
only so much is shown as fits, shared among the topics: each keeps its heading, its link and some
titles.  The text part always holds everything.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from itertools import islice

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from bot import charts, momentum, text
from bot.channels.message import quoted_printable
from bot.digest import Action, Digest, Entry, Notice, Section, Tag
from bot.digest import reading as say
from bot.model import Momentum, Paper

LIMIT = 80_000
"""Bytes of the HTML part as it travels, in quoted-printable."""

FEW = 12
"""So many papers stay in full before any loses its title."""

_BAR = 46  # the highest bar in pixels
_NOW = "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} now"
"""Below the bar of the week that is not over, as on a topic's page."""


def digest_html(digest: Digest, limit: int = LIMIT) -> str:
    """The digest as an HTML document of at most `limit` bytes on the wire.

    Up to 50 papers in full, the rest as titles.  Where that is too long, fewer in full; then
    fewer titles; then topics with little more than their names.  None is left out.
    """
    html = ""
    for room in _rooms(digest, limit):
        html = _page(digest, room)
        if _weight(html) <= limit:
            break
    return html


def notice_html(notice: Notice) -> str:
    """A notice as an HTML document."""
    return _template("notice.html").render(
        d=notice,
        when=say.due_line(notice.due_at, notice.zone),
        doors=_doors(notice.actions),
        stop=say.STOP_ALL,
    )


# ------------------------------------------------------------------ what the template sees


@dataclass(frozen=True, slots=True)
class _Bar:
    kind: str  # b: a past week, c: the newest whole one, h: one that does not count
    height: int


@dataclass(frozen=True, slots=True)
class _Bars:
    bars: tuple[_Bar, ...]
    first: str
    last: str
    said: str


@dataclass(frozen=True, slots=True)
class _Card:
    paper: Paper
    title: str
    html: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    tag: Tag
    momentum: Momentum | None
    bars: _Bars | None
    doors: tuple[Action, ...]
    whole: tuple[_Card, ...]
    lines: tuple[_Card, ...]
    left: str  # what is not shown of it, and where it is


@dataclass(frozen=True, slots=True)
class _Room:
    """How much is shown of a digest: papers in full, papers by title, what is said of a topic."""

    whole: int
    lines: int
    bare: bool = False  # topics without their momentum, and with one link
    unlinked: int = 0  # so many topics by name alone: the last ones of some hundred


def _rooms(digest: Digest, limit: int) -> Iterator[_Room]:
    """Ways to share the room, the fullest first; the last one is taken even if it does not fit."""
    count, topics = len(digest.entries), len(digest.sections)

    def fits(room: _Room) -> bool:
        return _weight(_page(digest, room)) <= limit

    most = min(say.WHOLE, count)
    few = min(most, max(FEW, topics))
    yield _Room(most, count - most)
    whole = _most(most, lambda n: fits(_Room(n, count - n)))
    if whole >= few:
        yield _Room(whole, count - whole)
    fewer = _most(few, lambda n: fits(_Room(n, max(0, topics - n))))
    lines = _most(count - fewer, lambda n: fits(_Room(fewer, n)))
    if fewer + lines >= topics:  # something of each
        yield _Room(fewer, lines)
    yield _Room(0, _most(count, lambda n: fits(_Room(0, n, bare=True))), bare=True)
    linked = _most(topics, lambda n: fits(_Room(0, 0, bare=True, unlinked=topics - n)))
    yield _Room(0, 0, bare=True, unlinked=topics - linked)


def _page(digest: Digest, room: _Room) -> str:
    return _template("digest.html").render(_view(digest, room))


def _weight(html: str) -> int:
    return len(quoted_printable(html))


def _view(digest: Digest, room: _Room) -> dict[str, object]:
    count = len(digest.entries)
    return {
        "d": digest,
        "heading": f"{count:,} new paper{'' if count == 1 else 's'}" if count else "Nothing new",
        "when": say.due_line(digest.due_at, digest.zone),
        "doors": _doors(digest.actions),
        "muted": say.muted_line(digest),
        "sections": _parts(digest, room)[: len(digest.sections) - room.unlinked],
        "unlinked": digest.sections[len(digest.sections) - room.unlinked :],
        "reason": say.reason_line(digest),
        "thanks": say.THANKS,
        "disclaimer": say.DISCLAIMER,
    }


def _parts(digest: Digest, room: _Room) -> list[_Part]:
    """Every section, with what there is room for of it."""
    sizes = [len(section.entries) for section in digest.sections]
    whole = _shared(room.whole, sizes)
    lines = _shared(room.lines, [size - n for size, n in zip(sizes, whole, strict=True)], whole)
    return [
        _part(section, digest, cards, titles, bare=room.bare)
        for section, cards, titles in zip(digest.sections, whole, lines, strict=True)
    ]


def _part(section: Section, digest: Digest, whole: int, lines: int, *, bare: bool) -> _Part:
    entries = iter(section.entries)
    cards = tuple(_card(entry, digest) for entry in islice(entries, whole))
    titles = tuple(_title(entry) for entry in islice(entries, lines))
    m = section.momentum if cards and not bare else None
    page = Action("All papers", "", section.tag.url)
    doors = _doors((page, *(() if bare and page.url else section.actions)))
    left = _left(len(section.entries) - whole - lines, section.tag)
    return _Part(section.tag, m, _bars(m) if m else None, doors, cards, titles, left)


def _left(count: int, tag: Tag) -> str:
    """What is not shown of a topic, and where it is."""
    where = "on its page" if tag.url else "in the text part of this mail"
    return f"{count} more {where}" if count else ""


def _shared(room: int, sizes: Sequence[int], had: Sequence[int] = ()) -> list[int]:
    """How many places each topic gets of `room`: evenly, the first ones first, at most its size.

    Topics that `had` places already come after those that had fewer.
    """
    level = list(had) or [0] * len(sizes)
    begun, room = list(level), min(room, sum(sizes))
    while room:
        open_ = [n for n, size in enumerate(sizes) if level[n] - begun[n] < size]
        lowest = min(level[n] for n in open_)
        for n in [n for n in open_ if level[n] == lowest][:room]:
            level[n] += 1
            room -= 1
    return [now - before for now, before in zip(level, begun, strict=True)]


def _bars(m: Momentum) -> _Bars | None:
    weeks = [week for week in m.weeks if week.complete]
    if not weeks:
        return None
    newest = len(weeks) - 1
    kinds = [
        "h" if not (week.complete and week.observed) else "c" if n == newest else "b"
        for n, week in enumerate(m.weeks)
    ]
    heights = charts.bars(m, _BAR)
    return _Bars(
        tuple(_Bar(kind, height) for kind, height in zip(kinds, heights, strict=True)),
        charts.day(weeks[0].monday),
        f"Week of {charts.day(weeks[-1].monday)}" + ("" if m.weeks[-1].complete else _NOW),
        f"Papers a week, {charts.span(m)}: {say.counts(m)}",
    )


def _card(entry: Entry, digest: Digest) -> _Card:
    html = _paper(entry.paper, entry.tags, entry.reason, digest.due_at.date())
    title = say.title_of(entry.paper)
    whole = "".join((html, _doors_of(entry, say.cut(title, 40))))
    return _Card(entry.paper, title, Markup(whole))


def _title(entry: Entry) -> _Card:
    return _Card(entry.paper, say.title_of(entry.paper))


def _doors_of(entry: Entry, about: str) -> Markup:
    """What a reader can do with one paper.  Filled in by hand: there are a hundred in a mail."""
    before, door, after = _door()
    filled = [
        door.replace(_URL, escape(a.url)).replace(_LABEL, escape(a.label))
        for a in _doors(entry.actions)
    ]
    if not filled:
        return Markup("")
    return Markup(before + _APART.join(filled).replace(_ABOUT, escape(about)) + after)


_URL, _LABEL, _ABOUT = "\x01", "\x02", "\x03"
_APART = "&nbsp; "  # Outlook and text browsers draw no padding of a link; digest.html says the same


@cache
def _door() -> tuple[str, str, str]:
    """A link of a paper, with marks where its words go; what stands before and after some."""
    whole = _template("door.html").render(url=_URL, label=_LABEL, about=_ABOUT).strip()
    start, end = whole.index("<a "), whole.index("</a>") + len("</a>")
    return "\n" + whole[:start], whole[start:end], whole[end:]


@lru_cache(8192)  # one paper is read for many people; only the links below it are their own
def _paper(paper: Paper, tags: tuple[Tag, ...], reason: str, today: date) -> Markup:
    return Markup(
        _template("paper.html")
        .render(
            url=paper.url,
            title=say.title_of(paper),
            authors=say.authors_line(paper),
            places=say.places_line(paper),
            facts=" · ".join(say.facts(paper, today)),
            tags=tuple(say.cut(tag.name, 60) for tag in tags) if len(tags) > 1 else (),
            abstract=say.abstract_of(paper),
            why=say.cut(reason, 200),
        )
        .rstrip()
    )


def _doors(actions: Sequence[Action]) -> tuple[Action, ...]:
    """The actions that a reader of mail can take: those with a link, but for the program's own."""
    return tuple(a for a in actions if a.url.startswith("http") and a.label != "one-click")


# ------------------------------------------------------------------ machinery


def _most(upper: int, works: Callable[[int], bool]) -> int:
    """The largest number up to `upper` that works, 0 if none does; all smaller ones must work."""
    low = 0
    while low < upper:
        middle = (low + upper + 1) // 2
        low, upper = (middle, upper) if works(middle) else (low, middle - 1)
    return low


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("bot.channels"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "cut": say.cut, "plain": text.clean, "sentence": momentum.sentence, "tight": text.tight
    }  # fmt: skip
    return found


@cache
def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.inlined.j2")
