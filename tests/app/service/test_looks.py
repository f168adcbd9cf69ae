"""When which source is read."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app.service.looks import looks
from bot.core.pipeline.papers.news import begin
from bot.core.pipeline.recovering import mark_restored
from bot.model import Completeness, utc_now
from bot.sources import SourceFault
from tests.app.house import ByHand, about, follow


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


TUESDAY_NOON = at("2026-11-24 12:00")  # 07:00 in New York; Monday's mailing is in


def due(rooms, clock) -> list[str]:
    return [look.name for look in looks(rooms, clock()) if look.due_at <= clock()]


def read(rooms, name, *papers, completeness=Completeness.WHOLE, trouble=None):
    source = ByHand(name)
    source.completeness = completeness
    source.announce(*papers)
    if trouble:
        source.fail(trouble)
    rooms.core.ingest(source)


@pytest.fixture
def all_read(rooms, clock):
    clock.set(TUESDAY_NOON)
    read(rooms, "arxiv", about(1, clock()))
    read(rooms, "rss")
    read(rooms, "oai")


def test_a_new_installation_reads_all_three_and_the_api_first(rooms, clock):
    clock.set(TUESDAY_NOON)

    assert due(rooms, clock) == ["arxiv", "rss", "oai"]


def test_after_a_good_night_nothing_is_asked_until_the_next_mailing(rooms, clock, all_read):
    clock.set(at("2026-11-25 05:00"))  # midnight in New York: mailed, and not yet to be asked

    assert due(rooms, clock) == []


def test_the_next_night_brings_all_three_again(rooms, clock, all_read):
    clock.set(at("2026-11-25 08:30"))

    assert due(rooms, clock) == ["arxiv", "rss", "oai"]


def test_nothing_is_asked_twice_at_the_weekend(rooms, clock, all_read):
    clock.set(at("2026-11-27 12:00"))
    for name in ("arxiv", "rss", "oai"):
        read(rooms, name, about(2, clock()))
    clock.set(at("2026-11-29 12:00"))  # Sunday: nothing was mailed on Friday and Saturday

    assert due(rooms, clock) == []


def test_after_a_restore_arxiv_is_asked_at_once_since_every_digest_waits_for_that(
    rooms, clock, all_read
):
    clock.set(at("2026-11-28 12:00"))  # Saturday; all was read on Friday, and is not in the backup
    read(rooms, "arxiv", about(2, clock()))
    clock.forward(hours=1)
    mark_restored(rooms.store, clock() - timedelta(days=1), clock(), {})
    assert "arxiv" in due(rooms, clock)

    read(rooms, "arxiv", trouble=SourceFault.TRANSIENT)
    assert "arxiv" not in due(rooms, clock), "not again within a quarter of an hour"
    clock.forward(minutes=15)
    assert "arxiv" in due(rooms, clock)

    read(rooms, "arxiv")
    clock.forward(hours=2)
    assert "arxiv" not in due(rooms, clock)


def test_where_the_listing_showed_the_batch_first_one_more_look_is_enough(rooms, clock, all_read):
    clock.set(at("2026-11-25 08:30"))
    read(rooms, "arxiv", trouble=SourceFault.TRANSIENT)
    read(rooms, "rss", about(2, clock()))
    clock.forward(hours=1)
    assert "arxiv" in due(rooms, clock)

    read(rooms, "arxiv")
    clock.forward(hours=5)
    assert "arxiv" not in due(rooms, clock)


def test_what_was_read_in_part_is_read_again_in_an_hour_and_not_for_ever(rooms, clock, all_read):
    for again in (True, True, True, False):
        read(rooms, "arxiv", about(clock().hour, clock()), completeness=Completeness.PART)
        clock.forward(minutes=65)
        assert ("arxiv" in due(rooms, clock)) is again


@pytest.mark.parametrize("name", ["rss", "oai"])
def test_a_source_that_failed_is_asked_again_after_an_hour(rooms, clock, all_read, name):
    read(rooms, name, trouble=SourceFault.TRANSIENT)
    clock.forward(minutes=50)
    assert due(rooms, clock) == []

    clock.forward(minutes=20)
    assert due(rooms, clock) == [name]


def test_a_listing_of_yesterday_is_looked_at_again_and_not_all_day(rooms, clock, all_read):
    read(rooms, "rss", completeness=Completeness.STALE)
    clock.forward(hours=1)
    assert due(rooms, clock) == ["rss"]

    clock.set(at("2026-11-24 20:00"))
    read(rooms, "rss", completeness=Completeness.STALE)
    clock.forward(hours=1)
    assert due(rooms, clock) == []


def test_a_long_harvest_goes_on_in_an_hour(rooms, clock, all_read):
    read(rooms, "oai", completeness=Completeness.PART)
    clock.forward(hours=1)

    assert due(rooms, clock) == ["oai"]


def test_while_arxiv_wants_to_be_left_alone_nothing_is_asked(rooms, clock):
    clock.set(TUESDAY_NOON)
    until = utc_now().timestamp() + 1800
    rooms.store.turns.pause("arxiv.org", until, "arXiv asked for fewer requests (429)")
    assert due(rooms, clock) == []
    now = rooms.core.standing()
    assert (now.paused_until.timestamp(), now.paused_why) == (
        pytest.approx(until, abs=1), "arXiv asked for fewer requests (429)",
    )  # fmt: skip

    clock.forward(minutes=20)
    soonest = min(look.due_at for look in looks(rooms, clock()))
    assert timedelta(minutes=29) < soonest - clock() <= timedelta(minutes=30)


def test_a_rate_limit_that_has_passed_is_followed_by_a_try(rooms, clock, all_read):
    read(rooms, "arxiv", trouble=SourceFault.RATE_LIMITED)
    clock.forward(minutes=16)

    assert due(rooms, clock) == ["arxiv"]


def test_what_a_topic_of_another_field_needs_is_read_at_once(rooms, clock, all_read):
    begin(rooms.core.house, rooms.polled())
    assert "past" not in due(rooms, clock)

    follow(rooms, what="dark matter halos")
    assert due(rooms, clock) == ["past"]

    read(rooms, "past", trouble=SourceFault.TRANSIENT)
    assert due(rooms, clock) == []
    clock.forward(hours=1)
    assert due(rooms, clock) == ["past"]

    begin(rooms.core.house, rooms.polled())
    assert due(rooms, clock) == []


def test_over_a_long_holiday_oai_is_not_silent_but_not_asked(rooms, clock, all_read):
    clock.set(at("2026-12-31 12:00"))  # the next mailing is on 3 January
    read(rooms, "oai")
    clock.set(at("2027-01-04 09:00"))
    assert "sweep" not in due(rooms, clock)

    read(rooms, "oai", trouble=SourceFault.TRANSIENT)
    assert "sweep" not in due(rooms, clock)


def test_the_batch_that_was_there_at_first_is_not_waited_for(rooms, clock):
    clock.set(TUESDAY_NOON)
    read(rooms, "arxiv")  # the past, which is no news
    clock.forward(hours=2)
    assert "arxiv" not in due(rooms, clock)

    clock.set(at("2026-11-25 08:30"))
    assert "arxiv" in due(rooms, clock)


def test_an_api_that_is_down_for_long_is_asked_less_often(rooms, clock, all_read):
    clock.set(at("2026-11-25 08:30"))
    for _ in range(4):
        read(rooms, "arxiv", trouble=SourceFault.TRANSIENT)
        clock.forward(minutes=20)
    assert "arxiv" not in due(rooms, clock)

    clock.forward(minutes=45)
    assert "arxiv" in due(rooms, clock)


def test_where_oai_is_silent_for_days_the_api_sweeps_once_a_week(rooms, clock, all_read):
    for _ in range(5):
        clock.forward(days=1)
        read(rooms, "oai", trouble=SourceFault.TRANSIENT)
    assert "sweep" in due(rooms, clock)

    read(rooms, "sweep")
    clock.forward(days=1)
    assert "sweep" not in due(rooms, clock)

    clock.forward(days=7)
    assert "sweep" in due(rooms, clock)
