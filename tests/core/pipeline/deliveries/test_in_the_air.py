"""What is decided while a message is in the air stays true, whatever answer comes back."""

import asyncio
from datetime import timedelta

import pytest

from bot.channels import ChannelError, Fault
from bot.core.pipeline.deliveries import queueing
from bot.core.pipeline.deliveries.refusing import Closed
from bot.model import DeliveryState
from tests.core.conftest import TUESDAY, World

EIGHT = TUESDAY + timedelta(hours=1)
LATER = ChannelError("451 greylisted, try again", Fault.RETRY)
LOST = ChannelError("the connection broke", Fault.UNKNOWN)


@pytest.fixture
def daily(world):
    world.say("digest daily 8")
    world.say("follow tides")
    world.say("follow gulls")
    return world


@pytest.fixture
def box(daily):
    return daily.inboxes["console"]


def number(world):
    (waiting,) = world.store.outbox.queue([DeliveryState.PENDING, DeliveryState.SENDING])
    return waiting.delivery.id


def cancel(world, *, give_back):
    return lambda: queueing.cancel(world.core.house, [number(world)], give_back=give_back)


def the_days_after(world, days=3):
    for day in range(1, days + 1):
        world.morning(EIGHT + timedelta(days=day))


def test_what_is_cancelled_in_the_air_and_not_taken_is_never_sent(daily, box):
    daily.announce("The tide")
    box.meanwhile = [cancel(daily, give_back=False)]
    box.refusals = [LATER]
    daily.morning(EIGHT)
    the_days_after(daily)

    assert daily.got() == []
    assert daily.states() == ["skipped"]


def test_given_back_in_the_air_and_not_taken_it_comes_once_with_the_next_digest(daily, box):
    ids = daily.announce("The tide")
    box.meanwhile = [cancel(daily, give_back=True)]
    box.refusals = [LATER]
    daily.morning(EIGHT)
    the_days_after(daily)

    assert daily.got() == ids
    assert daily.states() == ["skipped", "sent"]


@pytest.mark.parametrize("fault", [Fault.RETRY, Fault.ADDRESS, Fault.CONTENT, Fault.RECIPIENT])
def test_what_was_decided_comes_before_what_a_refusal_would_mean(daily, box, fault):
    """It waited for days, and would be given up and its papers given back."""
    daily.announce("The tide")
    daily.prepare(EIGHT)
    daily.clock.forward(days=6)
    daily.store.engine.run("UPDATE deliveries SET stale_at = stale_at * 2")
    box.meanwhile = [cancel(daily, give_back=False)]
    box.refusals = [ChannelError("452 mailbox full", fault)]
    daily.deliver()
    daily.say("resume 1")
    the_days_after(daily, 9)

    assert daily.got() == []
    assert daily.states() == ["skipped"]


@pytest.mark.parametrize("give_back", [True, False])
def test_what_was_taken_is_told_though_it_was_cancelled_in_the_air(daily, box, give_back):
    ids = daily.announce("The tide")
    box.meanwhile = [cancel(daily, give_back=give_back)]
    daily.morning(EIGHT)
    the_days_after(daily)

    assert daily.got() == ids
    assert daily.states() == ["sent"]


def test_given_back_in_the_air_and_its_answer_lost_it_waits_for_somebody_to_look(daily, box):
    ids = daily.announce("The tide")
    box.meanwhile = [cancel(daily, give_back=True)]
    box.lost_answers = 1
    daily.morning(EIGHT)
    the_days_after(daily)

    assert daily.got() == ids
    assert daily.states() == ["held"]


def test_of_several_pages_those_behind_the_one_in_the_air_are_not_sent(daily, box):
    ids = daily.announce(*(f"The tide {n}" for n in range(5)))
    box.meanwhile = [cancel(daily, give_back=True)]
    daily.morning(EIGHT)
    first = daily.got()
    the_days_after(daily, 1)

    assert len(first) == 3
    assert sorted(daily.got()) == ids
    assert len(box.arrived) == 2


@pytest.mark.parametrize("answer", [LATER, LOST, ChannelError("closed", Fault.CHANNEL)])
def test_what_is_held_in_the_air_stays_held_until_it_is_let_go(daily, box, answer):
    ids = daily.announce("The tide")
    box.meanwhile = [lambda: queueing.hold(daily.core.house)]
    box.refusals = [answer]
    daily.morning(EIGHT)
    the_days_after(daily)
    kept = daily.got()
    queueing.retry(daily.core.house, [1])
    daily.deliver()

    assert kept == []
    assert daily.got() == ids


