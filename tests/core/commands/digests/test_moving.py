"""An address in the place of another: everything moves along, once its owner has said yes."""

from datetime import timedelta

import pytest

from bot.links import BadLink
from bot.model import DestinationState, Identity
from bot.store.sqlite import open_store
from tests.core.conftest import MONDAY, World, said
from tests.houses import ADA

OLD = Identity("email", "", "ada@old.example")
NEW = Identity("email", "", "ada@new.example")
NEXT_MONDAY = MONDAY + timedelta(days=7)


@pytest.fixture
def reader(world):
    """Somebody who is reached by mail alone, and follows tides."""
    world.say("follow tides", OLD, operator=True)
    world.say("digest mon 9 tz Europe/Berlin", OLD)
    return world.store.people.find(OLD)


def link(world, purpose, destination, command="", epoch=0):
    return world.core.house.links.token(purpose, destination, epoch, command)


def waiting(world, reader):
    """The destination that somebody has still to say yes to."""
    return next(d for d in world.store.people.destinations(reader) if d.unconfirmed)


def confirmed(world, reader):
    """The new owner presses the button of the mail that was written last."""
    there = waiting(world, reader)
    mine = world.store.people.destinations(reader)
    left = next(d for d in mine if not d.unconfirmed)
    token = link(world, "confirm", there.id, f"instead {left.id}")
    return token, said(world.core.redeem(token, act=True))


def places(world, reader):
    return [(d.address, d.state.value) for d in world.store.people.destinations(reader)]


def test_nothing_moves_before_the_new_owner_has_said_yes(world, reader):
    answer = world.asks(f"email {NEW.external_id} instead", OLD)
    tide = world.announce("The tide")
    world.morning()

    assert "Until then the digest comes to ada@old.example." in answer
    assert world.got(OLD) == tide
    assert world.got(NEW) == []


def test_everything_moves_along_and_nobody_is_told_twice(world, reader):
    told = world.announce("The tide")
    world.morning()
    world.say("save 2611.00001", OLD)
    world.say(f"email {NEW.external_id} instead", OLD)
    before = world.store.people.destinations(reader)[0]
    _, reply = confirmed(world, reader)
    news = world.announce("Another tide")
    world.morning(NEXT_MONDAY)

    (after,) = world.store.people.destinations(reader)
    assert reply.startswith(
        "Confirmed. \nThe digest comes Monday 09:00 (Europe/Berlin) to ada@new.example"
    )
    assert (after.id, after.cadence, after.zone) == (before.id, before.cadence, before.zone)
    assert (world.got(OLD), world.got(NEW)) == (told, news)
    assert world.store.people.find(NEW) == reader
    assert len(world.store.people.saved(reader)) == 1
    assert [f.topic.name for f in world.store.people.follows(reader)] == ["Tides"]


def test_what_waits_for_the_old_address_is_composed_for_the_new_one(world, reader):
    tide = world.announce("The tide")
    world.prepare(MONDAY)
    world.say(f"email {NEW.external_id} instead", OLD)
    confirmed(world, reader)
    world.deliver()

    assert [(to, papers) for to, papers, _ in world.inboxes["email"].arrived if papers] == [
        (NEW.external_id, tuple(tide))
    ]
    assert world.states().count("skipped") == 1, "its bytes name the old address"


def test_what_perhaps_arrived_there_is_not_told_again(world, reader):
    tide = world.announce("The tide")
    world.inboxes["email"].lost_answers = 1
    world.morning()
    world.say(f"email {NEW.external_id} instead", OLD, operator=True)
    news = world.announce("Another tide")
    world.morning(NEXT_MONDAY)

    assert world.got(OLD) == tide
    assert set(world.got(NEW)) <= {*tide, *news}
    assert world.got(NEW).count(tide[0]) <= 1


def test_pressing_confirm_twice_says_the_same_twice(world, reader):
    world.say(f"email {NEW.external_id} instead", OLD)
    token, _ = confirmed(world, reader)
    asked, again = (world.core.redeem(token, act=act) for act in (False, True))

    assert said(asked) == "Bring the digest to a…@new.example?"
    assert said(again).startswith("Confirmed. \nThe digest comes Monday 09:00")
    assert "Nothing more goes" not in said(again)
    assert places(world, reader) == [(NEW.external_id, "active")]


def test_the_question_names_both_addresses_and_shows_neither(world, reader):
    world.say(f"email {NEW.external_id} instead", OLD)
    there, (left, _) = waiting(world, reader), world.store.people.destinations(reader)
    token = link(world, "confirm", there.id, f"instead {left.id}")

    asked = said(world.core.redeem(token, act=False))
    assert asked == "Bring the digest to a…@new.example instead of a…@old.example?"


