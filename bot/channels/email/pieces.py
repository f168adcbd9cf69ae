"""Pieces of a mail in HTML: headings of topics with their momentum, papers, titles.

What they say is drawn and encoded once for everybody; only links are their reader's own.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from bot import charts, momentum, text
from bot.channels.email.message import quoted_printable
from bot.digest import Action, Digest, Entry, Section, Tag
from bot.digest import reading as say
from bot.model import Momentum, Paper

_BAR = 46  # the highest bar in pixels
_APART_FROM_NOW = "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} "


class Pieces:
    """The pieces of one digest's page, drawn once, however often it is measured.

    A piece is some lines as they travel: each line is encoded by itself, so they can be joined.
    """

    def __init__(self, digest: Digest) -> None:
        self._digest = digest
        # By the id() of the digest's own sections and entries.
        self._headings: dict[tuple[int, bool, bool], bytes] = {}
        self._cards: dict[int, bytes] = {}
        self._frames: dict[int, tuple[bytes, bytes]] = {}

    def frame(self, linked: int) -> tuple[bytes, bytes]:
        """What stands above and below the topics; the first `linked` of them have a heading."""
        if linked not in self._frames:
            self._frames[linked] = _frame(self._digest, linked)
        return self._frames[linked]

    def heading(self, section: Section, *, told: bool, bare: bool) -> bytes:
        """A topic's name, its momentum where that is `told`, its links; one where it is `bare`."""
        kind = (id(section), told, bare)
        if kind not in self._headings:
            self._headings[kind] = _heading(section, told=told, bare=bare)
        return self._headings[kind]

    def card(self, entry: Entry) -> bytes:
        """A paper in full, with what its reader can do with it."""
        if id(entry) not in self._cards:
            paper = _paper(entry.paper, entry.tags, entry.reason, self._digest.due_at.date())
            doors = _doors_of(entry, paper.about)
            self._cards[id(entry)] = paper.lines + quoted_printable(doors) if doors else paper.lines
        return self._cards[id(entry)]

    def rest(self, section: Section) -> bytes:
        """How many more papers of a topic there are, and where they are asked for."""
        return _rest(section)

    def title(self, entry: Entry) -> bytes:
        """A paper by its title alone."""
        return _title(entry.paper.url, say.title_of(entry.paper))


