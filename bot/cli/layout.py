"""Lines on a terminal: what does not fit goes on below its own text, and columns line up.

What is piped stays as it was said, one thing a line, for programs to read.
"""

import re
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

Row = tuple[Text, Text]
"""What something is called, and what is said of it."""

_FEWEST = 24  # columns that are left for words on the narrowest terminal
_APART = 2  # blanks between two columns


def put(out: Console, text: Text, hang: int | None = None) -> None:
    """Print a line; on a terminal it goes on `hang` columns in, or below its own first letter."""
    if out.soft_wrap:
        out.print(text)
        return
    for line in text.split("\n", allow_blank=True):
        for part in _hung(out, line, _indent(line.plain) if hang is None else hang):
            out.print(part, soft_wrap=True)


def put_rows(out: Console, rows: Sequence[Row]) -> None:
    """Print rows: on a terminal their second column lines up, and numbers by their last digit.

    A name that is too long for the column stands above what is said of it.
    """
    room = 0 if out.soft_wrap else out.width * 4 // 7
    column = max((name.cell_len for name, _ in rows if name.cell_len <= room), default=0)
    figures = max((_figures(said.plain) for _, said in rows), default=0) if room else 0
    for name, said in rows:
        own = _figures(said.plain)
        lead = " " * (figures - own if own else 0)
        row = Text.assemble(name, " " * (max(column - name.cell_len, 0) + _APART), lead, said)
        if column < name.cell_len and room and out.width < row.cell_len:
            put(out, name)
            row = Text.assemble(" " * (column + _APART), lead, said)
        put(out, row, column + _APART)


def _hung(out: Console, line: Text, hang: int) -> Iterator[Text]:
    if line.cell_len <= out.width:
        yield line
        return
    hang = min(hang, max(out.width - _FEWEST, 0))
    head, body = line[:hang] if hang else Text(), line[hang:]
    for n, part in enumerate(body.wrap(out, out.width - hang)):
        part.rstrip()
        yield Text.assemble(Text(" " * hang) if n else head, part)


def _indent(plain: str) -> int:
    """How far in a line begins: after its blanks, and after the number of what it names."""
    found = re.match(r" *(?:\d+  )?", plain)
    return len(found[0]) if found else 0


def _figures(plain: str) -> int:
    """The length of the number that words begin with."""
    found = re.match(r"[\d,]+(?= )", plain)
    return len(found[0]) if found else 0