def test_links_in_mail_to_the_old_address_only_stop_it(world, reader):
    world.say(f"email {NEW.external_id} instead", OLD)
    confirmed(world, reader)
    place = world.store.people.destinations(reader)[0].id
    with pytest.raises(BadLink):
        world.core.redeem(link(world, "act", place, "unfollow tides"), act=True)
    world.core.redeem(link(world, "leave", place), act=True)

    assert places(world, reader) == [(NEW.external_id, "off")]


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_the_letter_that_asked_can_stop_it_later(world, reader, purpose):
    world.say(f"email {NEW.external_id} instead", OLD)
    there = waiting(world, reader)
    confirmed(world, reader)
    world.core.redeem(link(world, purpose, there.id), act=True)

    assert places(world, reader) == [(NEW.external_id, "off")]


def test_whoever_reads_the_old_address_is_asked_and_can_keep_it(world, reader):
    world.say(f"email {NEW.external_id} instead", OLD)
    world.deliver()
    there, (left, _) = waiting(world, reader), world.store.people.destinations(reader)
    keep = world.core.redeem(link(world, "act", left.id, f"undo move {there.id}"), act=True)

    assert sorted(to for to, _, _ in world.inboxes["email"].arrived) == [
        NEW.external_id, OLD.external_id,
    ]  # fmt: skip
    assert said(keep).startswith("Taken back: nothing moves to ada@new.example.")
    with pytest.raises(BadLink):
        confirmed(world, reader)
    assert places(world, reader)[0] == (OLD.external_id, "active")


def test_the_operator_moves_somebody_at_once(world, reader):
    answer = world.asks(f"email {NEW.external_id} instead", OLD, operator=True)

    assert "Nothing more goes to ada@old.example" in answer
    assert places(world, reader) == [(NEW.external_id, "active")]
    assert world.store.people.find(OLD) is None


def test_a_digest_that_its_old_address_refused_goes_on_with_what_was_missed(world, reader):
    tide = world.announce("The tide")
    old = world.store.people.destinations(reader)[0]
    world.store.people.set_state(old.id, DestinationState.PAUSED, "550 no such user")
    world.store.people.suppress(OLD.external_id, "550 no such user", world.clock())
    world.say(f"email {NEW.external_id} instead", OLD)
    confirmed(world, reader)
    world.morning()

    assert world.got(NEW) == tide
    assert world.got(OLD) == []


def test_whoever_signed_up_there_anew_stays_one_person_with_one_digest(world, reader):
    world.say("follow gulls", NEW, operator=True)
    told = world.announce("The tide", "The gull")
    world.morning()
    world.say(f"email {NEW.external_id} instead", OLD)
    confirmed(world, reader)
    news = world.announce("Another tide", "Another gull")
    world.morning(NEXT_MONDAY)

    assert world.store.people.everyone() == [reader]
    assert sorted(world.got(NEW) + world.got(OLD)) == sorted([*told, *news])
    assert len(world.store.people.destinations(reader)) == 1


def test_of_two_addresses_the_asker_s_own_is_left_and_any_other_by_name(world, reader):
    world.say("email ada@second.example", OLD, operator=True)
    world.say("follow gulls")
    world.say("email ada@one.example", operator=True)
    world.say("email ada@two.example", operator=True)
    world.say(f"email {NEW.external_id} instead", OLD, operator=True)
    which = world.say("email ada@three.example instead", ADA, operator=True)
    unknown = world.asks("email ada@three.example instead of bea@x.org", ADA, operator=True)
    world.say("email ada@three.example instead of ada@two.example", ADA, operator=True)

    assert [a for a, _ in places(world, reader)] == [NEW.external_id, "ada@second.example"]
    assert said(which) == "In place of which address?"
    assert len(which.buttons) == 2
    assert "No digest comes to bea@x.org" in unknown
    assert [a for a, _ in places(world, world.store.people.find(ADA))] == [
        ADA.external_id, "ada@one.example", "ada@three.example",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "email ada@new.example instead",
        "email ada@new.example, instead of ada@old.example.",
        "email ada@new.example in place of Ada@old.example",
        "email move to ada@new.example",
        "email change my address to ada@new.example",
    ],
)
def test_a_move_is_asked_for_as_people_say_it(world, reader, words):
    world.say(words, OLD, operator=True)

    assert places(world, reader) == [(NEW.external_id, "active")]


def test_where_no_mail_came_before_it_simply_comes_there(world):
    world.say("follow tides")
    world.say(f"email {NEW.external_id} instead", operator=True)

    assert world.store.people.find(NEW) == world.store.people.find(ADA)


def test_whoever_is_forgotten_leaves_no_trace_of_an_address_they_left(clock, tmp_path):
    world = World(clock, store=open_store(tmp_path))
    world.say("follow tides", OLD, operator=True)
    world.announce("The tide")
    world.morning()
    world.store.people.suppress(OLD.external_id, "550 ada@old.example", world.clock())
    world.say(f"email {NEW.external_id} instead", OLD, operator=True)
    world.core.erase(NEW)
    everything = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())

    assert b"ada@new.example" not in everything
    assert b"ada@old.example" not in everything
    world.store.close()
