"""What Prometheus reads.  Names begin with ``paperround_``; no label names a subscriber.

What happened since the start is counted as it happens; how things stand is asked of the database
when someone looks.
"""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Summary,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot import __version__
from bot.core import Event
from bot.model import Clock
from bot.store import READ_TO_THE_END, Outcome
from bot.store.sqlite import SqliteStore

LATE_S = (1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400)
QUICK_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)


class Metrics:
    """Counts events and describes the database."""

    def __init__(self, store: SqliteStore, clock: Clock) -> None:
        # A second series for each counter, which nobody reads.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self._made: dict[str, Any] = {}
        for kind, name, words, labels, more in _COUNTED:
            self._made[name] = kind(
                f"paperround_{name}", words, labels, registry=self.registry, **more
            )
        self["build_info"].labels(
            __version__, store.engine.sqlite_version, platform.python_version()
        ).set(1)
        self.registry.register(_Stored(store, clock))
        store.engine.on_write = self["db_write_seconds"].observe
        store.engine.on_busy = self["db_busy_total"].inc

    def __getitem__(self, name: str) -> Any:
        """A metric by its name without the prefix."""
        return self._made[name]

    def text(self) -> bytes:
        """All of them in Prometheus's text format."""
        return generate_latest(self.registry)

    def witness(self, event: Event) -> None:
        """Count an event."""
        if count := _EVENTS.get(event.what):
            count(self, event)

    def ticked(self, tick: str, at: datetime, *, failed: bool) -> None:
        """A tick of the clockwork came to its end."""
        self["tick_last_run_timestamp_seconds"].labels(tick).set(at.timestamp())
        if failed:
            self["tick_failures_total"].labels(tick).inc()

    def slept(self, seconds: float) -> None:
        """A request to arXiv waited for its turn."""
        self["throttle_wait_seconds"].labels("arxiv.org").observe(seconds)

    def _poll(self, event: Event) -> None:
        facts = event.facts
        source = str(facts["source"])
        self["poll_requests_total"].labels(source, event.outcome).inc()
        self["papers_ingested_total"].labels("new").inc(float(facts["fresh"]))
        self["papers_ingested_total"].labels("update").inc(float(facts["changed"]))
        self["feed_entries_rejected_total"].labels(source).inc(float(facts["rejected"]))
        self["matches_total"].inc(float(facts["matched"]))

    def _match(self, event: Event) -> None:
        self["match_duration_seconds"].observe(float(event.facts["took_s"]))

    def _digest(self, event: Event) -> None:
        self["digests_built_total"].labels(str(event.facts["cadence"]), event.outcome).inc()

    def _delivery(self, event: Event) -> None:
        channel = str(event.facts["channel"])
        self["delivery_attempts_total"].labels(channel, event.outcome).inc()
        if event.outcome == "sent" and event.facts.get("page") == 0:
            late = max(float(event.facts["late_s"]), 0.0)
            self["delivery_latency_seconds"].labels(channel).observe(late)
        if event.outcome == "unknown":
            self["delivery_ambiguous_total"].labels(channel).inc()
        if channel == "slack" and "ratelimited" in str(event.facts.get("reported", "")):
            self["slack_rate_limited_total"].labels("chat.postMessage").inc()

    def _leave(self, event: Event) -> None:
        self["unsubscribes_total"].labels(event.outcome).inc()


_EVENTS: dict[str, Callable[[Metrics, Event], None]] = {
    "poll": Metrics._poll,
    "match": Metrics._match,
    "digest": Metrics._digest,
    "delivery": Metrics._delivery,
    "leave": Metrics._leave,
}

