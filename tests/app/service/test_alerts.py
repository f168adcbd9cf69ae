"""The operator hears of trouble once, and once when it is over."""

from datetime import UTC, datetime

import pytest

from bot.app import backups
from bot.app.doctor.examination import Check, State, examine
from bot.app.service import alerts
from bot.app.service.ballast import Ballast
from bot.channels import Fault
from bot.config import ConfigError, Operator
from bot.core import Actor
from bot.model import DeliveryState, DestinationState, Identity
from bot.sources import SourceFault
from bot.store import Outcome
from tests.app.house import (
    ADA,
    ByHand,
    a_paper_came,
    about,
    follow,
    open_rooms,
    refused,
    send,
    told,
)

OPS = "ops@example.org"


@pytest.fixture
def opened(tmp_path, clock):
    clock.set(datetime(2026, 11, 24, 12, 0, tzinfo=UTC))  # Tuesday morning in New York
    operator = Operator(alert=f"email:{OPS}", backups=0)
    rooms, mailbox = open_rooms(tmp_path / "data", clock, operator=operator)
    yield rooms, mailbox
    rooms.close()


def keys(rooms, ballast=None) -> set[str]:
    return {each.key for each in alerts.concerns(rooms, ballast)}


def told_of_backups(rooms) -> str:
    (said,) = [each.sentence for each in alerts.concerns(rooms) if each.key == "backup"]
    return said


async def hear(rooms, mailbox) -> list[str]:
    """What the operator is told now."""
    before = len(mailbox.to(OPS))
    alerts.watch(rooms)
    await send(rooms)
    return [raw.decode() for raw in mailbox.to(OPS)[before:]]


async def test_two_announcements_without_a_paper_are_told_once_and_then_that_it_is_well(
    rooms, mailbox, clock, arxiv
):
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    told = []
    for _ in range(12):  # to Monday evening: over Thanksgiving and a weekend
        clock.forward(hours=12)
        arxiv.fail(SourceFault.TRANSIENT, "arXiv answered 503")
        rooms.core.ingest(arxiv)
        told += await hear(rooms, mailbox)

    (letter,) = told
    assert "announcements should have been seen" in letter
    assert "503" in letter

    arxiv.announce(about(2, clock()))
    rooms.core.ingest(arxiv)
    assert await hear(rooms, mailbox) == []
    clock.forward(minutes=20)
    (well,) = await hear(rooms, mailbox)
    assert "well again" in well.lower()
    assert await hear(rooms, mailbox) == []


async def test_an_installation_that_never_saw_a_paper_is_trouble_too(rooms, clock, arxiv):
    for _ in range(5):
        arxiv.fail(SourceFault.TRANSIENT, "arXiv cannot be reached")
        rooms.core.ingest(arxiv)
        clock.forward(days=2)

    (concern,) = alerts.concerns(rooms)
    assert concern.key == "silence"
    assert "cannot be reached" in concern.sentence


async def test_a_weekend_is_no_trouble(rooms, mailbox, clock, arxiv):
    clock.set(datetime(2026, 11, 20, 12, 0, tzinfo=UTC))
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.set(datetime(2026, 11, 23, 1, 0, tzinfo=UTC))

    assert keys(rooms) == set()


async def test_a_digest_an_hour_late_and_a_channel_down_for_a_day(rooms, mailbox, clock, arxiv):
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    due = rooms.store.people.destinations(rooms.store.people.find(ADA))[0].next_due_at
    clock.set(due)
    _read_all(rooms, clock)
    mailbox.closed_for = refused("535 the password is refused", Fault.CHANNEL)
    await send(rooms)
    assert keys(rooms) == set()

    clock.forward(hours=1, minutes=5)
    assert keys(rooms) == {"late email"}

    clock.forward(hours=23)
    _read_all(rooms, clock)
    assert keys(rooms) >= {"late email", "failing email"}

    mailbox.closed_for = None
    clock.forward(minutes=20)
    await send(rooms)
    assert keys(rooms) == set()


async def test_one_who_cannot_be_reached_is_not_a_channel_that_brings_nothing(
    rooms, mailbox, clock, arxiv
):
    for who in (ADA, Identity("email", "", "grace@example.org")):
        follow(rooms, who)
        told(rooms, who, "digest daily 09:00")
    for number in (1, 2):
        arxiv.announce(about(number, clock()))
        rooms.core.ingest(arxiv)
        clock.forward(days=1)
        mailbox.refusals = [refused("452 4.2.2 mailbox full", Fault.RETRY)]
        await send(rooms)
    clock.forward(hours=2)

    assert len(mailbox.arrived) == 2
    assert "late email" in keys(rooms)
    assert "failing email" not in keys(rooms)


