"""What the service knows about itself: for /healthz, /readyz and /metrics."""

from typing import TYPE_CHECKING

from bot import __version__
from bot.app.service.clockwork import Service
from bot.app.service.pulse import STILL_S
from bot.app.wiring import Rooms
from bot.core.pipeline.standing import Standing
from bot.store import Run

if TYPE_CHECKING:
    from bot.slack_app import Socket, SocketState


class Vitals:
    """Keeps the contract of `bot.web.health`."""

    def __init__(self, rooms: Rooms, service: Service, slack: "Socket | None" = None) -> None:
        self.rooms = rooms
        self.service = service
        self.slack = slack

    def alive(self) -> str:
        """Why this process should be started anew, or ""."""
        still = self.service.pulse.still_s()
        return f"the clockwork has stood still for {still:.0f} s" if still > STILL_S else ""

    def ready(self) -> str:
        """Why nobody should be sent here now, or ""."""
        if self.service.stopping.is_set():
            return "stopping"
        why = self.service.writing.look()
        return f"the database cannot be written: {why}" if why else ""

    def standing(self) -> dict[str, object]:
        """How everything stands, in words and numbers that JSON knows."""
        standing, why = self.rooms.core.standing(), self.service.writing.why
        said = {"version": __version__, **told(standing)}
        if why:
            said["troubles"] = [f"The database cannot be written: {why}.", *standing.troubles]
        return {**said, "slack": _line(self.slack.state)} if self.slack else said

    def metrics(self) -> bytes:
        """All counters in Prometheus's text format."""
        return self.rooms.metrics.text()


def told(now: Standing) -> dict[str, object]:
    """How everything stands; names channels and counts, no person."""
    return {
        "now": now.now.isoformat(),
        "arxiv": {
            "last_look": _run(now.last_poll),
            "last_new": _run(now.last_new),
            "sources": [_run(run) for run in now.sources],
            "recovering": now.recovering,
            "silence": now.silence.reason.value,
            "sentence": now.silence.sentence,
            "missed": now.silence.missed,
            "paused_until": now.paused_until.isoformat() if now.paused_until else None,
            "paused_why": now.paused_why,
        },
        "channels": [
            {"channel": each.channel, "waiting": each.deliveries,
             "oldest_due_at": each.oldest_due_at.isoformat(), "trouble": each.error}
            for each in now.waiting
        ],
        "digests": {
            "next_due_at": now.next_due_at.isoformat() if now.next_due_at else None,
            "next_due": now.next_due_count,
            "overdue": now.overdue,
            "last_day": dict(now.decided),
            "held": now.held,
            "failed": now.failed,
            "destinations_paused": len(now.paused),
        },
        "papers": now.papers,
        "set_aside": now.quarantined,
        "clock": now.clock,
        "troubles": list(now.troubles),
    }  # fmt: skip


def _line(state: "SocketState") -> dict[str, object]:
    """How the line to Slack stands; more than one connection means ghosts that swallow events."""
    heard = state.last_heard_at
    return {
        "connected": state.connected,
        "since": state.since.isoformat() if state.since else None,
        "last_heard_at": heard.isoformat() if heard else None,
        "connections": state.connections,
        "rebuilt": state.rebuilt,
        "trouble": state.trouble,
    }


def _run(run: Run | None) -> dict[str, object] | None:
    if run is None:
        return None
    return {"source": run.subject, "at": run.at.isoformat(), "outcome": run.outcome,
            "reason": run.reason, "papers": run.papers}  # fmt: skip
