"""Who is sending what, and the answers that only the holder of a claim writes down."""

from datetime import datetime

from bot.model import Delivery
from bot.store.sqlite.papers import seconds
from bot.store.sqlite.telling import Telling


class Claims(Telling):
    """The claims of one database: a part of `SqliteOutbox`."""

    def claim(self, channel: str, now: datetime, lapse_s: int) -> Delivery | None:
        """Take the next delivery of a channel whose moment has come, for `lapse_s` seconds.

        One that was being sent when its claim lapsed counts as an attempt of unknown outcome.
        Call inside `write()`, check consent, and give it back with `retry` where it must wait.
        """
        row = self.engine.row(
            """
            UPDATE deliveries SET unknown = unknown + (state = 'sending'), state = 'sending',
                try_at = :lapses, claims = claims + 1
            WHERE id = (SELECT v.id FROM deliveries v JOIN destinations d
                            ON d.id = v.destination_id
                        WHERE v.state IN ('pending', 'sending') AND v.try_at <= :now
                        AND d.channel = :channel ORDER BY v.try_at, v.id LIMIT 1)
            RETURNING id
            """,
            {"channel": channel, "now": seconds(now), "lapses": seconds(now) + lapse_s},
        )
        return self.delivery(row["id"]) if row else None

    def holds(self, delivery: Delivery) -> bool:
        """Whether the claim that handed it out is still the one by which it is being sent."""
        found = self.engine.value(
            "SELECT 1 FROM deliveries WHERE id = ? AND state = 'sending' AND claims = ?",
            (delivery.id, delivery.claims),
        )
        return found is not None

    def is_stale(self, delivery: Delivery, now: datetime) -> bool:
        """Whether it has waited past its limit before any part was sent."""
        stale_at = self.engine.value(
            "SELECT stale_at FROM deliveries WHERE id = ? AND NOT EXISTS (SELECT 1 FROM"
            " delivery_parts p WHERE p.delivery_id = deliveries.id AND p.state = 'sent')",
            (delivery.id,),
        )
        return stale_at is not None and bool(seconds(now) >= stale_at)

    def unchecked(self, delivery: Delivery) -> bool:
        """Whether the subscriber silenced anything since its consent was last checked."""
        known = self.engine.value("SELECT consent FROM deliveries WHERE id = ?", (delivery.id,))
        return bool(known != self.consent(delivery.destination_id))

    def checked(self, delivery: Delivery) -> None:
        """It contradicts nothing that the subscriber has said so far."""
        self.engine.run(
            "UPDATE deliveries SET consent = ? WHERE id = ?",
            (self.consent(delivery.destination_id), delivery.id),
        )

    def accepted(self, delivery: Delivery, page: int, receipt: str, now: datetime) -> None:
        """The other side took a part; with the last one the delivery is sent.

        That is so whatever was decided about it meanwhile, and whoever holds its claim now.
        """
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
        """Another attempt at that instant.  Only attempts that were answered count.

        Nothing is written by whoever does not hold the claim any more.
        """
        self.engine.run(
            "UPDATE deliveries SET state = 'pending', error = ?, try_at = ?,"
            " attempts = attempts + ?, unknown = unknown + ?"
            " WHERE id = ? AND state = 'sending' AND claims = ?",
            (error, seconds(at), int(answered), int(unknown), delivery.id, delivery.claims),
        )

    def postpone(
        self, channel: str, scope: str, until: datetime, error: str, now: datetime
    ) -> None:
        """The way itself is closed: what waits for addresses beginning with `scope` waits on."""
        self.engine.run(
            "UPDATE deliveries SET try_at = max(try_at, :until), error = :error"
            " WHERE state = 'pending' AND destination_id IN (SELECT id FROM destinations"
            " WHERE channel = :channel AND substr(address, 1, length(:scope)) = :scope)",
            {"until": seconds(until), "error": error, "channel": channel, "scope": scope},
        )

    def settled(self, delivery: Delivery, now: datetime) -> None:
        """A page of unknown outcome has arrived: the delivery's remaining pages wait to be sent."""
        self.engine.run(
            "UPDATE deliveries SET state = 'pending', try_at = ?, unknown = 0"
            " WHERE id = ? AND state = 'sending' AND claims = ?",
            (seconds(now), delivery.id, delivery.claims),
        )

    def recover(self, now: datetime) -> int:
        """What a dead process had in the air waits again, its outcome unknown; return how many."""
        return self.engine.run(
            "UPDATE deliveries SET state = 'pending', try_at = ?, unknown = unknown + 1"
            " WHERE state = 'sending'",
            (seconds(now),),
        )
