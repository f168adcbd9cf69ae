"""Several topics in one request are offered one by one."""

import pytest

from tests.core.conftest import said


def test_names_of_another_language_in_a_row_are_offered_one_by_one(world):
    reply = world.say("follow maschinelles Lernen, Robotik, bestärkendes Lernen")

    assert [b.label for b in reply.buttons] == [
        "follow maschinelles Lernen", "follow Robotik", "follow bestärkendes Lernen",
        "As one topic",
    ]  # fmt: skip


def test_an_and_between_two_topics_is_said_to_mean_both_and_each_is_offered(world):
    reply = world.say("follow diffusion models and reinforcement learning")
    each = ["follow diffusion models", "follow reinforcement learning"]

    assert f"Its papers are about both. For either: {' and '.join(each)}." in said(reply)
    assert {*each} <= {button.command for button in reply.buttons}


@pytest.mark.parametrize("typed", ["tides and gulls", "vision and language", "sand and dunes"])
def test_an_and_that_parts_no_topics_or_means_either_is_not_spoken_of(world, typed):
    assert "about both" not in world.asks(f"follow {typed}")


SEVERAL = "These are 3 topics; press them, or send them one by one."


@pytest.mark.parametrize(
    "between", ["{}, {}, {}", "{}; {}; {}", "{}, {} and {}", "{}, {}, and {}."]
)
def test_topics_in_a_row_are_offered_one_by_one_and_as_one(world, between):
    typed = between.format("tides", "gulls", "lighthouses")
    reply = world.say(f"follow {typed}")

    assert said(reply) == SEVERAL
    assert [b.command for b in reply.buttons[:3]] == [
        "follow tides", "follow gulls", "follow lighthouses",
    ]  # fmt: skip
    assert world.store.people.everyone() == []
    assert said(world.press(reply, "As one topic")).startswith(f"Following {typed}")


def test_each_topic_of_a_row_keeps_the_clauses_behind_it(world):
    reply = world.say("follow tides, gulls and lighthouses without survey, focused")

    assert reply.buttons[1].command == "follow gulls without survey, focused"


def test_what_somebody_is_interested_in_is_offered_one_by_one(world):
    reply = world.say("follow My research interests include tides, gulls, and lighthouses.")

    assert [b.label for b in reply.buttons] == [
        "follow tides", "follow gulls", "follow lighthouses", "As one topic",
    ]  # fmt: skip


def test_topics_that_arxiv_knows_and_others_beside_them_are_offered_one_by_one(world):
    assert world.asks("follow diffusion, robotics and tides") == SEVERAL
    assert world.asks("follow compilers, operating systems, databases") == SEVERAL


@pytest.mark.parametrize(
    "one",
    ["text, image and video generation", "memory, planning and tool use for agents",
     "state-space models, e.g. Mamba", "generative models (GANs, VAEs, flows)",
     "GANs, VAEs or diffusion models", "tides and gulls", "Segmentation, Detection"],
)  # fmt: skip
def test_one_topic_with_commas_is_followed(world, one):
    assert world.asks(f"follow {one}").startswith(f"Following {one}. ")


@pytest.mark.parametrize("typed", ["{} tides, gulls", "{} tides and gulls"])
@pytest.mark.parametrize("verb", ["unfollow", "mute", "topic", "passed"])
def test_what_is_done_with_several_topics_is_offered_one_by_one(world, verb, typed):
    reply = world.say(typed.format(verb))

    assert [b.command for b in reply.buttons] == [f"{verb} tides", f"{verb} gulls"]


def test_a_silence_of_several_topics_keeps_its_end(world):
    reply = world.say("mute tides and gulls for 2w")

    assert [b.command for b in reply.buttons] == ["mute tides for 2w", "mute gulls for 2w"]
