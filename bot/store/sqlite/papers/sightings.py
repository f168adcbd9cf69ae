"""What sources showed, stored: each paper once, and never an older version over a newer one."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.model import Author, Paper, Sighting
from bot.store.papers import Added
from bot.store.sqlite.instants import iso, seconds
from bot.store.sqlite.papers.rows import PaperRows

_DETAILS = ("comment", "doi", "journal_ref", "code_url")


class Sightings(PaperRows):
    """The writing of papers: a part of `SqlitePapers`."""

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
            listed = [
                row["seq"]
                for arxiv_id, row in known_papers.items()
                if self._list(row, newest[arxiv_id].paper)
            ]
            changed: list[Paper] = []
            crossed: list[Paper] = []
            for arxiv_id, row in known_papers.items():
                outcome = self._update(row, newest[arxiv_id].paper, now)
                (changed if outcome == "changed" else crossed).extend(
                    self.some([row["seq"]]) if outcome else ()
                )
        gone = {row["seq"] for row in known_papers.values() if row["withdrawn"]}
        back = [p for p in (*changed, *crossed) if p.seq in gone and not p.withdrawn]
        named = tuple(self.some(listed))
        return Added(tuple(added), tuple(changed), tuple(crossed), tuple(back), named)

    def unknown(self, papers: Sequence[Paper]) -> list[Paper]:
        known = self._known([p.arxiv_id for p in papers])
        return [p for p in papers if _would_change(known.get(p.arxiv_id), p)]

    def _known(self, ids: list[str]) -> dict[str, dict[str, Any]]:
        rows = self.engine.rows(
            "SELECT seq, arxiv_id, version, title, withdrawn, announced_on,"
            f" {', '.join(_DETAILS)},"
            " (SELECT group_concat(category, ' ') FROM paper_categories c WHERE c.seq = papers.seq)"
            "  AS categories FROM papers"
            " WHERE arxiv_id IN (SELECT value FROM json_each(:ids))",
            {"ids": ids},
        )
        return {row["arxiv_id"]: row for row in rows}

    def _insert(self, papers: Sequence[Paper], now: datetime, *, backfilled: bool) -> list[Paper]:
        first = self.engine.count("SELECT coalesce(max(seq), 0) FROM papers") + 1
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
        self._list_authors(enumerate(papers, first))
        self._list_categories((seq, p.categories) for seq, p in enumerate(papers, first))
        return [replace(p, seq=first + i, first_seen_at=now) for i, p in enumerate(papers)]

    def _list(self, row: dict[str, Any], seen: Paper) -> bool:
        """Keep the date of the first listing that names a known paper; whether this is the one."""
        is_old = seen.version < row["version"]
        first = bool(seen.announced_on and not row["announced_on"] and not is_old)
        if first:
            self.engine.run(
                "UPDATE papers SET announced_on = ? WHERE seq = ?",
                (iso(seen.announced_on), row["seq"]),
            )
        return first

    def _update(self, row: dict[str, Any], seen: Paper, now: datetime) -> str:
        """Bring a stored paper up to what was seen; "changed", "crossed" or "" for nothing.

        A new version that is listed elsewhere too is "crossed": its new readers are to be told.
        """
        seq, known = row["seq"], set((row["categories"] or "").split())
        if seen.version < row["version"]:
            return ""
        crossed = bool(set(seen.categories) - known)
        newer = seen.version > row["version"] or (seen.withdrawn and not row["withdrawn"])
        if crossed or (newer and seen.categories):  # another may come first in a new version
            self._list_anew(seq, seen, known)
        if newer:
            self._remark(row, seen, now)
            self._rewrite(seq, seen)
            return "crossed" if crossed else "changed"
        self._fill_in(row, seen)
        return "crossed" if crossed else ""

    def _fill_in(self, row: dict[str, Any], seen: Paper) -> None:
        """A listing has no comment, and a journal comes years later: no news to anybody."""
        missing = {name: getattr(seen, name) for name in _DETAILS if not row[name]}
        if any(missing.values()):
            named = ", ".join(f"{name} = :{name}" for name in missing)
            self.engine.run(
                f"UPDATE papers SET {named} WHERE seq = :seq", {**missing, "seq": row["seq"]}
            )

    def _remark(self, row: dict[str, Any], seen: Paper, now: datetime) -> None:
        """Keep what readers of the paper may want to hear."""
        withdrawn = seen.withdrawn and not row["withdrawn"]
        if withdrawn or _letters(seen.title) != _letters(row["title"]):
            self.engine.run(
                "INSERT INTO revisions (seq, at, before, withdrawn) VALUES (?, ?, ?, ?)",
                (row["seq"], seconds(now), row["title"], withdrawn),
            )

    def _rewrite(self, seq: int, seen: Paper) -> None:
        """Code stays linked where a new version names none."""
        self.engine.run(
            "UPDATE papers SET version = ?, title = ?, abstract = ?, updated_at = ?, withdrawn = ?,"
            " comment = ?, doi = ?, journal_ref = ?, code_url = coalesce(nullif(?, ''), code_url)"
            " WHERE seq = ?",
            (seen.version, seen.title, seen.abstract, seconds(seen.updated_at), seen.withdrawn,
             seen.comment, seen.doi, seen.journal_ref, seen.code_url, seq),
        )  # fmt: skip
        authors = self._with_places(seq, seen.authors)
        self.engine.run("DELETE FROM paper_authors WHERE seq = ?", (seq,))
        self._list_authors([(seq, replace(seen, authors=authors))])

    def _with_places(self, seq: int, authors: Iterable[Author]) -> tuple[Author, ...]:
        """Each with the institutes known so far where none are named: they are looked up once."""
        known = {a.name: a.affiliations for paper in self.some([seq]) for a in paper.authors}
        return tuple(
            replace(a, affiliations=a.affiliations or known.get(a.name, ())) for a in authors
        )

    def _list_authors(self, papers: Iterable[tuple[int, Paper]]) -> None:
        self.engine.many(
            "INSERT INTO paper_authors (seq, position, name, affiliations) VALUES (?, ?, ?, ?)",
            (
                (seq, i, a.name, a.affiliations or "")
                for seq, paper in papers
                for i, a in enumerate(paper.authors)
            ),
        )

    def _list_anew(self, seq: int, seen: Paper, known: Set[str]) -> None:
        """A paper's categories as it was seen with; one that it once was in stays behind them."""
        kept = sorted(known - set(seen.categories))
        self.engine.run("DELETE FROM paper_categories WHERE seq = ?", (seq,))
        self._list_categories([(seq, (*seen.categories, *kept))])
        self.engine.run("UPDATE papers SET primary_category = ? WHERE seq = ?", (seen.primary, seq))

    def _list_categories(self, listed: Iterable[tuple[int, Sequence[str]]]) -> None:
        self.engine.many(
            "INSERT INTO paper_categories (seq, position, category) VALUES (?, ?, ?)",
            (
                (seq, i, category)
                for seq, categories in listed
                for i, category in enumerate(dict.fromkeys(categories))
            ),
        )


def _letters(title: str) -> str:
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def _would_change(row: dict[str, Any] | None, seen: Paper) -> bool:
    if row is None:
        return True
    crossed = not set(seen.categories) <= set((row["categories"] or "").split())
    marked = seen.withdrawn and not row["withdrawn"]
    return seen.version > row["version"] or (seen.version == row["version"] and (crossed or marked))
