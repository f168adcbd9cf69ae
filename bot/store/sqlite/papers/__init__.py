"""Papers as they are kept: searched, walked through and counted by week.

sightings   what sources showed, stored; rows, papers out of it
reading     what pages read; places, where authors work
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from bot.model import Paper
from bot.store.sqlite.instants import WEEK, by_week, seconds, start_of
from bot.store.sqlite.papers.sightings import Sightings

_TITLE = 3.0  # what a word in the title counts for one in the abstract, where papers are ranked
BATCH = 500  # papers held at once by whoever walks through many


class SqlitePapers(Sightings):
    """The papers of one database."""

    def get(self, arxiv_id: str) -> Paper | None:
        found = self._select("WHERE p.arxiv_id = :id", {"id": arxiv_id})
        return found[0] if found else None

    def candidates(self, expression: str, limit: int = 1_000_000) -> Iterator[list[Paper]]:
        # Dates are walked by their index: to look each one up reads past the abstracts.
        seqs = self.engine.values(
            "SELECT seq FROM papers INDEXED BY papers_submitted WHERE seq IN"
            " (SELECT rowid FROM papers_fts WHERE papers_fts MATCH :expression)"
            " ORDER BY submitted_at DESC, seq DESC LIMIT :limit",
            {"expression": expression, "limit": limit},
        )
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
        return self.engine.count(
            "SELECT count(*) FROM papers_fts WHERE papers_fts MATCH ?", (expression,)
        )

    def nearest(self, expression: str, limit: int) -> list[int]:
        return self.engine.values(
            "SELECT rowid FROM papers_fts WHERE papers_fts MATCH :expression"
            f" ORDER BY bm25(papers_fts, {_TITLE}, 1.0), rowid DESC LIMIT :limit",
            {"expression": expression, "limit": limit},
        )

    def count_after(self, at: datetime) -> int:
        return self.engine.count(
            "SELECT count(*) FROM papers WHERE submitted_at > ?", (seconds(at),)
        )

    def random(self, count: int) -> list[Paper]:
        last = self.engine.value("SELECT max(seq) FROM papers") or 0
        return self.some({1 + (i * 2_654_435_761) % last for i in range(count)} if last else ())

    def count(self) -> int:
        return self.engine.count("SELECT count(*) FROM papers")

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
        return self.engine.values(  # from one to the next by the index, not past every paper
            "WITH RECURSIVE found(category) AS (SELECT min(category) FROM paper_categories"
            " UNION ALL SELECT (SELECT min(category) FROM paper_categories c"
            "  WHERE c.category > found.category) FROM found WHERE category IS NOT NULL)"
            " SELECT category FROM found WHERE category IS NOT NULL"
        )

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
                {"since": start_of(since), "categories": list(categories)},
            )
        )


def _age(paper: Paper) -> tuple[datetime, int]:
    return paper.submitted_at, paper.seq
