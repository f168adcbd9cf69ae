"""Topics that are left out, retired or unreadable, and papers that could not be matched."""

from collections.abc import Iterable
from datetime import datetime

from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds

_MISSED = "missed_after = coalesce(missed_after, (SELECT max(seq) FROM papers), 0)"


class Missed:
    """What is still to be matched in one database: a part of `SqliteTopics`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def retire(self, kept: Iterable[str], now: datetime) -> None:
        self.engine.run(
            f"UPDATE topics SET retired_at = :now, {_MISSED}"
            " WHERE origin = 'catalogue' AND retired_at IS NULL"
            " AND slug NOT IN (SELECT value FROM json_each(:kept)) AND NOT EXISTS"
            " (SELECT 1 FROM follows f WHERE f.topic_id = topics.id AND f.ended_at IS NULL)",
            {"now": seconds(now), "kept": list(kept)},
        )

    def bring_back(self, topic_ids: Iterable[int] = ()) -> None:
        which = list(topic_ids)
        self.engine.run(
            "UPDATE topics SET retired_at = NULL, rematch_from = (SELECT max(seq) FROM papers)"
            " WHERE retired_at IS NOT NULL AND (id IN (SELECT value FROM json_each(:ids)) OR :all"
            " AND EXISTS (SELECT 1 FROM follows f WHERE f.topic_id = topics.id"
            " AND f.ended_at IS NULL))",
            {"ids": which, "all": not which},
        )

    def miss(self, topic_ids: Iterable[int]) -> None:
        self.engine.run(
            f"UPDATE topics SET {_MISSED},"
            " rematch_from = (SELECT coalesce(max(seq), 0) FROM papers)"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (list(topic_ids),),
        )

    def missed_after(self, topic_id: int) -> int | None:
        found = self.engine.value("SELECT missed_after FROM topics WHERE id = ?", (topic_id,))
        return None if found is None else int(found)

    def leave_unmatched(self, seqs: Iterable[int], *, live: bool) -> None:
        self.engine.many(
            "INSERT INTO unmatched (seq, live) VALUES (?, ?)"
            " ON CONFLICT (seq) DO UPDATE SET live = max(live, excluded.live)",
            ((seq, live) for seq in seqs),
        )

    def unmatched(self) -> dict[int, bool]:
        rows = self.engine.rows("SELECT seq, live FROM unmatched ORDER BY seq")
        return {row["seq"]: bool(row["live"]) for row in rows}

    def matched(self, seqs: Iterable[int]) -> None:
        self.engine.many("DELETE FROM unmatched WHERE seq = ?", ((seq,) for seq in seqs))
