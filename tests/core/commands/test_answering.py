"""What was offered is chosen in words as well: "yes", "the second", "both", "undo"."""

from datetime import timedelta

import pytest

from bot.core.offers import KEPT
from bot.core.reply import Actor
from bot.model import Identity
from tests.core.conftest import BEA, World, said

CLEO = Identity("slack", "T1", "U1")
SHORE = Identity("slack", "T1", "C1")


def followed(world, who=None):
    overview = (world.say("list", who) if who else world.say("list")).overview
    return [each.topic.name for each in overview.follows]


@pytest.mark.parametrize(
    "answer", ["yes", "Yes, please! 🙂", "ok", "👍", "sure.", "1", "the first one"]
)
def test_a_question_is_answered_with_yes(world, answer):
    world.say("tides")
    world.say(answer)

    assert followed(world) == ["Tides"]


def test_the_bare_name_of_a_topic_is_offered_to_be_followed_or_looked_at(world):
    asked = world.say("tides")

    assert said(asked) == "Did you mean follow Tides?"
    assert [button.command for button in asked.buttons] == ["follow Tides", "topic Tides"]
    assert "Tides" in world.asks("2")
    assert followed(world) == []


@pytest.mark.parametrize("answer", ["no", "No, thanks.", "never mind", "cancel", "neither"])
def test_a_question_is_answered_with_no(world, answer):
    world.say("tides")

    assert world.asks(answer) == "All right, nothing was changed."
    assert "nothing to choose" in world.asks("yes")
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("the second", ["Gulls"]),
        ("2", ["Gulls"]),
        ("option 1", ["Tides"]),
        ("both", ["Tides", "Gulls"]),
        ("all of them, please", ["Tides", "Gulls"]),
        ("the last one", ["tides, gulls"]),
    ],
)
def test_one_of_several_is_named_by_its_number_or_all_by_a_word(world, answer, names):
    world.say("follow tides, gulls")
    world.say(answer)

    assert followed(world) == names


@pytest.mark.parametrize("answer", ["yes", "9"])
def test_where_it_is_not_plain_which_one_is_meant_that_is_asked(world, answer):
    world.say("follow tides, gulls")
    reply = world.say(answer)

    assert said(reply) == "Which one? Press a button, or answer 1 to 3, or “all”."
    assert [b.command for b in reply.buttons][:2] == ["follow tides", "follow gulls"]
    world.say("1")
    assert followed(world) == ["Tides"]


def test_undo_takes_back_what_was_done_last(world):
    world.say("follow gulls")
    world.say("follow tides")
    world.say("undo")
    assert followed(world) == ["Gulls"]

    world.say("unfollow all")
    world.say("take that back")
    assert followed(world) == ["Gulls"]


def test_undo_ends_a_silence(world):
    world.say("follow tides")
    world.say("mute all for 2w")

    assert world.asks("undo").startswith("Everything is heard again")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("unfollow 2", "unfollow Gulls"),
        ("mute the first for 2w", "mute Tides for 2w"),
        ("topic the last one", "topic Gulls"),
    ],
)
def test_a_place_in_the_list_names_a_followed_topic(world, typed, meant):
    world.say("follow tides")
    world.say("follow gulls")
    assert world.asks(typed) == f"Did you mean {meant}?"
    assert world.say("yes").ok

    assert "I don’t know the topic 7" in world.asks("unfollow 7")


def test_undo_takes_back_all_that_one_answer_did(world):
    world.say("follow tides, gulls")
    world.say("both")

    assert world.asks("undo").startswith("No longer following Tides.")
    assert followed(world) == []


def test_an_answer_belongs_to_who_was_asked_and_where(world):
    world.say("tides", CLEO)
    assert "nothing to choose" in world.asks("yes", BEA)
    there = Actor(CLEO, conversation=SHORE)
    assert "nothing to choose" in said(world.core.execute(there, "yes"))

    world.say("yes", CLEO)
    assert followed(world, CLEO) == ["Tides"]


def test_everybody_sees_what_an_answer_did_for_a_conversation(world):
    there = Actor(CLEO, conversation=SHORE)
    world.core.execute(there, "follow tides, gulls in <#C1>")
    reply = world.core.execute(there, "both")

    assert reply.conversation == SHORE
    assert reply.notice
    assert [span.text for span in reply.notice if hasattr(span, "text")][::2] == ["Tides", "Gulls"]


