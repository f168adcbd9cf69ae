"""Deliveries on their way.  The row is the queue; told and withheld say what was decided."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlite_utils import Database, Migrations

from bot.model import Delivery, DeliveryState, Destination, Match, Page, Part
from bot.store import Candidate, Passed, QueueLine, Revision, Waiting
from bot.store.sqlite.engine import Engine, script
from bot.store.sqlite.papers import SqlitePapers, instant, seconds

migrations = Migrations("outbox")


@migrations()
def m001_outbox(db: Database) -> None:
    script(
        db,
        """
    CREATE TABLE deliveries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('digest', 'letter')),
        key TEXT NOT NULL UNIQUE,       -- the same for every attempt
        period TEXT NOT NULL, edition INTEGER NOT NULL,
        state TEXT NOT NULL CHECK
            (state IN ('pending', 'sending', 'sent', 'failed', 'held', 'skipped')),
        attempts INTEGER NOT NULL DEFAULT 0,  -- answered ones
        unknown INTEGER NOT NULL DEFAULT 0,   -- attempts whose outcome nobody knows
        try_at INTEGER NOT NULL,        -- while sending: when the claim lapses
        due_at INTEGER NOT NULL, made_at INTEGER NOT NULL,
        stale_at INTEGER NOT NULL,      -- not begun by then: composed anew
        consent INTEGER NOT NULL,       -- the subscriber's, when last checked
        topics TEXT NOT NULL,           -- JSON: ids of the topics it names
        error TEXT NOT NULL DEFAULT '', sent_at INTEGER,
        UNIQUE (destination_id, period, edition)
    ) STRICT;
    CREATE INDEX deliveries_open ON deliveries (try_at) WHERE state IN ('pending', 'sending');
    CREATE INDEX deliveries_of_destination ON deliveries (destination_id, id);
    CREATE TABLE delivery_parts (
        delivery_id INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
        page INTEGER NOT NULL,
        content BLOB NOT NULL,          -- exactly as it is handed over
        state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'offered')),
        receipt TEXT NOT NULL DEFAULT '', sent_at INTEGER,
        PRIMARY KEY (delivery_id, page)
    ) STRICT;
    CREATE TABLE told (                 -- nobody is told of a paper twice
        destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
        seq INTEGER NOT NULL REFERENCES papers,
        delivery_id INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
        page INTEGER NOT NULL,
        number INTEGER NOT NULL,        -- the lowest match it came by
        PRIMARY KEY (destination_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX told_by ON told (delivery_id);
    CREATE TABLE withheld (             -- what a mute kept back, and never comes later
        destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
        number INTEGER NOT NULL,
        topic_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        why TEXT NOT NULL,
        at INTEGER NOT NULL,
        said INTEGER NOT NULL DEFAULT 0,  -- the delivery that counted it; -1: none ever will
        PRIMARY KEY (destination_id, number)
    ) STRICT, WITHOUT ROWID;
    """,
    )


@migrations()
def m002_unsent(db: Database) -> None:
    """Counting what is not sent looks at that alone: nearly all that ever was has been sent."""
    db.conn.execute(
        "CREATE INDEX deliveries_unsent ON deliveries (state, destination_id)"
        " WHERE state NOT IN ('sent', 'skipped')"
    )


class SqliteOutbox:
    """The deliveries of one database."""

    def __init__(self, engine: Engine, papers: SqlitePapers) -> None:
        self.engine = engine
        self.papers = papers

    # ----------------------------------------------------------- composing

    def candidates(self, destination: Destination) -> list[Candidate]:
        """Papers with a live match that this destination has neither been told nor denied.

        Mutes, breadth and excluded words are not looked at here.
        """
        rows = self.engine.rows(
            """
            SELECT m.number, m.seq, m.topic_id, m.score, m.reason
            FROM destinations d
            JOIN follows f ON f.subscriber_id = d.subscriber_id AND f.ended_at IS NULL
            JOIN matches m ON m.topic_id = f.topic_id
                AND m.number > max(f.since, d.since, d.considered) AND m.live = 1
            JOIN papers p ON p.seq = m.seq AND p.withdrawn = 0
            WHERE d.id = :id
            AND NOT EXISTS (SELECT 1 FROM told t
                            WHERE t.destination_id = d.id AND t.seq = m.seq)
            AND NOT EXISTS (SELECT 1 FROM withheld w
                            WHERE w.destination_id = d.id AND w.number = m.number)
            ORDER BY m.seq, m.score DESC, m.topic_id
            """,
            {"id": destination.id},
        )
        matches: dict[int, list[Match]] = {}
        for r in rows:
            matches.setdefault(r["seq"], []).append(
                Match(r["number"], r["seq"], r["topic_id"], r["score"], r["reason"])
            )
        return [Candidate(p, tuple(matches[p.seq])) for p in self.papers.some(matches)]

    def considered(self, destination_id: int, number: int) -> None:
        """All matches up to that number were decided for this destination."""
        self.engine.run(
            "UPDATE destinations SET considered = max(considered, ?) WHERE id = ?",
            (number, destination_id),
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
        """Record what a mute kept back; `to_be_said` where it is counted when the topic is back."""
        self.engine.many(
            "INSERT INTO withheld (destination_id, number, topic_id, seq, why, at, said)"
            f" VALUES (?, ?, ?, ?, ?, ?, {0 if to_be_said else -1}) ON CONFLICT DO NOTHING",
            ((destination_id, m.number, m.topic_id, m.seq, why, seconds(now)) for m in matches),
        )

    def passed(self, destination_id: int) -> list[Passed]:
        """How many papers of each followed topic were withheld and not yet spoken of."""
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
        """A delivery speaks of what was withheld of these topics; see `finish`."""
        self.engine.run(
            "UPDATE withheld SET said = ? WHERE destination_id = ? AND said = 0"
            " AND topic_id IN (SELECT value FROM json_each(?))",
            (delivery_id, destination_id, json.dumps(list(topic_ids))),
        )

    def withheld(self, subscriber_id: int, topic_id: int) -> list[int]:
        """Numbers of the papers of a topic that were withheld from a subscriber, newest first."""
        rows = self.engine.rows(
            "SELECT DISTINCT w.seq FROM withheld w JOIN destinations d ON d.id = w.destination_id"
            " WHERE d.subscriber_id = ? AND w.topic_id = ? ORDER BY w.seq DESC",
            (subscriber_id, topic_id),
        )
        return [row["seq"] for row in rows]

    def next_edition(self, destination_id: int, period: str) -> int:
        """The number of the next digest of a destination for a period: 0 for the first."""
        return int(
            self.engine.value(
                "SELECT coalesce(max(edition) + 1, 0) FROM deliveries"
                " WHERE destination_id = ? AND period = ?",
                (destination_id, period),
            )
        )

    def consent(self, destination_id: int) -> int:
        """The number that rises whenever the subscriber silences something."""
        return int(
            self.engine.value(
                "SELECT s.consent FROM subscribers s JOIN destinations d"
                " ON d.subscriber_id = s.id WHERE d.id = ?",
                (destination_id,),
            )
            or 0
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
        told: Iterable[tuple[int, int, int]] = (),
    ) -> int:
        """Put a delivery in the outbox and count its papers as told, in one transaction.

        `told` are (paper number, page, lowest match number).  Raises IntegrityError where one
        of them was told already: that would be a fault of ours.
        """
        with self.engine.write():
            delivery_id = self.engine.insert(
                "INSERT INTO deliveries (destination_id, kind, key, period, edition, state, try_at,"
                " due_at, made_at, stale_at, consent, topics)"
                " VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?)",
                (
                    destination_id, kind, key, period, edition, seconds(now), seconds(due_at),
                    seconds(now), seconds(stale_at), self.consent(destination_id),
                    json.dumps(sorted(topics)),
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
                "INSERT INTO told (destination_id, seq, delivery_id, page, number)"
                " VALUES (?, ?, ?, ?, ?)",
                ((destination_id, seq, delivery_id, page, n) for seq, page, n in told),
            )
        return delivery_id

    # ------------------------------------------------------------- sending

    def claim(self, channel: str, now: datetime, lapse_s: int) -> Delivery | None:
        """Take the next delivery of a channel whose moment has come, for `lapse_s` seconds.

        One that was being sent when its claim lapsed counts as an attempt of unknown outcome.
        Call inside `write()`, check consent, and give it back with `retry` where it must wait.
        """
        row = self.engine.row(
            """
            UPDATE deliveries SET unknown = unknown + (state = 'sending'), state = 'sending',
                try_at = :lapses
            WHERE id = (SELECT v.id FROM deliveries v JOIN destinations d
                            ON d.id = v.destination_id
                        WHERE v.state IN ('pending', 'sending') AND v.try_at <= :now
                        AND d.channel = :channel ORDER BY v.try_at, v.id LIMIT 1)
            RETURNING id
            """,
            {"channel": channel, "now": seconds(now), "lapses": seconds(now) + lapse_s},
        )
        return self.delivery(row["id"]) if row else None

    def delivery(self, delivery_id: int) -> Delivery | None:
        """A delivery with the parts that are still to be sent, or None."""
        row = self.engine.row(
            "SELECT v.*, d.channel, d.address FROM deliveries v"
            " JOIN destinations d ON d.id = v.destination_id WHERE v.id = ?",
            (delivery_id,),
        )
        return self._delivery(row) if row else None

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

    def recheck(self, seqs: Iterable[int]) -> int:
        """What waits and tells of these papers is judged anew before it goes; return how many."""
        return self.engine.run(
            "UPDATE deliveries SET consent = -1 WHERE state IN ('pending', 'sending', 'held')"
            " AND id IN (SELECT delivery_id FROM told WHERE seq IN (SELECT value FROM"
            " json_each(?)))",
            (json.dumps(list(seqs)),),
        )

    def revisions(self, destination_id: int, now: datetime) -> list[Revision]:
        """Withdrawals and new titles, since the last digest there, of what its reader knows."""
        rows = self.engine.rows(
            "SELECT r.seq, r.before, r.withdrawn, s.seq IS NOT NULL AS saved FROM revisions r"
            " JOIN destinations d ON d.id = :id"
            " LEFT JOIN told t ON t.destination_id = d.id AND t.seq = r.seq"
            " LEFT JOIN saves s ON s.subscriber_id = d.subscriber_id AND s.seq = r.seq"
            " WHERE r.at > coalesce((SELECT max(made_at) FROM deliveries v WHERE"
            "  v.destination_id = d.id AND v.kind = 'digest' AND v.state != 'skipped'), :now)"
            " AND (t.seq IS NOT NULL OR s.seq IS NOT NULL) ORDER BY r.id",
            {"id": destination_id, "now": seconds(now)},
        )
        papers = {paper.seq: paper for paper in self.papers.some(row["seq"] for row in rows)}
        return [
            Revision(papers[r["seq"]], r["before"], bool(r["withdrawn"]), bool(r["saved"]))
            for r in rows
        ]

    def contents(self, delivery: Delivery) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The topics a delivery names and the papers it tells of."""
        topics = self.engine.value("SELECT topics FROM deliveries WHERE id = ?", (delivery.id,))
        rows = self.engine.rows("SELECT seq FROM told WHERE delivery_id = ?", (delivery.id,))
        return tuple(json.loads(topics)), tuple(row["seq"] for row in rows)

    def accepted(self, delivery: Delivery, page: int, receipt: str, now: datetime) -> None:
        """The other side took a part; with the last one the delivery is sent."""
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
        """Another attempt at that instant.  Only attempts that were answered count."""
        self.engine.run(
            "UPDATE deliveries SET state = 'pending', error = ?, try_at = ?,"
            " attempts = attempts + ?, unknown = unknown + ? WHERE id = ?",
            (error, seconds(at), int(answered), int(unknown), delivery.id),
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

    def finish(
        self, delivery: Delivery, state: DeliveryState, error: str, *, give_back: bool
    ) -> None:
        """End a delivery.  `give_back` frees the papers it did not tell for the next digest.

        What it would have said of passed papers is then said by the next one, too.
        """
        with self.engine.write():
            self.engine.run(
                "UPDATE deliveries SET state = ?, error = ? WHERE id = ?",
                (state.value, error, delivery.id),
            )
            if give_back:
                self._give_back(delivery)

    def hold(self, why: str, ids: Sequence[int] = ()) -> int:
        """Keep deliveries back until a human decides: those, or all that wait; return how many."""
        return self.engine.run(
            "UPDATE deliveries SET state = 'held', error = :why WHERE state IN"
            " ('pending', 'sending') AND (:all OR id IN (SELECT value FROM json_each(:ids)))",
            {"why": why, "all": not ids, "ids": json.dumps(list(ids))},
        )

    def reopen(self, now: datetime, ids: Sequence[int] = ()) -> int:
        """Try waiting and held deliveries at once: those, or all that wait; return how many.

        Attempts are counted from none; one of unknown outcome is still asked about first.  What
        has failed or was sent is not touched.
        """
        return self.engine.run(
            "UPDATE deliveries SET state = 'pending', try_at = :now, attempts = 0,"
            " unknown = min(unknown, 1) WHERE (:all AND state = 'pending')"
            " OR (state IN ('pending', 'held') AND id IN (SELECT value FROM json_each(:ids)))",
            {"now": seconds(now), "all": not ids, "ids": json.dumps(list(ids))},
        )

    def line(self, delivery_id: int) -> QueueLine | None:
        """A delivery as an operator sees it, or None."""
        return self._line(
            "SELECT v.*, d.channel, d.address FROM deliveries v JOIN destinations d"
            " ON d.id = v.destination_id WHERE v.id = ?",
            delivery_id,
        )

    def release(self, now: datetime) -> int:
        """Give back every claim of this process at its end, as never attempted."""
        return self.engine.run(
            "UPDATE deliveries SET state = 'pending', try_at = ? WHERE state = 'sending'",
            (seconds(now),),
        )

    def recover(self, now: datetime) -> int:
        """What a dead process had in the air may be claimed at once, its outcome unknown."""
        return self.engine.run(
            "UPDATE deliveries SET try_at = ? WHERE state = 'sending'", (seconds(now),)
        )

    # ------------------------------------------------------------- looking

    def page(self, key: str, page: int, subscriber_id: int) -> bytes | None:
        """A page that was offered to this subscriber, or None."""
        found = self.engine.value(
            "SELECT p.content FROM delivery_parts p JOIN deliveries v ON v.id = p.delivery_id"
            " JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.key = ? AND p.page = ? AND d.subscriber_id = ?",
            (key, page, subscriber_id),
        )
        return bytes(found) if found is not None else None

    def receipts(self, destination_id: int) -> set[str]:
        """What the receiver returned for the parts sent to a destination."""
        rows = self.engine.rows(
            "SELECT p.receipt FROM delivery_parts p JOIN deliveries v ON v.id = p.delivery_id"
            " WHERE v.destination_id = ? AND p.state = 'sent'",
            (destination_id,),
        )
        return {row["receipt"] for row in rows}

    def waiting(self, now: datetime) -> list[Waiting]:
        """What is not finished, by channel: how many, the oldest due, the latest trouble."""
        rows = self.engine.rows(
            "SELECT d.channel, count(*) AS deliveries, min(v.due_at) AS oldest,"
            " (SELECT error FROM deliveries w JOIN destinations e ON e.id = w.destination_id"
            "  WHERE e.channel = d.channel AND w.state IN ('pending', 'sending')"
            "  AND w.error != '' ORDER BY w.id DESC LIMIT 1) AS error"
            " FROM deliveries v JOIN destinations d ON d.id = v.destination_id"
            " WHERE v.state IN ('pending', 'sending') GROUP BY d.channel ORDER BY d.channel"
        )
        return [
            Waiting(r["channel"], r["deliveries"], instant(r["oldest"]), r["error"] or "")
            for r in rows
        ]

    def queue(self, states: Sequence[DeliveryState], limit: int = 200) -> list[QueueLine]:
        """Deliveries in these states, the oldest first."""
        rows = self.engine.rows(
            "SELECT v.*, d.channel, d.address FROM deliveries v JOIN destinations d"
            " ON d.id = v.destination_id WHERE v.state IN (SELECT value FROM json_each(?))"
            " ORDER BY v.due_at, v.id LIMIT ?",
            (json.dumps([state.value for state in states]), limit),
        )
        return [
            QueueLine(
                self._delivery(row), row["key"], row["kind"], instant(row["made_at"]),
                instant(row["sent_at"]) if row["sent_at"] is not None else None,
            )
            for row in rows
        ]  # fmt: skip

    def census(self) -> dict[tuple[str, str], int]:
        """How many deliveries are not sent, by state and channel; skipped ones are left out."""
        rows = self.engine.rows(
            "SELECT v.state, d.channel, count(*) AS count FROM deliveries v JOIN destinations d"
            " ON d.id = v.destination_id WHERE v.state NOT IN ('sent', 'skipped')"
            " GROUP BY v.state, d.channel"
        )
        return {(row["state"], row["channel"]): row["count"] for row in rows}

    def last(self, destination_id: int) -> QueueLine | None:
        """The latest delivery of a destination, or None."""
        return self._line(
            "SELECT v.*, d.channel, d.address FROM deliveries v JOIN destinations d"
            " ON d.id = v.destination_id WHERE v.destination_id = ? ORDER BY v.id DESC LIMIT 1",
            destination_id,
        )

    def _line(self, sql: str, of: int) -> QueueLine | None:
        row = self.engine.row(sql, (of,))
        if row is None:
            return None
        sent_at = instant(row["sent_at"]) if row["sent_at"] is not None else None
        return QueueLine(
            self._delivery(row), row["key"], row["kind"], instant(row["made_at"]), sent_at
        )

    def history(self, destination_id: int) -> list[QueueLine]:
        """Every delivery that a destination ever had, oldest first."""
        rows = self.engine.rows(
            "SELECT id FROM deliveries WHERE destination_id = ? ORDER BY id", (destination_id,)
        )
        return [line for row in rows if (line := self.line(row["id"]))]

    def told_by(self, destination_id: int, seq: int) -> Delivery | None:
        """The delivery that told a destination of a paper, or None."""
        found = self.engine.value(
            "SELECT delivery_id FROM told WHERE destination_id = ? AND seq = ?",
            (destination_id, seq),
        )
        return self.delivery(found) if found is not None else None

    def withheld_why(self, destination_id: int, seq: int) -> list[tuple[int, str, datetime]]:
        """Why a paper was kept from a destination: (topic, reason, when)."""
        rows = self.engine.rows(
            "SELECT topic_id, why, at FROM withheld WHERE destination_id = ? AND seq = ?",
            (destination_id, seq),
        )
        return [(row["topic_id"], row["why"], instant(row["at"])) for row in rows]

    # ------------------------------------------------------------- private

    def _give_back(self, delivery: Delivery) -> None:
        """Free what was not told: pages still pending, and offered ones behind a first page."""
        self.engine.run(
            "UPDATE withheld SET said = 0 WHERE destination_id = :destination AND said = :id"
            " AND NOT EXISTS (SELECT 1 FROM delivery_parts p WHERE p.delivery_id = :id"
            " AND p.state = 'sent')",
            {"destination": delivery.destination_id, "id": delivery.id},
        )
        untold = self.engine.rows(
            "SELECT t.seq, t.number FROM told t JOIN delivery_parts p"
            " ON p.delivery_id = t.delivery_id AND p.page = t.page WHERE t.delivery_id = :id"
            " AND (p.state = 'pending' OR p.state = 'offered' AND NOT EXISTS (SELECT 1 FROM"
            " delivery_parts s WHERE s.delivery_id = t.delivery_id AND s.state = 'sent'))",
            {"id": delivery.id},
        )
        if not untold:
            return
        self.engine.many(
            "DELETE FROM told WHERE destination_id = ? AND seq = ?",
            ((delivery.destination_id, row["seq"]) for row in untold),
        )
        self.engine.run(
            "UPDATE destinations SET considered = min(considered, ?) WHERE id = ?",
            (min(row["number"] for row in untold) - 1, delivery.destination_id),
        )

    def _delivery(self, row: dict[str, Any]) -> Delivery:
        parts = self.engine.rows(
            "SELECT page, content, receipt, state FROM delivery_parts WHERE delivery_id = ?"
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
            edition=row["edition"],
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
                if p["state"] == "pending"
            ),
        )  # fmt: skip


def tidy(engine: Engine, before: datetime) -> None:
    """Forget the bytes of deliveries that ended long ago; what was told stays told."""
    engine.run(
        "DELETE FROM delivery_parts WHERE delivery_id IN (SELECT id FROM deliveries"
        " WHERE state IN ('sent', 'skipped', 'failed') AND made_at < ?)",
        (seconds(before),),
    )
