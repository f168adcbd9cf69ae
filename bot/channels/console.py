"""Digests on a terminal, or into any stream of text."""

import sys
from datetime import datetime
from typing import TextIO

from rich.console import Console as Rich
from rich.text import Text

from bot.channels import ChannelError, Fault, Page
from bot.digest import Digest, Notice
from bot.digest.reading import as_text, letter_as_text
from bot.model import Part


class Console:
    """The channel "console": prints the plain reading, with some weight where it is a terminal."""

    name = "console"

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def render(self, digest: Digest) -> tuple[Page, ...]:
        """The digest as UTF-8 text."""
        return (Page(as_text(digest).encode("utf-8", "replace")),)

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


def _print(text: str, stream: TextIO) -> None:
    if not stream.isatty():
        stream.write(text)
        stream.flush()
        return
    styled = Text(text)
    styled.highlight_regex(r"\A.*", "bold")
    styled.highlight_regex(r"(?m)^\S.* · (no|[\d,]+) papers?$", "bold")
    styled.highlight_regex(r"(?m)^ ?\d+  \S.*(\n {4}\S.*)?", "bold")
    styled.highlight_regex(r"https?://\S+", "dim")
    styled.highlight_regex(r"(?m)^ {4}Why: .*", "italic")
    # Not wrapped again: the text already has its lines, and an address must stay whole.
    Rich(file=stream, soft_wrap=True, highlight=False).print(styled, end="")
