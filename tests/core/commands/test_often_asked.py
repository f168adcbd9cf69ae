"""What people ask for in words that are no request: an answer, and what to type or press."""

import pytest

from tests.core.conftest import BEA, said


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("resend my digest", ["digest last"]),
        ("show me last week’s digest", ["digest last"]),
        ("how many papers came yesterday?", ["digest now", "status"]),
        ("today", ["digest now", "status"]),
        ("recommend a paper", ["digest now", "topics heating"]),
        ("every hour", ["digest daily", "digest now"]),
        ("what time zone am I in?", ["settings", "digest tz Europe/Berlin"]),
        ("delete my emails", ["email off"]),
        ("remove gull@example.org", ["email off"]),
        ("email me instead", ["email off", "digest off"]),
        ("import my topics", ["list"]),
        ("add to Zotero", ["export"]),
        ("are you alive?", ["status"]),
        ("it is a bug", ["status"]),
        ("who follows tides?", []),
        ("your API", []),
        ("speak French", []),
    ],
)
def test_what_people_often_ask_for_is_answered_with_what_to_type(world, typed, offered):
    world.say("follow tides")
    reply = world.say(typed)

    assert reply.status == 400
    assert [button.command for button in reply.buttons] == offered


@pytest.mark.parametrize("typed", ["feed lighthouses", "russian lighthouses"])
def test_a_topic_is_no_question_for_a_word_that_is_in_it(world, typed):
    assert [button.label for button in world.say(typed).buttons] == ["Follow it"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mute weekends", "digest weekdays"),
        ("no digests on weekends", "digest weekdays"),
        ("move my digest to ada@example.org", "email ada@example.org"),
        ("papers on tides this week", "topic tides"),
        ("latest news about tides", "topic tides"),
        ("what is the tides?", "topic Tides"),
        ("Ada’s new papers", "follow Ada's new papers"),
    ],
)
def test_what_is_meant_is_offered(world, typed, meant):
    assert [button.command for button in world.say(typed).buttons] == [meant]


def test_until_the_weekend_is_an_end_and_no_question(world):
    world.say("follow tides")

    assert said(world.say("mute all until the weekend")).startswith("Everything is muted until")


def test_mail_to_an_old_address_is_ended(world):
    world.say("follow tides", BEA)
    world.morning()

    assert said(world.say("stop sending to my old address", BEA)).startswith("Stopped.")


def test_a_paper_to_share_is_given_by_its_link(world):
    reply = world.say("share 2611.00001 with bea@example.org")

    assert "https://arxiv.org/abs/2611.00001" in said(reply)


@pytest.mark.parametrize("typed", ["digest last", "digest again"])
def test_the_last_digest_is_shown_again_and_told_to_nobody(world, typed):
    world.say("follow tides")
    assert said(world.say(typed)) == "No digest has been sent yet."

    told = world.announce("The tide", "Tides at night")
    world.morning()
    world.announce("A later tide")
    reply = world.say(typed)

    assert said(reply).startswith("The digest of Mon 30 Nov 09:00 brought 2 papers")
    assert {each.paper.arxiv_id for each in reply.papers} == {*told}
    assert world.got() == told


@pytest.mark.parametrize("typed", ["follow this channel", "follow in our group"])
def test_a_place_is_no_topic(world, typed):
    assert "follow TOPIC in this channel" in said(world.say(typed))


@pytest.mark.parametrize("typed", ["follow the same as @bea", "follow all topics of @bea"])
def test_what_others_follow_is_told_to_nobody(world, typed):
    world.say("follow tides", BEA)

    assert "Nobody is told what others follow" in said(world.say(typed))


@pytest.mark.parametrize("typed", ["follow my own papers", "follow papers by my colleagues"])
def test_people_are_followed_by_their_names(world, typed):
    assert said(world.say(typed)).startswith("Say who it is: ")
