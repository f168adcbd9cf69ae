"""What becomes of a digest on its way: refused, lost, held, given back."""

import asyncio
from datetime import timedelta

import pytest

from bot.channels import ChannelError, Fault
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState, DestinationState, Identity
from tests.core.conftest import BEA, MONDAY, NEXT_MONDAY
from tests.houses import ADA


def test_a_second_run_sends_nothing(reader):
    ids = reader.announce("The tide")
    reader.morning()
    reader.morning()

    assert reader.got() == ids


def test_a_refusal_for_now_is_tried_again_with_the_same_key(reader):
    box = reader.inboxes["console"]
    box.refusals = [ChannelError("greylisted", Fault.RETRY)] * 2
    ids = reader.announce("The tide")
    reader.morning()
    for _ in range(3):
        reader.clock.forward(minutes=30)
        reader.deliver()

    assert reader.got() == ids
    assert [run.outcome for run in reader.store.ledger.runs("deliver")] == ["retry", "retry"]


def test_an_address_that_is_gone_pauses_alone_and_loses_nothing(reader):
    reader.say("email ada@example.org", operator=True)
    reader.inboxes["console"].refusals = [ChannelError("no such console", Fault.ADDRESS)]
    ids = reader.announce("The tide")
    reader.morning()
    destination = reader.store.people.destinations(1)[0]

    assert (destination.state, destination.reason) == (DestinationState.PAUSED, "no such console")
    assert len([1 for _, _, key in reader.inboxes["email"].arrived if ".paused" in key]) == 1
    reader.say(f"resume {destination.id}")
    reader.morning(NEXT_MONDAY)
    assert reader.got() == ids


def test_a_paused_digest_leaves_a_line_for_every_day_it_was_due(daily):
    [place] = daily.store.people.destinations(1)
    daily.store.people.set_state(place.id, DestinationState.PAUSED, "the mailbox is full")
    for day in range(3):
        daily.morning(MONDAY + timedelta(days=day))

    rows = daily.store.ledger.runs("prepare")
    assert [row.outcome for row in rows] == ["paused"] * 3
    assert rows[0].reason == "the mailbox is full"
    assert rows[0].at - rows[-1].at == timedelta(days=2)


def test_an_address_that_its_server_does_not_know_is_not_mailed_again(reader):
    reader.say("follow tides", BEA, operator=True)
    reader.inboxes["email"].refusals = [
        ChannelError("no such mailbox", Fault.ADDRESS, suppress=True)
    ]
    reader.announce("The tide")
    reader.morning()

    assert reader.store.people.suppressed("bea@example.org") == "no such mailbox"


def test_a_message_that_will_never_be_taken_waits_for_a_human(reader):
    reader.inboxes["console"].refusals = [ChannelError("too large", Fault.CONTENT)]
    reader.announce("The tide")
    reader.morning()
    reader.clock.forward(days=1)
    reader.deliver()

    assert reader.states() == ["held"]
    assert "held" in " ".join(reader.core.standing().troubles)


def test_a_closed_channel_counts_no_attempt_and_holds_back_everyone_on_it(reader):
    reader.say("follow tides", Identity("console", "", "bea"))
    box = reader.inboxes["console"]
    box.refusals = [ChannelError("the relay is down", Fault.CHANNEL)]
    ids = reader.announce("The tide")
    reader.morning()
    tried = len(box.arrived)
    reader.clock.forward(minutes=16)
    reader.deliver()

    assert tried <= 1
    assert reader.got() == ids
    assert {line.delivery.attempts for line in reader.store.outbox.queue(list(DeliveryState))} == {
        0
    }


def test_an_answer_that_was_lost_counts_as_unknown_and_as_no_attempt(reader):
    reader.inboxes["console"].lost_answers = 1
    reader.announce("The tide")
    reader.morning()
    (line,) = reader.store.outbox.queue([DeliveryState.PENDING])

    assert (line.delivery.attempts, line.delivery.unknown) == (0, 1)


def test_a_channel_that_has_worked_again_is_left_alone_as_shortly_as_at_first(reader):
    reader.say("digest daily 09:00")
    box = reader.inboxes["console"]
    told = []
    for day in range(3):
        told += reader.announce(f"The tide of day {day}")
        box.refusals = [ChannelError("the relay is down", Fault.CHANNEL)]
        reader.morning(MONDAY + timedelta(days=day))
        reader.clock.forward(minutes=1, seconds=1)
        reader.deliver()

        assert reader.got() == told


