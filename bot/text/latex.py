"""LaTeX in titles and abstracts to Unicode.

The scanner is ours, one pass and linear, twenty times as fast as pylatexenc's.  The
vocabulary of symbols is pylatexenc's.  What is not understood stays exactly as it was written:
a math span is rendered whole or not at all.
"""

import re
import unicodedata
from dataclasses import dataclass

from bot.text.arguments import WITH_ARGUMENTS
from bot.text.glyphs import Unreadable, accented, script, styled, symbol
from bot.text.macros import (
    ACCENTS,
    ALPHABETS,
    DROPPED,
    INVISIBLE,
    LETTERS,
    MATH_ACCENTS,
    OPENING,
    OPERATORS,
    SYMBOLS,
    TRANSPARENT,
)
from bot.text.marks import closing, is_math, is_tie, pairs
from bot.text.punctuation import punctuation_from_tex

_SPECIAL = re.compile(r"[\\${}^_~]")
_MACRO = re.compile(r"[a-zA-Z]+\*?|.", re.DOTALL)
_DEEPEST = 24


def unicode_from_latex(text: str) -> str:
    """The text with LaTeX's accents, macros and math written as Unicode.

    ``M\\"uller`` is Müller, ``$\\mathcal{X}$-Armed`` is 𝒳-Armed, ``10\\%`` is 10%, ``a--b`` is
    a–b; dollars of money stay.  White space is not collapsed.  Raises nothing.
    """
    text = punctuation_from_tex(text)
    if not _SPECIAL.search(text):
        return text
    if "\\" not in text and "$" not in text and "{" not in text:
        return text  # a tilde, an underscore or a caret alone is no LaTeX
    return _Scanner(text, pairs(text)).render(0, len(text), math=False)


