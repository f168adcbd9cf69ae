"""Digests on a terminal, or into any stream of text."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate
from typing import TextIO

from rich.console import Console as Rich
from rich.text import Text

from bot.channels import ChannelError, Fault, Page
from bot.digest import Digest, Notice
from bot.digest.reading import WIDTH, as_text, letter_as_text
from bot.model import Part


class Console:
    """The channel "console": prints the plain reading, with some weight where it is a terminal."""

    name = "console"

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def render(self, digest: Digest) -> tuple[Page, ...]:
        """The digest as UTF-8 text, in lines that the terminal has room for."""
        text = as_text(digest, width=_room(self._stream or sys.stdout))
        return (Page(text.encode("utf-8", "replace")),)

    def letter(self, notice: Notice) -> Page:
        """The notice as UTF-8 text."""
        return Page(letter_as_text(notice).encode("utf-8", "replace"))

    async def send(self, part: Part) -> str:
        """Print it.  Raises ChannelError where nobody reads the stream any more."""
        stream = self._stream or sys.stdout
        try:
            _print(part.content.decode("utf-8", "replace"), stream)
        except (OSError, ValueError) as wrong:
            raise ChannelError(
                f"the console does not take the digest ({wrong})", Fault.CHANNEL
            ) from wrong
        return part.key

    async def find(self, part: Part, since: datetime) -> str | None:
        """None: what was printed is not remembered."""
        return None


def _room(stream: TextIO) -> int:
    """The columns of a terminal, where they are fewer than a mail has."""
    try:
        return min(WIDTH, os.get_terminal_size(stream.fileno()).columns or WIDTH)
    except (OSError, ValueError):
        return WIDTH


def _print(text: str, stream: TextIO) -> None:
    if not stream.isatty():
        stream.write(text)
        stream.flush()
        return
    styled = Text(text)
    for start, end in _titles(text.split("\n")):
        styled.stylize("bold", start, end)
    styled.highlight_regex(r"\A.*", "bold")
    styled.highlight_regex(r"(?m)^\S.* · (no|[\d,]+) papers?$", "bold")
    styled.highlight_regex(r"https?://\S+", "dim")
    styled.highlight_regex(r"(?ms)^ {4}Why: .*?(?=\n {4}https?://)", "italic")
    # Not wrapped again: the text already has its lines, and an address must stay whole.
    Rich(file=stream, width=WIDTH, soft_wrap=True, highlight=False).print(styled, end="")


_NUMBERED = re.compile(r" *\d+  \S")
_BELOW = re.compile(r" {4}(?:https?://|\d{1,2} [A-Z][a-z]{2}(?: \d{4})?(?: ·|$))")
"""Where a paper is, or its day: never a part of its title."""


def _titles(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the titles of papers begin and end in the text of these lines."""
    width = max(map(len, (line for line in lines if set(line) == {"-"})), default=WIDTH)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for first in (n for n, line in enumerate(lines) if _NUMBERED.match(line)):
        last = first
        while _goes_on(lines[last : last + 3], width):
            last += 1
        yield starts[first], starts[last] + len(lines[last])


def _goes_on(lines: Sequence[str], width: int) -> bool:
    """Whether a title that has come to the first of these lines goes on in the next one.

    It does where that one's first word had no room above.  The line above a paper's day has its
    authors.
    """
    above, here, below = (*lines, "", "")[:3]
    word = here.strip().partition(" ")[0]
    if not word or _BELOW.match(here) or (_BELOW.match(below) and "http" not in below):
        return False
    return len(above) + 1 + len(word) > width
