"""Characters for what LaTeX draws: raised, lowered, accented and styled letters, symbols."""

import importlib
import re
import unicodedata
from functools import cache

from bot.text.macros import HOLES, LOWERED, RAISED


@cache
def maths(char: str) -> str:
    """What TeX sets for a sign of mathematics, as \\ensuremath{\\alpha}; any other as it is."""
    if char.isascii():
        return char
    encode = importlib.import_module("pylatexenc.latexencode").UnicodeToLatexEncoder
    written = encode(unknown_char_policy="keep", unknown_char_warning=False).unicode_to_latex(char)
    return str(written) if written.startswith(r"\ensuremath") else char


class Unreadable(Exception):
    """LaTeX that cannot be put in plain characters."""


@cache
def symbol(name: str) -> str | None:
    """What pylatexenc writes for a macro without arguments; None where it knows none.

    Imported when first needed: most papers have no macro that is not in our tables.
    """
    latex2text = importlib.import_module("pylatexenc.latex2text")
    spec = latex2text.get_default_latex_context_db().get_macro_spec(name)
    written = getattr(spec, "simplify_repl", None)
    plain = isinstance(written, str) and written and "%" not in written and len(written) <= 4
    return str(written) if plain else None


def script(inside: str, *, raised: bool) -> str:
    """Raised or lowered characters where Unicode has them, else "^(…)" or "_(…)"."""
    table = RAISED if raised else LOWERED
    if not inside:
        return ""
    if inside.startswith("′"):
        return inside
    # Longer ones are small print that nobody can read, and "qᴼ⁽¹⁾" is no better.
    if len(inside) <= 5 and "(" not in inside and all(char in table for char in inside):
        return "".join(table[char] for char in inside)
    return ("^" if raised else "_") + (inside if len(inside) == 1 else f"({inside})")


def grouped(inside: str) -> str:
    """In parentheses unless it is one name or number."""
    inside = inside.strip()
    return inside if re.fullmatch(r"\w+|√?\w", inside) else f"({inside})"


def accented(base: str, accent: str) -> str:
    """One letter under an accent.  Raises Unreadable for more letters."""
    if len(base) != 1:
        raise Unreadable
    return unicodedata.normalize("NFC", base + accent)


def styled(letter: str, capital_a: str, small_a: str) -> str:
    """A letter of one of the mathematical alphabets; anything else as it is."""
    if "A" <= letter <= "Z":
        styled = chr(ord(capital_a) + ord(letter) - ord("A"))
    elif "a" <= letter <= "z":
        styled = chr(ord(small_a) + ord(letter) - ord("a"))
    else:
        return letter
    return HOLES.get(styled, styled)
