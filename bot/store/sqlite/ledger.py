"""What happened and why; how far sources were read; whose turn it is to ask arXiv."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from bot.model import Completeness, Pause, Rejected
from bot.store.ledger import Ahead, Run, Slice
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import instant, instant_or_none, seconds

LONGEST_PAUSE_S = 2 * 86_400.0
"""A longer pause was written by a clock that was ahead, and does not count."""

_AMONG = "(:all OR outcome IN (SELECT value FROM json_each(:outcomes)))"


class SqliteLedger:
    """The runs of one database, and what sources need to remember."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def record(
        self,
        kind: str,
        subject: str,
        at: datetime,
        outcome: str,
        reason: str = "",
        papers: int = 0,
        completeness: Completeness = Completeness.WHOLE,
    ) -> None:
        self.engine.run(
            "INSERT INTO runs (kind, subject, at, outcome, reason, papers, completeness)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kind, subject, seconds(at), str(outcome), reason, papers, completeness.value),
        )

    def runs(
        self, kind: str, subject: str = "", *, outcomes: Sequence[str] = (), limit: int = 50
    ) -> list[Run]:
        of = "AND subject = :subject" if subject else ""
        rows = self.engine.rows(
            f"SELECT * FROM runs WHERE kind = :kind {of} AND {_AMONG}"
            " ORDER BY id DESC LIMIT :limit",
            {"kind": kind, "subject": subject, "limit": limit, **_among(outcomes)},
        )
        return [_run(row) for row in rows]

    def last(self, kind: str, subject: str = "", *, outcomes: Sequence[str] = ()) -> Run | None:
        return next(iter(self.runs(kind, subject, outcomes=outcomes, limit=1)), None)

    def latest(self, kind: str) -> dict[str, Run]:
        rows = self.engine.rows(
            "SELECT * FROM runs WHERE id IN"
            " (SELECT max(id) FROM runs WHERE kind = ? GROUP BY subject) ORDER BY id",
            (kind,),
        )
        return {row["subject"]: _run(row) for row in rows}

    def since(self, kind: str, subject: str) -> datetime | None:
        at = self.engine.value(
            "SELECT at FROM runs WHERE kind = ? AND subject = ? ORDER BY id LIMIT 1",
            (kind, subject),
        )
        return instant_or_none(at)

    def outcomes(self, kind: str, since: datetime) -> dict[str, int]:
        rows = self.engine.rows(
            "SELECT outcome, count(*) AS count FROM runs WHERE kind = ? AND at >= ?"
            " GROUP BY outcome ORDER BY outcome",
            (kind, seconds(since)),
        )
        return {row["outcome"]: row["count"] for row in rows}

    def began(self, kind: str, *, outcomes: Sequence[str] = ()) -> datetime | None:
        at = self.engine.value(
            f"SELECT min(at) FROM runs WHERE kind = :kind AND {_AMONG}",
            {"kind": kind, **_among(outcomes)},
        )
        return instant_or_none(at)

    def around(self, kind: str, subject: str, since: datetime, until: datetime) -> list[Run]:
        rows = self.engine.rows(
            "SELECT * FROM runs WHERE kind = ? AND subject = ? AND at BETWEEN ? AND ? ORDER BY id",
            (kind, subject, seconds(since), seconds(until)),
        )
        return [_run(row) for row in rows]

    def ahead(self, now: datetime) -> Ahead | None:
        row = self.engine.row(
            "SELECT count(*) AS rows, max(at) AS until FROM runs WHERE at > ?", (seconds(now),)
        )
        return Ahead(row["rows"], instant(row["until"])) if row and row["rows"] else None

    def about(self, subject: str) -> list[Run]:
        rows = self.engine.rows("SELECT * FROM runs WHERE subject = ? ORDER BY id", (subject,))
        return [_run(row) for row in rows]

    def strike(self, kind: str, subject: str) -> None:
        self.engine.run("DELETE FROM runs WHERE kind = ? AND subject = ?", (kind, subject))

    def forget(self, before: datetime, kind: str = "") -> None:
        """Drop runs from before an instant, all or those of a kind."""
        self.engine.run(
            "DELETE FROM runs WHERE at < :before AND (:kind = '' OR kind = :kind)",
            {"before": seconds(before), "kind": kind},
        )

    # ------------------------------------------------------------- sources

    def watermark(self, source: str) -> str | None:
        found = self.engine.value("SELECT mark FROM watermarks WHERE source = ?", (source,))
        return str(found) if found is not None else None

    def set_watermark(self, source: str, mark: str, at: datetime) -> None:
        self.engine.run(
            "INSERT INTO watermarks (source, mark, at) VALUES (?, ?, ?)"
            " ON CONFLICT (source) DO UPDATE SET mark = excluded.mark, at = excluded.at",
            (source, mark, seconds(at)),
        )

    def quarantine(self, source: str, rejected: Iterable[Rejected], at: datetime) -> None:
        self.engine.many(
            "INSERT INTO quarantine (source, raw, reason, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            ((source, each.raw, each.reason, seconds(at)) for each in rejected),
        )

    def quarantined(self) -> int:
        return self.engine.count("SELECT count(*) FROM quarantine")

    def slices(self) -> dict[date, Slice]:
        rows = self.engine.rows("SELECT * FROM backfill_slices ORDER BY day")
        return {slice_.day: slice_ for slice_ in map(_slice, rows)}

    def sliced(self, day: date, papers: int, at: datetime) -> None:
        self.engine.run(
            "INSERT INTO backfill_slices (day, papers, took_s, at) VALUES (?, ?, 0, ?)"
            " ON CONFLICT (day) DO UPDATE SET papers = excluded.papers, at = excluded.at",
            (day.isoformat(), papers, seconds(at)),
        )


