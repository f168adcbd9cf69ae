"""What stands behind a topic, and around it, is read as what it is."""

import pytest

from bot.core.reply import Actor
from bot.model import Breadth, Identity
from tests.core.conftest import said


@pytest.mark.parametrize(
    ("typed", "name", "breadth", "words", "authors"),
    [
        ("tides, focused", "Tides", "focused", (), ()),
        ("tides breadth broad", "Tides", "broad", (), ()),
        ("tides without survey", "Tides", "balanced", ("survey",), ()),
        ('tides without survey, author:"Jun Li"', "Tides", "balanced", ("survey",), ("Jun Li",)),
        ("tides without survey, focused", "Tides", "focused", ("survey",), ()),
        ("learning without forgetting", "learning without forgetting", "balanced", (), ()),
        (
            "learning without forgetting without survey",
            "learning without forgetting",
            "balanced",
            ("survey",),
            (),
        ),
        ("rock pools without crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools but not crabs, gulls", "rock pools", "balanced", ("crabs", "gulls"), ()),
        ("rock pools, except for crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools excluding crabs, broad", "rock pools", "broad", ("crabs",), ()),
        ("rock pools not crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools, not crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools and not crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools, no crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools and no crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools minus crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools other than crabs", "rock pools", "balanced", ("crabs",), ()),
        ("rock pools without crabs and gulls", "rock pools", "balanced", ("crabs", "gulls"), ()),
        (
            "tides without crabs, gulls, and eels",
            "Tides",
            "balanced",
            ("crabs", "gulls", "eels"),
            (),
        ),
        ("tides not crabs or gulls/eels", "Tides", "balanced", ("crabs", "gulls", "eels"), ()),
        ("tides without any crabs nor the gulls", "Tides", "balanced", ("crabs", "gulls"), ()),
        ("tides without crabs and not gulls", "Tides", "balanced", ("crabs", "gulls"), ()),
        ("tides without crabs without gulls", "Tides", "balanced", ("crabs", "gulls"), ()),
        (
            "tides without learning without forgetting",
            "Tides",
            "balanced",
            ("learning without forgetting",),
            (),
        ),
        ("tides but not crabs, not gulls", "Tides", "balanced", ("crabs", "gulls"), ()),
        ("tides without ebb and flow", "Tides", "balanced", ("ebb and flow",), ()),
        ("tides without mixture of experts", "Tides", "balanced", ("mixture of experts",), ()),
        (
            'tides without "sand and mud", TCP/IP',
            "Tides",
            "balanced",
            ("sand and mud", "TCP/IP"),
            (),
        ),
        (
            "tides without author:Jun Li and author:Ada Lovelace",
            "Tides",
            "balanced",
            (),
            ("Jun Li", "Ada Lovelace"),
        ),
        ('"rock pools" and not crabs', '"rock pools"', "balanced", ("crabs",), ()),
        ("Attention is not explanation", "Attention is not explanation", "balanced", (), ()),
        ("not all tides", "not all tides", "balanced", (), ()),
        ("tides that do not ebb", "tides that do not ebb", "balanced", (), ()),
        ("no free lunch", "no free lunch", "balanced", (), ()),
        ("there is no tide", "there is no tide", "balanced", (), ()),
        ("to ebb or not to ebb", "to ebb or not to ebb", "balanced", (), ()),
        ("rock AND pools AND NOT crabs", "rock AND pools AND NOT crabs", "balanced", (), ()),
        ("(rock not crab) AND pools", "(rock not crab) AND pools", "balanced", (), ()),
        ('"moon without tide"', '"moon without tide"', "balanced", (), ()),
        ("the focused", "the focused", "balanced", (), ()),
        ("rock pools (broad)", "rock pools", "broad", (), ()),
        ("rock pools w/o crabs", "rock pools", "balanced", ("crabs",), ()),
    ],
)
def test_clauses_are_read_from_the_right_and_only_when_valid(
    world, typed, name, breadth, words, authors
):
    world.say(f"follow {typed}")

    (follow,) = world.store.people.follows(1)
    assert (follow.topic.name, follow.breadth) == (name, Breadth(breadth))
    assert (follow.without_words, follow.without_authors) == (words, authors)


