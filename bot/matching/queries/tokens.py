"""The pieces of a query: words, phrases, fields and operators, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.text.categories import ARCHIVES, CATEGORIES

FIELDS = {
    "title": "title", "ti": "title", "abstract": "abstract", "abs": "abstract", "all": "all",
    "author": "author", "au": "author", "cat": "cat", "category": "cat",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # ( ) AND OR NOT phrase word prefix field cat foreign end
    text: str
    place: int
    spaced: bool = False  # a field with a space behind its colon


def _any(names: Iterator[str] | tuple[str, ...]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_QUOTES = str.maketrans("“”„‟«»＂″", '""""""""')
_CODE = rf"(?i:{_any(tuple(c for c in CATEGORIES if '.' in c))})(?![\w*-]|\.\w)"
"""A category by its code, which no paper uses as a word: cs.LG."""
_LISTED = rf"(?i:{_any(ARCHIVES)})(?:\.[\w*-]+)?(?![\w-])"
_CAT = r"(?i:cat(?:egory)?):\s*"
_CATEGORY = r'(?:"[^"]*"|[^\s()",;+|/&]+)'
_CATEGORIES = (
    rf"(?:{_CAT}{_CATEGORY}|{_CODE})"
    rf"(?:\s*[,;+|/&]\s*(?:{_CAT}{_CATEGORY}|{_LISTED})|\s+(?:and\s+|or\s+)?{_CODE})*"
)
_NAMES = _any(tuple(FIELDS))
_FOREIGN = (
    r'(?!https?:|arxiv:|doi:)[a-z_]{2,}:(?=["\w])'  # a field of somebody else's
    r"|[a-z]{3,}[~^]\d[\d.]*(?!\S)|(?<=[\")])[~^][\d.]*"  # how near, how much it weighs
    r"|[a-z]{3,}\*[a-z]+"
)
_BAR = r"(?<=\w\w)\|(?=\w\w)"
_TOKEN = re.compile(
    r'\s+|\+(?=\w\w)|(?P<phrase>"[^"]*"?)|(?P<paren>[()])|(?P<not>[-!](?=[^\s\-!)]))'
    rf"|(?P<cat>{_CATEGORIES})|(?P<field>(?i:{_NAMES}):\s*)|(?P<foreign>{_FOREIGN})"
    r"|(?P<either>\|\|?)|(?P<both>&&(?!\S))"
    rf'|(?P<word>(?:(?!{_BAR}|(?<=\w\w)\+(?=\w\w)|[,;](?i:{_NAMES}):)[^\s()"])+)'
)
_QUERY = re.compile(
    r'"'
    r"|(?<![^\s(])(?:AND|OR|NOT|ANDNOT)(?![^\s)(\"])"
    rf"|(?<![^\s(])(?:\|\|?|&&)(?!\S)|{_BAR}"
    rf"|(?<![^\s(,;+|])[-!]?(?:(?i:{_NAMES}):(?=\S|\s*$)"
    rf"|(?i:title|ti|abstract|abs|author|au):\s+(?=\S)|{_CAT}{_LISTED}|{_CODE}|{_FOREIGN})"
    r"|(?:^|\s)-[^\s\-]"
    r"|\w\w\*(?:\s|$)"
)
_STARRED = re.compile(r"[^\W\d_]\*")
"""One letter with a star begins no words: A* is a search, and C* an algebra."""


def straight(text: str) -> str:
    """The text with straight quotation marks, character for character."""
    return text.translate(_QUOTES)


def is_query(text: str) -> bool:
    """Whether quotes, operators, fields, categories, a prefix or a `-word` are in it.

    Parentheses alone are a name's: "Mixture of Experts (MoE)".
    """
    return bool(_QUERY.search(straight(text)))


def tokens(text: str) -> list[Token]:
    """The tokens of a text with straight quotation marks; the last one is its end."""
    return _meant([*_pieces(text), Token("end", "", len(text))])


def categories(token: Token) -> Iterator[Token]:
    """The categories of a `cat` token, each at its own place."""
    for found in re.finditer(rf"(?:{_CAT})?({_CATEGORY})", token.text):
        if found[1].casefold() in ("and", "or"):
            continue
        inside = found.start(1) + found[1].startswith('"')
        yield Token("cat", found[1].strip('" '), token.place + inside)


def _pieces(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:  # a lone mark
            place += 1
            continue
        if found.lastgroup:
            yield _piece(found.lastgroup, found[0], place)
        place = found.end()


def _piece(kind: str, piece: str, place: int) -> Token:
    if kind == "field":
        name = piece.rstrip().removesuffix(":").lower()
        return Token("field", FIELDS[name], place, spaced=piece[-1].isspace())
    if kind == "word":
        return _word(piece, place)
    kinds = {"paren": piece, "not": "NOT", "either": "OR", "both": "AND"}
    return Token(kinds.get(kind, kind), piece, place)


def _word(piece: str, place: int) -> Token:
    if piece in ("AND", "OR", "NOT", "ANDNOT"):
        return Token(piece.removeprefix("AND") or piece, piece, place)
    if piece.endswith("*") and piece.rstrip("*") and not _STARRED.fullmatch(piece):
        return Token("prefix", piece.rstrip("*"), place)
    return Token("word", piece, place)


def _meant(found: list[Token]) -> list[Token]:
    """The tokens with "and", "or" and "not" as operators where they do not link two words.

    Between two words they are a part of a name: "vision or language".
    """
    out: list[Token] = []
    in_name = False
    for token, after in zip(found, [*found[1:], found[-1]], strict=True):
        before = out[-1].kind if out else ""
        in_name = token.text == "author" if token.kind == "field" else in_name and before != "OR"
        if token.kind == "word" and _operates(token.text, before, after, in_name=in_name):
            token = replace(token, kind=token.text.upper())
        out.append(token)
    return out


def _operates(word: str, before: str, after: Token, *, in_name: bool) -> bool:
    if before in ("", "(", "OR", "NOT", "field") or after.kind in ("AND", "OR", ")", "end"):
        return False
    if word == "not":
        return after.kind != "NOT"
    is_beside = before in ("phrase", ")", "prefix", "cat") or after.kind != "word" or in_name
    return word in ("and", "or") and (is_beside or after.text == "not")
