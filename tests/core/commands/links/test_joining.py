"""A stranger types an address: its owner is asked once, and nothing is done before a yes."""

from datetime import timedelta

import pytest

from bot.core.naming import known
from bot.model import DestinationState
from tests.core.commands.links.letters import MAIL, join, letters, link
from tests.core.conftest import NEXT_MONDAY, World, said


def test_whoever_types_an_address_sends_its_owner_one_question(world):
    reply = join(world)
    world.deliver()
    tide = world.announce("The tide")
    world.morning()

    assert said(reply).startswith(
        "A mail is on its way to ada@example.org. Press the button in it."
    )
    assert "no more than one goes out a day" in said(reply), "or it would promise a second one"
    assert letters(world) == ["ada@example.org"]
    assert world.got(MAIL) == []
    confirmed = world.core.redeem(link(world, "confirm", 1), act=True)
    world.morning(NEXT_MONDAY)
    assert said(confirmed).startswith("Confirmed. \nThe digest comes Monday 09:00 (Europe/Berlin)")
    assert world.got(MAIL) == tide


def test_the_reply_is_the_same_whether_the_address_is_known(world):
    world.say("email ada@example.org", operator=True)

    known, new = said(join(world)), said(join(world, "new@example.org"))

    assert known.replace("ada@", "new@") == new


def test_a_zone_that_no_browser_should_send_is_passed_over(world):
    assert join(world, zone="../../etc/passwd").ok
    assert world.store.people.destination(1).zone == "UTC"


def test_an_address_that_never_answers_is_asked_once_a_day_and_three_times_in_all(world):
    for _ in range(10):
        for _ in range(3):
            join(world)
        world.deliver()
        world.clock.forward(days=2)

    assert len(letters(world)) == 3


def test_plus_tags_are_one_mailbox_for_that(world):
    for n in range(5):
        join(world, f"ada+{n}@example.org", where=f"192.0.2.{n}")
    world.deliver()

    assert len(letters(world)) == 1


def test_one_place_and_one_house_have_caps(clock):
    world = World(clock, joins_a_day=30)
    for n in range(25):
        join(world, f"reader{n}@example.org")
    from_one = join(world, "more@example.org")
    for n in range(25, 65):
        last = join(world, f"reader{n}@example.org", where=f"192.0.2.{n}")

    assert (from_one.status, last.status) == (429, 429)
    assert not from_one.ok
    assert "tomorrow" in said(from_one)
    assert "tomorrow" in said(last)
    assert world.core.standing().joins.startswith("30 addresses were asked")
    world.deliver()
    assert len(letters(world)) == 30
    world.clock.forward(days=1, minutes=1)
    assert world.core.standing().troubles == ()


def test_a_few_places_never_use_up_the_day_of_all_others(clock):
    world = World(clock)
    for place in range(12):
        for n in range(21):
            join(world, f"reader{n}.{place}@example.org", where=f"192.0.2.{place}")

    day_ago = clock() - timedelta(days=1)
    assert len(world.store.ledger.around("join", "192.0.2.0", day_ago, clock())) == 20
    assert join(world, "late@example.org", where="198.51.100.1").ok


def test_what_is_no_address_or_no_topic_is_refused_and_nobody_is_written_down(world):
    assert join(world, "not an address").status == 400
    assert join(world, topic="(tide AND").status == 400
    world.deliver()

    assert letters(world) == []
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("listed", [False, True])
def test_a_reader_is_asked_before_a_topic_is_added_and_told_our_words_only(clock, listed):
    world = World(clock, own_topics=listed)
    world.say("follow tides", MAIL, operator=True)
    if listed:
        world.say("follow buy cheap watches")
    for topic in ("buy-cheap-watches", "gulls"):
        join(world, topic=topic)
    world.deliver()

    assert letters(world) == ["ada@example.org"], "once a day"
    assert [f.topic.name for f in world.store.people.follows(1)] == ["Tides"]
    assert bool(known(world.core.house, "buy-cheap-watches")) is listed
    content = world.store.engine.value("SELECT content FROM delivery_parts").decode()
    assert "watches" not in content


def test_whoever_left_is_asked_three_times_at_most_and_comes_back_by_two_buttons(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    for _ in range(9):
        join(world, topic="gulls")
        world.deliver()
        world.clock.forward(days=2)
    assert len(letters(world)) == 3
    followed = world.core.redeem(link(world, "act", 1, "follow gulls"), act=True)
    assert "is off: stopped by its reader." in said(followed)
    world.press(followed, "Turn it on", MAIL)

    assert world.store.people.destination(1).state is DestinationState.ACTIVE


def test_whoever_left_before_saying_yes_is_asked_as_if_new(world):
    join(world)
    world.core.redeem(link(world, "leave", 1), act=True)
    world.announce("The tide")
    world.clock.forward(days=2)
    join(world)
    world.deliver()
    assert letters(world) == ["ada@example.org"] * 2
    world.core.redeem(link(world, "confirm", 1), act=True)
    after = world.announce("Another tide")
    world.morning()

    assert world.got(MAIL) == after