def test_a_fault_of_ours_stops_one_delivery_and_no_other(reader):
    reader.say("follow tides", BEA, operator=True)
    box = reader.inboxes["email"]
    healthy = box.send

    async def broken(part):
        box.send = healthy
        raise TypeError("a fault of ours")

    reader.say("follow tides", Identity("email", "", "cyd@example.org"), operator=True)
    box.send = broken
    ids = reader.announce("The tide")
    reader.morning()

    assert sorted(reader.got(BEA) + reader.got(Identity("email", "", "cyd@example.org"))) == ids
    reader.clock.forward(minutes=5)
    reader.deliver()
    assert reader.got(BEA) == ids


def test_one_that_cannot_be_composed_anew_stands_in_nobodys_way(reader):
    """Both waited too long; only the second one can be composed with today's papers."""
    cyd = Identity("email", "", "cyd@example.org")
    for who in (BEA, cyd):
        reader.say("follow tides", who, operator=True)
    ids = reader.announce("The tide")
    reader.prepare(MONDAY)
    box = reader.inboxes["email"]
    healthy = box.render

    def broken(digest):
        if digest.address == BEA.external_id:
            raise TypeError("a fault of ours")
        return healthy(digest)

    box.render = broken
    reader.clock.forward(days=3)
    reader.deliver()
    (waiting,) = reader.store.outbox.queue([DeliveryState.PENDING])
    (why, *_) = reader.store.ledger.runs("deliver", f"d{waiting.delivery.destination_id}")

    assert reader.got(cyd) == ids
    assert "a fault of ours" in why.reason
    assert "a fault of ours" in waiting.delivery.error
    assert waiting.delivery.try_at == reader.clock() + timedelta(hours=1)
    box.render = healthy
    reader.clock.forward(hours=1)
    reader.deliver()
    assert reader.got(BEA) == ids


def test_given_up_after_days_its_papers_come_with_the_next_digest(reader):
    box = reader.inboxes["console"]
    box.refusals = [ChannelError("mailbox full", Fault.RETRY)] * 60
    ids = reader.announce("The tide")
    reader.morning()
    for _ in range(60):
        reader.clock.forward(hours=3)
        reader.deliver()
    box.refusals = []
    later = reader.announce("A later tide")
    reader.morning(NEXT_MONDAY)

    assert sorted(reader.got()) == sorted([*ids, *later])


def test_what_waited_too_long_is_composed_anew_with_what_came_meanwhile(reader):
    ids = reader.announce("The tide")
    reader.prepare(MONDAY)
    newer = reader.announce("Another tide")
    reader.clock.forward(hours=49)
    reader.deliver()

    assert sorted(reader.got()) == [*ids, *newer]
    assert reader.states() == ["skipped", "sent"]
    keys = [line.key for line in reader.store.outbox.queue(list(DeliveryState))]
    assert keys == ["d1.20261130.0", "d1.20261130.1"]


def test_only_what_was_not_told_is_given_back(reader):
    """Page one of two arrived; then the address is gone.  Page two's papers come again, alone."""
    ids = reader.announce(*(f"The tide {n}" for n in range(5)))
    box = reader.inboxes["console"]
    healthy = box.send

    async def once(part):
        box.send = gone
        return await healthy(part)

    async def gone(part):
        raise ChannelError("no such console", Fault.ADDRESS)

    box.send = once
    reader.morning()
    first = list(reader.got())
    box.send = healthy
    reader.say("resume 1")
    reader.morning(NEXT_MONDAY)

    assert len(first) == 3
    assert sorted(reader.got()) == ids


def test_what_is_given_back_comes_by_any_topic_that_it_matches(reader):
    """It was composed while one of its two topics was not followed; then the other is muted."""
    reader.say("digest daily 8")
    ended = reader.say("unfollow tides")
    ids = reader.announce("The tide and the gull")
    box = reader.inboxes["console"]
    box.refusals = [ChannelError("down", Fault.CHANNEL)] * 9
    reader.morning()
    reader.press(ended, "Undo")
    reader.prepare(MONDAY + timedelta(days=1))
    reader.say("mute gulls for 9d")
    box.refusals = []
    reader.morning(MONDAY + timedelta(days=2))

    assert reader.got() == ids


def test_what_is_given_back_takes_no_other_paper_with_it(reader):
    reader.say("follow tides without survey")
    box = reader.inboxes["console"]
    box.refusals = [ChannelError("mailbox full", Fault.RETRY)] * 60
    ids = reader.announce("The gull", "A survey of the tide")
    reader.morning()
    reader.say("follow tides without nothing")
    reader.say("mute gulls for 1d")
    box.refusals = []
    reader.clock.forward(hours=12)
    reader.deliver()
    reader.say("unmute gulls")
    reader.morning(NEXT_MONDAY)

    assert ids[1] not in reader.got()


