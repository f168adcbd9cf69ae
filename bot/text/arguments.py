"""LaTeX's macros with arguments of a kind of their own: fractions, roots, links, units.

Each takes where its arguments begin, and gives what they read as and where they end.
"""

from collections.abc import Callable
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


def _fraction(reader: Reader, at: int, end: int) -> tuple[str, int]:
    above, at = reader.argument(at, end, math=True)
    below, at = reader.argument(at, end, math=True)
    return f"{grouped(above)}/{grouped(below)}", at


def _binomial(reader: Reader, at: int, end: int) -> tuple[str, int]:
    above, at = reader.argument(at, end, math=True)
    below, at = reader.argument(at, end, math=True)
    return f"C({above.strip()}, {below.strip()})", at


def _modulo(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(at, end, math=True)
    return f" (mod {inside.strip()})", at


def _root(reader: Reader, at: int, end: int) -> tuple[str, int]:
    start = reader.optional(at, end)
    degree = {"[3]": "∛", "[4]": "∜"}.get(reader.text[at:start], "√" if start == at else "")
    if not degree:
        raise Unreadable
    inside, at = reader.argument(start, end, math=True)
    return degree + grouped(inside), at


def _second(reader: Reader, at: int, end: int) -> tuple[str, int]:
    """The second argument: the text of a link, what is coloured."""
    _, at = reader.argument(reader.optional(at, end), end, math=False)
    return reader.argument(at, end, math=False)


def _stacked(reader: Reader, at: int, end: int) -> tuple[str, int]:
    _, at = reader.argument(at, end, math=True)
    return reader.argument(at, end, math=True)


def _both(reader: Reader, at: int, end: int) -> tuple[str, int]:
    number, at = reader.argument(reader.optional(at, end), end, math=False)
    unit, at = reader.argument(at, end, math=False)
    return f"{number} {unit.strip()}", at


def _raised(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(at, end, math=False)
    return script(inside.strip(), raised=True), at


def _lowered(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(at, end, math=False)
    return script(inside.strip(), raised=False), at


def _aside(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(reader.optional(at, end), end, math=False)
    return f" ({inside.strip()})", at


def _arrow(reader: Reader, at: int, end: int) -> tuple[str, int]:
    """An arrow as long as what stands above it, which is not shown."""
    return "→", reader.argument(reader.optional(at, end), end, math=True)[1]


def _negated(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(at, end, math=True)
    return accented(inside.strip(), "\u0338"), at


def _quoted(reader: Reader, at: int, end: int) -> tuple[str, int]:
    inside, at = reader.argument(at, end, math=False)
    return f"“{inside.strip()}”", at


def _code_point(reader: Reader, at: int, end: int) -> tuple[str, int]:
    written, at = reader.argument(at, end, math=False)
    digits = written.strip().lower()
    try:
        char = chr(int(digits[1:], 16) if digits.startswith("x") else int(digits))
    except (ValueError, OverflowError):
        raise Unreadable from None
    return char, at


WITH_ARGUMENTS: dict[str, Reading] = {
    "frac": _fraction,
    "tfrac": _fraction,
    "dfrac": _fraction,
    "nicefrac": _fraction,
    "sfrac": _fraction,
    "binom": _binomial,
    "pmod": _modulo,
    "sqrt": _root,
    "xrightarrow": _arrow,
    "not": _negated,
    "enquote": _quoted,
    "href": _second,
    "hyperlink": _second,
    "texorpdfstring": _second,
    "textcolor": _second,
    "colorbox": _second,
    "stackrel": _stacked,
    "overset": _stacked,
    "underset": _stacked,
    "SI": _both,
    "qty": _both,
    "textsuperscript": _raised,
    "textsubscript": _lowered,
    "footnote": _aside,
    "unicode": _code_point,
}
"""Macros by name, without their backslash."""
