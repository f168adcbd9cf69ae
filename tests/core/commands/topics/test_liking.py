"""Like: example papers lead to the topics that they belong to, and to words of their own."""

import pytest

from bot.core.commands.topics.liking import worth
from bot.core.pipeline.papers.catalogue import Listed
from bot.model import Match
from tests.core.conftest import said
from tests.houses import CATALOGUE


def test_papers_that_are_stored_are_needed(world):
    assert world.say("like 9911.00001").status == 404
    assert world.say("like this").status == 400


def test_papers_belong_to_topics_and_share_words(world):
    ids = world.announce("Seaweed farms under a lighthouse", "Seaweed, a lighthouse and a gull")
    reply = world.say(f"like {' '.join(ids)}")

    assert said(reply).splitlines()[0] == "These 2 papers belong to: Lighthouses, Gulls (1)"
    assert "are about: " in said(reply)
    assert [b.command for b in reply.buttons[:2]] == ["follow Lighthouses", "follow Gulls"]
    assert reply.buttons[2].label == "Follow the words"
    assert said(world.press(reply, "Follow Lighthouses")).startswith("Following Lighthouses. ")


def test_one_example_is_called_one(world):
    (one,) = world.announce("Seaweed farming under lighthouses")

    assert world.asks(f"like {one}").startswith("This paper belongs to: Lighthouses\nThis paper ")


def test_papers_of_no_topic_share_words_alone(world):
    (one,) = world.announce("Seaweed farming")
    reply = world.say(f"like {one}")

    assert said(reply).startswith("This paper is about: ")
    assert [b.label for b in reply.buttons] == ["Follow the words"]


def test_one_paper_leads_to_the_topics_of_papers_that_are_like_it(world):
    world.announce(*(f"Harbour beacons and seaweed, {n}: the lighthouse" for n in "abc"))
    world.announce("Gulls and hats")
    (one,) = world.announce("Harbour beacons and seaweed")
    reply = world.say(f"like {one}")

    assert said(reply) == "Papers like it belong to: Lighthouses"
    assert [button.command for button in reply.buttons] == ["follow Lighthouses"]


def test_several_papers_say_enough_by_themselves(world):
    world.announce(*(f"Harbour beacons and seaweed, {n}: the lighthouse" for n in "abc"))
    two = world.announce("Harbour beacons and seaweed", "Seaweed and harbour beacons")

    assert "belong to" not in world.asks(f"like {' '.join(two)}")


def test_papers_that_share_a_topic_and_no_words_lead_to_the_topic(world):
    ebb = Listed("ebbs", "Ebbs", "…", "Coasts", '"neap" OR "spring"')
    world.core.learn_catalogue([*CATALOGUE, ebb])
    ids = world.announce("Neap", "Spring", abstract=".")

    assert world.asks(f"like {' '.join(ids)}") == "These 2 papers belong to: Ebbs"


def test_a_topic_of_somebody_elses_own_is_not_told(world):
    world.say("follow seaweed AND farms")
    ids = world.announce("Seaweed farms", "Farms of seaweed")

    assert "belong" not in world.asks(f"like {' '.join(ids)}")


@pytest.mark.parametrize(
    ("scores", "share", "best"),
    [
        ({1: (0.9, 0.9), 2: (0.5, 0.5)}, {1: 0.01, 2: 0.01}, 1),  # the closer
        ({1: (0.9, 0.9), 2: (0.9, 0.9)}, {1: 0.1, 2: 0.01}, 2),  # the rarer
        ({1: (0.9, 0.9), 2: (0.9,)}, {1: 0.01, 2: 0.01}, 1),  # that of both
        ({1: (0.9, 0.9), 2: (0.9, 0.9)}, {1: 0.0001, 2: 0.00001}, 1),  # as rare as rarity counts
    ],
)
def test_a_topic_tells_the_more_the_closer_it_fits_and_the_rarer_it_is(scores, share, best):
    matches = {
        seq: [Match(0, seq, t, given[seq], "") for t, given in scores.items() if seq < len(given)]
        for seq in range(2)
    }
    told = worth(matches, 2, share.__getitem__)

    assert max(sorted(told), key=told.__getitem__) == best


def test_a_topic_of_fewer_than_half_of_the_papers_tells_nothing_of_them():
    assert worth({1: [Match(0, 1, 7, 1.0, "")], 2: [], 3: []}, 3, lambda _: 0.01) == {}
