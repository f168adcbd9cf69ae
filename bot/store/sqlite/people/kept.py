"""What subscribers kept, what they think of papers, and what was offered to them last."""

from collections.abc import Iterable
from datetime import datetime

from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds


class Kept:
    """The saves, judgements and offers of one database: a part of `SqlitePeople`."""

    engine: Engine

    def save(self, subscriber_id: int, seqs: Iterable[int], now: datetime) -> None:
        self.engine.many(
            "INSERT INTO saves (subscriber_id, seq, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            ((subscriber_id, seq, seconds(now)) for seq in seqs),
        )

    def unsave(self, subscriber_id: int, seqs: Iterable[int]) -> None:
        self.engine.many(
            "DELETE FROM saves WHERE subscriber_id = ? AND seq = ?",
            ((subscriber_id, seq) for seq in seqs),
        )

    def saved(self, subscriber_id: int) -> list[int]:
        return self.engine.values(
            "SELECT seq FROM saves WHERE subscriber_id = ? ORDER BY at DESC, seq DESC",
            (subscriber_id,),
        )

    def judge(self, subscriber_id: int, seq: int, now: datetime, *, liked: bool | None) -> None:
        if liked is None:
            self.engine.run(
                "DELETE FROM feedback WHERE subscriber_id = ? AND seq = ?", (subscriber_id, seq)
            )
            return
        with self.engine.write():
            self.engine.run(
                "INSERT INTO feedback (subscriber_id, seq, liked, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, seq) DO UPDATE SET liked = excluded.liked,"
                " at = excluded.at",
                (subscriber_id, seq, int(liked), seconds(now)),
            )
            self.engine.run(
                "UPDATE subscribers SET consent = consent + ? WHERE id = ?",
                (int(not liked), subscriber_id),
            )

    def opinions(self, topic_id: int) -> dict[int, bool]:
        rows = self.engine.rows(
            """
            SELECT o.seq, o.liked FROM (
                SELECT subscriber_id, seq, 1 AS liked FROM saves
                UNION ALL SELECT subscriber_id, seq, liked FROM feedback) o
            JOIN follows f ON f.subscriber_id = o.subscriber_id AND f.ended_at IS NULL
            JOIN matches m ON m.topic_id = f.topic_id AND m.seq = o.seq
            WHERE f.topic_id = ? ORDER BY o.seq, o.liked
            """,
            (topic_id,),
        )
        return {row["seq"]: bool(row["liked"]) for row in rows}

    def judged(self, subscriber_id: int) -> dict[int, bool]:
        rows = self.engine.rows(
            "SELECT seq, liked FROM feedback WHERE subscriber_id = ?", (subscriber_id,)
        )
        return {row["seq"]: bool(row["liked"]) for row in rows}

    def offer(self, asker: str, place: str, text: str, now: datetime, until: datetime) -> None:
        if not text and not self.offered(asker, place, now):
            return
        self.engine.run(
            "INSERT INTO offers (asker, place, offered, until) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET offered = excluded.offered, until = excluded.until",
            (asker, place, text, seconds(until)),
        )

    def offered(self, asker: str, place: str, now: datetime) -> str:
        found = self.engine.value(
            "SELECT offered FROM offers WHERE asker = ? AND place = ? AND until >= ?",
            (asker, place, seconds(now)),
        )
        return str(found or "")

    def forget_offers(self, now: datetime) -> None:
        """Those that may no longer be meant."""
        self.engine.run("DELETE FROM offers WHERE until < ?", (seconds(now),))

    def _forget_offers(self, name: str) -> None:
        """Those to whoever is called so, and those that name them."""
        self.engine.run(
            "DELETE FROM offers WHERE lower(:name) IN (lower(asker), lower(place))"
            " OR instr(lower(offered), lower(:name)) > 0",
            {"name": name},
        )
