"""The console: the plain reading, heavier on a terminal."""

import io
import os
import re
from dataclasses import replace

import pytest

from bot.channels import ChannelError, Fault
from bot.channels.console import Console
from bot.digest import Section
from bot.digest.reading import as_text
from bot.model import Author, Part
from tests.channels import days
from tests.makers import paper


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Window(Terminal):
    def fileno(self) -> int:
        return 1


def part(channel: Console, day) -> Part:
    [page] = channel.render(day)
    return Part(1, 0, "d1", "me", page.content)


async def test_a_pipe_gets_the_text_as_it_is():
    stream = io.StringIO()
    channel = Console(stream)
    receipt = await channel.send(part(channel, days.ordinary()))

    assert stream.getvalue() == as_text(days.ordinary())
    assert receipt == "d1"
    assert await channel.find(part(channel, days.ordinary()), days.ordinary().due_at) is None


async def test_a_terminal_gets_the_same_words_with_weight(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    channel = Console(stream)
    await channel.send(part(channel, days.ordinary()))
    printed = stream.getvalue()

    assert "\x1b[1m" in printed

    assert re.sub(r"\x1b\[[0-9;]*m", "", printed) == as_text(days.ordinary())


TITLES = (
    "Short Rollouts",
    "A Title of Two Lines: Step-Level Credit Assignment for Language Agents That Act for Hours",
    "A Title of Three Lines, since Whoever Wrote It Had So Much to Say of Step-Level Credit "
    "Assignment for Language Agents That Act for Hours and of What Follows from It",
)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("places", [(), ("Institute of Invented Results",)])
async def test_a_terminal_weighs_the_title_and_the_reason_whole_and_nothing_else(
    monkeypatch, title, places
):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    reason = f"title: {', '.join(['credit assignment'] * 5)}; abstract: LLM agents"
    wrote = (Author("Ada Northcote", places), Author("Mary Somerby"))
    shown = days.entry(paper("2611.10001", title, authors=wrote), days.tag("Tides"), reason=reason)
    told = replace(days.ordinary(), sections=(Section(days.tag("Tides"), (shown,)),))
    stream = Terminal()
    await Console(stream).send(part(Console(stream), told))

    assert title in inside("1", stream.getvalue())
    assert "Ada Northcote" not in inside("1", stream.getvalue())
    assert inside("3", stream.getvalue()) == f"Why: {reason}"


def inside(weight: str, printed: str) -> str:
    """The words of that weight, on one line."""
    return " ".join(" ".join(re.findall(rf"\x1b\[{weight}m(.*?)\x1b\[0m", printed, re.S)).split())


async def test_a_narrow_terminal_gets_narrow_lines(monkeypatch):
    monkeypatch.setattr("os.get_terminal_size", lambda descriptor: os.terminal_size((50, 20)))
    [page] = Console(Window()).render(days.ordinary())

    assert page.content.decode() == as_text(days.ordinary(), width=50)


async def test_what_a_paper_says_cannot_steer_the_terminal():
    stream = io.StringIO()
    channel = Console(stream)
    await channel.send(part(channel, days.ugly()))

    assert "\x1b" not in stream.getvalue()


async def test_a_closed_pipe_keeps_the_digest():
    stream = io.StringIO()
    channel = Console(stream)
    digest = part(channel, days.ordinary())
    stream.close()
    with pytest.raises(ChannelError) as refused:
        await channel.send(digest)

    assert refused.value.fault is Fault.CHANNEL


async def test_a_terminal_that_says_it_has_no_room_gets_the_lines_of_a_pipe(monkeypatch):
    """As a serial line does, some containers, and the shells of editors."""
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((0, 0)))
    monkeypatch.setenv("COLUMNS", "0")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Window()
    channel = Console(stream)
    await channel.send(part(channel, days.ordinary()))

    assert re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()) == as_text(days.ordinary())
