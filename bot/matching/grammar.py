"""The topic language: text to a tree.

    query   = either { "OR" either }
    either  = part { ["AND"] part }
    part    = ("NOT" | "-") part | "(" query ")" | field ":" part | "cat:" category { "," category }
            | "author:" name | "“phrase”" | word | prefix "*"

Neighbouring bare words form one `Bare`, which the thesaurus widens; phrases stand as they are.
"""

import re
from collections.abc import Mapping
from typing import NoReturn

from bot.matching.categories import nearest
from bot.matching.condition import category_key
from bot.matching.tokens import FIELDS, Token, categories, straight, tokens
from bot.matching.tree import And, Bare, In, Not, Or, Phrase, Prefix, Tree
from bot.matching.verdicts import QueryError

MAX_LENGTH = 4_000
MAX_TERMS = 300
MAX_DEPTH = 25

_EXAMPLE = '"credit assignment" AND agents'


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
        raise QueryError(why, place=error.place, suggestion=_EXAMPLE) from None


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
            suggestion=_EXAMPLE,
        )
    reader = _Reader(straight(query), listed)
    tree = reader.query()
    reader.expect_end()
    if tree is None:
        raise QueryError(
            f"“{_short(query)}” holds no word to look for.", suggestion='"world models"'
        )
    if _only_excludes(tree):
        raise QueryError(
            f"“{_short(query)}” only excludes; say what to look for as well.",
            suggestion="agents NOT survey",
        )
    return tree