_COUNTED: tuple[tuple[type, str, str, tuple[str, ...], dict[str, Any]], ...] = (
    (Counter, "poll_requests_total", "Looks at a source", ("source", "result"), {}),
    (Counter, "papers_ingested_total", "Papers stored or brought up to date", ("kind",), {}),
    (Counter, "feed_entries_rejected_total", "Entries set aside", ("source",), {}),
    (Histogram, "match_duration_seconds", "Matching a batch of papers", (), {"buckets": QUICK_S}),
    (Counter, "matches_total", "Papers found to belong to a topic", (), {}),
    (Counter, "digests_built_total", "Due digests decided", ("cadence", "result"), {}),
    (Counter, "delivery_attempts_total", "Pages handed over", ("channel", "outcome"), {}),
    (Histogram, "delivery_latency_seconds", "From due to accepted", ("channel",),
     {"buckets": LATE_S}),
    (Counter, "delivery_ambiguous_total", "Attempts of unknown outcome", ("channel",), {}),
    (Counter, "unsubscribes_total", "Digests stopped by their readers", ("source",), {}),
    (Counter, "slack_rate_limited_total", "Slack asked for patience", ("method",), {}),
    (Summary, "throttle_wait_seconds", "Waiting for a turn at a host", ("key",), {}),
    (Counter, "tick_failures_total", "Ticks that failed", ("tick",), {}),
    (Gauge, "tick_last_run_timestamp_seconds", "When a tick last ended", ("tick",), {}),
    (Histogram, "db_write_seconds", "Write transactions", (), {"buckets": QUICK_S}),
    (Counter, "db_busy_total", "Writes that found the database locked", (), {}),
    (Counter, "clock_jump_total", "Times the system's clock was set", (), {}),
    (Gauge, "line_connected", "Whether the line of Socket Mode stands", ("channel",), {}),
    (Gauge, "build_info", "What runs", ("version", "sqlite", "python"), {}),
)  # fmt: skip


class _Stored(Collector):
    """How things stand in the database, asked when someone looks."""

    def __init__(self, store: SqliteStore, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def describe(self) -> Iterable[Metric]:
        """Nothing beforehand: the database is not read when this is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The gauges of this moment."""
        now = self.clock()
        yield from self._outbox(now)
        yield from self._ledger()
        yield _gauge("papers", "Papers stored", self.store.papers.count())
        yield _gauge(
            "suppressed_addresses", "Addresses never to mail", self.store.people.suppressions()
        )
        places = {(each.channel, each.state): each.count for each in self.store.people.census()}
        yield _labelled("destinations", "Ways to reach people", ("channel", "state"), places)
        sizes = {(name,): size for name, size in self.store.engine.sizes().items()}
        yield _labelled("db_size_bytes", "Size of the database", ("file",), sizes)

    def _outbox(self, now: datetime) -> Iterator[Metric]:
        rows = {(each.state, each.channel): each.count for each in self.store.outbox.census()}
        yield _labelled("outbox_rows", "Deliveries not sent", ("state", "channel"), rows)
        ages = {
            (each.channel,): max((now - each.oldest_due_at).total_seconds(), 0.0)
            for each in self.store.outbox.waiting(now)
        }
        yield _labelled(
            "outbox_oldest_due_age_seconds", "How late the oldest delivery is", ("channel",), ages
        )

    def _ledger(self) -> Iterator[Metric]:
        latest = {
            (source,): run.at.timestamp()
            for source in ("arxiv", "rss", "oai")
            if (run := self.store.ledger.last("poll", source, outcomes=READ_TO_THE_END))
        }
        yield _labelled(
            "poll_last_success_timestamp_seconds", "When a source was last read to its end",
            ("source",), latest,
        )  # fmt: skip
        backup = self.store.ledger.last("backup", outcomes=(Outcome.DONE,))
        at = backup.at.timestamp() if backup else 0.0
        yield _gauge("backup_last_success_timestamp_seconds", "When the last backup was made", at)


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"paperround_{name}", words, value=value)


def _labelled(
    name: str, words: str, labels: tuple[str, ...], values: Mapping[Any, Any]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"paperround_{name}", words, labels=labels)
    for labels_, value in values.items():
        family.add_metric(labels_, value)
    return family
