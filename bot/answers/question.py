"""What a question asks for: its content words, and the forms that count as the same.  Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.answers.words import EVERYWHERE, KIN, STOP, WEAK

_MOST = 40
"""Terms of a question that are looked for, in every paper asked: people have fewer in mind."""

_NUMERIC = re.compile(
    r"\bhow (?:much|many|large|big|fast|long|often|high|low|accurate|well|close|quick\w*|expensive)"
    r"|\b(?:accurac\w+|percent\w*|success rates?|f1|bleu|scores?|speed-?ups?|numbers?|rates?|auc"
    r"|parameters|size|times faster)\b|%",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"[A-Z].*[A-Z0-9]|\d")
_WORD = re.compile(r"[^\W_][\w'’]*(?:[.+-][\w]+)*\+*")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]")
_DEFINED = re.compile(r"((?:[\w’'-]+[ \n]+){1,6}?[\w’'-]+)[ \n]+\(([A-Z][A-Za-z]*[A-Z])s?\)")

# Endings that leave a word the same word: "prune" is found in "pruning" and "pruned".
_FORMS = (
    r"(?:'s|s|e|es|ed|er|ers|ing|ings|y|ies|ied|ier|ion|ions|ation|ations|ment|ments|ive|ively|able"
    r"|ability|al|ally|ly|ance|ence|ent|ant|or|ors|ization|isation|ize|ized|izes|izing|ise|ised"
    r"|ic|ity|ness|ful|e?d|ability|ible|ors)?"
)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a question asks for.

    `roots` are lower-case pieces one of which must occur where `pattern` can match (a quick
    look before the slow one); none means that only the pattern can tell.  `entity` terms
    (names, numbers) cannot be missing from an answer without making it another one.
    """

    word: str
    roots: tuple[str, ...]
    pattern: re.Pattern[str]
    kin: re.Pattern[str] | None = None
    kin_roots: tuple[str, ...] = ()
    weight: float = 1.0
    entity: bool = False
    exact_case: bool = False

    def strength(self, text: str, folded: str) -> float:
        """How surely this occurs in a text: 1 itself, 0.7 as a near-synonym, 0 not."""
        if any(root in folded for root in self.roots) and self.pattern.search(
            text if self.exact_case else folded
        ):
            return 1.0
        kin = self.kin and any(root in folded for root in self.kin_roots)
        return 0.7 if kin and self.kin and self.kin.search(folded) else 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question's terms in their order, and whether it asks for a number."""

    terms: tuple[Term, ...]
    numeric: bool
    pairs: tuple[tuple[int, int], ...] = field(default=())  # terms that stood side by side


def read(question: str, abbreviations: dict[str, str] | None = None) -> Question:
    """The content of a question.  `abbreviations` are short forms with what they stand for."""
    known = abbreviations or {}
    terms: list[Term] = []
    where: list[int] = []
    spoken = _spoken(question)
    # In a Question Typed Like This, a capital says nothing about a word.
    capitals = sum(word[0].isupper() for word in spoken) <= len(spoken) / 2
    for place, word in enumerate(spoken):
        if len(terms) == _MOST:
            break
        term = _term(word, known, name=capitals and place > 0 and word[0].isupper())
        if term and term.word not in {other.word for other in terms}:
            terms.append(term)
            where.append(place)
    terms += map(_phrase, dict.fromkeys(_QUOTED.findall(question)))
    pairs = tuple((n, n + 1) for n in range(len(where) - 1) if where[n + 1] - where[n] == 1)
    return Question(tuple(terms[:_MOST]), bool(_NUMERIC.search(question)), pairs)


def _spoken(question: str) -> list[str]:
    """The words in order; what a hyphen joins is parted unless it is a name ("GPT-4")."""
    spoken: list[str] = []
    for found in _WORD.findall(question):
        word = found.strip(".'’")
        parts = [part for part in word.split("-") if part]
        name = re.search(r"\d", word) or all(part[0].isupper() for part in parts)
        spoken += [word] if name else parts
    return spoken