def silenced_in_doubt(reader, *titles):
    """What was sent, its answer lost, and then its topic was muted."""
    reader.inboxes["console"].lost_answers = 1
    ids = reader.announce(*titles)
    reader.morning()
    reader.say("mute tides")
    reader.clock.forward(hours=1)
    reader.deliver()
    return ids


def test_after_an_attempt_of_unknown_outcome_nothing_is_composed_anew(reader):
    """It may have arrived: what contradicts a later wish waits for a human, and is not repeated."""
    ids = silenced_in_doubt(reader, "The tide")

    assert reader.got() == ids
    assert reader.states() == ["held"]
    reader.say("unmute tides")
    reader.morning(NEXT_MONDAY)
    assert reader.got() == ids


def test_of_a_digest_in_doubt_only_the_page_in_the_air_is(reader):
    """Five papers on two pages; the answer to page one is lost, and then a topic is muted."""
    box = reader.inboxes["console"]
    box.lost_answers = 1
    ids = reader.announce(*(f"A gull {n}" for n in range(4)), "The tide")
    reader.morning()
    in_doubt = reader.got()
    reader.say("mute tides")
    reader.clock.forward(hours=1)
    reader.deliver()
    rest = {i for i in ids[:4] if i not in in_doubt}

    assert len(in_doubt) == 3
    assert sorted(reader.states()) == ["held", "sent"]
    assert set(reader.got()[3:]) == rest


def test_whoever_looked_may_have_it_told_again(reader):
    ids = silenced_in_doubt(reader, "A gull", "The tide")
    (held,) = [each.delivery.id for each in reader.store.outbox.queue([DeliveryState.HELD])]
    queueing.cancel(reader.core.house, [held], give_back=True)
    reader.morning(NEXT_MONDAY)

    assert reader.got() == [*ids[::-1], ids[0]]


def test_let_go_what_perhaps_arrived_and_was_silenced_is_given_up_and_brings_no_digest(reader):
    """An operator who retries it every morning gets an end, and its reader nothing between."""
    gull, tide = silenced_in_doubt(reader, "A gull", "The tide")
    (held,) = [each.delivery.id for each in reader.store.outbox.queue([DeliveryState.HELD])]
    news = reader.announce("Another gull")
    for day in range(1, 4):
        queueing.retry(reader.core.house, [held] if "held" in reader.states() else [])
        reader.morning(MONDAY + timedelta(days=day))

    assert reader.got() == [tide, gull]
    assert reader.states() == ["failed"]
    end = reader.store.ledger.last("deliver", "d1")
    assert end.outcome == "failed"
    assert end.reason.startswith("given up: perhaps it arrived")
    reader.morning(NEXT_MONDAY)
    assert reader.got() == [tide, gull, *news]

    queueing.retry(reader.core.house, [held])
    reader.morning(NEXT_MONDAY + timedelta(minutes=1))
    assert reader.got() == [tide, gull, *news, gull], "somebody looked"


def test_let_go_after_its_silence_has_ended_it_comes_as_it_was(reader):
    ids = silenced_in_doubt(reader, "The tide")
    reader.say("unmute tides")
    queueing.retry(reader.core.house, [1])
    reader.deliver()

    assert reader.got() == [*ids, *ids]
    assert len({key for _, _, key in reader.inboxes["console"].arrived}) == 1
    assert reader.states() == ["sent"]


def test_who_can_be_asked_is_asked_before_anything_is_judged(reader):
    """The answer was lost and a topic muted; the other side knows what it took: all is clear."""
    box = reader.inboxes["console"]
    box.lost_answers = 1
    ids = reader.announce(*(f"A gull {n}" for n in range(4)), "The tide")
    reader.morning()
    box.remembers = True
    reader.say("mute tides")
    reader.clock.forward(hours=1)
    reader.deliver()

    assert set(reader.got()) <= set(ids)
    assert len(reader.got()) == len(set(reader.got())) >= 4
    assert "held" not in reader.states()


