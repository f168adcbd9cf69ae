"""Papers: stored once each, never downgraded, searchable, counted by week."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from sqlite_utils import Database, Migrations

from bot.model import Author, Paper, Sighting
from bot.store.papers import Added
from bot.store.sqlite.engine import Engine, script
from bot.store.sqlite.instants import WEEK, by_week, instant, iso, seconds, start_of

migrations = Migrations("papers")

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


COLUMNS = """p.seq, p.arxiv_id, p.version, p.title, p.abstract, p.submitted_at, p.updated_at,
    p.first_seen_at, p.announced_on, p.withdrawn, p.comment, p.doi, p.journal_ref, p.code_url,
    (SELECT group_concat(category, ' ') FROM (SELECT category FROM paper_categories c
        WHERE c.seq = p.seq ORDER BY position)) AS categories,
    (SELECT json_group_array(json_array(name, affiliations)) FROM (SELECT name, affiliations
        FROM paper_authors a WHERE a.seq = p.seq ORDER BY position)) AS authors"""


class SqlitePapers:
    """The papers of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(
        self, sightings: Sequence[Sighting], now: datetime, *, backfilled: bool = False
    ) -> Added:
        newest: dict[str, Sighting] = {}
        for each in sightings:
            known = newest.get(each.paper.arxiv_id)
            if known is None or each.paper.version >= known.paper.version:
                newest[each.paper.arxiv_id] = each
        with self.engine.write():
            known_papers = self._known(list(newest))
            fresh = [s.paper for s in newest.values() if s.paper.arxiv_id not in known_papers]
            added = self._insert(fresh, now, backfilled=backfilled)
            changed: list[Paper] = []
            crossed: list[Paper] = []
            for arxiv_id, row in known_papers.items():
                outcome = self._update(row, newest[arxiv_id].paper, now)
                (changed if outcome == "changed" else crossed).extend(
                    self.some([row["seq"]]) if outcome else ()
                )
        gone = {row["seq"] for row in known_papers.values() if row["withdrawn"]}
        back = [p for p in (*changed, *crossed) if p.seq in gone and not p.withdrawn]
        return Added(tuple(added), tuple(changed), tuple(crossed), tuple(back))

    def unknown(self, papers: Sequence[Paper]) -> list[Paper]:
        known = self._known([p.arxiv_id for p in papers])
        return [p for p in papers if _would_change(known.get(p.arxiv_id), p)]

    def get(self, arxiv_id: str) -> Paper | None:
        found = self._select("WHERE p.arxiv_id = :id", {"id": arxiv_id})
        return found[0] if found else None

    def some(self, seqs: Iterable[int]) -> list[Paper]:
        wanted = json.dumps(sorted(set(seqs)))
        return self._select(
            "WHERE p.seq IN (SELECT value FROM json_each(:seqs)) ORDER BY p.seq", {"seqs": wanted}
        )

    def after(self, seq: int, limit: int) -> list[Paper]:
        return self._select(
            "WHERE p.seq > :seq ORDER BY p.seq LIMIT :limit", {"seq": seq, "limit": limit}
        )

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

    def _known(self, ids: list[str]) -> dict[str, dict[str, Any]]:
        rows = self.engine.rows(
            "SELECT seq, arxiv_id, version, title, withdrawn, announced_on, code_url,"
            " (SELECT group_concat(category, ' ') FROM paper_categories c WHERE c.seq = papers.seq)"
            "  AS categories FROM papers"
            " WHERE arxiv_id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(ids)},
        )
        return {row["arxiv_id"]: row for row in rows}

    def _insert(self, papers: Sequence[Paper], now: datetime, *, backfilled: bool) -> list[Paper]:
        first = int(self.engine.value("SELECT coalesce(max(seq), 0) FROM papers")) + 1
        self.engine.many(
            "INSERT INTO papers (seq, arxiv_id, version, title, abstract, primary_category,"
            " submitted_at, updated_at, first_seen_at, announced_on, withdrawn, comment, doi,"
            " journal_ref, code_url, backfilled) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                (first + i, p.arxiv_id, p.version, p.title, p.abstract, p.primary,
                 seconds(p.submitted_at), seconds(p.updated_at), seconds(now), iso(p.announced_on),
                 p.withdrawn, p.comment, p.doi, p.journal_ref, p.code_url, backfilled)
                for i, p in enumerate(papers)
            ),
        )  # fmt: skip
        for i, paper in enumerate(papers):
            self._list_authors(first + i, paper)
            self._list_categories(first + i, paper.categories)
        return [replace(p, seq=first + i, first_seen_at=now) for i, p in enumerate(papers)]

    def _update(self, row: dict[str, Any], seen: Paper, now: datetime) -> str:
        """Bring a stored paper up to what was seen; "changed", "crossed" or "" for nothing.

        A new version that is listed elsewhere too is "crossed": its new readers are to be told.
        """
        seq, known = row["seq"], set((row["categories"] or "").split())
        if seen.version < row["version"]:
            return ""
        if seen.announced_on and not row["announced_on"]:
            self.engine.run(
                "UPDATE papers SET announced_on = ? WHERE seq = ?", (iso(seen.announced_on), seq)
            )
        crossed = bool(set(seen.categories) - known)
        if crossed:
            self.engine.run("DELETE FROM paper_categories WHERE seq = ?", (seq,))
            kept = sorted(known - set(seen.categories))
            self._list_categories(seq, (*seen.categories, *kept))
        if seen.version > row["version"] or (seen.withdrawn and not row["withdrawn"]):
            self._remark(row, seen, now)
            self._rewrite(seq, seen)
            return "crossed" if crossed else "changed"
        return "crossed" if crossed else ""

    def _remark(self, row: dict[str, Any], seen: Paper, now: datetime) -> None:
        """Keep what readers of the paper may want to hear."""
        withdrawn = seen.withdrawn and not row["withdrawn"]
        if withdrawn or _letters(seen.title) != _letters(row["title"]):
            self.engine.run(
                "INSERT INTO revisions (seq, at, before, withdrawn) VALUES (?, ?, ?, ?)",
                (row["seq"], seconds(now), row["title"], withdrawn),
            )

    def _rewrite(self, seq: int, seen: Paper) -> None:
        self.engine.run(
            "UPDATE papers SET version = ?, title = ?, abstract = ?, updated_at = ?, withdrawn = ?,"
            " comment = ?, doi = ?, journal_ref = ? WHERE seq = ?",
            (seen.version, seen.title, seen.abstract, seconds(seen.updated_at), seen.withdrawn,
             seen.comment, seen.doi, seen.journal_ref, seq),
        )  # fmt: skip
        self.engine.run("DELETE FROM paper_authors WHERE seq = ?", (seq,))
        self._list_authors(seq, seen)

    def _list_authors(self, seq: int, paper: Paper) -> None:
        self.engine.many(
            "INSERT INTO paper_authors (seq, position, name, affiliations) VALUES (?, ?, ?, ?)",
            (
                (seq, i, a.name, json.dumps(a.affiliations) if a.affiliations else "")
                for i, a in enumerate(paper.authors)
            ),
        )

    def _list_categories(self, seq: int, categories: Sequence[str]) -> None:
        self.engine.many(
            "INSERT INTO paper_categories (seq, position, category) VALUES (?, ?, ?)",
            ((seq, i, category) for i, category in enumerate(dict.fromkeys(categories))),
        )

    def _select(self, where: str, params: dict[str, Any]) -> list[Paper]:
        sql = f"SELECT {COLUMNS} FROM papers p {where}"
        return [paper_from_row(row) for row in self.engine.rows(sql, params)]


def _age(paper: Paper) -> tuple[datetime, int]:
    return paper.submitted_at, paper.seq


def _letters(title: str) -> str:
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def _would_change(row: dict[str, Any] | None, seen: Paper) -> bool:
    if row is None:
        return True
    crossed = not set(seen.categories) <= set((row["categories"] or "").split())
    marked = seen.withdrawn and not row["withdrawn"]
    return seen.version > row["version"] or (seen.version == row["version"] and (crossed or marked))


def paper_from_row(row: dict[str, Any]) -> Paper:
    """A row of COLUMNS as a noun."""
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