def abbreviations(texts: Iterable[str], question: str) -> dict[str, str]:
    """Short forms in `question` that the texts themselves explain ("credit assignment (CA)")."""
    wanted = set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]\b", question))
    found: dict[str, str] = {}
    if not wanted:
        return found
    for text in texts:
        for short in wanted - found.keys():
            if f"({short})" in text or f"({short}s)" in text:
                long = _long_form(text, short)
                if long:
                    found[short] = long
    return found


def _long_form(text: str, short: str) -> str:
    for words, defined in _DEFINED.findall(text):
        if defined != short:
            continue
        # One word a letter; hyphens part words too ("Chain-of-Thought (CoT)").
        parts = re.split(r"[\s-]+", words)[-len(short) :]
        if [part[:1].lower() for part in parts] == list(short.lower()):
            return " ".join(parts).lower()
    return ""


def root(word: str) -> str:
    """The part of a lower-case word that its other forms share: "pruning" and "prunes": "prun"."""
    for ending in ("ization", "isation", "ations", "ation", "ingly", "ments", "ment", "ings",
                   "ing", "ions", "ion", "ies", "ied", "edly", "ed", "es", "ably", "ly", "s", "e",
                   "y"):  # fmt: skip
        if ending in ("s", "es") and word.endswith(("ss", "us", "is")):
            continue
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    doubled = len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word


def _term(word: str, known: dict[str, str], *, name: bool) -> Term | None:
    folded = word.casefold()
    if not folded or folded in STOP or (len(folded) == 1 and not folded.isdigit()):
        return None
    entity = name or bool(_ENTITY.search(word))
    short = word[:-1] if re.fullmatch(r"[A-Z]{2,}s", word) else word
    if short.isupper() and short.isalpha() and len(short) <= 4:
        return _short(short, known.get(short, ""))
    if entity and not word.isalpha():
        return _named(folded)
    stem = root(folded)
    pattern = re.compile(rf"(?<!\w){re.escape(stem)}{_doubled(stem)}{_FORMS}(?!\w)")
    if entity:
        return Term(folded, (stem,), pattern, entity=True)
    kin = tuple(k for group in KIN if _in_group(stem, folded, group) for k in group if k != stem)
    weight = 0.35 if folded in WEAK else 1.0
    return Term(folded, (stem,), pattern, _kin_pattern(kin), kin, weight)


def _in_group(stem: str, word: str, group: tuple[str, ...]) -> bool:
    return any(word == k or stem == k or (len(k) > 4 and stem.startswith(k)) for k in group)


def _kin_pattern(kin: tuple[str, ...]) -> re.Pattern[str] | None:
    if not kin:
        return None
    return re.compile("(?<!\\w)(?:" + "|".join(re.escape(k) for k in kin) + ")" + r"\w{0,6}")


def _doubled(stem: str) -> str:
    return f"{re.escape(stem[-1])}?" if len(stem) > 2 and stem[-1].isalpha() else ""


def _short(word: str, long: str) -> Term:
    """The term for an abbreviation: it keeps its case, and its long form counts as the same."""
    either = [rf"{word}s?"]
    if long:
        either.append("(?i:" + r"[\s-]+".join(re.escape(part) for part in long.split()) + "s?)")
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(either) + r")(?!\w)")
    roots = (word.casefold(), *long.split()[:1])
    everywhere = word in EVERYWHERE
    weight = 0.35 if everywhere else 1.0
    return Term(
        word.casefold(), roots, pattern, weight=weight, entity=not everywhere, exact_case=True
    )


def _named(folded: str) -> Term:
    """The term for a name with digits or marks: in "GPT-4" a hyphen and a blank are equal."""
    parts = [part for part in re.split(r"[-\s]+", folded) if part]
    pattern = re.compile(r"(?<![\w.])" + r"[\s-]*".join(map(re.escape, parts)) + r"s?(?![\w])")
    return Term(folded, (parts[0],), pattern, entity=True)


def _phrase(quoted: str) -> Term:
    words = quoted.casefold().split()
    pattern = re.compile(r"(?<!\w)" + r"[\s-]+".join(map(re.escape, words)) + r"s?(?!\w)")
    return Term(f'"{quoted}"', (words[0] if words else "",), pattern, entity=True)
