"""What is said of a query that cannot be read: where, what is wrong there, and a better one."""

import re
from collections.abc import Mapping
from typing import NoReturn

from bot.matching.queries.categories import nearest
from bot.matching.queries.tokens import FIELDS, Token
from bot.matching.verdicts import QueryError

EXAMPLE = '"credit assignment" AND agents'


class Complaint:
    """Says what is wrong with one query: each method raises QueryError."""

    def __init__(self, text: str) -> None:
        self._text = text

    def refuse(
        self, what: str, token: Token, *, add: str = "", drop: bool = False, example: str = ""
    ) -> NoReturn:
        """What a token does wrong; better `add` something behind all, or `drop` the token."""
        text = self._text
        if add:
            example = short(text.strip() + add)
        elif drop:
            example = short((text[: token.place] + text[token.place + 1 :]).strip()) or "agents"
        quoted = short(text[token.place : token.place + 30]) or short(text)
        raise QueryError(
            f"“{quoted}” (at character {token.place + 1}) {what}.",
            place=token.place,
            suggestion=example,
        )

    def lacks(self, operator: Token) -> NoReturn:
        """An operator has nothing beside it."""
        self.refuse("needs something to look for beside it", operator, example="agents AND memory")

    def not_listed(self, token: Token, listed: Mapping[str, str]) -> NoReturn:
        """A category is not one of those that are listed."""
        near = nearest(token.text, listed)
        better = self._with(near, token) if near else "cat:cs.LG"
        self.refuse("is no category of arXiv", token, example=better)

    def foreign(self, token: Token) -> NoReturn:
        """What other searches read and this one does not."""
        if token.text.endswith(":"):
            fields = ", ".join(f"{name}:" for name in dict.fromkeys(FIELDS.values()))
            better = self._with("all:", token)
            self.refuse(f"is no field; there are {fields}", token, example=better)
        if "*" in token.text:
            better = token.text.partition("*")[0] + "*"
            self.refuse("holds a * that does not end a word", token, example=better)
        better = self._with(re.split(r"[~^]", token.text)[0], token)
        self.refuse("weighs or nears words, which is not read", token, example=better)

    def _with(self, better: str, token: Token) -> str:
        """The query with something better in the place of a token."""
        end = token.place + len(token.text)
        return (self._text[: token.place] + better + self._text[end:]).strip()


def short(text: str) -> str:
    """As much of a text as is quoted."""
    return text if len(text) <= 60 else text[:59] + "…"