def test_what_is_held_in_the_air_and_let_go_again_before_its_answer_is_sent_once(daily, box):
    ids = daily.announce("The tide")

    def held_and_let_go():
        assert queueing.hold(daily.core.house) == queueing.Decided(0, 1)
        assert queueing.retry(daily.core.house, [1]) == 1
        daily.inboxes["console"].refusals = []
        assert daily.core.house.store.outbox.claim("console", daily.clock(), 60) is None

    box.meanwhile = [held_and_let_go]
    daily.morning(EIGHT)

    assert daily.got() == ids
    assert daily.states() == ["sent"]


def test_what_a_dead_process_was_sending_is_cancelled_all_the_same(daily, box):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    with daily.store.write():
        daily.store.outbox.claim("console", EIGHT, 60)
    cancel(daily, give_back=False)()
    daily.core.recover()
    daily.deliver()

    assert daily.got() == []
    assert daily.states() == ["skipped"]


def died_in_the_air(daily, times):
    for _ in range(times):
        with daily.store.write():
            assert daily.store.outbox.claim("console", daily.clock(), 60)
        daily.core.recover()
        daily.clock.forward(hours=5)


def reason(daily):
    (line,) = daily.store.outbox.queue(list(DeliveryState))
    return line.delivery.error


def test_what_processes_died_with_is_held_with_that_reason(daily):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    died_in_the_air(daily, 3)
    daily.deliver()

    assert daily.states() == ["held"]
    assert "3 attempts ended without an answer: Paperround ended while it was" in reason(daily)


def test_what_claims_lapsed_with_is_held_with_that_reason(daily):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    for _ in range(3):
        with daily.store.write():
            assert daily.store.outbox.claim("console", daily.clock(), 60)
        daily.clock.forward(hours=1)
    daily.deliver()

    assert daily.states() == ["held"]
    assert "3 attempts ended without an answer: it was being sent for so long" in reason(daily)


def test_what_was_decided_of_it_is_told_before_a_death(daily):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    with daily.store.write():
        daily.store.outbox.claim("console", EIGHT, 60)
    queueing.hold(daily.core.house)
    decided = reason(daily)
    daily.core.recover()

    assert reason(daily) == decided != ""


# ------------------------------------------------------ what surely did not arrive


@pytest.fixture
def asked(box):
    """An inbox that can be asked what it took."""
    box.remembers = True
    return box


def lost(daily, box, times):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    box.refusals = [LOST] * times
    for _ in range(times):
        daily.deliver()
        daily.clock.forward(hours=5)


def test_what_surely_did_not_arrive_is_sent_until_it_does(daily, asked):
    lost(daily, asked, 6)
    daily.deliver()

    assert len(daily.got()) == 1
    assert daily.states() == ["sent"]


def test_and_given_back_it_comes_with_the_next_digest_unlooked_at(daily, asked):
    daily.announce("The tide")
    daily.prepare(EIGHT)
    asked.refusals = [LOST]
    daily.deliver()
    daily.clock.forward(hours=5)
    ask = asked.find

    async def decided_meanwhile(part, since):
        cancel(daily, give_back=True)()
        return await ask(part, since)

    asked.find = decided_meanwhile
    daily.deliver()
    the_days_after(daily, 1)

    assert len(daily.got()) == 1
    assert daily.states() == ["skipped", "sent"]


def test_it_goes_stale_as_what_was_never_tried(daily, asked):
    lost(daily, asked, 1)
    daily.clock.forward(days=60)
    daily.deliver()

    assert daily.states() == ["skipped", "sent"]
    assert len(daily.got()) == 1


def test_a_fault_of_ours_is_looked_at_though_it_surely_did_not_arrive(daily, asked):
    daily.announce("The tide")
    daily.prepare(EIGHT)

    def fault():
        raise KeyError("text")

    asked.meanwhile = [fault] * 9
    for _ in range(5):
        daily.deliver()
        daily.clock.forward(hours=5)

    assert daily.states() == ["held"]
    assert "a fault of ours: KeyError" in reason(daily)


def test_one_that_ends_every_process_leaves_them_time_for_the_others(daily, asked):
    daily.announce("The tide")
    daily.prepare(EIGHT)

    def dies():
        raise KeyboardInterrupt

    for _ in range(2):
        asked.meanwhile = [dies]
        with pytest.raises(KeyboardInterrupt):
            daily.deliver()
        daily.core.recover()
        daily.clock.forward(minutes=1)

    daily.deliver()
    assert daily.states() == ["pending"]
    daily.clock.forward(minutes=10)
    daily.deliver()
    assert daily.states() == ["sent"]


