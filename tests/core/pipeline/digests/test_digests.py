"""Composing and sending: one digest for a due morning, once, whatever happens in between."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.channels import ChannelError, Fault
from bot.model import Identity
from tests.core.conftest import BEA, MONDAY, TUESDAY, World
from tests.core.pipeline.conftest import ledger, paper_with_faint_tide


def crowd(world, count):
    people = [Identity("email", "", f"reader{n}@example.org") for n in range(count)]
    for each in people:
        world.say("follow tides", each, operator=True)
    return people


# -------------------------------------------------------------- composing


def test_nothing_comes_before_its_hour(reader):
    reader.announce("The tide")
    reader.morning(MONDAY - timedelta(seconds=1))

    assert reader.got() == []


def test_a_paper_of_two_topics_comes_once_with_both_tags(reader):
    reader.announce("Gulls at the tide")
    digest = reader.digest()

    assert [e.paper.title for e in digest.entries] == ["Gulls at the tide"]
    assert {tag.name for tag in digest.entries[0].tags} == {"Tides", "Gulls"}


def test_a_preview_records_nothing(reader):
    ids = reader.announce("The tide")
    reader.digest()
    reader.morning()

    assert reader.got() == ids


def test_what_a_reader_follows_is_asked_for_once_a_digest(reader):
    asked = []
    reader.announce("Gulls at the tide", "The tide")
    with reader.store.write(), reader.store.engine.connection() as db:
        db.conn.set_trace_callback(asked.append)
        reader.prepare(MONDAY)
        db.conn.set_trace_callback(None)

    assert sum("FROM follows WHERE subscriber_id" in each for each in asked) == 1
    assert sum("FROM mutes WHERE subscriber_id" in each for each in asked) == 1


def test_after_days_of_silence_one_digest_comes_not_many(world):
    world.say("digest daily 8")
    world.say("follow tides")
    world.announce("The tide")
    world.morning(MONDAY + timedelta(days=5, hours=3))
    world.morning(MONDAY + timedelta(days=5, hours=4))

    assert world.states() == ["sent"]


def days_without_the_relay(world, days):
    """A paper a day, and a mail relay that answers nobody; what arXiv listed."""
    box, listed = world.inboxes["console"], []
    for day in range(days):
        box.refusals = [ChannelError("the relay is down", Fault.CHANNEL)] * 9
        listed += world.announce(f"The tide {day}")
        world.morning(MONDAY + timedelta(days=day))
    box.refusals = []
    return listed


def test_after_days_of_a_silent_channel_one_digest_comes_not_many(daily):
    ids = days_without_the_relay(daily, 3)
    waiting = daily.states()
    daily.clock.forward(hours=1)
    daily.deliver()

    assert waiting == ["skipped", "skipped", "pending"]
    assert len(daily.inboxes["console"].arrived) == 1
    assert sorted(daily.got()) == ids


def test_the_operator_sees_since_when_readers_wait(daily):
    days_without_the_relay(daily, 3)

    (waiting,) = daily.core.standing().waiting
    assert waiting.deliveries == 1
    assert waiting.oldest_due_at == TUESDAY.replace(hour=8)


def test_what_waits_comes_with_the_one_that_is_asked_for_now(daily):
    ids = days_without_the_relay(daily, 1)
    ids += daily.announce("Another tide")
    daily.say("digest now")
    daily.clock.forward(hours=1)
    daily.deliver()

    assert daily.states() == ["skipped", "sent"]
    assert sorted(daily.got()) == ids


def test_a_morning_without_news_leaves_what_waits_as_it_is(daily):
    days_without_the_relay(daily, 1)
    daily.prepare(MONDAY + timedelta(days=1))

    assert daily.states() == ["pending"]
    assert daily.store.ledger.runs("prepare")[0].outcome == "empty"


def test_what_was_begun_or_perhaps_arrived_is_not_taken_over(daily):
    box = daily.inboxes["console"]
    box.lost_answers = 1
    ids = daily.announce("The tide")
    daily.morning()
    box.refusals = [ChannelError("the relay is down", Fault.CHANNEL)] * 9
    later = daily.announce("A later tide")
    daily.prepare(MONDAY + timedelta(days=1))

    assert daily.states() == ["pending", "pending"]
    box.refusals = []
    daily.deliver()
    assert sorted(set(daily.got())) == [*ids, *later]


def test_an_empty_morning_sends_nothing_and_says_why(reader):
    reader.announce("A lighthouse")
    reader.morning()

    assert reader.states() == []
    (run,) = reader.store.ledger.runs("prepare")
    assert run.outcome == "empty"
    assert run.reason.startswith("no new paper matched. ")


def test_a_paper_marked_as_not_for_me_does_not_come(reader):
    (first, second) = reader.announce("The tide", "Another tide")
    reader.say(f"not-for-me {first}")
    reader.morning()

    assert reader.got() == [second]


@pytest.mark.parametrize(("shown", "page"), [(False, ""), (True, "/topics/harbour-lamps")])
def test_a_topic_links_to_its_page_only_where_the_web_has_one(clock, shown, page):
    web = "https://papers.example.org"
    world = World(clock, own_topics=shown)
    for topic in ("tides", "harbour lamps"):
        world.say(f"follow {topic}")
    world.announce("The tide", "Harbour lamps")
    urls = {section.tag.slug: section.tag.url for section in world.digest().sections}

    assert urls == {"tides": f"{web}/topics/tides", "harbour-lamps": page and web + page}


def test_the_focused_get_less_than_the_broad(world):
    world.say("follow tides, broad")
    world.say("follow tides, focused", BEA, operator=True)
    world.announce("The tide", paper_with_faint_tide(world))
    broad, focused = world.digest(), world.digest(BEA)

    assert len(focused.entries) <= len(broad.entries)


def test_one_digest_that_cannot_be_composed_stands_in_nobodys_way(reader):
    reader.say("follow tides", BEA, operator=True)
    reader.store.engine.run("UPDATE destinations SET cadence = 'by full moon' WHERE id = 1")
    ids = reader.announce("The tide")
    reader.morning()

    assert (reader.got(), reader.got(BEA)) == ([], ids)
    assert sorted(ledger(reader)) == [("failed", 0), ("queued", 1)]
    reader.store.engine.run("UPDATE destinations SET cadence = 'weekly mon 09:00' WHERE id = 1")
    reader.morning(MONDAY + timedelta(hours=1))
    assert reader.got() == ids


def test_many_due_destinations_are_taken_in_rounds(world):
    people = crowd(world, 7)
    ids = world.announce("The tide")
    world.clock.set(MONDAY)
    rounds = [world.core.prepare(limit=3) for _ in range(3)]
    world.deliver()

    assert [(r.queued, r.more) for r in rounds] == [(3, True), (3, True), (1, False)]
    assert all(world.got(each) == ids for each in people)


def test_some_digests_wait_for_the_disk_together(world):
    crowd(world, 7)
    world.announce("The tide")
    written = []
    world.store.engine.on_write = written.append
    world.prepare(MONDAY)

    assert world.states() == ["pending"] * 7
    assert len(written) == 2


def test_where_one_cannot_be_composed_what_was_done_with_it_is_heard_of_once(world):
    crowd(world, 4)
    world.announce("The tide")
    world.store.engine.run("UPDATE destinations SET cadence = 'by full moon' WHERE id = 3")
    heard = []
    world.core.house = replace(world.core.house, witness=heard.append)
    world.prepare(MONDAY)

    assert sorted(each.outcome for each in heard) == ["failed", "queued", "queued", "queued"]