class SqliteLimiter:
    """Turns at one host, reserved in the database so that every process waits in one queue.

    All instants are real epoch seconds, never a pretended now.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def reserve(self, host: str, gap_s: float, now: float) -> float:
        with self.engine.write():
            turn = self.engine.value(
                "INSERT INTO limiter (host, next_allowed_at) VALUES (:host, :now + :gap)"
                " ON CONFLICT (host) DO UPDATE"
                " SET next_allowed_at = max(next_allowed_at, :now) + :gap"
                " RETURNING next_allowed_at - :gap",
                {"host": host, "gap": gap_s, "now": now},
            )
        return float(turn)

    def pause(self, host: str, until: float, reason: str) -> None:
        self.engine.run(
            "INSERT INTO limiter (host, next_allowed_at, paused_until, reason, pauses)"
            " VALUES (:host, 0, :until, :reason, 1) ON CONFLICT (host) DO UPDATE"
            " SET reason = :reason, pauses = pauses + 1, paused_until = max(:until,"
            "  iif(paused_until <= :until + :longest, paused_until, 0))",
            {"host": host, "until": until, "reason": reason, "longest": LONGEST_PAUSE_S},
        )

    def resumed(self, host: str) -> None:
        self.engine.run(
            "UPDATE limiter SET pauses = 0, paused_until = 0 WHERE host = ? AND pauses > 0",
            (host,),
        )

    def pauses(self, host: str) -> int:
        return self.engine.count("SELECT pauses FROM limiter WHERE host = ?", (host,))

    def paused(self, host: str, now: float) -> Pause | None:
        row = self.engine.row(
            "SELECT paused_until, reason FROM limiter WHERE host = :host"
            " AND paused_until > :now AND paused_until <= :now + :longest",
            {"host": host, "now": now, "longest": LONGEST_PAUSE_S},
        )
        return Pause(row["paused_until"], row["reason"]) if row else None


def _among(outcomes: Sequence[str]) -> dict[str, Any]:
    """What `_AMONG` asks for; no outcomes are all of them."""
    return {"all": not outcomes, "outcomes": list(outcomes)}


def _run(row: dict[str, Any]) -> Run:
    return Run(
        row["kind"], row["subject"], instant(row["at"]), row["outcome"], row["reason"],
        row["papers"], Completeness(row["completeness"]),
    )  # fmt: skip


def _slice(row: dict[str, Any]) -> Slice:
    return Slice(date.fromisoformat(row["day"]), row["papers"], instant(row["at"]))