def test_an_offer_is_forgotten_after_an_hour_and_by_the_next_request(world):
    world.say("tides")
    world.clock.forward(seconds=KEPT / timedelta(seconds=1) + 1)
    assert "nothing to choose" in world.asks("yes")

    world.say("tides")
    world.say("status")
    assert "nothing to choose" in world.asks("yes")


@pytest.mark.parametrize("answer", ["yes", "2", "all"])
def test_a_refusal_that_offers_nothing_is_no_question_though_papers_were_shown(world, answer):
    world.announce("The tide", "Tides at night")
    world.say("topic tides")
    world.say("save 2999.99999")

    assert "nothing to choose" in world.asks(answer)


@pytest.mark.parametrize("thanks", ["thanks!", "Thank you so much", "great", "🙏", ":tada:"])
def test_thanks_are_no_request(world, thanks):
    assert world.asks(thanks) == "You’re welcome."


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("list", "list in <#C1>"),
        ("why 2611.00001", "why 2611.00001 in <#C1>"),
        ("unfollow tides", "unfollow tides in <#C1>"),
        ("mute tides for 2w", "mute tides for 2w in <#C1>"),
    ],
)
def test_whoever_means_the_conversation_is_led_there(world, typed, meant):
    there = Actor(CLEO, conversation=SHORE)
    world.announce("The tide")
    world.core.execute(there, "follow tides in <#C1>")
    reply = world.core.execute(there, typed)

    assert f"This conversation does: {meant.removesuffix(' in <#C1>')} in this channel." in said(
        reply
    )
    assert meant in [button.command for button in reply.buttons]
    assert "This conversation" not in said(world.core.execute(Actor(CLEO), typed))


def test_a_bare_unsubscribe_may_mean_all_of_it(world):
    world.say("follow tides")
    reply = world.say("unsubscribe")

    assert "To get no more digests at all: digest off." in said(reply)
    world.say("yes")
    assert "turned off" in world.asks("digest")


def test_what_was_offered_is_answered_by_another_process_as_well(world):
    """Each command that is typed in a shell is one."""
    world.say("follow tides")
    world = World(world.clock, world.store)
    assert world.asks("undo").startswith("No longer following Tides.")

    world.say("follow tides, gulls")
    world = World(world.clock, world.store)
    assert world.asks("2").startswith("Following Gulls.")
    world.clock.forward(hours=2)
    assert "undo" in world.asks("undo").casefold()
    assert [each.topic.name for each in world.store.people.follows(1)] == ["Gulls"]


# ------------------------------------------------------ papers by their places


@pytest.fixture
def shown(world):
    """Three papers of a topic, in the order in which they were shown last."""
    world.announce("The tide", "Tides at night", "A third tide")
    return [each.paper.arxiv_id for each in world.say("topic tides").papers]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("save 2", [1]),
        ("save the first one", [0]),
        ("save the last", [2]),
        ("save paper 3", [2]),
        ("save 1 3", [0, 2]),
        ("save 1 and 3", [0, 2]),
        ("save 1, 2 and 3", [0, 1, 2]),
        ("bookmark the second", [1]),
    ],
)
def test_papers_are_named_by_their_places_in_the_last_answer(world, shown, typed, places):
    world.say(typed)

    saved = [each.paper.arxiv_id for each in world.say("saved").papers]
    assert sorted(saved) == sorted(shown[n] for n in places)


def test_they_stay_named_so_until_others_are_shown(world, shown):
    world.say("save 1")
    world.say("status")
    world.say("save 2")

    assert {each.paper.arxiv_id for each in world.say("saved").papers} == {*shown[:2]}
    assert "Which paper?" in said(world.say("save 3"))


def test_this_is_the_one_paper_that_was_shown(world):
    (tide,) = world.announce("The tide")
    world.say(tide)
    world.say("save this")

    assert [each.paper.arxiv_id for each in world.say("saved").papers] == [tide]


@pytest.mark.parametrize("typed", ["save 4", "save 1 4", "save this", "save the tide"])
def test_a_place_where_no_paper_was_is_asked_about(world, shown, typed):
    assert "Which paper?" in said(world.say(typed))
    assert not world.say("saved").papers
