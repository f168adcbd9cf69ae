"""The topic language: text to a tree.

    query   = either { "OR" either }
    either  = part { ["AND"] part }
    part    = ("NOT" | "-") part | "(" query ")" | field ":" part | "cat:" category { "," category }
            | "author:" name | "“phrase”" | word | prefix "*"

Neighbouring bare words form one `Bare`, which the thesaurus widens; phrases stand as they are.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from bot.matching.queries.complaint import EXAMPLE, Complaint, short
from bot.matching.queries.condition import category_key
from bot.matching.queries.tokens import Token, categories, straight, tokens
from bot.matching.queries.tree import And, Bare, In, Not, Or, Phrase, Prefix, Tree
from bot.matching.verdicts import QueryError

MAX_LENGTH = 4_000
MAX_TERMS = 300
MAX_DEPTH = 25


def parse(query: str, listed: Mapping[str, str] | None = None) -> Tree:
    """The tree of a query.  Raises QueryError with the place and an example that can be read.

    Where `listed` holds categories and archives by their keys, a query may name no others.
    """
    try:
        return _parse(query, listed)
    except QueryError as error:
        if is_readable(error.suggestion):
            raise
        why = str(error).removesuffix(f" For example: {error.suggestion}")
        raise QueryError(why, place=error.place, suggestion=EXAMPLE) from None


def is_readable(query: str) -> bool:
    """Whether `parse` takes it."""
    try:
        return bool(_parse(query))
    except QueryError:
        return False


def _parse(query: str, listed: Mapping[str, str] | None = None) -> Tree:
    if len(query) > MAX_LENGTH:
        raise QueryError(
            f"The query has {len(query):,} characters and may have {MAX_LENGTH:,}; "
            "keep the words that decide.",
            place=MAX_LENGTH,
            suggestion=EXAMPLE,
        )
    reader = _Reader(straight(query), listed)
    tree = reader.query()
    reader.expect_end()
    if tree is None:
        raise QueryError(
            f"“{short(query)}” holds no word to look for.", suggestion='"world models"'
        )
    if _only_excludes(tree):
        raise QueryError(
            f"“{short(query)}” only excludes; say what to look for as well.",
            suggestion="agents NOT survey",
        )
    return tree


class _Reader:
    """Recursive descent over the tokens of one query."""

    def __init__(self, text: str, listed: Mapping[str, str] | None) -> None:
        self._complaint = Complaint(text)
        self._listed = listed
        self._tokens = tokens(text)
        self._next = 0
        self._depth = 0
        terms = [t for t in self._tokens if t.kind in ("word", "phrase", "prefix", "cat")]
        if len(terms) > MAX_TERMS:
            raise QueryError(
                f"The query has {len(terms):,} words and phrases and may have {MAX_TERMS}; "
                f"the first too many is “{short(terms[MAX_TERMS].text)}”.",
                place=terms[MAX_TERMS].place,
                suggestion=EXAMPLE,
            )

    def query(self) -> Tree | None:
        found = [self._either()]
        while self._at("OR"):
            operator = self._take()
            if found[-1] is None:
                self._complaint.lacks(operator)
            right = self._either()
            if right is None:
                self._complaint.lacks(operator)
            found.append(right)
        trees = tuple(tree for tree in found if tree is not None)
        return (trees[0] if len(trees) == 1 else Or(trees)) if trees else None

    def expect_end(self) -> None:
        token = self._tokens[self._next]
        if token.kind == ")":
            self._complaint.refuse("closes a parenthesis that was not opened", token, drop=True)

    def _either(self) -> Tree | None:
        found: list[Tree] = []
        while True:
            if self._at("AND"):
                operator = self._take()
                if not found or self._at("AND", "OR", ")", "end"):
                    self._complaint.lacks(operator)
            if self._at("OR", ")", "end"):
                break
            part = self._part()
            if part is not None:
                found.append(part)
        return (found[0] if len(found) == 1 else And(tuple(found))) if found else None

    def _part(self) -> Tree | None:
        token = self._take()
        reading: Mapping[str, Callable[[Token], Tree | None]] = {
            "NOT": self._excluded,
            "(": self._group,
            "field": self._field,
            "phrase": self._phrase,
            "prefix": self._prefix,
            "cat": self._categories,
            "foreign": self._complaint.foreign,
        }
        return reading.get(token.kind, self._bare)(token)

    def _excluded(self, token: Token) -> Tree:
        if self._at("AND", "OR", ")", "end"):
            self._complaint.lacks(token)
        part = self._one_word(Phrase) if self._at("word") else self._deeper()
        if part is None:
            self._complaint.lacks(token)
        return Not(part)

    def _one_word(self, kind: type[Phrase | Bare]) -> Tree | None:
        text = self._take().text
        return kind(text) if _has_letters(text) else None

    def _deeper(self) -> Tree | None:
        with self._level(self._tokens[self._next]):
            return self._part()

    def _group(self, token: Token) -> Tree | None:
        with self._level(token):
            tree = self.query()
        if not self._at(")"):
            self._complaint.refuse("opens a parenthesis that is not closed", token, add=")")
        self._take()
        return tree

    @contextmanager
    def _level(self, token: Token) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._complaint.refuse(
                f"is more than {MAX_DEPTH} levels deep", token, example="(a OR b) AND c"
            )
        yield
        self._depth -= 1

    def _field(self, token: Token) -> Tree | None:
        if self._at("AND", "OR", "NOT", ")", "end", "field", "cat"):
            self._complaint.refuse(
                "names a field and no word to look for in it", token, example='title:"world models"'
            )
        if token.text in ("author", "cat"):
            return self._name(token)
        if self._at("word"):  # it alone, or behind "title: " all up to the next operator
            part = self._bare(self._take()) if token.spaced else self._one_word(Bare)
        else:
            part = self._deeper()
        return part if part is None or token.text == "all" else In(token.text, part)

    def _name(self, field: Token) -> Tree:
        token = self._take()
        tree = self._group(token) if token.kind == "(" else None
        if tree is not None:
            return self._each_named(field, tree)
        text = self._person(token) if token.kind == "word" else token.text.strip('"').strip()
        if token.kind not in ("word", "phrase", "prefix") or not _has_letters(text):
            example = 'author:"Ada Lovelace"' if field.text == "author" else "cat:cs.LG"
            self._complaint.refuse(
                f"names a field; {field.text}: takes one name", field, example=example
            )
        if token.kind == "prefix":
            text += "*"
        return In(field.text, Phrase(text))

    def _person(self, token: Token) -> str:
        """A name without quotes: the words up to the next operator, field or comma.

        Only the comma behind a single word is a part of it: "Li, Jun".
        """
        words = [token.text]
        while self._at("word") and (len(words) == 1 or words[-1][-1] not in ",;"):
            words.append(self._take().text)
        return " ".join(words).strip(" ,;")

    def _each_named(self, field: Token, tree: Tree) -> Tree:
        """What is in the parentheses of `author:(Jun Li OR Ada Lovelace)`."""
        if isinstance(tree, And | Or):
            return type(tree)(tuple(self._each_named(field, each) for each in tree.trees))
        if isinstance(tree, Not):
            return Not(self._each_named(field, tree.tree))
        return tree if isinstance(tree, In) else In(field.text, Phrase(tree.text))

    def _categories(self, token: Token) -> Tree:
        """Any of the categories, which commas separate."""
        found = list(categories(token))
        if not found:
            self._complaint.refuse("names no category", token, example="cat:cs.LG")
        for each in found:
            if self._listed and category_key(each.text) not in self._listed:
                self._complaint.not_listed(each, self._listed)
        trees = tuple(In("cat", Phrase(each.text)) for each in found)
        return trees[0] if len(trees) == 1 else Or(trees)

    def _phrase(self, token: Token) -> Tree | None:
        if len(token.text) < 2 or not token.text.endswith('"'):
            is_empty = not token.text.strip('" ')
            self._complaint.refuse(
                "opens a quotation that is not closed", token, add='"' * (not is_empty),
                drop=is_empty,
            )  # fmt: skip
        text = token.text[1:-1]
        if re.search(r"[^\W_]{3}\*$", text):
            return Prefix(text.rstrip("*"))
        return Phrase(text) if _has_letters(text) else None

    def _prefix(self, token: Token) -> Tree:
        letters = re.findall(r"[^\W_]+", token.text)
        if not letters or len(letters[-1]) < 3:
            self._complaint.refuse(
                "is too short a beginning; three letters are the least", token, example="agent*"
            )
        return Prefix(token.text)

    def _bare(self, token: Token) -> Tree | None:
        words = [token.text]
        while self._at("word"):
            words.append(self._take().text)
        text = " ".join(words)
        return Bare(text) if _has_letters(text) else None

    def _at(self, *kinds: str) -> bool:
        return self._tokens[self._next].kind in kinds

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token


def _only_excludes(tree: Tree) -> bool:
    if isinstance(tree, And):
        return all(map(_only_excludes, tree.trees))
    if isinstance(tree, Or):
        return any(map(_only_excludes, tree.trees))
    return isinstance(tree, Not)


def _has_letters(text: str) -> bool:
    return re.search(r"[^\W_]", text) is not None
