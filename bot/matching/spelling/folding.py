"""Text made comparable: one spelling for what a reader takes as the same word.

    "Multi-agent LLMs"  →  plain " multiagent llm "    cased " multiagent LLM "

Every word stands between single spaces, so that a term is found at word borders by a plain
substring search; the title ends with a "|" that no term contains.  `plain` ignores case,
`cased` keeps words with two capitals or more as printed.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from bot.matching.spelling.asides import asides
from bot.matching.spelling.stems import KEPT, STEMS, kept, stem, surfaces

_LATEX = re.compile(r"\\(?:[a-zA-Z]+\*?|.)\s?|[${}~]")
_JOINING = (
    "anti auto bi co cross de hyper inter intra micro mis multi non pre post re semi spatio sub "
    "super ultra un"
)
JOINING = frozenset(_JOINING.split())
_BY_LETTER = "|".join(
    f"{first}(?:{'|'.join(prefix[1:] for prefix in group)})"
    for first, group in groupby(sorted(JOINING), itemgetter(0))
)
_BEGINS = "".join(sorted({each for word in JOINING for each in (word[0], word[0].upper())}))


def _word(letter: str, sign: str) -> str:
    """The pattern of a word, given what counts as a letter, and what as a letter or digit.

    A prefix is read as one word with what follows, be it written together, with a hyphen or apart.
    "C++", "C#" and "A*" are words.  Prefixes and marks are tried at every word, so they are looked
    for by their first letters; ſ, ı and İ are an s and an i in other cases.
    """
    return (
        rf"(?:(?=[{_BEGINS}ſıİ])(?i:{_BY_LETTER})(?:_|[^\w#])"
        rf"(?={letter})(?!{sign}*[A-Z]{sign}*[A-Z]))?{sign}+"
        rf"(?:(?=[+#*])(?:\+\+|#|(?<!{sign}{sign})(?<={letter})\*))?"
    )


_WORD = re.compile(_word(r"[^\W\d_]", r"[^\W_]"))
_ASCII_WORD = re.compile(_word("[A-Za-z]", "[0-9A-Za-z]"), re.ASCII)  # finds the same, sooner

_IN_PARENTHESES = re.compile(r"\(([A-Z][A-Za-z]{0,5}[A-Z])s?\)")


def printed(text: str) -> list[str]:
    """The words of a text as printed, each with its prefix."""
    return words_in(plain_text(text))


def words_in(plain: str) -> list[str]:
    """The words of a text that is plain already, as printed, each with its prefix."""
    return (_ASCII_WORD if plain.isascii() else _WORD).findall(plain)


def words(text: str) -> list[str]:
    """The stems of a text, in order."""
    return [stem(word) for word in printed(text)]


def plain_text(text: str) -> str:
    """The text in composed Unicode, without LaTeX commands, braces and dollars."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _LATEX.sub(" ", text) if "\\" in text or "$" in text else text


def is_shouting(text: str) -> bool:
    """Whether capitals say nothing here, as in a title set in capitals."""
    return text.isupper() and len(text) > 12


_stem_of, _kept_of = STEMS.__getitem__, KEPT.__getitem__


