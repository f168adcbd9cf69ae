"""What may be told to a destination, what was, and what was kept back."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.model import Destination, Match, Page
from bot.store.outbox import Told
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.outbox.deliveries import Deliveries
from bot.store.telling import Candidate, Passed

_CANDIDATES = """
    WITH standing AS (
        SELECT f.topic_id, max(f.since, d.since) AS since,
            coalesce(l.number, d.considered) AS considered
        FROM destinations d
        JOIN follows f ON f.subscriber_id = d.subscriber_id AND f.ended_at IS NULL
        LEFT JOIN left_off l ON l.destination_id = d.id AND l.follow_id = f.id
        WHERE d.id = :id),
    open AS (
        SELECT m.number FROM standing s JOIN matches m
            ON m.topic_id = s.topic_id AND m.number > max(s.since, s.considered)
        UNION
        SELECT m.number FROM given_back g JOIN matches m ON m.number = g.number
            JOIN standing s ON s.topic_id = m.topic_id AND m.number > s.since
        WHERE g.destination_id = :id)
    SELECT m.number, m.seq, m.topic_id, m.score, m.reason
    FROM open JOIN matches m ON m.number = open.number AND m.live = 1
    JOIN papers p ON p.seq = m.seq AND p.withdrawn = 0
    WHERE NOT EXISTS (SELECT 1 FROM told t
                      WHERE t.destination_id = :id AND t.seq = m.seq)
    AND NOT EXISTS (SELECT 1 FROM withheld w
                    WHERE w.destination_id = :id AND w.number = m.number)
    ORDER BY m.seq, m.score DESC, m.topic_id
"""


class Telling(Deliveries):
    """What destinations were told: a part of `SqliteOutbox`."""

    def candidates(self, destination: Destination) -> list[Candidate]:
        rows = self.engine.rows(_CANDIDATES, {"id": destination.id})
        matches: dict[int, list[Match]] = {}
        for r in rows:
            matches.setdefault(r["seq"], []).append(
                Match(r["number"], r["seq"], r["topic_id"], r["score"], r["reason"])
            )
        return [Candidate(p, tuple(matches[p.seq])) for p in self.papers.some(matches)]

    def considered(self, destination_id: int, number: int) -> None:
        with self.engine.write():
            self.engine.run(
                "UPDATE destinations SET considered = max(considered, ?) WHERE id = ?",
                (number, destination_id),
            )
            self.engine.run(
                "DELETE FROM left_off WHERE destination_id = ? AND EXISTS (SELECT 1 FROM follows f"
                " WHERE f.id = left_off.follow_id AND f.ended_at IS NULL)",
                (destination_id,),
            )
            self.engine.run(
                "DELETE FROM given_back WHERE destination_id = :id AND EXISTS"
                " (SELECT 1 FROM matches m JOIN destinations d ON d.id = :id"
                " JOIN follows f ON f.subscriber_id = d.subscriber_id AND f.ended_at IS NULL"
                "  AND f.topic_id = m.topic_id AND m.number > f.since"  # an earlier one's stays
                " WHERE m.number = given_back.number)",
                {"id": destination_id},
            )

    def withhold(
        self,
        destination_id: int,
        matches: Iterable[Match],
        why: str,
        now: datetime,
        *,
        to_be_said: bool = True,
    ) -> None:
        self.engine.many(
            "INSERT INTO withheld (destination_id, number, topic_id, seq, why, at, said)"
            f" VALUES (?, ?, ?, ?, ?, ?, {0 if to_be_said else -1}) ON CONFLICT DO NOTHING",
            ((destination_id, m.number, m.topic_id, m.seq, why, seconds(now)) for m in matches),
        )

    def passed(self, destination_id: int) -> list[Passed]:
        rows = self.engine.rows(
            "SELECT w.topic_id, count(*) AS papers FROM withheld w"
            " JOIN destinations d ON d.id = w.destination_id"
            " JOIN follows f ON f.subscriber_id = d.subscriber_id AND f.topic_id = w.topic_id"
            "  AND f.ended_at IS NULL AND w.number > f.since"
            " WHERE w.destination_id = ? AND w.said = 0 GROUP BY w.topic_id",
            (destination_id,),
        )
        return [Passed(row["topic_id"], row["papers"]) for row in rows]

    def said(self, destination_id: int, topic_ids: Iterable[int], delivery_id: int) -> None:
        self.engine.run(
            "UPDATE withheld SET said = ? WHERE destination_id = ? AND said = 0"
            " AND topic_id IN (SELECT value FROM json_each(?))",
            (delivery_id, destination_id, list(topic_ids)),
        )

    def withheld(self, subscriber_id: int, topic_id: int, *, by: str | None = None) -> list[int]:
        return self.engine.values(
            "SELECT DISTINCT w.seq FROM withheld w JOIN destinations d ON d.id = w.destination_id"
            " LEFT JOIN follows f ON f.subscriber_id = d.subscriber_id"
            "  AND f.topic_id = w.topic_id AND f.ended_at IS NULL"
            " LEFT JOIN deliveries v ON v.id = w.said"
            " WHERE d.subscriber_id = :who AND w.topic_id = :topic AND w.said >= 0"
            " AND w.number > coalesce(f.since, 0) AND (:by IS NULL OR coalesce(v.key, '') = :by)"
            " ORDER BY w.seq DESC",
            {"who": subscriber_id, "topic": topic_id, "by": by},
        )

    def next_edition(self, destination_id: int, period: str) -> int:
        return self.engine.count(
            "SELECT coalesce(max(edition) + 1, 0) FROM deliveries"
            " WHERE destination_id = ? AND period = ?",
            (destination_id, period),
        )

    def consent(self, destination_id: int) -> int:
        """The number that rises whenever the subscriber silences something."""
        return self.engine.count(
            "SELECT s.consent FROM subscribers s JOIN destinations d"
            " ON d.subscriber_id = s.id WHERE d.id = ?",
            (destination_id,),
        )

    def put(
        self,
        destination_id: int,
        key: str,
        pages: Sequence[Page],
        now: datetime,
        *,
        kind: str = "digest",
        period: str,
        edition: int = 0,
        due_at: datetime,
        stale_at: datetime,
        topics: Iterable[int] = (),
        told: Iterable[Told] = (),
    ) -> int:
        with self.engine.write():
            delivery_id = self.engine.insert(
                "INSERT INTO deliveries (destination_id, kind, key, period, edition, state, try_at,"
                " due_at, made_at, stale_at, consent, topics)"
                " VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?)",
                (
                    destination_id, kind, key, period, edition, seconds(now), seconds(due_at),
                    seconds(now), seconds(stale_at), self.consent(destination_id),
                    sorted(topics),
                ),
            )  # fmt: skip
            self.engine.many(
                "INSERT INTO delivery_parts (delivery_id, page, content, state)"
                " VALUES (?, ?, ?, ?)",
                (
                    (delivery_id, i, page.content, "offered" if page.offered else "pending")
                    for i, page in enumerate(pages)
                ),
            )
            self.engine.many(
                "INSERT INTO told (destination_id, seq, delivery_id, page) VALUES (?, ?, ?, ?)",
                ((destination_id, each.seq, delivery_id, each.page) for each in told),
            )
        return delivery_id
