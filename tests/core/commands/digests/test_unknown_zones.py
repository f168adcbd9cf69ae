"""A zone that was written down and that this machine does not know: UTC stands in, and says so."""

import pytest

from bot.timetable import is_known, zone_of
from tests.core.commands.digests.conftest import destinations
from tests.core.conftest import MONDAY
from tests.houses import ADA

GONE = "Atlantis/Poseidonis"


@pytest.fixture
def stranded(world):
    """Ada's digest comes by a zone that has left the database of zones."""
    world.say("follow tides")
    (destination,) = destinations(world)
    world.store.people.schedule(destination.id, destination.next_due_at, zone=GONE)
    return world


@pytest.mark.parametrize("name", [GONE, "", "Europe", "../UTC", "/etc/localtime"])
def test_utc_stands_in_for_what_is_no_zone(name):
    assert zone_of(name).key == "UTC"
    assert not is_known(name)


@pytest.mark.parametrize(
    "typed", ["list", "settings", "mute tides until friday", "topic tides", "digest daily 8",
              "digest last", "status", "pause for 2w", "resume", "why 2611.00001"],
)  # fmt: skip
def test_its_reader_may_say_everything(stranded, typed):
    stranded.announce("Tides of the coast")

    assert stranded.say(typed).status == 200


def test_its_reader_is_told_and_may_choose_another(stranded):
    assert f"09:00 (UTC, as {GONE} is not known here)" in stranded.asks("settings")

    assert "(Europe/Kyiv)" in stranded.asks("digest tz Europe/Kyiv")


def test_the_digest_comes_by_utc_and_goes_on(stranded):
    tides = stranded.announce("Tides of the coast")
    stranded.morning(MONDAY)

    assert stranded.got(ADA) == tides
    (destination,) = destinations(stranded)
    assert (destination.next_due_at - MONDAY).days == 7


def test_whoever_runs_it_hears_which_zone_it_is(stranded):
    (trouble,) = (said for said in stranded.core.standing().troubles if "zone" in said)

    assert GONE in trouble

    stranded.say("digest tz Europe/Kyiv")
    assert not stranded.core.standing().zones
