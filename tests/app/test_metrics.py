"""What Prometheus reads back."""

from prometheus_client.parser import text_string_to_metric_families

from bot.sources import SourceFault
from tests.app.house import ADA, a_paper_came, about, follow, refused, send


def read(rooms) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by name and labels, as Prometheus's own parser reads it."""
    text = rooms.metrics.text().decode()
    return {
        (
            sample.name.removeprefix("paperround_"),
            tuple(sorted(sample.labels.items())),
        ): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(rooms, name: str, **labels: str) -> float:
    return read(rooms)[name, tuple(sorted(labels.items()))]


def test_a_poll_is_counted_by_source_and_result(rooms, arxiv, clock):
    arxiv.announce(about(1, clock()), about(2, clock()))
    rooms.core.ingest(arxiv)
    arxiv.fail(SourceFault.RATE_LIMITED)
    rooms.core.ingest(arxiv)

    assert value(rooms, "poll_requests_total", source="arxiv", result="new") == 1
    assert value(rooms, "poll_requests_total", source="arxiv", result="rate-limited") == 1
    assert value(rooms, "papers_ingested_total", kind="new") == 2
    assert (
        value(rooms, "poll_last_success_timestamp_seconds", source="arxiv") == clock().timestamp()
    )


async def test_a_delivery_is_counted_with_how_late_it_was(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    rooms.core.prepare()

    assert value(rooms, "outbox_rows", state="pending", channel="email") == 1
    assert value(rooms, "outbox_oldest_due_age_seconds", channel="email") > 0

    await send(rooms)

    assert value(rooms, "delivery_attempts_total", channel="email", outcome="sent") == 1
    assert value(rooms, "delivery_latency_seconds_count", channel="email") == 1
    assert value(rooms, "digests_built_total", cadence="weekly", result="queued") == 1


async def test_refusals_are_counted_by_what_they_mean(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.refusals = [refused()]
    await send(rooms)

    assert value(rooms, "delivery_attempts_total", channel="email", outcome="address") == 1


def test_whoever_leaves_is_counted_by_the_way_they_took(rooms, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=7)
    (mail,) = rooms.store.people.at("email", ADA.external_id)
    rooms.core.redeem(rooms.core.house.links.token("leave", mail.id, mail.epoch), act=True)

    assert value(rooms, "unsubscribes_total", source="link") == 1


def test_nobody_is_named(rooms, arxiv, clock):
    follow(rooms)

    assert ADA.external_id not in rooms.metrics.text().decode()


def test_the_clockwork_and_the_database_are_described(rooms, clock):
    rooms.metrics.ticked("poll", clock(), failed=True)
    rooms.metrics.slept(3.5)

    assert value(rooms, "tick_failures_total", tick="poll") == 1
    assert value(rooms, "throttle_wait_seconds_sum", key="arxiv.org") == 3.5
    assert value(rooms, "db_size_bytes", file="db") > 0
    assert value(rooms, "db_write_seconds_count") > 0
    assert value(rooms, "backup_last_success_timestamp_seconds") == 0


PROMISED = """poll_requests_total poll_last_success_timestamp_seconds papers_ingested_total
    feed_entries_rejected_total match_duration_seconds matches_total digests_built_total
    outbox_rows outbox_oldest_due_age_seconds delivery_attempts_total delivery_latency_seconds
    delivery_ambiguous_total unsubscribes_total suppressed_addresses slack_rate_limited_total
    throttle_wait_seconds tick_failures_total tick_last_run_timestamp_seconds db_write_seconds
    db_busy_total db_size_bytes backup_last_success_timestamp_seconds clock_jump_total
    build_info"""


def test_every_promised_name_is_there(rooms):
    text = rooms.metrics.text().decode()

    missing = [name for name in PROMISED.split() if f"# TYPE paperround_{name} " not in text]
    assert not missing
