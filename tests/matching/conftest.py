"""The packaged language, made once, and papers as full-text search would hold them."""

import sqlite3
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from bot.matching import Language
from bot.model import Paper
from bot.text.names import latin
from tests.houses import known_language

CONFIG = Path(__file__).parent.parent.parent / "config"


@cache
def packaged(name: str) -> dict:
    return tomllib.loads((CONFIG / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def language() -> Language:
    return known_language()


class FullText:
    """An FTS5 table as the store keeps it, over papers by their row number."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE papers USING fts5("
            "title, abstract, tokenize = 'unicode61 remove_diacritics 2')"
        )
        rows = [(n, latin(each.title), latin(each.abstract)) for n, each in enumerate(papers)]
        self._db.executemany("INSERT INTO papers (rowid, title, abstract) VALUES (?, ?, ?)", rows)
        self._all = {number for number, _, _ in rows}

    def find(self, expression: str | None) -> set[int]:
        """The rows that an expression proposes; every row for None."""
        if expression is None:
            return self._all
        sql = "SELECT rowid FROM papers WHERE papers MATCH ?"
        return {row for (row,) in self._db.execute(sql, (expression,))}

    def close(self) -> None:
        self._db.close()


@pytest.fixture
def full_text():
    opened: list[FullText] = []

    def make(papers: Iterable[Paper]) -> FullText:
        opened.append(FullText(papers))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
