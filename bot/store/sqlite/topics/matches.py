"""What matched which topic."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from bot.model import Match, Topic
from bot.store.sqlite.instants import WEEK, by_week, instant, seconds, seconds_or_none, start_of
from bot.store.sqlite.topics.missed import Missed
from bot.store.topics import Scored


class Matches(Missed):
    """The matches of one database: a part of `SqliteTopics`."""

    def add_matches(self, found: Iterable[Scored], *, live: bool) -> int:
        with self.engine.write():
            before = self.last_number()
            self.engine.many(
                "INSERT INTO matches (topic_id, seq, score, reason, version, live)"
                f" VALUES (?, ?, ?, ?, ?, {int(live)})"
                " ON CONFLICT (topic_id, seq) DO UPDATE SET score = excluded.score,"
                " reason = excluded.reason, version = excluded.version",
                ((m.topic_id, m.seq, m.score, m.reason, m.version) for m in found),
            )
            new = self.engine.value("SELECT count(*) FROM matches WHERE number > ?", (before,))
            self._take_back(before)
            return int(new)

    def turn_live(self, seqs: Iterable[int]) -> None:
        which = {"seqs": list(seqs)}
        silent = "live = 0 AND seq IN (SELECT value FROM json_each(:seqs))"
        with self.engine.write():
            rows = self.engine.rows(
                f"SELECT topic_id, seq, score, reason, version FROM matches WHERE {silent}", which
            )
            self.engine.run(f"DELETE FROM matches WHERE {silent}", which)
            self.add_matches((Scored(**row) for row in rows), live=True)
            self.engine.run(
                "UPDATE unmatched SET live = 1 WHERE seq IN (SELECT value FROM json_each(:seqs))",
                which,
            )

    def turn_by(self, subscriber_id: int, seqs: Iterable[int], learned_at: datetime) -> None:
        self.engine.run(
            """
            UPDATE topics SET learned_at = min(learned_at, ?) WHERE id IN (
                SELECT m.topic_id FROM matches m JOIN follows f ON f.topic_id = m.topic_id
                WHERE f.subscriber_id = ? AND f.ended_at IS NULL
                AND m.seq IN (SELECT value FROM json_each(?)))
            """,
            (seconds(learned_at), subscriber_id, list(seqs)),
        )

    def matched_after(self) -> dict[int, datetime]:
        rows = self.engine.rows("SELECT id, matched_after FROM topics WHERE matched_after NOT NULL")
        return {row["id"]: instant(row["matched_after"]) for row in rows}

    def rematched(self, topic: Topic, after: datetime | None) -> None:
        which = {"since": seconds_or_none(after), "id": topic.id, "version": topic.version}
        with self.engine.write():
            self.engine.run(
                "UPDATE topics SET matched_after = :since,"
                " rematch_from = CASE WHEN :since IS NULL THEN NULL ELSE rematch_from END,"
                " missed_after = CASE WHEN :since IS NULL THEN NULL ELSE missed_after END"
                " WHERE id = :id AND version = :version",
                which,
            )
            gone = (
                "topic_id = :id AND version < :version AND"
                " (:since IS NULL OR seq IN (SELECT seq FROM listings"
                "  WHERE topic_id = :id AND submitted_at > :since))"
                " AND NOT EXISTS (SELECT 1 FROM withheld w WHERE w.number = matches.number)"
            )
            self._let_go(gone, which)
            self.engine.run(f"DELETE FROM matches WHERE {gone}", which)

    def last_number(self) -> int:
        return self.engine.count("SELECT seq FROM sqlite_sequence WHERE name = 'matches'")

    def best(
        self, topic_id: int, least: float, limit: int, *, by_score: bool = False
    ) -> list[Match]:
        order = "l.score DESC, l.submitted_at DESC" if by_score else "l.submitted_at DESC"
        # Listings are in order of date: only the papers asked for are looked up.
        return self._matches(
            "JOIN (SELECT l.seq, l.submitted_at, l.score FROM listings l CROSS JOIN papers p"
            " WHERE l.topic_id = :topic AND l.score >= :least AND p.seq = l.seq"
            f" AND p.withdrawn = 0 ORDER BY {order}, l.seq DESC LIMIT :limit) l"
            f" ON m.topic_id = :topic AND m.seq = l.seq ORDER BY {order}, l.seq DESC",
            {"topic": topic_id, "least": least, "limit": limit},
        )

    def of_papers(self, seqs: Iterable[int]) -> dict[int, list[Match]]:
        found: dict[int, list[Match]] = {}
        for match in self._matches(
            "WHERE m.seq IN (SELECT value FROM json_each(:seqs)) ORDER BY m.score DESC, m.topic_id",
            {"seqs": sorted(set(seqs))},
        ):
            found.setdefault(match.seq, []).append(match)
        return found

    def weekly(self, topic_id: int, least: float, since: date) -> dict[date, int]:
        return self.weekly_of_all(least, since, [topic_id]).get(topic_id, {})

    def weekly_of_all(
        self, least: float, since: date, topic_ids: Sequence[int] = ()
    ) -> dict[int, dict[date, int]]:
        among = "SELECT value FROM json_each(:topics)" if topic_ids else "SELECT id FROM topics"
        # `listings` knows the dates: 95 ms for 446 topics, against 1 s by way of the papers.
        rows = self.engine.rows(
            f"SELECT p.topic_id, {WEEK} AS week, count(*) AS papers FROM listings p"
            f" WHERE p.topic_id IN ({among}) AND p.submitted_at >= :since AND p.score >= :least"
            " GROUP BY p.topic_id, week",
            {"since": start_of(since), "least": least, "topics": list(topic_ids)},
        )
        grouped: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            grouped.setdefault(row["topic_id"], []).append(row)
        return {topic_id: by_week(each) for topic_id, each in grouped.items()}

    def related(self, topic_id: int, least: float, limit: int) -> list[int]:
        """By its newest 300 papers, and by the sizes of the last 16 weeks: whole topics would be
        counted for a second and more where a million papers are stored.
        """
        return self.engine.values(
            """
            WITH recent AS (SELECT max(submitted_at) - 9676800 AS since FROM papers),
            mine AS (SELECT seq FROM listings WHERE topic_id = :topic AND score >= :least
                     ORDER BY submitted_at DESC LIMIT 300),
            shared AS (SELECT m.topic_id, count(*) AS papers FROM mine
                       CROSS JOIN matches m ON m.seq = mine.seq
                       WHERE m.topic_id != :topic AND m.score >= :least
                       GROUP BY m.topic_id HAVING count(*) > 1 ORDER BY papers DESC LIMIT 60)
            SELECT s.topic_id FROM shared s JOIN topics t ON t.id = s.topic_id
            WHERE t.retired_at IS NULL AND t.origin = 'catalogue'
            ORDER BY s.papers * s.papers * 1.0 / (1 + (SELECT count(*) FROM listings l, recent
                WHERE l.topic_id = s.topic_id AND l.submitted_at >= recent.since
                AND l.score >= :least)) DESC, s.topic_id
            LIMIT :limit
            """,
            {"topic": topic_id, "least": least, "limit": limit},
        )

    def count(self, topic_id: int, least: float) -> int:
        return self.engine.count(
            "SELECT count(*) FROM matches WHERE topic_id = ? AND score >= ?",
            (topic_id, least),
        )

    def count_after(self, topic_id: int, least: float, at: datetime) -> int:
        return self.engine.count(
            "SELECT count(*) FROM listings WHERE topic_id = ? AND submitted_at > ? AND score >= ?",
            (topic_id, seconds(at), least),
        )

    def _let_go(self, gone: str, which: dict[str, Any]) -> None:
        """Remember the live matches that some digest has still to decide on."""
        decided = "(SELECT coalesce(min(considered), 0) FROM destinations)"
        self.engine.run(f"DELETE FROM let_go WHERE number <= {decided}")
        self.engine.run(
            "INSERT INTO let_go (topic_id, seq, number) SELECT topic_id, seq, number FROM matches"
            f" WHERE {gone} AND live = 1 AND number > {decided} ON CONFLICT DO NOTHING",
            which,
        )

    def _take_back(self, after: int) -> None:
        """Give the matches added since that were let go before their old number and state."""
        same = "SELECT g.number FROM let_go g WHERE g.topic_id = matches.topic_id AND g.seq ="
        self.engine.run(
            f"UPDATE matches SET live = 1, number = ({same} matches.seq)"
            f" WHERE number > ? AND live = 0 AND EXISTS ({same} matches.seq)",
            (after,),
        )
        self.engine.run(
            "DELETE FROM let_go WHERE EXISTS (SELECT 1 FROM matches m"
            " WHERE m.topic_id = let_go.topic_id AND m.seq = let_go.seq)"
        )

    def _matches(self, rest: str, params: dict[str, Any]) -> list[Match]:
        rows = self.engine.rows(
            f"SELECT m.number, m.seq, m.topic_id, m.score, m.reason, m.live FROM matches m {rest}",
            params,
        )
        return [
            Match(r["number"], r["seq"], r["topic_id"], r["score"], r["reason"], bool(r["live"]))
            for r in rows
        ]
