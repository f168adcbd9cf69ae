"""Whose institutes were looked up, and what was found."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Author, Paper
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.papers import SqlitePapers


class SqlitePlaces:
    """Papers whose authors' institutes may be asked for, each once."""

    def __init__(self, engine: Engine, papers: SqlitePapers) -> None:
        self.engine = engine
        self.papers = papers

    def wanting(self, since: datetime) -> Paper | None:
        seq = self.engine.value(
            "SELECT l.seq FROM listings l WHERE l.submitted_at >= :since AND l.topic_id IN"
            " (SELECT topic_id FROM follows WHERE ended_at IS NULL)"
            " AND NOT EXISTS (SELECT 1 FROM places_asked a WHERE a.seq = l.seq)"
            " AND NOT EXISTS (SELECT 1 FROM paper_authors w WHERE w.seq = l.seq"
            "  AND w.affiliations != '')"
            " ORDER BY l.submitted_at DESC LIMIT 1",
            {"since": seconds(since)},
        )
        found = self.papers.some([seq]) if seq else []
        return found[0] if found else None

    def put(self, seq: int, authors: Sequence[Author], now: datetime) -> None:
        with self.engine.write():
            self.engine.run(
                "INSERT INTO places_asked (seq, at) VALUES (?, ?) ON CONFLICT (seq) DO NOTHING",
                (seq, seconds(now)),
            )
            self.engine.many(
                "UPDATE paper_authors SET affiliations = ? WHERE seq = ? AND position = ?"
                " AND name = ?",
                (
                    (author.affiliations, seq, position, author.name)
                    for position, author in enumerate(authors)
                    if author.affiliations
                ),
            )
