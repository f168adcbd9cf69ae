"""Unfollow and its undo: nothing is sent any more, and nothing is lost."""

import pytest

from tests.core.conftest import BEA, MONDAY, said


def test_unfollow_ends_it_and_says_what_goes_on(world):
    for topic in ("tides", "gulls"):
        world.say(f"follow {topic}")
    reply = world.say("unfollow tides")

    assert said(reply).splitlines() == [
        "No longer following Tides. The other topic goes on.",
        "The next digest comes Mon 30 Nov 09:00.",
    ]


def test_nothing_of_an_ended_follow_is_sent_even_where_it_was_prepared(world):
    world.say("follow tides")
    world.announce("The tide")
    world.prepare(MONDAY)
    world.say("unfollow tides")
    world.deliver()

    assert world.got() == []
    assert world.states() == ["skipped"]


def test_undo_restores_a_follow_whole_and_nothing_is_lost_meanwhile(world):
    world.say("follow tides without survey, focused")
    world.say("mute tides until 2027-01-01")
    before = world.store.people.follows(1)
    first = world.announce("The tide")
    ended = world.say("unfollow tides")
    second = world.announce("The tide, again")
    undone = world.press(ended, "Undo")
    world.say("unmute tides")
    world.morning()

    assert "Following Tides again, as before." in said(undone)
    assert before[0].without_words == ("survey",)
    assert sorted(world.got()) == [*first, *second]


def test_undo_after_a_digest_was_composed_without_it_loses_nothing(world):
    world.say("follow tides")
    world.say("follow gulls")
    tide, gull = world.announce("The tide", "The gull")
    ended = world.say("unfollow tides")
    world.morning()
    assert world.got() == [gull]
    world.press(ended, "Undo")
    world.morning(MONDAY.replace(month=12, day=7))

    assert world.got() == [gull, tide]


def test_what_a_follow_had_left_out_stays_left_out_when_it_is_resumed(world):
    world.say("follow tides without survey")
    world.announce("A survey of the tide")
    world.morning()
    world.say("follow tides without nothing")
    ended = world.say("unfollow tides")
    later = world.announce("The tide")
    world.press(ended, "Undo")
    world.morning(MONDAY.replace(month=12, day=7))

    assert world.got() == later


def test_undo_of_one_unfollow_looks_at_no_other_topic_again(world):
    world.say("follow tides without survey")
    world.say("follow gulls")
    world.announce("A survey of the tide")
    world.morning()
    world.say("follow tides without nothing")
    world.press(world.say("unfollow gulls"), "Undo")
    world.morning(MONDAY.replace(month=12, day=7))

    assert world.got() == []


def test_undo_of_an_earlier_follow_loses_nothing_that_was_given_back_to_it(world):
    """Its digest was called back; a later follow of the same topic began after that paper."""
    world.say("follow tides")
    ids = world.announce("The tide")
    world.prepare(MONDAY)
    first = world.say("unfollow tides")
    world.deliver()
    world.say("follow tides")
    world.morning(MONDAY.replace(month=12, day=7))
    world.say("unfollow tides")
    world.press(first, "Undo")
    world.morning(MONDAY.replace(month=12, day=14))

    assert world.got() == ids


def test_a_digest_set_up_while_a_follow_was_ended_hears_of_it_once_it_is_resumed(world):
    world.say("follow tides")
    world.say("follow gulls")
    ended = world.say("unfollow tides")
    world.say("email bea@example.org", operator=True)
    ids = world.announce("The tide")
    world.morning()
    world.press(ended, "Undo")
    world.morning(MONDAY.replace(month=12, day=7))

    assert world.got() == world.got(BEA) == ids


def test_unfollow_all_has_one_undo(world):
    for topic in ("tides", "gulls"):
        world.say(f"follow {topic}")
    ended = world.say("unfollow all")
    assert world.store.people.follows(1) == []
    world.press(ended, "Undo")

    assert [f.topic.name for f in world.store.people.follows(1)] == ["Tides", "Gulls"]


def test_nobody_undoes_for_somebody_else(world):
    world.say("follow tides")
    ended = world.say("unfollow tides")

    assert not world.press(ended, "Undo", BEA).ok
    assert world.store.people.follows(1) == []


@pytest.mark.parametrize("text", ["unfollow tides", "unfollow all"])
def test_repeats_are_harmless(world, text):
    reply = world.say(text)

    assert "nothing changed" in said(reply)
    assert reply.status == 200


@pytest.mark.parametrize("verb", ["unfollow", "mute", "unmute", "topic"])
def test_an_unknown_topic_gets_did_you_mean(world, verb):
    reply = world.say(f"{verb} lighthuses")

    assert reply.status == 404
    assert f"Did you mean {verb} Lighthouses?" in said(reply)


def test_a_shortened_name_of_a_followed_topic_is_enough(world):
    world.say("follow lighthouse keepers of the north")
    assert "No longer following lighthouse keepers" in world.asks("unfollow keepers")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("unfollow everything but tides", "unfollow gulls"),
        ("mute all except tides for 2w", "mute gulls for 2w"),
    ],
)
def test_everything_but_one_is_each_of_the_others(world, typed, offered):
    world.say("follow tides")
    world.say("follow gulls")

    assert [button.command for button in world.say(typed).buttons] == [offered]
