"""Rows of papers as nouns."""

import json
from collections.abc import Iterable
from datetime import date
from typing import Any

from bot.model import Author, Paper
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import instant

_COLUMNS = """p.seq, p.arxiv_id, p.version, p.title, p.abstract, p.submitted_at, p.updated_at,
    p.first_seen_at, p.announced_on, p.withdrawn, p.comment, p.doi, p.journal_ref, p.code_url,
    (SELECT group_concat(category, ' ') FROM (SELECT category FROM paper_categories c
        WHERE c.seq = p.seq ORDER BY position)) AS categories,
    (SELECT json_group_array(json_array(name, affiliations)) FROM (SELECT name, affiliations
        FROM paper_authors a WHERE a.seq = p.seq ORDER BY position)) AS authors"""


class PaperRows:
    """Papers by their rows: a part of `SqlitePapers`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def some(self, seqs: Iterable[int]) -> list[Paper]:
        if not (wanted := sorted(set(seqs))):
            return []
        return self._select(
            "WHERE p.seq IN (SELECT value FROM json_each(:seqs)) ORDER BY p.seq",
            {"seqs": wanted},
        )

    def _select(self, where: str, params: dict[str, Any]) -> list[Paper]:
        sql = f"SELECT {_COLUMNS} FROM papers p {where}"
        return [_paper(row) for row in self.engine.rows(sql, params)]


def _paper(row: dict[str, Any]) -> Paper:
    """A row of `_COLUMNS` as a noun."""
    return Paper(
        arxiv_id=row["arxiv_id"],
        version=row["version"],
        title=row["title"],
        abstract=row["abstract"],
        authors=tuple(
            Author(name, tuple(json.loads(places)) if places else ())
            for name, places in json.loads(row["authors"])
        ),
        categories=tuple((row["categories"] or "").split()),
        submitted_at=instant(row["submitted_at"]),
        updated_at=instant(row["updated_at"]),
        announced_on=date.fromisoformat(row["announced_on"]) if row["announced_on"] else None,
        withdrawn=bool(row["withdrawn"]),
        comment=row["comment"],
        doi=row["doi"],
        journal_ref=row["journal_ref"],
        code_url=row["code_url"],
        seq=row["seq"],
        first_seen_at=instant(row["first_seen_at"]),
    )