@pytest.mark.parametrize(
    ("without", "complaint"),
    [
        ("cat:cs.CV", "Silence a category for all: mute cat:cs.CV"),
        ('survey, category:"cs.*"', "Silence a category for all: mute cat:cs.*"),
        ('"…"', "“…” has no word to look for."),
        ("author:", "“author:” has no word to look for."),
        ('survey, author:""', '“author:""” has no word to look for.'),
    ],
)
def test_what_could_never_be_left_out_is_refused(world, without, complaint):
    reply = world.say(f"follow tides without {without}")

    assert not reply.ok
    assert complaint in said(reply)
    assert world.store.people.follows(1) == []


def test_a_second_without_begins_anew(world):
    world.say('follow tides without crab and without eels, and without author:"Jun Li"')

    (follow,) = world.store.people.follows(1)
    assert (follow.without_words, follow.without_authors) == (("crab", "eels"), ("Jun Li",))


@pytest.mark.parametrize("without", ["", " ,", ' ""'])
def test_without_nothing_is_asked_about(world, without):
    assert "Without what? follow rock pools without survey" in world.asks(
        f"follow rock pools without{without}"
    )
    assert world.store.people.everyone() == []


def test_excluded_words_and_authors_do_not_come(world):
    world.say('follow tides without survey, author:"Jun Li"')
    world.announce("A survey of the tide", "Surveys: the tide")
    world.announce("The tide by Jun Li", authors=("Jun Li",))
    kept = world.announce("The tide by Jun Lin", authors=("Jun Lin",))
    world.morning()

    assert world.got() == kept


def test_an_exclusion_that_takes_nothing_away_says_so(world):
    world.announce("The tide and a crab", "The tide")

    assert "“eels” takes no stored paper away." in world.asks("follow tides without crab, eels")
    assert "takes no" not in world.asks("follow tides without crab")
    assert "takes no" not in world.asks("follow lighthouses without crab")


def test_a_conversation_follows_by_name(world):
    who = Identity("slack", "T1", "U1")
    reply = world.say("follow tides in <#C1|coast>", who)

    there = Identity("slack", "T1", "C1")
    assert world.store.people.find(who) is None
    (destination,) = world.store.people.destinations(world.store.people.find(there))
    assert destination.address == "T1:C1"
    assert reply.notice is not None
    assert "Your digest comes Monday 09:00 (UTC) in the conversation." in said(reply)


def test_a_conversation_can_only_be_named_in_slack(world):
    reply = world.say("follow tides in <#C1>")

    assert not reply.ok
    assert world.store.people.everyone() == []


def test_whoever_may_not_configure_is_told_so(world):
    actor = Actor(Identity("slack", "T1", "U9"), may_configure=False)
    reply = world.core.execute(actor, "follow tides in <#C1>")

    assert reply.status == 403
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("subscribe to tides", "Tides"),
        ("subscribe to the topic tides", "Tides"),
        ("follow topic tides", "Tides"),
        ("follow the topic of rock pools", "rock pools"),
        ("follow tides :ocean:", "Tides"),
        ("follow topic models", "topic models"),
        ("/papers follow tides", "Tides"),
    ],
)
def test_what_stands_around_a_topic_is_no_part_of_it(world, typed, name):
    world.say(typed)

    (follow,) = world.store.people.follows(1)
    assert follow.topic.name == name


def test_unsubscribing_from_a_topic_ends_it(world):
    world.say("follow tides")
    world.say("unsubscribe from tides")

    assert world.store.people.follows(1) == []


@pytest.mark.parametrize(
    ("when", "schedule"),
    [
        ("daily at 8", "daily at 8"),
        (" weekly on mondays", "weekly on mondays"),
        (", weekly, on mondays and fridays at 9", "weekly, on mondays and fridays at 9"),
        ("every week on friday 8am", "every week on friday 8am"),
        ("and send it daily", "daily"),
        ("and email them to me every morning", "every morning"),
    ],
)
def test_when_a_digest_comes_is_no_part_of_a_topic(world, when, schedule):
    reply = world.say(f"follow rock pools {when}")

    world.press(reply, "Follow it")
    assert [f.topic.name for f in world.store.people.follows(1)] == ["rock pools"]
    assert world.press(reply, f"digest {schedule}").ok


@pytest.mark.parametrize("way", ["email", "e-mail", "slack"])
def test_where_a_digest_comes_is_no_part_of_a_topic(world, way):
    reply = world.say(f"follow rock pools by {way}")

    assert reply.status == 400
    assert "Where it comes is said for all topics together" in said(reply)
    assert world.store.people.everyone() == []
    world.press(reply, "Follow it")
    assert [f.topic.name for f in world.store.people.follows(1)] == ["rock pools"]
