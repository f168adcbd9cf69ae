"""The HTML of a mail: a template whose CSS was inlined beforehand, and a limit on its size.

Mail programs cut long messages off (Gmail at about 102 KB), and what is cut is the way out.  So
only so many papers are shown as fit; the text part always holds all of them.
"""

from collections.abc import Callable, Sequence
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

_BAR = 46  # the highest bar in pixels


def digest_html(digest: Digest, limit: int = LIMIT) -> str:
    """The digest as an HTML document of at most `limit` bytes on the wire.

    Up to 50 papers in full, the rest as titles; where that is too long, fewer titles; where
    even that is, fewer papers.
    """

    def page(whole: int, lines: int) -> str:
        return _template("digest.html").render(_view(digest, whole, lines))

    def fits(html: str) -> bool:
        return len(quoted_printable(html)) <= limit

    count = len(digest.entries)
    whole = min(say.WHOLE, count)
    html = page(whole, count - whole)
    if fits(html):
        return html
    lines = _most(count - whole, lambda n: fits(page(whole, n)))
    if not lines:
        whole = _most(whole, lambda n: fits(page(n, 0)))
    return page(whole, lines)


def notice_html(notice: Notice) -> str:
    """A notice as an HTML document."""
    return _template("notice.html").render(
        d=notice,
        when=say.due_line(notice.due_at, notice.zone),
        doors=_doors(notice.actions),
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


def _view(digest: Digest, whole: int, lines: int) -> dict[str, object]:
    count = len(digest.entries)
    return {
        "d": digest,
        "heading": f"{count:,} new paper{'' if count == 1 else 's'}" if count else "Nothing new",
        "when": say.due_line(digest.due_at, digest.zone),
        "doors": _doors(digest.actions),
        "muted": say.muted_line(digest),
        "sections": _parts(digest, whole, lines),
        "more": _more(digest, count - whole - lines),
        "reason": say.reason_line(digest),
        "thanks": say.THANKS,
        "disclaimer": say.DISCLAIMER,
    }


def _more(digest: Digest, count: int) -> str:
    """What is not shown, and where it is."""
    web = " and on the web" if any(section.tag.url for section in digest.sections) else ""
    return f"{count} more below in the text part{web}." if count else ""


def _parts(digest: Digest, whole: int, lines: int) -> list[_Part]:
    """The sections with what is shown of them; those of which nothing is are left out."""
    parts = []
    for section in digest.sections:
        entries = iter(section.entries)
        cards = tuple(_card(entry, digest) for entry in islice(entries, whole))
        titles = tuple(_title(entry) for entry in islice(entries, lines))
        whole, lines = whole - len(cards), lines - len(titles)
        if cards or titles:
            parts.append(_part(section, cards, titles))
    return parts


def _part(section: Section, cards: tuple[_Card, ...], titles: tuple[_Card, ...]) -> _Part:
    m = section.momentum if cards else None
    page = Action("All papers", "", section.tag.url)
    doors = _doors((page, *section.actions))
    return _Part(section.tag, m, _bars(m) if m else None, doors, cards, titles)


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
    counts = ", ".join(str(week.papers) for week in weeks)
    return _Bars(
        tuple(_Bar(kind, height) for kind, height in zip(kinds, heights, strict=True)),
        charts.day(weeks[0].monday),
        charts.day(m.weeks[-1].monday),
        f"Papers a week, {say.span(m)}: {counts}",
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
    return Markup(before + "".join(filled).replace(_ABOUT, escape(about)) + after)


_URL, _LABEL, _ABOUT = "\x01", "\x02", "\x03"


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
    """The largest number up to `upper` that works, 0 if none; smaller ones work too."""
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
    found.filters |= {"cut": say.cut, "plain": text.clean, "sentence": momentum.sentence}
    return found


@cache
def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.inlined.j2")
