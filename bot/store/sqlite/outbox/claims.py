"""Who is sending what, and the answers that only the holder of a claim writes down."""

from datetime import datetime

from bot.model import Delivery
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.outbox.telling import Telling

_ENDED = "CASE WHEN verdict = '' AND :why != '' THEN :why ELSE error END"
"""Why one that was being sent waits again; what was decided of it meanwhile is told first."""

_APART_S, _MOST_S = 300, 4 * 3600
"""Between two deaths with one delivery in the air, for each attempt in vain; and at most."""


class Claims(Telling):
    """The claims of one database: a part of `SqliteOutbox`."""

    def claim(self, channel: str, now: datetime, lapse_s: int, lapsed: str = "") -> Delivery | None:
        row = self.engine.row(
            f"""
            UPDATE deliveries SET error = CASE WHEN state = 'sending' THEN {_ENDED} ELSE error END,
                unknown = unknown + (state = 'sending'), state = 'sending',
                try_at = :lapses, claims = claims + 1
            WHERE id = (SELECT v.id FROM deliveries v JOIN destinations d
                            ON d.id = v.destination_id
                        WHERE v.state IN ('pending', 'sending') AND v.try_at <= :now
                        AND d.channel = :channel ORDER BY v.try_at, v.id LIMIT 1)
            RETURNING id
            """,
            {
                "channel": channel, "now": seconds(now), "lapses": seconds(now) + lapse_s,
                "why": lapsed,
            },
        )  # fmt: skip
        return self.delivery(row["id"]) if row else None

    def holds(self, delivery: Delivery) -> bool:
        found = self.engine.value(
            "SELECT 1 FROM deliveries WHERE id = ? AND state = 'sending' AND claims = ?",
            (delivery.id, delivery.claims),
        )
        return found is not None

    def is_stale(self, delivery: Delivery, now: datetime) -> bool:
        stale_at = self.engine.value(
            "SELECT stale_at FROM deliveries WHERE id = ? AND NOT EXISTS (SELECT 1 FROM"
            " delivery_parts p WHERE p.delivery_id = deliveries.id AND p.state = 'sent')",
            (delivery.id,),
        )
        return stale_at is not None and bool(seconds(now) >= stale_at)

    def unchecked(self, delivery: Delivery) -> bool:
        known = self.engine.value("SELECT consent FROM deliveries WHERE id = ?", (delivery.id,))
        return bool(known != self.consent(delivery.destination_id))

    def checked(self, delivery: Delivery) -> None:
        self.engine.run(
            "UPDATE deliveries SET consent = ? WHERE id = ?",
            (self.consent(delivery.destination_id), delivery.id),
        )

    def accepted(self, delivery: Delivery, page: int, receipt: str, now: datetime) -> None:
        with self.engine.write():
            self.engine.run(
                "UPDATE delivery_parts SET state = 'sent', receipt = ?, sent_at = ?"
                " WHERE delivery_id = ? AND page = ?",
                (receipt, seconds(now), delivery.id, page),
            )
            done = self.engine.run(
                "UPDATE deliveries SET state = 'sent', sent_at = ?, error = '' WHERE id = ?"
                " AND NOT EXISTS (SELECT 1 FROM delivery_parts p WHERE p.delivery_id ="
                " deliveries.id AND p.state = 'pending')",
                (seconds(now), delivery.id),
            )
            if done:
                self.engine.run(
                    "UPDATE destinations SET last_sent_at = ? WHERE id = ?",
                    (seconds(now), delivery.destination_id),
                )

    def retry(
        self, delivery: Delivery, error: str, at: datetime, *, answered: bool, unknown: bool = False
    ) -> None:
        self.engine.run(
            "UPDATE deliveries SET state = 'pending', error = ?, try_at = ?,"
            " attempts = attempts + ?, unknown = unknown + ?"
            " WHERE id = ? AND state = 'sending' AND claims = ?",
            (error, seconds(at), int(answered), int(unknown), delivery.id, delivery.claims),
        )

    def put_off(self, delivery: Delivery, until: datetime, error: str) -> None:
        self.engine.run(
            "UPDATE deliveries SET try_at = ?, error = ?"
            " WHERE id = ? AND state IN ('pending', 'sending') AND claims = ?",
            (seconds(until), error, delivery.id, delivery.claims - 1),
        )

    def postpone(
        self, channel: str, scope: str, until: datetime, error: str, now: datetime
    ) -> None:
        self.engine.run(
            "UPDATE deliveries SET try_at = max(try_at, :until), error = :error"
            " WHERE state = 'pending' AND destination_id IN (SELECT id FROM destinations"
            " WHERE channel = :channel AND :scope = CASE WHEN substr(:scope, 1, 1) = '@'"
            " THEN substr(address, length(address) - length(:scope) + 1)"
            " ELSE substr(address, 1, length(:scope)) END)",
            {"until": seconds(until), "error": error, "channel": channel, "scope": scope},
        )

    def settled(self, delivery: Delivery, now: datetime) -> None:
        self.engine.run(
            "UPDATE deliveries SET state = 'pending', try_at = ?, unknown = 0"
            " WHERE id = ? AND state = 'sending' AND claims = ?",
            (seconds(now), delivery.id, delivery.claims),
        )

    def absent(self, delivery: Delivery) -> None:
        self.engine.run(
            "UPDATE deliveries SET attempts = attempts + unknown, unknown = 0"
            " WHERE id = ? AND state = 'sending' AND claims = ?",
            (delivery.id, delivery.claims),
        )

    def recover(self, now: datetime, why: str) -> int:
        return self.engine.run(
            f"UPDATE deliveries SET state = 'pending', error = {_ENDED}, unknown = unknown + 1,"
            " try_at = :now + min(attempts * :apart, :most) WHERE state = 'sending'",
            {"now": seconds(now), "why": why, "apart": _APART_S, "most": _MOST_S},
        )
