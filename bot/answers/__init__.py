"""Answers to questions about papers: the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.model import Paper


@dataclass(frozen=True, slots=True)
class Answer:
    """What some papers say to a question.

    `quotes` are papers with their sentences, best first; each sentence stands in that paper's
    abstract or title exactly so.  `asked_of` counts the papers searched.  `prose` is a language
    model's, cites the quotes by number ("[1]", counted from 1) and is "" otherwise.  `remark`
    is one sentence for the reader: why there is no answer, or what is missing from it.
    """

    quotes: tuple[tuple[Paper, tuple[str, ...]], ...]
    asked_of: int
    prose: str = ""
    remark: str = ""

    @property
    def found(self) -> bool:
        """Whether anything answers the question."""
        return bool(self.quotes)


class Answerer(Protocol):
    """Something that answers questions from papers.  Abstracts are data to it, never orders."""

    def answer(
        self, question: str, papers: Sequence[Paper], *, of_a_stranger: bool = False
    ) -> Answer:
        """Say what `papers` hold on `question`.  Blocks; never raises for an odd question.

        What costs something leaves strangers no more than a part of it.
        """
        ...


MAX_QUESTION = 500
"""Characters of a question that are read; the rest is ignored with a remark."""


def nothing(asked_of: int) -> Answer:
    """The honest answer where nothing fits: "Nothing in these 402 papers answers that."""
    where = {0: "There are no papers here yet to answer that.", 1: "This paper does not say."}
    return Answer(
        (),
        asked_of,
        remark=where.get(asked_of, f"Nothing in these {asked_of:,} papers answers that."),
    )