class Folded:
    """A paper's title and abstract, folded once for all topics."""

    __slots__ = (
        "_asides",
        "_printed",
        "_spelled_out",
        "_starts",
        "_texts",
        "_words",
        "border",
        "cased",
        "cased_border",
        "plain"
    )  # fmt: skip

    def __init__(self, title: str, abstract: str) -> None:
        self._texts = (plain_text(title), plain_text(abstract))
        self._printed = head, tail = words_in(self._texts[0]), words_in(self._texts[1])
        self.plain = " ".join(["", *map(_stem_of, head), "|", *map(_stem_of, tail), "|", ""])
        shown = map(_stem_of if is_shouting(self._texts[0]) else _kept_of, head)
        rest = map(_stem_of if is_shouting(self._texts[1]) else _kept_of, tail)
        self.cased = " ".join(["", *shown, "|", *rest, "|", ""])
        self.border = self.plain.index(" | ")
        self.cased_border = self.cased.index(" | ")
        self._starts: tuple[list[int], list[int]] = [], []
        self._spelled_out: dict[str, frozenset[str]] | None = None
        self._words: frozenset[str] | None = None
        self._asides: str | None = None

    @property
    def title(self) -> str:
        """The title in `plain`, a space at either end."""
        return self.plain[: self.border + 1]

    @property
    def abstract(self) -> str:
        """The abstract in `plain`, a space at either end."""
        return self.plain[self.border + 2 : -2]

    @property
    def words(self) -> frozenset[str]:
        """Every word, in either form."""
        if self._words is None:
            self._words = frozenset((*self.plain.split(), *self.cased.split()))
        return self._words

    @property
    def asides(self) -> str:
        """What the abstract names aside, in either form, a space at either end."""
        if self._asides is None:
            said = asides(self._texts[1])
            found = words_in(" | ".join(said)) if said else ()
            self._asides = " ".join(["", *map(_stem_of, found), "|", *map(_kept_of, found), ""])
        return self._asides

    @property
    def spelled_out(self) -> Mapping[str, frozenset[str]]:
        """What the text says its abbreviations stand for, as the stems of the words.

        "the attack success rate (ASR)": ASR is attack, success, rate.
        """
        if self._spelled_out is None:
            self._spelled_out = dict(_spelled_out(" . ".join(self._texts)))
        return self._spelled_out

    def as_printed(self, place: int, needle: str, *, cased: bool) -> str:
        """The words of the text under a needle found at `place`."""
        folded = self.cased if cased else self.plain
        first = folded.count(" ", 0, place + 1) - 1
        which = int(first > len(self._printed[0]))
        if which:
            first -= len(self._printed[0]) + 1  # the "|" between the two
        last = first + len(needle.split()) - 1
        end = self._start_of(last, which) + len(self._printed[which][last])
        start = self._start_of(first, which)
        return _paired(" ".join(self._texts[which][start:end].split()))

    def _start_of(self, word: int, which: int) -> int:
        """Where a word of the title (0) or the abstract (1) begins in the text, counted so far."""
        starts, words = self._starts[which], self._printed[which]
        if word >= len(starts):
            end = starts[-1] + len(words[len(starts) - 1]) if starts else 0
            starts += _starts(self._texts[which], words[len(starts) : word + 1], end)
        return starts[word]


def _paired(words: str) -> str:
    """Without a bracket whose other half stands outside: "KV) cache" is "KV cache"."""
    for left, right in ("()", "[]", "{}"):
        opened, closed = words.count(left), words.count(right)
        if opened != closed:
            words = words.replace(left if opened > closed else right, "", abs(opened - closed))
    return words


def _spelled_out(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    for found in _IN_PARENTHESES.finditer(text):
        letters = found[1].lower()
        before = re.split(r"[\s\-–]+", text[max(0, found.start() - 120) : found.start()].strip())
        spelled = before[-len(letters) :]
        if "".join(word[:1] for word in spelled).lower() == letters:
            yield kept(found[1]), frozenset(stem(word) for word in spelled)


def _starts(text: str, words: list[str], end: int) -> Iterator[int]:
    """Where each word begins: no letter or digit is between two, so each is the next one found."""
    for word in words:
        start = text.index(word, end)
        yield start
        end = start + len(word)


@lru_cache(maxsize=256)
def fold(title: str, abstract: str) -> Folded:
    """A paper's text, folded; remembered for the next topic that asks."""
    return Folded(title, abstract)


def apart(folded: str) -> tuple[tuple[str, ...], ...]:
    """The ways in which an index that joins no prefixes may hold this stem."""
    whole = surfaces(folded)
    ways: list[tuple[str, ...]] = [(w,) for w in whole]
    for prefix in JOINING:
        ways += [(prefix, w.removeprefix(prefix)) for w in whole if w.startswith(prefix)]
    return tuple(dict.fromkeys(way for way in ways if all(way)))
