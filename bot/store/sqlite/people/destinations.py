"""Where subscribers are reached, when, and which addresses must not be written to."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from bot.model import Destination, DestinationState
from bot.store.sqlite.engine import Engine, Params
from bot.store.sqlite.instants import instant, instant_or_none, seconds, seconds_or_none
from bot.store.sqlite.topics import SqliteTopics
from bot.store.tally import Tally


class Destinations:
    """The destinations of one database: a part of `SqlitePeople`."""

    def __init__(self, engine: Engine, topics: SqliteTopics) -> None:
        self.engine = engine
        self.topics = topics

    def reach(self, destination: Destination, since: int) -> Destination:
        with self.engine.write():
            self.engine.run(
                "INSERT INTO destinations (subscriber_id, channel, address, cadence, zone,"
                " next_due_at, state, reason, since, considered, confirmed_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, channel, address) DO NOTHING",
                (
                    destination.subscriber_id, destination.channel, destination.address,
                    destination.cadence, destination.zone, seconds(destination.next_due_at),
                    destination.state.value, destination.reason, since, since,
                    seconds_or_none(destination.confirmed_at),
                ),
            )  # fmt: skip
            self._leave_off(destination.subscriber_id)
            [reached] = self._where(
                "subscriber_id = ? AND channel = ? AND address = ?",
                (destination.subscriber_id, destination.channel, destination.address),
            )
        return reached

    def destination(self, destination_id: int) -> Destination | None:
        return next(iter(self._where("id = ?", (destination_id,))), None)

    def destinations(self, subscriber_id: int) -> list[Destination]:
        return self._where("subscriber_id = ? ORDER BY id", (subscriber_id,))

    def at(self, channel: str, address: str) -> list[Destination]:
        return self._where(
            "channel = :channel AND (address = :address"
            " OR channel = 'email' AND lower(address) = lower(:address)) ORDER BY id",
            {"channel": channel, "address": address},
        )

    def forgotten(self, destination_ids: Iterable[int]) -> set[int]:
        there = set(self.engine.values("SELECT id FROM destinations"))
        last = self.engine.count("SELECT seq FROM sqlite_sequence WHERE name = 'destinations'")
        return {each for each in destination_ids if each <= last} - there

    def due(self, now: datetime, limit: int = 200) -> list[Destination]:
        return self._where(
            "state != 'off' AND next_due_at <= ? ORDER BY next_due_at, id LIMIT ?",
            (seconds(now), limit),
        )

    def coming(self, now: datetime, limit: int = 1000) -> list[Destination]:
        return self._where(
            "state = 'active' AND next_due_at > ? ORDER BY next_due_at, id LIMIT ?",
            (seconds(now), limit),
        )

    def zones(self) -> list[str]:
        said = "SELECT DISTINCT zone FROM destinations WHERE state = 'active' ORDER BY zone"
        return [str(zone) for zone in self.engine.values(said)]

    def silent(self) -> list[Destination]:
        return self._where("state != 'active' ORDER BY id")

    def schedule(
        self, destination_id: int, next_due_at: datetime, *, cadence: str = "", zone: str = ""
    ) -> None:
        self.engine.run(
            "UPDATE destinations SET next_due_at = :at,"
            " cadence = coalesce(nullif(:cadence, ''), cadence),"
            " zone = coalesce(nullif(:zone, ''), zone) WHERE id = :id",
            {
                "at": seconds(next_due_at),
                "cadence": cadence,
                "zone": zone,
                "id": destination_id,
            },
        )

    def show_at_most(self, destination_id: int, papers: int) -> None:
        self.engine.run("UPDATE destinations SET most = ? WHERE id = ?", (papers, destination_id))

    def set_state(self, destination_id: int, state: DestinationState, reason: str = "") -> None:
        with self.engine.write():
            self.engine.run(
                "UPDATE destinations SET state = ?, reason = ? WHERE id = ?",
                (state.value, reason, destination_id),
            )
            if state is not DestinationState.ACTIVE:
                self._silenced_by("destinations", destination_id)

    def confirm(self, destination_id: int, now: datetime) -> None:
        self.engine.run(
            "UPDATE destinations SET confirmed_at = coalesce(confirmed_at, ?) WHERE id = ?",
            (seconds(now), destination_id),
        )

    def start_afresh(self, destination_id: int) -> None:
        self.engine.run(
            "UPDATE destinations SET since = :now, considered = :now WHERE id = :id",
            {"now": self.topics.last_number(), "id": destination_id},
        )

    def perhaps_sent(self, destination_id: int, until: datetime | None) -> None:
        self.engine.run(
            "UPDATE destinations SET perhaps_sent = ? WHERE id = ?",
            (seconds_or_none(until), destination_id),
        )

    def void_links(self, destination_id: int) -> None:
        self.engine.run("UPDATE destinations SET epoch = epoch + 1 WHERE id = ?", (destination_id,))

    def suppress(self, address: str, reason: str, now: datetime) -> None:
        self.engine.run(
            "INSERT INTO suppressions (address, reason, at) VALUES (?, ?, ?)"
            " ON CONFLICT (address) DO UPDATE SET reason = excluded.reason, at = excluded.at",
            (address.casefold(), reason, seconds(now)),
        )

    def release(self, address: str) -> None:
        self.engine.run("DELETE FROM suppressions WHERE address = ?", (address.casefold(),))

    def suppressed(self, address: str) -> str:
        found = self.engine.value(
            "SELECT reason FROM suppressions WHERE address = ?", (address.casefold(),)
        )
        return str(found or "")

    def suppressions(self) -> int:
        return self.engine.count("SELECT count(*) FROM suppressions")

    def census(self) -> list[Tally]:
        rows = self.engine.rows(
            "SELECT channel, state, count(*) AS count FROM destinations GROUP BY channel, state"
        )
        return [Tally(row["channel"], row["state"], row["count"]) for row in rows]

    def _where(self, condition: str, params: Params = ()) -> list[Destination]:
        rows = self.engine.rows(f"SELECT * FROM destinations WHERE {condition}", params)
        return [_destination(row) for row in rows]

    def _leave_off(self, subscriber_id: int) -> None:
        """Note once how far each destination has considered each follow that has ended."""
        self.engine.run(
            "INSERT INTO left_off (destination_id, follow_id, number)"
            " SELECT d.id, f.id, d.considered FROM destinations d JOIN follows f"
            " ON f.subscriber_id = d.subscriber_id AND f.ended_at IS NOT NULL"
            " WHERE d.subscriber_id = ? ON CONFLICT DO NOTHING",
            (subscriber_id,),
        )

    def _silenced(self, subscriber_id: int) -> None:
        self.engine.run(
            "UPDATE subscribers SET consent = consent + 1 WHERE id = ?", (subscriber_id,)
        )

    def _silenced_by(self, table: str, row_id: int) -> None:
        self.engine.run(
            "UPDATE subscribers SET consent = consent + 1 WHERE id ="
            f" (SELECT subscriber_id FROM {table} WHERE id = ?)",
            (row_id,),
        )


def _destination(row: dict[str, Any]) -> Destination:
    return Destination(
        id=row["id"],
        subscriber_id=row["subscriber_id"],
        channel=row["channel"],
        address=row["address"],
        cadence=row["cadence"],
        zone=row["zone"],
        next_due_at=instant(row["next_due_at"]),
        state=DestinationState(row["state"]),
        reason=row["reason"],
        last_sent_at=instant_or_none(row["last_sent_at"]),
        epoch=row["epoch"],
        confirmed_at=instant_or_none(row["confirmed_at"]),
        since=row["since"],
        perhaps_sent=instant_or_none(row["perhaps_sent"]),
        most=row["most"],
    )
