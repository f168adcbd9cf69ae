"""A term: one spelling of a word or phrase, as it is looked for in folded text."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from bot.matching.spelling.folding import JOINING, Folded, apart, printed
from bot.matching.spelling.stems import GREEK, bare, beginning, kept, stem
from bot.text import latin

_MOST_PHRASES = 4
_HYPHENED = re.compile(r"[^\W_]+-[^\W_]+(?:\s[\d.]+)?")
UNITS = "cm|mm|nm|km|kg|ms|kHz|MHz|GHz|THz|eV|bit"
_NAMED = rf"(?:(?<=[^\W\d_]{{2}})|(?<=[{''.join(GREEK)}]))"  # behind what a number may belong to
_TOGETHER = re.compile(rf"{_NAMED}[\s-](?=\d+\b)|(?<=\d)[\s-](?=(?:{UNITS})\b)")
_APART = re.compile(rf"{_NAMED}(?=\d+(?![^\W_]))|(?<=\d)(?=(?:{UNITS})\b)")
"""Where letters meet a number, with a gap and without."""

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "Ø": "Oe",
     "å": "aa", "Å": "Aa"}
)  # fmt: skip
"""Letters for which two are written where they cannot be had."""
_SYMBOLS = {name: letter for letter, name in GREEK.items()}
_SPELLED = re.compile(rf"({'|'.join(_SYMBOLS)})(\d*)")
_LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"))


class Place(NamedTuple):
    """Where a term stands: in the title, how far into the abstract (0 to 1), more than once."""

    start: int
    in_title: bool
    depth: float
    again: bool


class Term(NamedTuple):
    """A needle between single spaces; without the last one it is a prefix.

    A `cased` one is compared with the words as printed: "RL" is not in "rl", "ACT" is not "act".
    """

    needle: str
    cased: bool = False

    @property
    def head(self) -> str:
        """The first whole word; "" for none."""
        return self.needle[1 : self.needle.find(" ", 1)] if " " in self.needle[1:] else ""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.needle.split())

    @property
    def is_prefix(self) -> bool:
        return not self.needle.endswith(" ")

    def find(self, folded: Folded) -> Place | None:
        """The first place in a text."""
        head = self.head  # most terms are not in most texts, and a set knows it soonest
        return None if head and head not in folded.words else self.locate(folded)

    def locate(self, folded: Folded) -> Place | None:
        """As `find`, faster for a term that is likely to be there."""
        text = folded.cased if self.cased else folded.plain
        start = text.find(self.needle)
        return None if start < 0 else self.at(folded, start)

    def at(self, folded: Folded, start: int) -> Place:
        """The first place in a text, given where it begins."""
        needle, cased = self
        if cased:
            return place_at(folded.cased, needle, start, folded.cased_border)
        return place_at(folded.plain, needle, start, folded.border)

    def find_in(self, folded: Folded, field: str) -> Place | None:
        """The first place in the title or in the abstract."""
        text = folded.cased if self.cased else folded.plain
        border = folded.cased_border if self.cased else folded.border
        if field == "title":
            start = text.find(self.needle, 0, border + 1)
        else:
            start = text.find(self.needle, border)
        return None if start < 0 else place_at(text, self.needle, start, border)


def place_at(text: str, needle: str, start: int, border: int) -> Place:
    again = text.find(needle, start + 1) >= 0
    if start < border:
        return Place(start, True, 0.0, again)
    return Place(start, False, (start - border) / max(1, len(text) - border), again)


@lru_cache(maxsize=1 << 16)
def term(text: str, *, cased: bool = False, prefix: bool = False) -> Term | None:
    """The term for a word or phrase as typed; None where it has no letter or digit."""
    words = printed(text)
    if not words:
        return None
    forms = [kept(word) if cased else stem(word) for word in words]
    if prefix:
        return Term(" " + " ".join([*forms[:-1], bare(words[-1])]))
    return Term(f" {' '.join(forms)} ", cased)


@lru_cache(maxsize=1 << 16)
def spellings(text: str, *, cased: bool = False) -> tuple[Term, ...]:
    """A typed word or phrase, and what else is written for it.

    "jail-break" also finds "jailbreak", where two short words are hyphened; "text-to-SQL" is left
    as it stands.  "Llama 3" also finds "Llama3", and "21cm" "21 cm".  "Møller" also finds
    "Moeller"; "Moller" is the same word once it is folded.
    """
    ways = [text]
    if "-" in text and not cased and _HYPHENED.fullmatch(text.strip()):
        ways.append(text.strip().replace("-", ""))
    if any(map(str.isdecimal, text)):
        ways += [
            edge.sub(gap, way) for way in ways for edge, gap in ((_TOGETHER, ""), (_APART, " "))
        ]
    ways += [plain for way in ways if not way.isascii() for plain in plainly(way)]
    found = (term(each, cased=cased) for each in ways)
    return tuple(dict.fromkeys(t for t in found if t is not None))


def plainly(text: str) -> tuple[str, str]:
    """A text as it is typed where a letter such as "ø" cannot be had: with one, and with two."""
    return latin(text), unicodedata.normalize("NFC", text).translate(_SPELLED_OUT)


@lru_cache(maxsize=1 << 15)
def full_text(term_: Term) -> str:
    """An FTS5 expression that finds at least every text with this term."""
    words = term_.words
    if term_.is_prefix:
        return _prefix_expression(words)
    ways = [_ways(word) for word in words]
    size = 1
    for options in ways:
        size *= len(options)
    if size <= _MOST_PHRASES:
        return _any(_phrase(sum(choice, ())) for choice in product(*ways))
    return "(" + " AND ".join(_any(map(_phrase, options)) for options in ways) + ")"


def any_of(terms: Iterable[Term]) -> str:
    """An FTS5 expression that finds at least every text with one of the terms; "" for none.

    What holds "deep reinforcement learning" holds "reinforcement learning": one look is enough.
    """
    every = list(dict.fromkeys(terms))
    widest = [
        each
        for each in every
        if not any(
            other.needle in each.needle and other != each and other.cased is each.cased
            for other in every
        )
    ]
    return " OR ".join(dict.fromkeys(map(full_text, widest)))


def _ways(word: str) -> tuple[tuple[str, ...], ...]:
    low = word.lower()
    ways = tuple(dict.fromkeys((*apart(low), *apart(stem(low)), *apart(stem(word)))))
    plain = [tuple(re.sub(r"[+#*]", "", part) for part in way) for way in ways]
    odd = [tuple(map(spell, way)) for way in plain for spell in (_lowered, _ligated, _lettered)]
    return tuple(dict.fromkeys((*plain, *odd)))


def _lowered(word: str) -> str:
    """H2O as H₂O: folding reads both alike, a full-text index does not."""
    return word if word.isdecimal() else word.translate(_SUBSCRIPTS)


def _ligated(word: str) -> str:
    for letters, ligature in _LIGATURES:
        word = word.replace(letters, ligature)
    return word


def _lettered(word: str) -> str:
    """ "pi0" as "π0"."""
    symbol = _SPELLED.fullmatch(word)
    return _SYMBOLS[symbol[1]] + symbol[2] if symbol else word


def _prefix_expression(words: tuple[str, ...]) -> str:
    *whole, last = words
    parts = [_any(map(_phrase, _ways(word))) for word in whole]
    starts: list[tuple[str, ...]] = [(beginning(last),)]
    for prefix in JOINING:
        if last.startswith(prefix):
            starts.append((prefix, last.removeprefix(prefix)[:1]))
        elif prefix.startswith(last):
            starts.append((prefix,))
    symbols = (letter for name, letter in _SYMBOLS.items() if name.startswith(last))
    starts += [(letter,) for letter in (_lettered(last), *symbols)]
    tails = [_phrase(word for word in way if word) + " *" for way in starts]
    return "(" + " AND ".join([*parts, _any(tails)]) + ")"


def _phrase(words: Iterable[str]) -> str:
    return '"' + " ".join(words) + '"'


def _any(parts: Iterable[str]) -> str:
    unique = list(dict.fromkeys(parts))
    return unique[0] if len(unique) == 1 else "(" + " OR ".join(unique) + ")"
