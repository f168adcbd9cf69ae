"""Topics that people make of words or queries, and change."""

from datetime import timedelta

import pytest

from bot.core import Actor
from bot.core.commands.errand import Errand, Refused
from bot.core.commands.topics.following import follow_topic
from bot.model import Breadth
from tests.core.conftest import BEA, MONDAY, World, said
from tests.houses import ADA


def test_other_words_make_a_topic_of_ones_own_and_show_how_they_are_read(world):
    reply = world.say("follow lighthouse keepers")

    assert "Your own topic, read as" in said(reply)
    assert "Rather Lighthouses" in [b.label for b in reply.buttons]


def test_quotes_and_operators_are_a_query_as_it_stands(world):
    world.say('follow "tides"')
    world.say("follow “ebb tide” AND moon")

    queries = [f.topic.query for f in world.store.people.follows(1)]
    assert queries == ['"tides"', '"ebb tide" AND moon']


def test_a_query_never_renames_the_catalogue(world):
    world.say('follow "tide"')

    assert world.store.topics.by_slug("tides").name == "Tides"


def test_a_query_that_cannot_be_read_is_answered_with_a_better_one(world):
    reply = world.say('follow (tide AND "ebb')

    assert not reply.ok
    assert reply.status == 400
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("query", ['"tides"', "-tide gulls", "tide*", "“Tides”"])
@pytest.mark.parametrize("typed", ["tides", "Tides", "TIDE"])
def test_a_query_of_ones_own_never_takes_a_name_of_the_catalogue(world, query, typed):
    world.say(f"follow {query}")

    assert said(world.say(f"follow {typed}")).startswith("Following Tides.")
    assert world.say(f"follow {query}").card.topic.name != "Tides"
    assert world.say(f"topic {typed}").card.topic.name == "Tides"
    world.say(f"mute {typed} for 2w")
    assert [f.topic.name for f in world.store.people.follows(1) if f.muted_until] == ["Tides"]
    world.say(f"unfollow {typed}")
    assert [f.topic.slug for f in world.store.people.follows(1)] != ["tides"]


def test_a_query_lends_no_meaning_to_its_words(world):
    world.say("follow -rock pools")
    world.say("follow rock pools")

    queries = [f.topic.query for f in world.store.people.follows(1)]
    assert queries[0] == "-rock pools"
    assert queries[1] == "rock AND pools"


def test_two_people_with_the_same_words_share_one_topic(world):
    world.say("follow rock pools")
    world.say("follow rock pools", BEA, operator=True)

    (ada,), (bea,) = (world.store.people.follows(n) for n in (1, 2))
    assert ada.topic.id == bea.topic.id


def test_what_somebody_made_of_a_name_is_theirs_alone(world):
    """Ada edits her own topic; Bea, who types its name, gets what the words say."""
    world.say("follow rock pools")
    world.say("edit rock pools: crab*")
    world.say("follow rock pools", BEA, operator=True)

    (bea,) = world.store.people.follows(2)
    assert "crab" not in bea.topic.query
    assert "Rock pools" not in world.asks("unfollow rock pools", BEA)
    assert world.store.people.follows(2) == []


@pytest.mark.parametrize(("decided", "told"), [(False, True), (True, False)])
def test_a_query_changed_back_brings_what_it_would_have_brought(world, decided, told):
    """But for what a digest meanwhile was composed without."""
    world.say('follow "rock pool"')
    ids = world.announce("A rock pool", "Another rock pool")
    for query in ('"rok pool"', '"rock pool"'):
        assert world.say(f'edit "rock pool": {query}').ok
        while world.core.rematch():
            pass
        if decided:
            world.morning()
    later = world.announce("One more rock pool")
    world.morning(MONDAY.replace(month=12, day=7))

    assert world.got() == [*(ids if told else ()), *later]


def test_nobody_edits_the_topic_of_somebody_else(world):
    world.say("follow rock pools")
    reply = world.say("edit rock pools: crab*", BEA, operator=True)

    assert reply.status == 404
    assert "crab" not in world.store.people.follows(1)[0].topic.query


