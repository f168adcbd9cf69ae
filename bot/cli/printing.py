"""A reply on the terminal."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from itertools import groupby
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from bot import charts
from bot.cli.layout import put, put_rows
from bot.cli.opening import screen
from bot.core.reply import Code, Line, Query, Reply, Span, Strong, text_of
from bot.digest import Action, Entry
from bot.text import names, short_day


def show(reply: Reply, *, as_json: bool = False, err: bool = False) -> None:
    """Print a reply, for people or as JSON; `err` on standard error."""
    if as_json:
        click.echo(in_json(reply), err=err)
        return
    out = screen(err=err)
    _show_lines(out, reply)
    for text in _texts(reply):
        put(out, text)
    _show_buttons(out, reply.buttons)


def in_json(value: object) -> str:
    """Anything of ours as JSON, one key a line."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1, default=str)


def plain(value: object) -> object:
    """Any of our objects as plain JSON values: ISO instants, lists, strings."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: plain(each) for key, each in values(value).items()}
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(each) for each in value]
    return value


def values(noun: Any) -> dict[str, object]:
    """The fields of a dataclass by name."""
    return {field.name: getattr(noun, field.name) for field in fields(noun)}


def _show_lines(out: Console, reply: Reply) -> None:
    """The reply's lines: names and what is said of them as rows, others as they are."""
    for is_row, some in groupby(reply.lines, key=_is_row):
        lines = [[_styled(span, reply.zone) for span in line] for line in some]
        if is_row:
            put_rows(out, [(name, _joined(said)) for name, *said in lines])
        else:
            for line in lines:
                put(out, Text.assemble(*line))


def _is_row(line: Line) -> bool:
    """Whether a line names something and then, after two blanks, says something of it."""
    if len(line) < 2 or not isinstance(line[0], Strong | Code):
        return False
    return isinstance(line[1], str) and line[1].startswith("  ")


def _joined(said: Sequence[Text]) -> Text:
    first, *others = said
    return Text.assemble(Text(first.plain.lstrip(), style=first.style), *others)


def _show_buttons(out: Console, buttons: Sequence[Action]) -> None:
    """What can be typed next, one a line on a terminal."""
    offered = [each for each in buttons if each.command]
    if offered and out.soft_wrap:
        out.print("   ".join(map(_offered, offered)), style="dim")
        return
    put_rows(out, [(Text(b.label, "dim"), Text(b.command, "cyan")) for b in offered])


def _offered(each: Action) -> str:
    return each.command if each.label == each.command else f"{each.label}: {each.command}"


def _texts(reply: Reply) -> Iterator[Text]:
    if reply.card and (weeks := charts.weeks_line(reply.card.momentum)):
        yield Text(weeks)
    if reply.card and reply.card.related:
        related = ", ".join(tag.name for tag, _ in reply.card.related)
        yield Text(f"Related: {related}", style="dim")
    under = reply.card.topic.slug if reply.card else ""
    for number, entry in enumerate(reply.papers, 1):
        yield from paper_lines(number, entry, under=under)
    for quote in reply.quotes:
        for sentence in quote.sentences:
            yield Text(f"  “{sentence}”")
        yield Text(f"    {quote.paper.paper.title}  {quote.paper.paper.url}", style="dim")


def paper_lines(number: int, entry: Entry, mark: str = "", *, under: str = "") -> Iterator[Text]:
    """A paper in four lines: title, who and when, why, where.

    The topic that it stands `under` is not said again.
    """
    paper = entry.paper
    yield Text(f"{number:2}  {paper.title}", style="bold")
    who = names([author.name for author in paper.authors])
    when = " · ".join(filter(None, (short_day(paper.submitted_at.date()), paper.primary, mark)))
    tags = " · ".join([tag.name for tag in entry.tags if tag.slug != under][:3])
    yield Text.assemble(f"    {who}   ", (when, "dim"), f"   {tags}" if tags else "")
    if entry.reason:
        yield Text(f"    Why: {entry.reason}", style="italic")
    yield Text(f"    {paper.url}", style="dim")


def _styled(span: Span, zone: str) -> Text:
    style = {Strong: "bold", Code: "cyan", Query: "cyan"}.get(type(span), "")
    return Text(text_of((span,), zone), style=style)