@pytest.mark.parametrize("asked", ["resume 1", "digest on"])
def test_what_perhaps_arrived_waits_for_a_pause_to_end(reader, asked):
    """The answer is lost, then nobody lets us in; once they do, the same message goes again."""
    box = reader.inboxes["console"]
    box.lost_answers = 1
    ids = reader.announce("The tide")
    reader.morning()
    box.refusals = [ChannelError("not in this console", Fault.ADDRESS)]
    for _ in range(3):
        reader.clock.forward(hours=5)
        reader.deliver()
    assert reader.states() == ["pending"]
    assert reader.store.outbox.waiting(reader.clock()) == []

    reader.say(asked)
    reader.clock.forward(hours=5)
    reader.deliver()
    assert reader.got() == [*ids, *ids]
    assert len({key for _, _, key in box.arrived}) == 1


def test_three_attempts_without_an_answer_wait_for_a_human(reader):
    reader.inboxes["console"].lost_answers = 9
    reader.announce("The tide")
    reader.morning()
    for _ in range(9):
        reader.clock.forward(hours=1)
        reader.deliver()

    assert reader.states() == ["held"]
    assert len(reader.got()) == 3


def test_let_go_it_is_tried_once_more_and_waits_again(reader):
    reader.inboxes["console"].lost_answers = 9
    reader.announce("The tide")
    reader.morning()
    for hour in range(12):
        if hour == 6:
            queueing.retry(reader.core.house, [1])
        reader.clock.forward(hours=1)
        reader.deliver()

    assert reader.states() == ["held"]
    assert len(reader.got()) == 4


def test_stopping_claims_nothing_more(reader):
    reader.announce("The tide")
    reader.prepare(MONDAY)
    asyncio.run(reader.core.deliver("console", stop=lambda: True))

    assert reader.states() == ["pending"]


def test_a_test_digest_tells_of_no_paper(reader):
    ids = reader.announce("The tide")
    assert reader.core.send_test(ADA)
    reader.deliver()
    reader.morning()

    assert reader.got() == [*ids, *ids]
    assert reader.core.send_test(BEA) is None


def test_two_tests_of_one_instant_are_two(reader):
    reader.announce("The tide")

    assert reader.core.send_test(ADA) != reader.core.send_test(ADA)


def test_who_cannot_be_reached_somewhere_is_told_in_one_other_place(reader):
    for address in ("ada@example.org", "lab@example.org"):
        reader.say(f"email {address}", operator=True)
    reader.announce("The tide")
    reader.inboxes["console"].refusals = [ChannelError("no such console", Fault.ADDRESS)]
    reader.morning()
    reader.deliver()

    told = [place for place, papers, _ in reader.inboxes["email"].arrived if not papers]
    assert told == ["ada@example.org"]


def test_a_test_goes_where_digests_do(reader):
    (number,) = reader.announce("The tide")
    reader.say("email bea@example.org", operator=True)
    reader.say("digest off")
    reader.say("email bea@example.org", operator=True)
    reader.core.send_test(ADA)
    reader.deliver()

    assert (reader.got(), reader.got(BEA)) == ([], [number])


def test_whoever_has_left_gets_no_test_either(reader):
    reader.announce("The tide")
    reader.say("digest off")

    assert reader.core.send_test(ADA) is None


def test_a_letter_is_not_when_the_last_digest_was_sent(reader):
    reader.announce("The tide")
    reader.morning()
    before = reader.asks("settings")
    reader.clock.forward(minutes=31)
    reader.core.send_test(ADA)
    reader.deliver()

    assert "Last sent Mon 30 Nov 09:00." in before
    assert reader.asks("settings") == before


def test_an_example_shows_the_past_and_tells_nobody(world):
    world.backfill(world.paper("A tide of old"))
    world.say("follow tides")

    assert not world.core.preview(ADA).sections
    example = world.core.preview(ADA, past=True)
    assert [e.paper.title for e in example.entries] == ["A tide of old"]
    assert "none of them counts as told" in example.notes[0]


def test_an_empty_preview_says_of_what_nothing_came(world):
    world.say('follow "zebra crossings"')
    world.say("follow tides")

    assert world.core.preview(ADA).notes == ('No new paper so far on "zebra crossings" and Tides.',)
    example = world.core.preview(ADA, past=True)
    assert example.notes == ('No paper is stored so far on "zebra crossings" and Tides.',)

    world.say("unfollow tides")
    world.say('unfollow "zebra crossings"')
    assert world.core.preview(ADA).notes == ("Nothing is followed.",)


def test_a_test_where_nothing_is_new_shows_a_digest_all_the_same(world):
    world.backfill(world.paper("A tide of old"))
    world.say("follow tides")
    world.core.send_test(ADA)
    world.deliver()

    assert len(world.got()) == 1
    later = world.announce("A tide of today")
    world.morning()
    assert world.got()[1:] == later