def with_links(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """The actions that a reader of mail can take: those with a link, but for the program's own."""
    return tuple(a for a in actions if a.url.startswith("http") and a.label != "one-click")


# ------------------------------------------------------------------ what everybody's mail says


@dataclass(frozen=True, slots=True)
class _Shared:
    lines: bytes
    about: str  # the title as a link below it is read aloud, escaped


@lru_cache(8192)  # one paper is read for many people
def _paper(paper: Paper, tags: tuple[Tag, ...], reason: str, today: date) -> _Shared:
    html = _whatever_brings_it(paper, today).replace(_TAGS, _tags(tags))
    if why := say.cut(reason, 200):
        html += f"\n{_why().replace(_WHY, escape(why))}"
    return _Shared(quoted_printable(html), str(escape(say.cut(say.title_of(paper), 40))))


@lru_cache(8192)  # by many topics, each with its own reason
def _whatever_brings_it(paper: Paper, today: date) -> str:
    """A paper with a mark where its tags go, and no reason."""
    html = template("paper.html").render(
        url=paper.url,
        title=say.title_of(paper),
        authors=say.authors_line(paper),
        places=say.places_line(paper),
        facts=" · ".join(say.facts(paper, today)),
        tags=_TAGS,
        abstract=say.abstract_of(paper),
    )
    return html.rstrip()


@cache
def _why() -> str:
    """The line that says why a paper came, with a mark where that goes."""
    return template("why.html").render(why=_WHY)


def _tags(tags: tuple[Tag, ...]) -> str:
    """Every followed topic of a paper, where there are several."""
    names = [say.cut(tag.name, 60) for tag in tags]
    return template("tags.html").render(tags=names) if len(names) > 1 else ""


@lru_cache(8192)
def _title(url: str, title: str) -> bytes:
    return quoted_printable(template("title.html").render(url=url, title=title).rstrip())


@lru_cache(1024)
def more(lines: int, *, whole: bool) -> bytes:
    """Above papers by title: how many there are, where others stand above them in full."""
    return quoted_printable(template("more.html").render(lines=lines, whole=whole))


@lru_cache(1024)
def left(count: int, url: str) -> bytes:
    """How many papers of a topic are not shown, and where they are."""
    said = f"{count} more {'on its page' if url else 'in the text part of this mail'}"
    return quoted_printable(template("left.html").render(left=said, url=url))


def _rest(section: Section) -> bytes:
    said, url = f"{len(section.rest)} more", section.behind.url if section.behind else ""
    said += f" on {say.cut(section.tag.name, 60)}" if url else " in the text part of this mail"
    return quoted_printable(template("left.html").render(left=said, url=url))


@lru_cache(1024)
def momentum_html(m: Momentum) -> Markup:
    """A topic's momentum: a sentence, and bars where there is something to draw."""
    return Markup(template("momentum.html").render(momentum=m, bars=_bars(m)).rstrip())


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


def _bars(m: Momentum) -> _Bars | None:
    axis = charts.axis(m)
    if axis is None:
        return None
    newest = sum(week.complete for week in m.weeks) - 1
    kinds = [
        "h" if not (week.complete and week.observed) else "c" if n == newest else "b"
        for n, week in enumerate(m.weeks)
    ]
    heights = charts.bars(m, _BAR)
    return _Bars(
        tuple(_Bar(kind, height) for kind, height in zip(kinds, heights, strict=True)),
        axis.first,
        axis.newest + (f"{_APART_FROM_NOW}{axis.now}" if axis.now else ""),
        f"Papers a week, {charts.span(m)}: {say.counts(m)}",
    )


# ------------------------------------------------------------------ what is a reader's own


def _frame(digest: Digest, linked: int) -> tuple[bytes, bytes]:
    count = digest.count
    html = template("digest.html").render(
        d=digest,
        heading=f"{count:,} new paper{'' if count == 1 else 's'}" if count else "Nothing new",
        when=say.due_line(digest.due_at, digest.zone),
        doors=with_links(digest.actions),
        muted=say.muted_line(digest),
        sections=_SECTIONS,
        unlinked=digest.sections[linked:],
        reason=say.reason_line(digest),
        thanks=say.THANKS,
        disclaimer=say.DISCLAIMER,
    )
    above, _, below = html.partition(f"{_SECTIONS}\n")
    return quoted_printable(above.rstrip("\n")), quoted_printable(below)


def _heading(section: Section, *, told: bool, bare: bool) -> bytes:
    page = Action("All papers", "", section.tag.url)
    html = template("section.html").render(
        tag=section.tag,
        momentum=momentum_html(section.momentum) if section.momentum and told else None,
        doors=with_links((page, *(() if bare and page.url else section.actions))),
    )
    return quoted_printable(html.rstrip())


def _doors_of(entry: Entry, about: str) -> str:
    """What a reader can do with one paper.  Filled in by hand: there are a hundred in a mail."""
    before, door, after = _door()
    filled = [
        door.replace(_URL, escape(a.url)).replace(_LABEL, escape(a.label))
        for a in with_links(entry.actions)
    ]
    return before + _APART.join(filled).replace(_ABOUT, about) + after if filled else ""


_URL, _LABEL, _ABOUT, _SECTIONS, _TAGS, _WHY = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06"
_APART = "&nbsp; "  # Outlook and text browsers draw no padding of a link; digest.html says the same


@cache
def _door() -> tuple[str, str, str]:
    """A link of a paper, with marks where its words go; what stands before and after some."""
    whole = template("door.html").render(url=_URL, label=_LABEL, about=_ABOUT).strip()
    start, end = whole.index("<a "), whole.index("</a>") + len("</a>")
    return whole[:start], whole[start:end], whole[end:]


# ------------------------------------------------------------------ templates


@cache
def template(name: str) -> Template:
    """A template of mails, its CSS inlined beforehand."""
    return _environment().get_template(f"{name}.inlined.j2")


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("bot.channels.email"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "cut": say.cut, "plain": text.clean, "sentence": momentum.sentence, "tight": text.tight
    }  # fmt: skip
    return found