async def test_a_digest_that_cannot_be_composed_is_told_while_it_is_tried_again(
    rooms, clock, arxiv, mailbox, monkeypatch
):
    a_paper_came(rooms, arxiv, clock, days=7)

    def broken(digest):
        raise KeyError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(rooms.core.house.channels["email"], "render", broken)
        for _ in range(5):
            await send(rooms)
            assert "composing" in keys(rooms)
            assert rooms.store.people.due(clock()) == [], "it is not tried again at once"
            clock.forward(hours=1, minutes=1)
    [said] = [c.sentence for c in alerts.concerns(rooms) if c.key == "composing"]
    assert said.startswith("1 digest could not be composed: KeyError('a fault of ours')")
    assert said in rooms.core.standing().troubles

    await send(rooms)
    assert mailbox.to("ada@example.org")
    assert "composing" not in keys(rooms)


async def test_what_is_given_up_is_not_well_again_until_the_next_digest_arrives(
    rooms, mailbox, clock, arxiv
):
    a_paper_came(rooms, arxiv, clock, days=6)
    told = []
    for _ in range(30):  # a mailbox that is full for days
        clock.forward(hours=4)
        mailbox.refusals = [refused("452 4.2.2 mailbox full", Fault.RETRY)] * 3
        await send(rooms)
        mailbox.refusals = []
        told += await hear(rooms, mailbox)
        assert "Well again: email" not in "".join(told)
    assert rooms.core.standing().failed == 1

    clock.forward(days=6)
    await send(rooms)
    assert mailbox.to("ada@example.org")
    assert "late email" not in keys(rooms)


async def test_a_destination_that_was_refused_for_a_day_is_named_masked(
    rooms, mailbox, clock, arxiv
):
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.refusals = [refused("550 5.1.1 unknown", suppress=True)]
    await send(rooms)
    clock.forward(hours=25)

    (concern,) = [each for each in alerts.concerns(rooms) if each.key.startswith("paused")]
    assert "a…@example.org" in concern.sentence
    assert "550" in concern.sentence


async def test_who_asks_how_it_stands_hears_what_waits_since_when_and_why(
    rooms, mailbox, clock, arxiv
):
    a_paper_came(rooms, arxiv, clock, days=1)
    clock.set(rooms.store.people.destinations(rooms.store.people.find(ADA))[0].next_due_at)
    _read_all(rooms, clock)
    mailbox.closed_for = refused("535 the password is refused", Fault.CHANNEL)
    await send(rooms)
    clock.forward(hours=1)
    assert rooms.core.standing().troubles == ()

    clock.forward(seconds=1)
    assert rooms.core.standing().troubles == (
        "email: 1 delivery waits since 2026-11-30 09:00 UTC. 535 the password is refused",
    )


async def test_who_asks_how_it_stands_hears_of_one_digest_that_is_late_and_of_one_that_is_held(
    rooms, mailbox, clock, arxiv
):
    a_paper_came(rooms, arxiv, clock, days=7)
    _read_all(rooms, clock)
    late = "1 digest is over an hour late and not yet composed."
    assert late in rooms.core.standing().troubles

    mailbox.refusals = [refused("552 too big", Fault.CONTENT)]
    await send(rooms)
    held = "1 delivery is held; see paperround queue ls --held."
    assert rooms.core.standing().troubles == (held,)


