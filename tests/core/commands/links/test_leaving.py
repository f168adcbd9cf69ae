"""Leaving by a link works for ever, and whoever left is left in peace."""

import pytest

from bot.channels import ChannelError, Fault
from bot.core.pipeline.deliveries.claiming import claim
from bot.core.pipeline.deliveries.letters import STOPPED_ALL
from bot.core.pipeline.deliveries.refusing import Closed, write_down
from bot.links import BadLink
from bot.model import DestinationState
from tests.core.commands.links.letters import MAIL, join, letters, link
from tests.core.conftest import BEA, MONDAY, NEXT_MONDAY, said
from tests.houses import ADA


def test_whoever_presses_leave_in_the_question_was_never_a_reader(world):
    world.say("follow tides")
    world.say("email ada@example.org")
    mail = world.store.people.destinations(world.store.people.find(ADA))[1]
    left = world.core.redeem(link(world, "leave", mail.id), act=True)

    assert left.buttons == ()
    assert "has not been confirmed yet" in world.asks("digest on by email")
    assert "has not been confirmed yet" in world.asks(f"resume {mail.id}")


def test_looking_at_a_link_does_nothing(world):
    world.say("follow tides", MAIL, operator=True)
    asked = world.core.redeem(link(world, "leave", 1), act=False)

    assert said(asked) == "Stop the digest to a…@example.org?"
    assert world.store.people.destination(1).state is DestinationState.ACTIVE


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_leaving_works_for_ever_and_undo_restores_it(world, purpose):
    world.say("follow tides", MAIL, operator=True)
    tide = world.announce("The tide")
    token = link(world, purpose, 1)
    world.store.people.void_links(1)
    left = world.core.redeem(token, act=True)
    world.morning()
    assert said(left).startswith("Stopped. No more mail")
    assert world.got(MAIL) == []
    world.press(left, "Undo", MAIL)
    world.morning(NEXT_MONDAY)

    assert world.got(MAIL) == tide


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_a_letter_that_waits_does_not_come_once_its_reader_has_left(world, purpose):
    world.say("follow tides", MAIL, operator=True)
    join(world, topic="gulls")
    world.core.redeem(link(world, purpose, 1), act=True)
    world.deliver()

    assert letters(world) == []
    assert world.states() == ["skipped"]


@pytest.mark.parametrize("typed", ["ada@example.org", "Ada@example.org"])
def test_after_all_mail_was_stopped_nobody_else_has_a_letter_sent_there(world, typed):
    world.say("follow tides", MAIL, operator=True)
    known = said(join(world, "bea@example.org", topic="gulls"))
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        assert said(join(world, topic="gulls")) == known.replace("bea@", "ada@")
        world.say(f"email {typed}")
        world.deliver()
    assert typed not in letters(world)

    world.press(stopped, "Undo", MAIL)
    join(world, topic="gulls")
    world.deliver()
    assert letters(world).count("ada@example.org") == 1


def test_whoever_left_and_then_stops_everything_is_not_asked_either(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    join(world, topic="gulls")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    world.deliver()

    assert letters(world) == []


def test_whoever_never_asked_can_say_so_for_good(world):
    join(world)
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        join(world)
        world.deliver()

    assert letters(world) == []
    assert stopped.buttons == ()  # there is nothing to undo: it was never on


def test_nor_does_somebody_in_a_chat_wake_an_address_that_stopped_all_mail(world):
    world.say("email ada@example.org")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        world.say("email ada@example.org")
        world.deliver()

    assert letters(world) == []
    assert {d.state for d in world.store.people.at("email", "ada@example.org")} == {
        DestinationState.OFF
    }


def test_undo_after_all_mail_was_stopped_turns_on_what_was_on_and_nothing_else(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)

    assert [button.label for button in stopped.buttons] == []


def test_every_letter_by_mail_has_a_way_to_stop(world):
    notices = []
    box = world.inboxes["email"]
    box.letter = lambda notice, write=box.letter: notices.append(notice) or write(notice)
    join(world)
    world.say("follow tides", BEA, operator=True)
    join(world, "bea@example.org", topic="gulls")
    for notice in notices:
        world.core.redeem(notice.stop_url.rpartition("/")[2], act=True)

    assert [notice.address for notice in notices] == ["ada@example.org", "bea@example.org"]
    assert {d.reason for n in (1, 2) if (d := world.store.people.destination(n))} == {STOPPED_ALL}


def test_a_mail_refused_after_its_reader_left_does_not_speak_for_them(world):
    world.say("follow tides", MAIL, operator=True)
    world.announce("The tide")
    world.prepare(MONDAY)
    delivery = claim(world.core.house, "email")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    write_down(world.core.house, Closed(), delivery, ChannelError("gone", Fault.ADDRESS))

    assert world.store.people.destination(1).reason == STOPPED_ALL


def test_a_voided_link_does_nothing_else(world):
    world.say("follow tides", MAIL, operator=True)
    token = link(world, "act", 1, "unfollow tides")
    world.store.people.void_links(1)

    with pytest.raises(BadLink):
        world.core.redeem(token, act=True)


def test_leaving_after_being_forgotten_is_answered_as_done(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.erase(MAIL)

    assert said(world.core.redeem(link(world, "leave", 1), act=True)) == "Stopped. No more mail."
    with pytest.raises(BadLink):
        world.core.redeem(link(world, "person", 1), act=True)
