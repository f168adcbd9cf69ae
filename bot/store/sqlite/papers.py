"""Papers as they are kept: searched, walked through and counted by week."""

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from sqlite_utils import Database, Migrations

from bot.model import Paper
from bot.store.sqlite.engine import script
from bot.store.sqlite.instants import WEEK, by_week, seconds, start_of
from bot.store.sqlite.sightings import Sightings

migrations = Migrations("papers")

_TITLE = 3.0  # what a word in the title counts for one in the abstract, where papers are ranked
BATCH = 500  # papers held at once by whoever walks through many


@migrations()
def m001_papers(db: Database) -> None:
    script(
        db,
        """
    CREATE TABLE papers (
        seq INTEGER PRIMARY KEY,        -- our own increasing number: first seen
        arxiv_id TEXT NOT NULL UNIQUE,  -- without version
        version INTEGER NOT NULL,
        title TEXT NOT NULL,
        abstract TEXT NOT NULL,
        primary_category TEXT NOT NULL,
        submitted_at INTEGER NOT NULL,  -- of version 1; epoch seconds UTC, as all instants here
        updated_at INTEGER NOT NULL,
        first_seen_at INTEGER NOT NULL,
        announced_on TEXT,              -- the listing's date
        withdrawn INTEGER NOT NULL DEFAULT 0,
        comment TEXT NOT NULL DEFAULT '',
        doi TEXT NOT NULL DEFAULT '',
        journal_ref TEXT NOT NULL DEFAULT '',
        code_url TEXT NOT NULL DEFAULT '',
        backfilled INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX papers_submitted ON papers (submitted_at);
    CREATE TABLE paper_authors (
        seq INTEGER NOT NULL REFERENCES papers, position INTEGER NOT NULL,
        name TEXT NOT NULL, affiliations TEXT NOT NULL DEFAULT '',  -- JSON array, '' for none
        PRIMARY KEY (seq, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE paper_categories (
        seq INTEGER NOT NULL REFERENCES papers, position INTEGER NOT NULL, category TEXT NOT NULL,
        PRIMARY KEY (seq, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX paper_categories_by_name ON paper_categories (category, seq);
    CREATE VIRTUAL TABLE papers_fts USING fts5 (
        title, abstract, content = 'papers', content_rowid = 'seq',
        tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER papers_found AFTER INSERT ON papers BEGIN
        INSERT INTO papers_fts (rowid, title, abstract) VALUES (new.seq, new.title, new.abstract);
    END;
    CREATE TRIGGER papers_changed AFTER UPDATE OF title, abstract ON papers BEGIN
        INSERT INTO papers_fts (papers_fts, rowid, title, abstract)
        VALUES ('delete', old.seq, old.title, old.abstract);
        INSERT INTO papers_fts (rowid, title, abstract) VALUES (new.seq, new.title, new.abstract);
    END;
    """,
    )


@migrations()
def m002_revisions(db: Database) -> None:
    script(
        db,
        """
    CREATE TABLE revisions (            -- withdrawals, and titles that were changed
        id INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL REFERENCES papers,
        at INTEGER NOT NULL,            -- when we saw it
        before TEXT NOT NULL,           -- the title until then
        withdrawn INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX revisions_by_age ON revisions (at);
    """,
    )


class SqlitePapers(Sightings):
    """The papers of one database."""

    def get(self, arxiv_id: str) -> Paper | None:
        found = self._select("WHERE p.arxiv_id = :id", {"id": arxiv_id})
        return found[0] if found else None

    def candidates(self, expression: str, limit: int = 1_000_000) -> Iterator[list[Paper]]:
        # Dates are walked by their index: to look each one up reads past the abstracts.
        seqs = [
            row["seq"]
            for row in self.engine.rows(
                "SELECT seq FROM papers INDEXED BY papers_submitted WHERE seq IN"
                " (SELECT rowid FROM papers_fts WHERE papers_fts MATCH :expression)"
                " ORDER BY submitted_at DESC, seq DESC LIMIT :limit",
                {"expression": expression, "limit": limit},
            )
        ]
        for start in range(0, len(seqs), BATCH):
            yield sorted(self.some(seqs[start : start + BATCH]), key=_age, reverse=True)

    def newest_first(self) -> Iterator[list[Paper]]:
        at, seq = 2**62, 0
        while batch := self._select(
            "WHERE (p.submitted_at, p.seq) < (:at, :seq)"
            " ORDER BY p.submitted_at DESC, p.seq DESC LIMIT :limit",
            {"at": at, "seq": seq, "limit": BATCH},
        ):
            yield batch
            at, seq = seconds(batch[-1].submitted_at), batch[-1].seq

    def count_of(self, expression: str) -> int:
        return int(
            self.engine.value(
                "SELECT count(*) FROM papers_fts WHERE papers_fts MATCH ?", (expression,)
            )
        )

    def nearest(self, expression: str, limit: int) -> list[int]:
        rows = self.engine.rows(
            "SELECT rowid FROM papers_fts WHERE papers_fts MATCH :expression"
            f" ORDER BY bm25(papers_fts, {_TITLE}, 1.0), rowid DESC LIMIT :limit",
            {"expression": expression, "limit": limit},
        )
        return [row["rowid"] for row in rows]

    def count_after(self, at: datetime) -> int:
        return int(
            self.engine.value("SELECT count(*) FROM papers WHERE submitted_at > ?", (seconds(at),))
        )

    def random(self, count: int) -> list[Paper]:
        last = self.engine.value("SELECT max(seq) FROM papers") or 0
        return self.some({1 + (i * 2_654_435_761) % last for i in range(count)} if last else ())

    def count(self) -> int:
        return int(self.engine.value("SELECT count(*) FROM papers"))

    def highest_number(self, category: str = "", *, below: str = "") -> str:
        found = self.engine.value(
            "SELECT max(arxiv_id) FROM papers WHERE arxiv_id GLOB '[0-9]*' AND (:category = ''"
            " OR seq IN (SELECT seq FROM paper_categories WHERE category = :category))"
            " AND (:below = '' OR arxiv_id < :below)",
            {"category": category, "below": below},
        )
        return str(found or "")

    def lowest_number(self, since: datetime) -> str | None:
        found = self.engine.value(
            "SELECT min(arxiv_id) FROM papers WHERE submitted_at >= ? AND arxiv_id GLOB '[0-9]*'",
            (seconds(since),),
        )
        return str(found) if found else None

    def categories(self) -> list[str]:
        rows = self.engine.rows(  # from one to the next by the index, not past every paper
            "WITH RECURSIVE found(category) AS (SELECT min(category) FROM paper_categories"
            " UNION ALL SELECT (SELECT min(category) FROM paper_categories c"
            "  WHERE c.category > found.category) FROM found WHERE category IS NOT NULL)"
            " SELECT category FROM found WHERE category IS NOT NULL"
        )
        return [row["category"] for row in rows]

    def weekly(self, since: date, categories: Sequence[str] = ()) -> dict[date, int]:
        among = (
            "AND p.seq IN (SELECT seq FROM paper_categories WHERE category IN"
            " (SELECT value FROM json_each(:categories)))"
            if categories
            else ""
        )
        return by_week(
            self.engine.rows(
                f"SELECT {WEEK} AS week, count(*) AS papers FROM papers p"
                f" WHERE p.submitted_at >= :since {among} GROUP BY week",
                {"since": start_of(since), "categories": json.dumps(list(categories))},
            )
        )


def _age(paper: Paper) -> tuple[datetime, int]:
    return paper.submitted_at, paper.seq
