"""Deliveries as they stand: for whoever sends, waits or asks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.model import Delivery, DeliveryState, Part, Verdict
from bot.store.outbox import QueueLine, Stuck, Waiting
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import instant, instant_or_none
from bot.store.sqlite.papers import SqlitePapers
from bot.store.tally import Tally
from bot.store.telling import Withheld

_DELIVERIES = (
    "SELECT v.*, d.channel, d.address FROM deliveries v"
    " JOIN destinations d ON d.id = v.destination_id"
)


class Deliveries:
    """The deliveries of one database: a part of `SqliteOutbox`."""

    def __init__(self, engine: Engine, papers: SqlitePapers) -> None:
        self.engine = engine
        self.papers = papers

    def delivery(self, delivery_id: int) -> Delivery | None:
        row = self.engine.row(f"{_DELIVERIES} WHERE v.id = ?", (delivery_id,))
        return self._delivery(row) if row else None

    def unbegun(self, destination_id: int) -> list[Delivery]:
        rows = self.engine.rows(
            f"{_DELIVERIES} WHERE v.destination_id = ?"
            " AND v.state = 'pending' AND v.state NOT IN ('sent', 'skipped')"  # so is its index
            " AND v.kind = 'digest' AND v.unknown = 0 AND NOT EXISTS (SELECT 1 FROM"
            " delivery_parts p WHERE p.delivery_id = v.id AND p.state = 'sent') ORDER BY v.id",
            (destination_id,),
        )
        return [self._delivery(row) for row in rows]

    def line(self, delivery_id: int) -> QueueLine | None:
        return self._line(f"{_DELIVERIES} WHERE v.id = ?", delivery_id)

    def page(self, key: str, page: int, subscriber_id: int) -> bytes | None:
        found = self.engine.value(
            "SELECT p.content FROM delivery_parts p JOIN deliveries v ON v.id = p.delivery_id"
            " JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.key = ? AND p.page = ? AND d.subscriber_id = ?",
            (key, page, subscriber_id),
        )
        return bytes(found) if found is not None else None

    def told_on(self, key: str, page: int, subscriber_id: int) -> list[int]:
        return self.engine.values(
            "SELECT t.seq FROM told t JOIN deliveries v ON v.id = t.delivery_id"
            " JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.key = ? AND t.page = ? AND d.subscriber_id = ? ORDER BY t.seq DESC",
            (key, page, subscriber_id),
        )

    def waiting(self, now: datetime) -> list[Waiting]:
        rows = self.engine.rows(
            "SELECT d.channel, count(*) AS deliveries, min(v.due_at) AS oldest,"
            " (SELECT error FROM deliveries w JOIN destinations e ON e.id = w.destination_id"
            "  WHERE e.channel = d.channel AND w.state IN ('pending', 'sending')"
            "  AND w.error != '' ORDER BY w.id DESC LIMIT 1) AS error,"
            " (SELECT max(last_sent_at) FROM destinations e WHERE e.channel = d.channel) AS sent"
            " FROM deliveries v JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.state IN ('pending', 'sending')"
            " AND (v.kind = 'letter' OR d.state = 'active') GROUP BY d.channel ORDER BY d.channel"
        )
        return [
            Waiting(
                r["channel"], r["deliveries"], instant(r["oldest"]), r["error"] or "",
                instant_or_none(r["sent"]),
            )
            for r in rows
        ]  # fmt: skip

    def given_up(self) -> dict[str, int]:
        rows = self.engine.rows(
            "SELECT d.channel, count(DISTINCT d.id) AS count FROM deliveries v"
            " JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.state = 'failed' AND d.state = 'active' AND NOT EXISTS"
            " (SELECT 1 FROM deliveries w WHERE w.destination_id = d.id AND w.id > v.id"
            " AND w.state = 'sent') GROUP BY d.channel"
        )
        return {row["channel"]: row["count"] for row in rows}

    def queue(self, states: Sequence[DeliveryState], limit: int = 200) -> list[QueueLine]:
        rows = self.engine.rows(
            f"{_DELIVERIES} WHERE v.state IN (SELECT value FROM json_each(?))"
            " ORDER BY v.due_at, v.id LIMIT ?",
            (list(states), limit),
        )
        return [self._as_line(row) for row in rows]

    def census(self) -> list[Tally]:
        rows = self.engine.rows(
            "SELECT v.state, d.channel, count(*) AS count FROM deliveries v JOIN destinations d"
            " ON d.id = v.destination_id WHERE v.state NOT IN ('sent', 'skipped')"
            " GROUP BY v.state, d.channel"
        )
        return [Tally(row["channel"], row["state"], row["count"]) for row in rows]

    def stuck(self) -> list[Stuck]:
        rows = self.engine.rows(
            "SELECT v.state, d.channel, v.error, count(*) AS count FROM deliveries v"
            " JOIN destinations d ON d.id = v.destination_id WHERE v.state IN ('held', 'failed')"
            " GROUP BY v.state, d.channel, v.error ORDER BY max(v.id) DESC"
        )
        return [Stuck(row["state"], row["channel"], row["error"], row["count"]) for row in rows]

    def last(self, destination_id: int) -> QueueLine | None:
        return self._line(
            f"{_DELIVERIES} WHERE v.destination_id = ? AND v.kind = 'digest'"
            " ORDER BY v.id DESC LIMIT 1",
            destination_id,
        )

    def _line(self, sql: str, of: int) -> QueueLine | None:
        row = self.engine.row(sql, (of,))
        return self._as_line(row) if row else None

    def _as_line(self, row: dict[str, Any]) -> QueueLine:
        sent_at = instant_or_none(row["sent_at"])
        return QueueLine(
            self._delivery(row), row["key"], row["kind"], instant(row["made_at"]), sent_at
        )

    def history(self, destination_id: int) -> list[QueueLine]:
        rows = self.engine.rows(
            f"{_DELIVERIES} WHERE v.destination_id = ? ORDER BY v.id", (destination_id,)
        )
        return [self._as_line(row) for row in rows]

    def count(self, destination_id: int) -> int:
        return self.engine.count(
            "SELECT count(*) FROM deliveries WHERE destination_id = ?", (destination_id,)
        )

    def unsent(self, delivery: Delivery) -> list[int]:
        return self.engine.values(
            "SELECT t.seq FROM told t JOIN delivery_parts p"
            " ON p.delivery_id = t.delivery_id AND p.page = t.page WHERE t.delivery_id = :id"
            " AND (p.state = 'pending' OR p.state = 'offered' AND NOT EXISTS (SELECT 1"
            "  FROM delivery_parts s WHERE s.delivery_id = :id AND s.state = 'sent'))",
            {"id": delivery.id},
        )

    def told_by(self, destination_id: int, seq: int) -> Delivery | None:
        found = self.engine.value(
            "SELECT delivery_id FROM told WHERE destination_id = ? AND seq = ?",
            (destination_id, seq),
        )
        return self.delivery(found) if found is not None else None

    def arrived_at(self, destination_id: int, seq: int) -> datetime | None:
        found = self.engine.value(
            "SELECT coalesce(min(p.sent_at), v.sent_at) FROM told t"
            " JOIN deliveries v ON v.id = t.delivery_id"
            " LEFT JOIN delivery_parts own ON own.delivery_id = v.id AND own.page = t.page"
            " LEFT JOIN delivery_parts p ON p.delivery_id = v.id"
            "  AND (p.page = t.page OR own.state = 'offered')"  # it arrives with the first page
            " WHERE t.destination_id = ? AND t.seq = ? GROUP BY v.id",
            (destination_id, seq),
        )
        return instant_or_none(found)

    def withheld_why(self, destination_id: int, seq: int) -> list[Withheld]:
        rows = self.engine.rows(
            "SELECT topic_id, why, at FROM withheld WHERE destination_id = ? AND seq = ?",
            (destination_id, seq),
        )
        return [Withheld(row["topic_id"], row["why"], instant(row["at"])) for row in rows]

    def _delivery(self, row: dict[str, Any]) -> Delivery:
        parts = self.engine.rows(
            "SELECT page, CASE state WHEN 'pending' THEN content END AS content, receipt"
            " FROM delivery_parts WHERE delivery_id = ? AND (state = 'pending' OR page = 0)"
            " ORDER BY page",
            (row["id"],),
        )
        parent = next((p["receipt"] for p in parts if p["page"] == 0), "")
        return Delivery(
            id=row["id"],
            destination_id=row["destination_id"],
            channel=row["channel"],
            address=row["address"],
            period=row["period"],
            state=DeliveryState(row["state"]),
            attempts=row["attempts"],
            unknown=row["unknown"],
            try_at=instant(row["try_at"]),
            due_at=instant(row["due_at"]),
            error=row["error"],
            parts=tuple(
                Part(row["id"], p["page"], f"{row['key']}.{p['page']}", row["address"],
                     bytes(p["content"]), parent)
                for p in parts
                if p["content"] is not None
            ),
            claims=row["claims"],
            verdict=Verdict(row["verdict"]),
        )  # fmt: skip