@dataclass(slots=True)
class _Scanner:
    """One pass over a text.  Positions are indices into it."""

    text: str
    pairs: dict[int, int]
    depth: int = 0

    def render(self, start: int, end: int, *, math: bool) -> str:
        """The span in Unicode.  In math, raises Unreadable where anything is unknown."""
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise Unreadable
            return "".join(self._parts(start, end, math=math))
        finally:
            self.depth -= 1

    def _parts(self, at: int, end: int, *, math: bool) -> list[str]:
        parts: list[str] = []
        while at < end:
            match = _SPECIAL.search(self.text, at, end)
            if match is None:
                parts.append(self.text[at:end])
                break
            parts.append(self.text[at : match.start()])
            part, at = self._special(match.start(), end, math=math)
            parts.append(_spaced(parts, part) if math else part)
        return parts

    def _special(self, at: int, end: int, *, math: bool) -> tuple[str, int]:
        """What the special character at `at` begins, and where it ends."""
        char = self.text[at]
        if math:
            return self._in_math(char, at, end)
        try:
            return self._in_text(char, at, end)
        except Unreadable:
            return self._as_written(at, end)

    def _in_text(self, char: str, at: int, end: int) -> tuple[str, int]:
        if char == "\\":
            return self._macro(at, end, math=False)
        if char == "$":
            return self._dollars(at, end)
        if char == "{" and at in self.pairs:
            return self._braces(at), self.pairs[at] + 1
        if char in "^_" and self.text[at + 1 : at + 2] == "{" and at + 1 in self.pairs:
            return self._script(char, at, end)
        if char == "~" and is_tie(self.text, at):
            return " ", at + 1
        return char, at + 1

    def _in_math(self, char: str, at: int, end: int) -> tuple[str, int]:
        if char == "\\":
            return self._macro(at, end, math=True)
        if char == "{" and at in self.pairs:
            close = self.pairs[at]
            return self.render(at + 1, close, math=True), close + 1
        if char in "^_":
            return self._script(char, at, end)
        if char == "~":
            return " ", at + 1
        if char == "$":
            return self._dollars(at, end)  # math in \text in math
        raise Unreadable

    def _as_written(self, at: int, end: int) -> tuple[str, int]:
        """A macro that is not known, or a brace without partner, stays."""
        if self.text[at] != "\\":
            return self.text[at], at + 1
        match = _MACRO.match(self.text, at + 1, end)
        stop = match.end() if match else at + 1
        if stop in self.pairs:  # with its argument
            close = self.pairs[stop]
            return self.text[at : stop if close == stop + 1 else close + 1], close + 1
        return self.text[at:stop], stop

    # ------------------------------------------------------------------ spans

    def _dollars(self, at: int, end: int) -> tuple[str, int]:
        """Math between dollars, or a dollar of money."""
        mark = "$$" if self.text.startswith("$$", at) else "$"
        start = at + len(mark)
        close = closing(self.text, mark, start, end)
        if close < 0 or not is_math(self.text, start, close):
            return mark, start
        return self._math(at, start, close, close + len(mark)), close + len(mark)

    def _math(self, at: int, start: int, close: int, stop: int) -> str:
        """The rendered span, or what was written, never something between."""
        try:
            return self.render(start, close, math=True).strip()
        except Unreadable:
            return self.text[at:stop]

    def _braces(self, at: int) -> str:
        """A group in text: its braces go where LaTeX put them, and stay where a person did."""
        close = self.pairs[at]
        inside = self.render(at + 1, close, math=False)
        written = self.text[at + 1 : close]
        before, after = self.text[max(at - 1, 0) : at], self.text[close + 1 : close + 2]
        touches = before.isalnum() or before == "$" or after.isalnum()
        if len(written) == 1 and not written.isascii():
            return inside
        one_word = " " not in written and ("," not in written or written == ",")
        if written.startswith("\\") and not written.startswith(("\\{", "\\}")):
            return inside.lstrip()
        return inside if touches and one_word else "{" + inside + "}"

    def _script(self, char: str, at: int, end: int) -> tuple[str, int]:
        """A superscript or subscript."""
        inside, stop = self.argument(at + 1, end, math=True)
        return script(inside.strip(), raised=char == "^"), stop

    def argument(self, at: int, end: int, *, math: bool) -> tuple[str, int]:
        """The next group, macro or character, rendered."""
        while at < end and self.text[at].isspace():
            at += 1
        if at >= end:
            raise Unreadable
        char = self.text[at]
        if char == "{":
            if at not in self.pairs or self.pairs[at] >= end:
                raise Unreadable
            return self.render(at + 1, self.pairs[at], math=math), self.pairs[at] + 1
        if char == "\\":
            return self._nested_macro(at, end, math=math)
        if char in "}$^_":
            raise Unreadable
        return char, at + 1

    def _nested_macro(self, at: int, end: int, *, math: bool) -> tuple[str, int]:
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise Unreadable
            return self._macro(at, end, math=math)
        finally:
            self.depth -= 1

    def optional(self, at: int, end: int) -> int:
        """Where an optional argument in brackets ends, or `at`."""
        if self.text[at : at + 1] != "[":
            return at
        close = self.text.find("]", at, end)
        return close + 1 if close >= 0 else at

    # ------------------------------------------------------------------ macros

    def _macro(self, at: int, end: int, *, math: bool) -> tuple[str, int]:
        match = _MACRO.match(self.text, at + 1, end)
        if match is None:
            raise Unreadable
        name, stop = match[0], match.end()
        if name in "([" and not math:
            return self._bracketed(at, name, stop, end)
        if name in ACCENTS and not (math and name in "=>:"):
            found = self._accent(name, stop, end, math=math)
            if found is not None:
                return found
            if whole := self._torn(name, stop):
                return whole, self.pairs[stop] + 1
        if name in MATH_ACCENTS:
            base, stop = self.argument(stop, end, math=math)
            return accented(base.strip(), MATH_ACCENTS[name]), stop
        if name in LETTERS:
            return LETTERS[name], self._after_letter(stop, end)
        if name in SYMBOLS:
            return SYMBOLS[name], self._gap(name, stop, end)
        return self._worded(name, stop, end, math=math)

    def _torn(self, name: str, at: int) -> str | None:
        """What a macro means that arXiv's own form took for an accent: \\k{appa} for \\kappa."""
        if at not in self.pairs:
            return None
        word = name + self.text[at + 1 : self.pairs[at]]
        return SYMBOLS.get(word) or symbol(word)

    def _worded(self, name: str, at: int, end: int, *, math: bool) -> tuple[str, int]:
        """Macros with a name: formatting, fractions, alphabets, symbols."""
        if name in TRANSPARENT:
            at = self.optional(at, end)
            return self.argument(at, end, math=math and not name.startswith("text"))
        if name in INVISIBLE:
            skipped = name in ("left", "right") and self.text[at : at + 1] == "."
            return "", at + 1 if skipped else at
        if name in DROPPED:
            return "", self.argument(self.optional(at, end), end, math=math)[1]
        if name in OPERATORS:
            return f" {name} " if math and self.text[at : at + 1].isalnum() else name, at
        if name in ALPHABETS:
            letters, at = self.argument(at, end, math=True)
            return "".join(styled(letter, *ALPHABETS[name]) for letter in letters), at
        if name in WITH_ARGUMENTS:
            return WITH_ARGUMENTS[name](self, at, end)
        known = symbol(name)
        if known is None:
            raise Unreadable
        return known, self._after_name(name, at)

    def _bracketed(self, at: int, name: str, start: int, end: int) -> tuple[str, int]:
        """Math between ``\\(`` and ``\\)``, or ``\\[`` and ``\\]``."""
        mark = "\\)" if name == "(" else "\\]"
        close = self.text.find(mark, start, end)
        if close < 0:
            raise Unreadable
        return self._math(at, start, close, close + 2), close + 2

    def _accent(self, name: str, at: int, end: int, *, math: bool) -> tuple[str, int] | None:
        """A letter under an accent; None where the macro means something else here."""
        try:
            base, stop = self.argument(at, end, math=math)
        except Unreadable:
            return None
        base = base.strip().replace("ı", "i").replace("ȷ", "j")
        if name.isalpha() and self.text[at : at + 1] not in " {\\":
            return None
        if not base[:1].isalpha() or len(base) > 2:
            return ("", stop) if not base else None
        return unicodedata.normalize("NFC", base[0] + ACCENTS[name]) + base[1:], stop

    def _after_letter(self, at: int, end: int) -> int:
        """The space between a letter and the rest of its word goes: ``\\AA ngstrom``."""
        spaced = at + 1 < end and self.text[at] == " " and self.text[at + 1].islower()
        return at + 1 if spaced else self._after_name("", at)

    def _after_name(self, name: str, at: int) -> int:
        """The ``{}`` that ends a name goes, and so does the space after an opening bracket."""
        if self.text.startswith("{}", at):
            return at + 2
        return at + 1 if name in OPENING and self.text[at : at + 1] == " " else at

    def _gap(self, name: str, at: int, end: int) -> int:
        if name == "\\":  # a new line may say how much lower it begins
            return self.optional(at, end)
        return self._after_name(name, at) if name.isalpha() else at


def _spaced(parts: list[str], part: str) -> str:
    """An operator's name does not stick to the letter before it: n log n."""
    before = parts[-1][-1:] if parts else ""
    name = part.strip() in OPERATORS
    return f" {part}" if name and before.isalnum() else part