class _Reader:
    """Recursive descent over the tokens of one query."""

    def __init__(self, text: str, listed: Mapping[str, str] | None) -> None:
        self._text = text
        self._listed = listed
        self._tokens = tokens(text)
        self._next = 0
        self._depth = 0
        terms = [t for t in self._tokens if t.kind in ("word", "phrase", "prefix", "cat")]
        if len(terms) > MAX_TERMS:
            raise QueryError(
                f"The query has {len(terms):,} words and phrases and may have {MAX_TERMS}; "
                f"the first too many is “{_short(terms[MAX_TERMS].text)}”.",
                place=terms[MAX_TERMS].place,
                suggestion=_EXAMPLE,
            )

    def query(self) -> Tree | None:
        found = [self._either()]
        while self._at("OR"):
            operator = self._take()
            if found[-1] is None:
                self._lacks(operator)
            right = self._either()
            if right is None:
                self._lacks(operator)
            found.append(right)
        trees = tuple(tree for tree in found if tree is not None)
        return (trees[0] if len(trees) == 1 else Or(trees)) if trees else None

    def expect_end(self) -> None:
        token = self._tokens[self._next]
        if token.kind == ")":
            self._refuse("closes a parenthesis that was not opened", token, drop=True)

    def _either(self) -> Tree | None:
        found: list[Tree] = []
        while True:
            if self._at("AND"):
                operator = self._take()
                if not found or self._at("AND", "OR", ")", "end"):
                    self._lacks(operator)
            if self._at("OR", ")", "end"):
                break
            part = self._part()
            if part is not None:
                found.append(part)
        return (found[0] if len(found) == 1 else And(tuple(found))) if found else None

    def _part(self) -> Tree | None:
        token = self._take()
        if token.kind == "NOT":
            return self._excluded(token)
        if token.kind == "(":
            return self._group(token)
        if token.kind == "field":
            return self._field(token)
        if token.kind == "phrase":
            return self._phrase(token)
        if token.kind == "prefix":
            return self._prefix(token)
        if token.kind == "cat":
            return self._categories(token)
        if token.kind == "foreign":
            self._foreign(token)
        return self._bare(token)

    def _excluded(self, token: Token) -> Tree:
        if self._at("AND", "OR", ")", "end"):
            self._lacks(token)
        part = self._one_word() if self._at("word") else self._deeper()
        if part is None:
            self._lacks(token)
        return Not(part)

    def _one_word(self) -> Tree | None:
        token = self._take()
        return Phrase(token.text) if re.search(r"[^\W_]", token.text) else None

    def _deeper(self) -> Tree | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            token = self._tokens[self._next]
            self._refuse(f"is more than {MAX_DEPTH} levels deep", token, example="(a OR b) AND c")
        part = self._part()
        self._depth -= 1
        return part

    def _group(self, token: Token) -> Tree | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._refuse(f"opens more than {MAX_DEPTH} levels", token, example="(a OR b) AND c")
        tree = self.query()
        self._depth -= 1
        if not self._at(")"):
            self._refuse("opens a parenthesis that is not closed", token, add=")")
        self._take()
        return tree

    def _field(self, token: Token) -> Tree | None:
        if self._at("AND", "OR", "NOT", ")", "end", "field", "cat"):
            self._refuse(
                "names a field and no word to look for in it", token, example='title:"world models"'
            )
        if token.text in ("author", "cat"):
            return self._name(token)
        part = self._one_bare(token) if self._at("word") else self._deeper()
        return part if part is None or token.text == "all" else In(token.text, part)

    def _one_bare(self, field: Token) -> Tree | None:
        """The word behind a field, or all up to the next operator behind "title: "."""
        token = self._take()
        if field.spaced:
            return self._bare(token)
        return Bare(token.text) if re.search(r"[^\W_]", token.text) else None

    def _name(self, field: Token) -> Tree:
        token = self._take()
        tree = self._group(token) if token.kind == "(" else None
        if tree is not None:
            return self._each_named(field, tree)
        text = self._person(token) if token.kind == "word" else token.text.strip('"').strip()
        if token.kind not in ("word", "phrase", "prefix") or not re.search(r"[^\W_]", text):
            example = 'author:"Ada Lovelace"' if field.text == "author" else "cat:cs.LG"
            self._refuse(f"names a field; {field.text}: takes one name", field, example=example)
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
        """One of several categories, between which stand commas."""
        found = list(categories(token))
        if not found:
            self._refuse("names no category", token, example="cat:cs.LG")
        for each in found:
            if self._listed and category_key(each.text) not in self._listed:
                self._not_listed(each, self._listed)
        trees = tuple(In("cat", Phrase(each.text)) for each in found)
        return trees[0] if len(trees) == 1 else Or(trees)

    def _not_listed(self, token: Token, listed: Mapping[str, str]) -> NoReturn:
        near = nearest(token.text, listed)
        end = token.place + len(token.text)
        better = self._text[: token.place] + near + self._text[end:]
        self._refuse("is no category of arXiv", token, example=better if near else "cat:cs.LG")

    def _foreign(self, token: Token) -> NoReturn:
        """What other searches read and this one does not."""
        text = self._text
        if token.text.endswith(":"):
            fields = ", ".join(f"{name}:" for name in dict.fromkeys(FIELDS.values()))
            better = f"{text[: token.place]}all:{text[token.place + len(token.text) :]}"
            self._refuse(f"is no field; there are {fields}", token, example=better.strip())
        if "*" in token.text:
            better = token.text.partition("*")[0] + "*"
            self._refuse("holds a * that does not end a word", token, example=better)
        kept = re.split(r"[~^]", token.text)[0]
        better = text[: token.place] + kept + text[token.place + len(token.text) :]
        self._refuse("weighs or nears words, which is not read", token, example=better.strip())

    def _phrase(self, token: Token) -> Tree | None:
        if len(token.text) < 2 or not token.text.endswith('"'):
            is_empty = not token.text.strip('" ')
            self._refuse(
                "opens a quotation that is not closed", token, add='"' * (not is_empty),
                drop=is_empty,
            )  # fmt: skip
        text = token.text[1:-1]
        if re.search(r"[^\W_]{3}\*$", text):
            return Prefix(text.rstrip("*"))
        return Phrase(text) if re.search(r"[^\W_]", text) else None

    def _prefix(self, token: Token) -> Tree:
        letters = re.findall(r"[^\W_]+", token.text)
        if not letters or len(letters[-1]) < 3:
            self._refuse(
                "is too short a beginning; three letters are the least", token, example="agent*"
            )
        return Prefix(token.text)

    def _bare(self, token: Token) -> Tree | None:
        words = [token.text]
        while self._at("word"):
            words.append(self._take().text)
        text = " ".join(words)
        return Bare(text) if re.search(r"[^\W_]", text) else None

    def _at(self, *kinds: str) -> bool:
        return self._tokens[self._next].kind in kinds

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _lacks(self, operator: Token) -> NoReturn:
        self._refuse("needs something to look for beside it", operator, example="agents AND memory")

    def _refuse(
        self, what: str, token: Token, *, add: str = "", drop: bool = False, example: str = ""
    ) -> NoReturn:
        text = self._text
        if add:
            example = _short(text.strip() + add)
        elif drop:
            example = _short((text[: token.place] + text[token.place + 1 :]).strip()) or "agents"
        quoted = _short(text[token.place : token.place + 30]) or _short(text)
        raise QueryError(
            f"“{quoted}” (at character {token.place + 1}) {what}.",
            place=token.place,
            suggestion=example,
        )


def _only_excludes(tree: Tree) -> bool:
    if isinstance(tree, And):
        return all(map(_only_excludes, tree.trees))
    if isinstance(tree, Or):
        return any(map(_only_excludes, tree.trees))
    return isinstance(tree, Not)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
