"""Another name for a topic of one's own."""

import pytest

from tests.core.conftest import BEA, said

QUERY = '"ebb tide" OR "spring tide"'


@pytest.fixture
def followed(world):
    world.say(f"follow {QUERY}")
    return world


@pytest.mark.parametrize("typed", ["to My tides", "as “My tides”", ": My tides"])
def test_a_query_is_called_by_a_name_and_brings_what_it_brought(followed, typed):
    reply = followed.say(f"rename {QUERY} {typed}")
    told = followed.announce("An ebb tide")
    followed.morning()

    assert said(reply).startswith("Called My tides from now on.")
    assert followed.got() == told
    assert said(followed.say("list")).startswith("My tides  1 paper")
    assert QUERY not in followed.asks("topic my tides").splitlines()[0]


def test_undo_gives_the_old_name_back(followed):
    reply = followed.say(f"rename {QUERY} to My tides")

    assert said(followed.press(reply, "Undo")).startswith(f"Called {QUERY} from now on.")


def test_a_name_with_a_to_of_its_own_is_found_whole(world):
    world.say('follow tide to ebb: "ebb tide"')
    world.say('edit tides to ebbs: "ebb tide"')
    world.say('follow "tide to ebb"')

    assert said(world.say('rename "tide to ebb" to Ebbing')).startswith("Called Ebbing")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("rename tides to My tides", "Tides is not yours alone and keeps its name"),
        (f"rename {QUERY} to Gulls", "Gulls is the name of another topic"),
        (f'rename {QUERY} to "a" AND "b"', "reads as a query"),
        (f"rename {QUERY}", "Write rename NAME to OTHER NAME"),
        ("rename", "Write rename NAME to OTHER NAME"),
    ],
)
def test_what_cannot_be_called_so_is_said(followed, typed, why):
    followed.say("follow tides")

    assert why in said(followed.say(typed))
    assert QUERY in said(followed.say("list"))


def test_a_name_that_finds_its_papers_is_not_changed_beneath_them(world):
    world.say("follow harbour seals")

    assert "follow Seals, then unfollow harbour seals" in said(
        world.say("rename harbour seals to Seals")
    )


def test_what_somebody_else_follows_too_keeps_its_name(followed):
    followed.say(f"follow {QUERY}", BEA)

    assert "keeps its name" in said(followed.say(f"rename {QUERY} to My tides"))
