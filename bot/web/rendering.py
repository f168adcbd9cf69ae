"""Templates to HTML: escaped by themselves, failing on what is not there."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bot import charts, text
from bot.core.dates import clock_words
from bot.core.reply import Code, Instant, Line, Link, Query, Strong
from bot.digest import Tag
from bot.model import Momentum, Paper, Topic
from bot.momentum import counted, how_many, label, sentence, span
from bot.timetable import zone_of

HERE = Path(__file__).parent
STATIC = HERE / "static"


@dataclass(frozen=True, slots=True)
class Card:
    """A paper with the topics it belongs to."""

    paper: Paper
    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A topic in a list of topics."""

    topic: Topic
    momentum: Momentum


def render(template: str, **values: object) -> str:
    """A page from `bot/web/templates`.  Raises where it needs a value that was not given."""
    return _environment().get_template(template).render(**values)


@cache
def asset(name: str) -> str:
    """The address of a file of `static/`, which changes with its content and so keeps for ever."""
    mark = sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{mark}/{name}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["asset"] = asset
    made.filters |= {
        "authors": _authors,
        "card": _card,
        "clock": lambda at: clock_words(at, "UTC"),
        "date": _date,
        "day": text.day,
        "drawable": charts.is_drawable,
        "drawn": lambda m, title: Markup(charts.svg(m, title=title)),
        "label": label,
        "counted": counted,
        "span": span,
        "line": line_to_html,
        "number": text.thin,
        "places": _places,
        "row": _row,
        "sentence": _sentence,
        "spark": charts.sparkline,
        "tight": text.tight,
    }
    return made


def _card(card: Card) -> Markup:
    """A paper in a list.  The same paper stands on many pages, so its card is made once."""
    paper = card.paper
    marks = (paper.arxiv_id, paper.version, paper.withdrawn, paper.code_url, paper.authors[:3])
    return _made_card(_Same(card, (marks, tuple(tag.url for tag in card.tags))))


@lru_cache(4_000)
def _made_card(same: "_Same") -> Markup:
    return Markup(render("card.html.j2", each=same.shown))


@dataclass(frozen=True, slots=True)
class _Same:
    """A cache key: what has the same mark looks the same."""

    shown: Card | Row = field(compare=False)
    mark: Hashable


def _row(row: Row) -> Markup:
    """A topic in a list.  What it shows of its momentum changes once a week."""
    topic, m = row.topic, row.momentum
    shown = (topic.slug, topic.name, topic.aliases, how_many(m), label(m), charts.sparkline(m))
    return _made_row(_Same(row, shown))


@lru_cache(10_000)
def _made_row(same: _Same) -> Markup:
    return Markup(render("row.html.j2", each=same.shown))


def line_to_html(line: Line, zone: str = "UTC") -> Markup:
    """A line of a reply, its times in the reader's zone."""
    return Markup("").join(_span(span, zone) for span in line)


def _span(span: object, zone: str) -> Markup:
    match span:
        case Strong(said):
            return Markup("<strong>{}</strong>").format(said)
        case Code(said) | Query(said):
            return Markup("<code>{}</code>").format(said)
        case Link(said, url):
            return Markup('<a href="{}">{}</a>').format(url, said) if url else escape(said)
        case Instant(at, clock, own, year):
            there = at.astimezone(zone_of(own or zone))
            shown = text.day(there, year=year) + (f" {there:%H:%M}" if clock else "")
            return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), shown)
    return escape(text.thinned(str(span)))


def _sentence(m: Momentum) -> str:
    return sentence(m, thin=True)


def _authors(paper: Paper, shown: int = 3) -> str:
    return text.names([author.name for author in paper.authors], shown)


def _places(paper: Paper, shown: int = 3) -> str:
    places = list(dict.fromkeys(place for a in paper.authors for place in a.affiliations))
    more = f" +{len(places) - shown}" if len(places) > shown else ""
    return " · ".join(places[:shown]) + more


def _date(on: date | datetime) -> str:
    return f"{text.short_day(on)} {on.year}"


def sample(papers: Sequence[Paper]) -> bool:
    """Whether any of these papers is invented."""
    return any(paper.is_sample for paper in papers)