async def test_what_waits_for_a_human_and_a_disk_that_fills_are_told(rooms, clock, arxiv, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    _read_all(rooms, clock)
    mailbox.refusals = [refused("552 too big", Fault.CONTENT)]
    await send(rooms)
    full = Ballast(rooms.config.data, free=lambda _: 10 << 20)

    assert keys(rooms, full) == {"held", "disk"}


def test_a_backup_that_is_there_counts_though_the_ledger_was_restored_from_before_it(
    tmp_path, clock, arxiv
):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    rooms.core.ingest(arxiv)
    clock.forward(hours=30)
    backups.make(rooms.store, rooms.config.data, clock())
    rooms.store.engine.run("DELETE FROM runs WHERE kind = 'backup'")
    clock.forward(hours=10)

    assert "backup" not in keys(rooms)
    rooms.close()


def test_a_day_and_a_half_without_a_backup_is_told_whatever_the_reason(tmp_path, clock, arxiv):
    rooms, _ = open_rooms(tmp_path / "d", clock)
    rooms.core.ingest(arxiv)
    clock.forward(hours=35)
    assert "backup" not in keys(rooms)
    clock.forward(hours=2)
    assert "backup" in keys(rooms)

    backups.make(rooms.store, rooms.config.data, clock())
    assert "backup" not in keys(rooms)
    clock.forward(hours=37)
    assert told_of_backups(rooms).endswith("see paperround doctor")
    rooms.store.ledger.record("backup", "", clock(), Outcome.FAILED, "no room is left")
    assert told_of_backups(rooms).endswith(": no room is left")
    rooms.close()


async def test_what_comes_and_goes_is_told_once(rooms, mailbox, clock):
    low = Ballast(rooms.config.data, free=lambda _: 10 << 20)
    ample = Ballast(rooms.config.data, free=lambda _: 10 << 30)
    told = []
    for minute in range(60):
        alerts.watch(rooms, low if minute % 2 else ample)
        await send(rooms)
        clock.forward(minutes=1)
    assert len(mailbox.to(OPS)) == 1

    for _ in range(20):
        clock.forward(minutes=1)
        told += alerts.watch(rooms, ample)[1]
    assert [each.key for each in told] == ["disk"]


async def test_a_restart_says_nothing_twice(rooms, mailbox, clock, arxiv, tmp_path):
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    raised, _ = alerts.watch(rooms)
    assert raised
    rooms.store.engine.checkpoint()

    again, _ = open_rooms(
        tmp_path / "data", clock, operator=Operator(alert=f"email:{OPS}", backups=0)
    )
    assert alerts.watch(again) == ([], [])
    again.close()


async def test_without_an_operator_it_is_only_written_down(tmp_path, clock, arxiv):
    rooms, mailbox = open_rooms(tmp_path / "d", clock)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)

    raised, _ = alerts.watch(rooms)
    await send(rooms)

    assert raised
    assert rooms.store.ledger.runs("alert")[0].outcome == "raised"
    assert not mailbox.arrived
    rooms.close()


def test_an_operator_in_slack_is_written_to_there(tmp_path, clock, arxiv):
    rooms, _ = open_rooms(tmp_path / "d", clock, operator=Operator(alert="slack:T1:C9"))
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    alerts.watch(rooms)

    (line,) = rooms.store.outbox.queue([DeliveryState.PENDING])
    assert (line.delivery.channel, line.delivery.address) == ("slack", "T1:C9")
    assert rooms.store.people.due(clock()) == [], "it gets no digest"
    rooms.close()


@pytest.mark.parametrize("alert", ["slack:T1:U9", f"email:{OPS}"])
def test_an_operator_who_was_alerted_can_begin_a_digest_of_their_own(tmp_path, clock, arxiv, alert):
    clock.set(datetime(2026, 11, 24, 12, 0, tzinfo=UTC))
    rooms, _ = open_rooms(tmp_path / "d", clock, operator=Operator(alert=alert))
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    assert alerts.watch(rooms)[0]
    rooms.core.execute(Actor(Identity.parse(alert)), "follow world models")

    (own,) = rooms.store.people.destinations(rooms.store.people.everyone()[0])
    assert own.state is DestinationState.ACTIVE
    assert own.next_due_at > clock()
    rooms.close()


async def test_the_doctor_says_where_an_operator_hears_nothing(rooms, mailbox, clock, arxiv):
    def found() -> Check:
        return next(check for check in examine(rooms, others=False) if check.name == "alerts")

    assert found().state is State.OK
    assert OPS not in found().said

    rooms.store.ledger.record("poll", "arxiv", clock(), SourceFault.BLOCKED, "arXiv refuses us")
    mailbox.refusals = [refused("550 5.1.1 no such user", suppress=True)]
    await hear(rooms, mailbox)
    assert found().state is State.BAD
    assert "no such user" in found().said


async def test_the_doctor_says_that_the_last_alert_did_not_arrive(rooms, mailbox, clock, arxiv):
    """As in a conversation of Slack that has another number now: nothing there is kept of it."""
    rooms.store.ledger.record("poll", "arxiv", clock(), SourceFault.BLOCKED, "arXiv refuses us")
    mailbox.refusals = [refused("channel_not_found")]
    await hear(rooms, mailbox)
    (found,) = [check for check in examine(rooms, others=False) if check.name == "alerts"]

    assert found.state is State.BAD
    assert "channel_not_found" in found.said


def test_an_operator_who_cannot_be_reached_is_refused_at_the_start(tmp_path, clock):
    with pytest.raises(ConfigError, match=r"operator\.alert"):
        open_rooms(tmp_path / "d", clock, operator=Operator(alert="ops"))


def _read_all(rooms, clock) -> None:
    source = ByHand()
    source.announce(about(900 + clock().day + clock().hour, clock(), "Something else"))
    rooms.core.ingest(source)
