"""The console: the plain reading, heavier on a terminal."""

import io
import re

import pytest

from bot.channels import ChannelError, Fault
from bot.channels.console import Console
from bot.digest.reading import as_text
from bot.model import Part
from tests.channels import days


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


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
