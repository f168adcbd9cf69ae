"""What pages read: a topic's papers by date, filtered and paged, what is new, what lies beside."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from time import monotonic
from typing import Any

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from bot.model import Paper
from bot.store.errors import TooBroad
from bot.store.reading import Fed, Found, Sought
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.papers import BATCH, SqlitePapers
from bot.text.names import latin

_FLAT = "replace(replace(replace(replace(lower(name), ' ', ''), '-', ''), '.', ''), '''', '')"
_ODD_NAME = "*[^A-Za-z0-9 .,'-]*"

DEADLINE_S = 0.4  # for a search by words; a page must not hold a reader for longer


class SqliteReading:
    """Lists of papers for pages, feeds and exports."""

    def __init__(self, engine: Engine, papers: SqlitePapers) -> None:
        self.engine = engine
        self.papers = papers

    def find(self, sought: Sought) -> Found:
        where, params = _where(sought)
        order = "l.score DESC, l.submitted_at DESC" if sought.by_score else "l.submitted_at DESC"
        with self._deadline() if sought.words else nullcontext():
            total = sought.known_total
            if total < 0:
                total = self.engine.count(f"SELECT count(*) FROM listings l {where}", params)
            rows = self.engine.rows(
                f"SELECT l.seq, l.score FROM listings l {where}"
                f" ORDER BY {order}, l.seq DESC LIMIT :limit OFFSET :offset",
                {**params, "limit": sought.limit, "offset": sought.offset},
            )
        return Found(self._in_order([row["seq"] for row in rows]), total)

    def categories(self, topic_id: int, least: float) -> dict[str, int]:
        rows = self.engine.rows(
            "SELECT category, count(*) AS papers FROM listings WHERE topic_id = ? AND score >= ?"
            " GROUP BY category ORDER BY papers DESC, category",
            (topic_id, least),
        )
        return {row["category"]: row["papers"] for row in rows}

    def latest(self, topic_id: int, least: float, fed: Fed) -> list[Paper]:
        asked = {"topic": topic_id, "least": least, "since": seconds(fed.since)}
        news = self.engine.rows(
            "SELECT m.seq, p.first_seen_at >= :since AS is_new"
            " FROM matches m JOIN papers p ON p.seq = m.seq"
            " WHERE m.topic_id = :topic AND m.score >= :least AND m.live"
            " ORDER BY m.number DESC LIMIT :most",
            {**asked, "most": fed.most},
        )
        newest = self.engine.rows(
            "SELECT seq FROM listings WHERE topic_id = :topic AND score >= :least"
            " ORDER BY submitted_at DESC, seq DESC LIMIT :fewest",
            {**asked, "fewest": fed.fewest},
        )
        kept = [row["seq"] for n, row in enumerate(news) if n < fed.fewest or row["is_new"]]
        others = [row["seq"] for row in newest if row["seq"] not in set(kept)]
        return list(self._in_order([*kept, *others[: max(0, fed.fewest - len(kept))]]))

    def arrived(self, since: datetime) -> list[int]:
        # Numbers are given in the order of arrival: no more rows are looked at than are new.
        return self.engine.values(
            "SELECT seq FROM papers WHERE NOT backfilled AND seq > coalesce((SELECT seq FROM papers"
            "  WHERE first_seen_at < :since ORDER BY seq DESC LIMIT 1), 0) ORDER BY seq DESC",
            {"since": seconds(since)},
        )

    def last_number(self, topic_id: int) -> int:
        return self.engine.count("SELECT max(number) FROM matches WHERE topic_id = ?", (topic_id,))

    def beside(self, seq: int, least: float, limit: int) -> list[Paper]:
        rows = self.engine.rows(
            "WITH mine AS (SELECT topic_id, score FROM matches WHERE seq = :seq"
            "  AND score >= :least ORDER BY score DESC LIMIT 5)"
            " SELECT l.seq FROM papers p CROSS JOIN mine m"
            " JOIN listings l ON l.topic_id = m.topic_id AND l.score >= :least AND l.seq != p.seq"
            "  AND l.submitted_at BETWEEN p.submitted_at - 2592000 AND p.submitted_at + 2592000"
            " WHERE p.seq = :seq"
            " GROUP BY l.seq ORDER BY sum(m.score * l.score) DESC, l.seq DESC LIMIT :limit",
            {"seq": seq, "least": least, "limit": limit},
        )
        return list(self._in_order([row["seq"] for row in rows]))

    def named(self, arxiv_ids: Sequence[str]) -> list[Paper]:
        rows = self.engine.rows(
            "SELECT seq, arxiv_id FROM papers"
            " WHERE arxiv_id IN (SELECT value FROM json_each(:ids))",
            {"ids": list(arxiv_ids)},
        )
        known = {row["arxiv_id"]: row["seq"] for row in rows}
        return list(self._in_order([known[i] for i in dict.fromkeys(arxiv_ids) if i in known]))

    def authors(self, beginnings: Sequence[str]) -> list[str]:
        """A name with LaTeX or letters beyond ASCII is one of the others: matching folds it."""
        holds = " AND ".join(f"instr({_FLAT}, :b{n})" for n in range(len(beginnings)))
        return self.engine.values(
            f"SELECT DISTINCT name FROM paper_authors WHERE {holds or 1} OR name GLOB :odd",
            {"odd": _ODD_NAME, **{f"b{n}": each for n, each in enumerate(beginnings)}},
        )

    def by(
        self, authors: Sequence[str], categories: Sequence[str], limit: int
    ) -> Iterator[list[Paper]]:
        rows = self.engine.rows(
            "SELECT seq FROM papers INDEXED BY papers_submitted WHERE seq IN"
            " (SELECT seq FROM paper_authors WHERE name IN (SELECT value FROM json_each(:authors))"
            "  UNION SELECT seq FROM paper_categories"
            "   WHERE category IN (SELECT value FROM json_each(:categories)))"
            " ORDER BY submitted_at DESC, seq DESC LIMIT :limit",
            {
                "authors": list(authors),
                "categories": list(categories),
                "limit": limit,
            },
        )
        seqs = [row["seq"] for row in rows]
        for start in range(0, len(seqs), BATCH):
            yield list(self._in_order(seqs[start : start + BATCH]))

    def _in_order(self, seqs: Sequence[int]) -> tuple[Paper, ...]:
        known = {paper.seq: paper for paper in self.papers.some(seqs)}
        return tuple(known[seq] for seq in seqs if seq in known)

    @contextmanager
    def _deadline(self) -> Iterator[None]:
        ends = monotonic() + DEADLINE_S
        with self.engine.connection() as db:
            db.conn.set_progress_handler(lambda: int(monotonic() > ends), 10_000)
            try:
                yield
            except sqlite3.OperationalError as exc:
                if "interrupt" in str(exc):
                    raise TooBroad from exc
                raise
            finally:
                db.conn.set_progress_handler(None, 0)


def _where(sought: Sought) -> tuple[str, dict[str, Any]]:
    where = "WHERE l.topic_id = :topic AND l.score >= :least"
    params: dict[str, Any] = {"topic": sought.topic_id, "least": sought.least}
    if sought.category:
        where += (
            " AND EXISTS (SELECT 1 FROM paper_categories c"
            " WHERE c.seq = l.seq AND c.category = :category)"
        )
        params["category"] = sought.category
    if sought.words:
        where += " AND l.seq IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH :words)"
        params["words"] = _full_text(sought.words, title_only=sought.title_only)
    return where, params


def _full_text(text: str, *, title_only: bool) -> str:
    """All words, the last one perhaps unfinished; in quotes, so that none is an operator."""
    words = re.findall(r"\w+", latin(text))[:20]
    if not words:
        return '""'
    every = " AND ".join(f'"{word}"' for word in words) + ("*" if len(words[-1]) > 3 else "")
    return f"title : ({every})" if title_only else every