def test_what_others_made_lends_no_meaning_to_words(world):
    world.say("follow learning", BEA)
    world.say("follow learning without forgetting")

    (ada,) = world.store.people.follows(2)
    assert (ada.topic.name, ada.without_words) == ("learning without forgetting", ())


@pytest.mark.parametrize(
    "text", ["topic secret falcon", "topic secret-falcon", "unfollow secret falcon",
             "edit secret falcon: falcon*", "mute secret falcon", "ask secret falcon: why?"],
)  # fmt: skip
def test_what_others_made_does_not_show_itself(world, text):
    world.say("follow secret falcon", BEA)

    assert "don’t know the topic secret" in world.asks(text)


def test_ones_own_topic_is_known_when_it_is_followed_no_more(world):
    world.say("follow rock pools")
    world.say("unfollow rock pools")

    assert world.say("topic rock pools").ok
    assert "You don’t follow rock pools" in world.asks("unfollow rock pools")


def test_where_own_topics_are_listed_for_everyone_their_slug_leads_to_them(clock):
    world = World(clock, own_topics=True)
    world.say("follow rock pools", BEA)
    world.say("edit rock pools: crab*", BEA)

    assert world.say("follow rock-pools").card.topic.query == "crab*"
    world.store.close()


def test_editing_a_topic_of_the_catalogue_makes_ones_own_and_says_that_both_go_on(world):
    world.say("follow tides")
    reply = world.say("edit tides: tide AND moon")

    assert "Tides (mine) is read as tide AND moon from now on." in said(reply)
    assert "Tides goes on beside it" in said(reply)
    assert world.store.topics.by_slug("tides").query == '"tide"'


def test_editing_a_topic_of_the_catalogue_again_changes_ones_own(world):
    world.say("follow tides")
    world.say("edit tides: tide AND moon")
    world.say("edit tides: tide AND sun")

    assert [f.topic.name for f in world.store.people.follows(1)] == ["Tides", "Tides (mine)"]
    assert world.store.people.follows(1)[1].topic.query == "tide AND sun"


def test_an_edited_topic_matches_the_past_and_tells_nobody_of_it(world):
    world.say("follow rock pools")
    old = world.announce("A crab in winter")
    world.say("edit rock pools: crab*")
    new = world.announce("A crab in spring")
    world.morning()

    assert world.got() == new
    assert {e.paper.arxiv_id for e in world.say("topic rock pools").papers} == {*old, *new}


def test_what_was_announced_before_an_edit_and_still_matches_comes(world):
    world.say("follow crab*")
    told = world.announce("A crab in winter")
    world.say("edit crab*: crab* OR lobster")
    world.morning()

    assert world.got() == told


def test_a_query_that_decides_by_itself_is_never_narrowed_to_nothing(world):
    for n in range(8):
        at = world.clock() - timedelta(days=10)
        world.announce(f"Paper {n} of robots", categories=("cs.RO",), submitted_at=at)
    reply = world.say("follow cat:cs.RO")

    assert ", focused" not in said(reply)
    assert "follow (cat:cs.RO) AND WORD brings those with that word." in said(reply)
    assert "Only the closest" not in [b.label for b in reply.buttons]
    refused = world.say("follow cat:cs.RO, focused")
    assert "Focused would bring none of its papers" in said(refused)
    assert world.store.people.follows(1)[0].breadth is Breadth.BALANCED
    assert "You already follow" in said(world.press(refused, "Follow it as it is"))


def test_a_topic_that_is_forgotten_while_it_is_counted_is_not_followed_without_a_query(world):
    world.say('follow "harbour seals"', BEA)
    (counted,) = (each.topic for each in world.store.people.follows(1))
    world.core.erase(BEA)

    with pytest.raises(Refused, match="by somebody at this moment"):
        follow_topic(Errand(world.core.house, Actor(ADA), ADA, world.clock()), counted)
    assert world.store.people.everyone() == []
