"""Deliveries on their way.  The row is the queue; told and withheld say what was decided.

deliveries  as they stand; claims, who is sending what; telling, what may be told to whom
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.model import Delivery, DeliveryState, Verdict
from bot.store.outbox import Contents, GiveBack
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.outbox.claims import Claims
from bot.store.telling import Revision


class SqliteOutbox(Claims):
    """The outbox of one database: claims, outcomes, and what is given back."""

    def recheck(self, seqs: Iterable[int]) -> int:
        return self.engine.run(
            "UPDATE deliveries SET consent = -1 WHERE state IN ('pending', 'sending', 'held')"
            " AND id IN (SELECT delivery_id FROM told WHERE seq IN (SELECT value FROM"
            " json_each(?)))",
            (list(seqs),),
        )

    def reconsider(self, seqs: Iterable[int]) -> None:
        self.engine.run(
            "INSERT INTO given_back (destination_id, number) SELECT d.id, m.number"
            " FROM matches m JOIN follows f ON f.topic_id = m.topic_id AND f.since < m.number"
            " JOIN destinations d ON d.subscriber_id = f.subscriber_id"
            " WHERE m.seq IN (SELECT value FROM json_each(?)) AND m.live = 1"
            " ON CONFLICT DO NOTHING",
            (list(seqs),),
        )

    def revisions(self, destination_id: int, now: datetime) -> list[Revision]:
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

    def contents(self, delivery: Delivery) -> Contents:
        topics = self.engine.value("SELECT topics FROM deliveries WHERE id = ?", (delivery.id,))
        rows = self.engine.rows("SELECT seq FROM told WHERE delivery_id = ?", (delivery.id,))
        return Contents(tuple(json.loads(topics)), tuple(row["seq"] for row in rows))

    def finish(
        self, delivery: Delivery, state: DeliveryState, error: str, give_back: GiveBack
    ) -> None:
        with self.engine.write():
            done = self.engine.run(
                "UPDATE deliveries SET state = ?, error = ?"
                " WHERE id = ? AND state = ? AND claims = ?",
                (state.value, error, delivery.id, delivery.state.value, delivery.claims),
            )
            if done and give_back is not GiveBack.NONE:
                self._give_back(delivery, _in_doubt(delivery, give_back))

    def hold(self, why: str, ids: Sequence[int] = ()) -> int:
        return self.engine.run(
            "UPDATE deliveries SET state = 'held', error = :why WHERE state = 'pending'"
            " AND (:all OR id IN (SELECT value FROM json_each(:ids)))",
            {"why": why, "all": not ids, "ids": list(ids)},
        )

    def unless_it_arrives(self, verdict: Verdict, why: str, ids: Sequence[int] = ()) -> int:
        return self.engine.run(
            "UPDATE deliveries SET verdict = :verdict, error = :why WHERE state = 'sending'"
            " AND (:all OR id IN (SELECT value FROM json_each(:ids)))",
            {"verdict": verdict.value, "why": why, "all": not ids, "ids": list(ids)},
        )

    def reopen(self, now: datetime, why: str, doubts: int, ids: Sequence[int] = ()) -> int:
        which = {
            "now": seconds(now), "why": why, "doubts": doubts, "all": not ids, "ids": list(ids)
        }  # fmt: skip
        with self.engine.write():
            spared = self.engine.run(
                "UPDATE deliveries SET verdict = '', error = '' WHERE state = 'sending'"
                " AND verdict != '' AND id IN (SELECT value FROM json_each(:ids))",
                which,
            )
            return spared + self.engine.run(
                "UPDATE deliveries SET state = 'pending', try_at = :now, attempts = 0,"
                " unknown = min(unknown, :doubts), verdict = '',"
                " error = CASE state WHEN 'held' THEN :why ELSE error END"
                " WHERE (:all AND state = 'pending')"
                " OR (state IN ('pending', 'held') AND id IN (SELECT value FROM json_each(:ids)))",
                which,
            )

    def _give_back(self, delivery: Delivery, in_doubt: int) -> None:
        """Free what was not told: pages still pending, and offered ones behind a first page."""
        which = {"id": delivery.id, "at": delivery.destination_id, "doubt": in_doubt}
        self.engine.run(
            "UPDATE withheld SET said = 0 WHERE destination_id = :at AND said = :id AND :doubt < 0"
            " AND NOT EXISTS (SELECT 1 FROM delivery_parts p WHERE p.delivery_id = :id"
            " AND p.state = 'sent')",
            which,
        )
        untold = self.engine.rows(
            "SELECT t.seq FROM told t JOIN delivery_parts p"
            " ON p.delivery_id = t.delivery_id AND p.page = t.page WHERE t.delivery_id = :id"
            " AND (p.state = 'pending' AND p.page != :doubt OR p.state = 'offered' AND :doubt < 0"
            " AND NOT EXISTS (SELECT 1 FROM delivery_parts s WHERE s.delivery_id = t.delivery_id"
            " AND s.state = 'sent'))",
            which,
        )
        if in_doubt >= 0:  # it may be sent by hand yet, and then alone
            unsent = "delivery_id = :id AND state = 'pending' AND page != :doubt"
            self.engine.run(f"DELETE FROM delivery_parts WHERE {unsent}", which)
        self._untell(delivery.destination_id, [row["seq"] for row in untold])

    def _untell(self, destination_id: int, seqs: Sequence[int]) -> None:
        """Decide anew on these papers, for every topic that they match, and on no others."""
        papers = [{"id": destination_id, "seq": seq} for seq in seqs]
        self.engine.many("DELETE FROM told WHERE destination_id = :id AND seq = :seq", papers)
        self.engine.many(
            "INSERT INTO given_back (destination_id, number)"
            " SELECT :id, number FROM matches WHERE seq = :seq AND live = 1"
            " ON CONFLICT DO NOTHING",
            papers,
        )


def _in_doubt(delivery: Delivery, give_back: GiveBack) -> int:
    """The page whose answer was lost, the first unsent one; -1 where none is to be spared."""
    spared = give_back is GiveBack.UNSENT and delivery.unknown > 0
    return delivery.parts[0].page if spared and delivery.parts else -1


def tidy(engine: Engine, before: datetime) -> None:
    """Forget the bytes of deliveries that ended long ago; what was told stays told."""
    engine.run(
        "DELETE FROM delivery_parts WHERE delivery_id IN (SELECT id FROM deliveries"
        " WHERE state IN ('sent', 'skipped', 'failed') AND made_at < ?)",
        (seconds(before),),
    )
