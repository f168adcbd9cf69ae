"""Pieces of a mail in HTML: papers and the momentum of topics.

What they say is drawn once for everybody; only the links below a paper are its reader's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from bot import charts, momentum, text
from bot.channels.message import quoted_printable
from bot.digest import Action, Digest, Entry, Tag
from bot.digest import reading as say
from bot.model import Momentum, Paper

_BAR = 46  # the highest bar in pixels
_APART_FROM_NOW = "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} "
_EMPTY = Markup("")


class Pieces:
    """The papers of one digest, drawn and weighed once, however often its mail is measured."""

    def __init__(self, digest: Digest) -> None:
        self._today = digest.due_at.date()
        self._drawn: dict[int, Markup] = {}  # by the id() of the digest's own entries
        self._weights: dict[Markup, int] = {}

    def card(self, entry: Entry) -> Markup:
        """A paper in full, with what its reader can do with it."""
        if id(entry) not in self._drawn:
            shared = _paper(entry.paper, entry.tags, entry.reason, self._today)
            self._drawn[id(entry)] = Markup(shared.html + _doors_of(entry, shared.about))
        return self._drawn[id(entry)]

    def title(self, entry: Entry) -> Markup:
        """A paper by its title alone."""
        return _title(entry.paper.url, say.title_of(entry.paper))

    def spared(self, entries: Sequence[Entry]) -> int:
        """How much less a paper weighs by its title alone, on average; at least 1."""
        whole = sum(self.weight(self.card(entry)) for entry in entries)
        titles = sum(self.weight(self.title(entry)) for entry in entries)
        return max(1, (whole - titles) // max(1, len(entries)))

    def weight(self, piece: Markup) -> int:
        """Bytes of its lines as they travel."""
        if piece not in self._weights:
            self._weights[piece] = len(quoted_printable(piece))
        return self._weights[piece]


class Hollow:
    """Stands in for pieces where a page is only weighed: an empty line for each of them.

    `weight` is what they weigh more than that.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self.weight = 0

    def card(self, entry: Entry) -> Markup:
        """In place of a paper in full."""
        return self._instead_of(self._pieces.card(entry))

    def title(self, entry: Entry) -> Markup:
        """In place of a paper's title."""
        return self._instead_of(self._pieces.title(entry))

    def _instead_of(self, piece: Markup) -> Markup:
        self.weight += self._pieces.weight(piece) - self._pieces.weight(_EMPTY)
        return _EMPTY


def with_links(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """The actions that a reader of mail can take: those with a link, but for the program's own."""
    return tuple(a for a in actions if a.url.startswith("http") and a.label != "one-click")


# ------------------------------------------------------------------ what everybody's mail says


@dataclass(frozen=True, slots=True)
class _Shared:
    html: str
    about: str  # the title as a link below it is read aloud, escaped


@lru_cache(8192)  # one paper is read for many people
def _paper(paper: Paper, tags: tuple[Tag, ...], reason: str, today: date) -> _Shared:
    title = say.title_of(paper)
    html = template("paper.html").render(
        url=paper.url,
        title=title,
        authors=say.authors_line(paper),
        places=say.places_line(paper),
        facts=" · ".join(say.facts(paper, today)),
        tags=tuple(say.cut(tag.name, 60) for tag in tags) if len(tags) > 1 else (),
        abstract=say.abstract_of(paper),
        why=say.cut(reason, 200),
    )
    return _Shared(html.rstrip(), str(escape(say.cut(title, 40))))


@lru_cache(8192)
def _title(url: str, title: str) -> Markup:
    return Markup(template("title.html").render(url=url, title=title).rstrip())


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


def _doors_of(entry: Entry, about: str) -> str:
    """What a reader can do with one paper.  Filled in by hand: there are a hundred in a mail."""
    before, door, after = _door()
    filled = [
        door.replace(_URL, escape(a.url)).replace(_LABEL, escape(a.label))
        for a in with_links(entry.actions)
    ]
    return before + _APART.join(filled).replace(_ABOUT, about) + after if filled else ""


_URL, _LABEL, _ABOUT = "\x01", "\x02", "\x03"
_APART = "&nbsp; "  # Outlook and text browsers draw no padding of a link; digest.html says the same


@cache
def _door() -> tuple[str, str, str]:
    """A link of a paper, with marks where its words go; what stands before and after some."""
    whole = template("door.html").render(url=_URL, label=_LABEL, about=_ABOUT).strip()
    start, end = whole.index("<a "), whole.index("</a>") + len("</a>")
    return "\n" + whole[:start], whole[start:end], whole[end:]


# ------------------------------------------------------------------ templates


@cache
def template(name: str) -> Template:
    """A template of mails, its CSS inlined beforehand."""
    return _environment().get_template(f"{name}.inlined.j2")


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
