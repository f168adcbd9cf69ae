"""A clock that was ahead for a while: nothing is silent until the day that it showed."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app import backups
from bot.app.doctor.examination import examine
from bot.app.doctor.findings import State
from bot.app.rotation import back_up_if_due
from bot.app.service import alerts
from bot.app.service.looks import looks
from bot.app.service.setback import set_back
from tests.app.house import ADA, ByHand, about, follow, send, told

TRUE_NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)  # a Tuesday
FALSE_NOON = TRUE_NOON + timedelta(days=48)


@pytest.fixture(autouse=True)
def ahead(rooms, clock):
    """The service ran for a moment while the clock showed a day in January; now it is right."""
    clock.set(TRUE_NOON - timedelta(days=1))
    read_all(rooms, clock, 1)
    follow(rooms)
    told(rooms, ADA, "digest daily 9:00")
    clock.set(FALSE_NOON)
    read_all(rooms, clock, 2)
    rooms.core.prepare()
    back_up_if_due(rooms)
    clock.set(TRUE_NOON)


def read_all(rooms, clock, number: int) -> None:
    for name in ("arxiv", "rss", "oai"):
        source = ByHand(name)
        source.announce(about(number, clock()))
        rooms.core.ingest(source)


def due(rooms, clock) -> list[str]:
    return [look.name for look in looks(rooms, clock()) if look.due_at <= clock()]


def test_arxiv_is_read_again_at_once(rooms, clock):
    assert due(rooms, clock) == []
    set_back(rooms)

    assert due(rooms, clock) == ["arxiv", "rss", "oai"]


async def test_digests_come_when_they_are_next_due(rooms, mailbox, clock):
    set_back(rooms)
    await send(rooms)
    clock.forward(hours=20)
    read_all(rooms, clock, 3)
    clock.forward(hours=2)

    assert await send(rooms) == 1
    assert b"part 3" in mailbox.arrived[-1][1]


async def test_what_waited_for_the_day_that_the_clock_showed_goes_now(rooms, mailbox):
    """A delivery composed while it was ahead."""
    assert await send(rooms) == 0
    set_back(rooms)

    assert await send(rooms) == 1


async def test_what_was_composed_when_a_mute_seemed_to_be_over_is_kept_back(rooms, mailbox, clock):
    set_back(rooms)
    told(rooms, ADA, "mute world models for 30d")
    await send(rooms)
    clock.set(FALSE_NOON)  # the mute would be over by then
    read_all(rooms, clock, 3)
    assert rooms.core.prepare().queued == 1
    clock.set(TRUE_NOON + timedelta(hours=1))
    set_back(rooms)

    assert await send(rooms) == 0
    assert mailbox.arrived == []


def test_a_backup_is_made_a_day_later_and_is_the_latest(rooms, clock):
    set_back(rooms)
    clock.forward(hours=25)
    assert back_up_if_due(rooms)

    latest, before = backups.kept(rooms.config.data)
    assert latest.name == "2026-11-25T130000Z"
    assert before.name == "2026-11-24T120000Z"


def test_it_is_said_before_it_is_mended_and_for_a_day_after(rooms, clock):
    (said,) = [each for each in rooms.core.standing().troubles if "ahead until" in each]
    assert "2027-01-11 12:00 UTC" in said
    set_back(rooms)
    assert "set back" in rooms.core.standing().clock
    assert "clock" in {each.key for each in alerts.concerns(rooms)}
    checks = {check.name: check.state for check in examine(rooms, others=False)}
    assert checks["records"] is State.WARN

    clock.forward(days=2)
    assert not rooms.core.standing().clock


def test_a_restore_by_a_clock_that_was_ahead_waits_for_no_look_of_that_day(rooms, clock):
    rooms.store.ledger.set_watermark("restored", FALSE_NOON.isoformat(), FALSE_NOON)
    set_back(rooms)
    clock.forward(minutes=1)
    read_all(rooms, clock, 4)

    assert not rooms.core.standing().recovering


def test_what_is_in_its_place_is_left_there(rooms, clock):
    assert set_back(rooms)
    read_all(rooms, clock, 5)

    assert not set_back(rooms)
    assert due(rooms, clock) == []