# -------------------------------------------------------------- a claim that lapsed


@pytest.fixture
def other(daily):
    """Another process on the same database."""
    return World(daily.clock, store=daily.store)


def one_at_a_time(world):
    world.prepare(EIGHT)
    asyncio.run(world.core.deliver("console", slots=1))


@pytest.mark.parametrize("fault", list(Fault))
def test_an_answer_that_comes_after_another_has_sent_it_changes_nothing(daily, other, fault):
    """A machine was suspended for an hour with a message in the air."""
    ids = daily.announce("The tide")
    box = daily.inboxes["console"]

    async def suspended(part):
        daily.clock.forward(hours=1)
        await other.core.deliver("console")
        raise ChannelError("451 greylisted, try again", fault)

    box.send = suspended
    one_at_a_time(daily)
    del box.send
    the_days_after(daily)

    assert other.got() == ids
    assert daily.got() == []
    assert daily.states() == ["sent"]


def test_what_arrived_by_a_claim_that_lapsed_is_sent_and_not_sent_again(daily, other):
    ids = daily.announce("The tide")
    box, healthy = daily.inboxes["console"], daily.inboxes["console"].send
    other.inboxes["console"].refusals = [LATER]

    async def suspended(part):
        daily.clock.forward(hours=1)
        await other.core.deliver("console")
        return await healthy(part)

    box.send = suspended
    one_at_a_time(daily)
    the_days_after(other)

    assert daily.got() == ids
    assert other.got() == []
    assert daily.states() == ["sent"]


def test_the_ledger_says_of_an_answer_that_it_came_too_late(daily, other):
    daily.announce("The tide")

    async def suspended(part):
        daily.clock.forward(hours=1)
        await other.core.deliver("console")
        raise LATER

    daily.inboxes["console"].send = suspended
    one_at_a_time(daily)

    (row,) = daily.store.ledger.runs("deliver")
    assert "its claim had lapsed" in row.reason


def test_a_delivery_of_which_nothing_is_left_to_send_is_sent(daily):
    """As an earlier version left some: waiting, with all their pages sent."""
    daily.announce("The tide")
    daily.prepare(EIGHT)
    daily.store.engine.run("UPDATE delivery_parts SET state = 'sent'")

    assert asyncio.run(daily.core.deliver("console")) == 0
    assert daily.states() == ["sent"]


@pytest.mark.parametrize(
    ("deed", "heard"),
    [("mute tides for 2w", ["gulls"]), ("unfollow tides", ["gulls"]), ("digest off", []),
     ("mute all for 2w", [])],
)  # fmt: skip
def test_what_is_silenced_between_two_pages_is_on_no_further_page(daily, box, deed, heard):
    tides = daily.announce(*[f"The tide, part {n}" for n in range(5)])
    gulls = daily.announce(*[f"The gull, part {n}" for n in range(5)])
    box.meanwhile = [lambda: daily.say(deed)]
    daily.morning(EIGHT)
    (first, *_) = box.arrived
    the_days_after(daily, 1)

    later = daily.got()[len(first[1]) :]
    assert len(first[1]) == 3
    assert sorted(later) == sorted(set(gulls if heard else ()) - set(first[1]))
    assert not set(later) & set(tides)


def test_what_lies_behind_a_page_that_came_twice_is_in_no_doubt(daily, box):
    """The answer to page one was lost; it is sent again, and meanwhile a topic is muted."""
    daily.announce(*[f"The tide, part {n}" for n in range(3)])
    gulls = daily.announce(*[f"The gull, part {n}" for n in range(4)])
    box.lost_answers = 1
    daily.morning(EIGHT)
    daily.clock.forward(minutes=5)
    box.meanwhile = [lambda: daily.say("mute tides for 2w")]
    daily.deliver()
    daily.deliver()

    assert "held" not in daily.states()
    assert set(gulls) <= set(daily.got())


def test_what_arrives_in_one_workspace_opens_no_other():
    closed = Closed()
    first = closed.again("slack", "T1:", 0)
    closed.open("slack", "T2:C1")
    assert closed.again("slack", "T1:", 0) > first

    closed.open("slack", "T1:C1")
    assert closed.again("slack", "T1:", 0) == first


def test_what_arrives_in_one_domain_makes_no_other_less_refused():
    closed = Closed()
    for destination in (1, 2):
        assert not closed.to_all("email", "@example.org", destination)
        closed.open("email", "ada@elsewhere.example")
    assert closed.to_all("email", "@example.org", 3)
