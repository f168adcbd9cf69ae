"""LaTeX's macros with arguments of a kind of their own: fractions, roots, links, units.

Each takes where its arguments begin, and gives what they read as and where they end.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from bot.text.glyphs import Unreadable, accented, grouped, script


class Reader(Protocol):
    """Whoever reads the text that the macro stands in."""

    @property
    def text(self) -> str:
        """All of it; positions are indices into it."""
        ...

    def argument(self, at: int, end: int, *, math: bool) -> tuple[str, int]:
        """The next argument, rendered, and where it ends.  Raises Unreadable."""
        ...

    def optional(self, at: int, end: int) -> int:
        """Where an optional argument in brackets ends, or `at`."""
        ...


Reading = Callable[[Reader, int, int], tuple[str, int]]


def _of_one(shown: Callable[[str], str], *, math: bool = False, optional: bool = False) -> Reading:
    """A macro that shows its one argument in some way; before it may stand an `optional` one."""

    def reading(reader: Reader, at: int, end: int) -> tuple[str, int]:
        start = reader.optional(at, end) if optional else at
        inside, stop = reader.argument(start, end, math=math)
        return shown(inside.strip()), stop

    return reading


def _of_two(
    shown: Callable[[str, str], str], *, math: bool = False, optional: bool = False
) -> Reading:
    """The same for a macro with two arguments."""

    def reading(reader: Reader, at: int, end: int) -> tuple[str, int]:
        start = reader.optional(at, end) if optional else at
        first, between = reader.argument(start, end, math=math)
        second, stop = reader.argument(between, end, math=math)
        return shown(first, second), stop

    return reading


def _root(reader: Reader, at: int, end: int) -> tuple[str, int]:
    start = reader.optional(at, end)
    degree = {"[3]": "∛", "[4]": "∜"}.get(reader.text[at:start], "√" if start == at else "")
    if not degree:
        raise Unreadable
    inside, at = reader.argument(start, end, math=True)
    return degree + grouped(inside), at


def _character(written: str) -> str:
    digits = written.lower()
    try:
        return chr(int(digits[1:], 16) if digits.startswith("x") else int(digits))
    except (ValueError, OverflowError):
        raise Unreadable from None


_fraction = _of_two(lambda above, below: f"{grouped(above)}/{grouped(below)}", math=True)
_second = _of_two(lambda _, second: second, optional=True)  # the text of a link, what is coloured
_base = _of_two(lambda _, base: base, math=True)  # without what is set above or below it
_measured = _of_two(lambda number, unit: f"{number} {unit.strip()}", optional=True)

WITH_ARGUMENTS: dict[str, Reading] = {
    **dict.fromkeys(("frac", "tfrac", "dfrac", "nicefrac", "sfrac"), _fraction),
    "binom": _of_two(lambda above, below: f"C({above.strip()}, {below.strip()})", math=True),
    "pmod": _of_one(lambda inside: f" (mod {inside})", math=True),
    "sqrt": _root,
    "xrightarrow": _of_one(lambda _: "→", math=True, optional=True),  # as long as what is above
    "not": _of_one(lambda inside: accented(inside, "\u0338"), math=True),
    "enquote": _of_one(lambda inside: f"“{inside}”"),
    **dict.fromkeys(("href", "hyperlink", "texorpdfstring", "textcolor", "colorbox"), _second),
    **dict.fromkeys(("stackrel", "overset", "underset"), _base),
    **dict.fromkeys(("SI", "qty"), _measured),
    "textsuperscript": _of_one(partial(script, raised=True)),
    "textsubscript": _of_one(partial(script, raised=False)),
    "footnote": _of_one(lambda inside: f" ({inside})", optional=True),
    "unicode": _of_one(_character),
}
"""Macros by name, without their backslash."""
