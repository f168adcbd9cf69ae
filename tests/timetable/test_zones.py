"""Zones as people type them."""

from zoneinfo import available_timezones

import pytest

from bot.timetable import TimetableError, canonical_zone, zone_at_end
from bot.timetable.cities import CITIES


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        (" EUROPE / KYIV ", "Europe/Kyiv"),
        ("Europe/Kiev", "Europe/Kiev"),
        ("New York", "America/New_York"),
        ("tokyo", "Asia/Tokyo"),
        ("utc", "UTC"),
        ("Z", "UTC"),
    ],
)
def test_a_zone_is_found_in_any_case(text: str, name: str):
    assert canonical_zone(text) == name


def test_every_zone_of_the_database_is_its_own_name_but_for_abbreviations():
    names = {name for name in available_timezones() if "/" in name}

    assert {canonical_zone(name) for name in names} == names


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("CEST", "Europe/Berlin or Europe/Paris"),
        ("EST", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("Europe/Berln", "did you mean Europe/Berlin"),
        ("Berln", "Europe/Berlin"),
        ("UTC+2", "is an offset"),
        ("+02:00", "is an offset"),
        ("Mars/Olympus", "is not a time zone"),
        ("Factory", "is not a time zone"),
        ("", "is not a time zone"),
        ("../../etc/passwd", "is not a time zone"),
        ("\x00", "is not a time zone"),
        ("x" * 5000, "is not a time zone"),
    ],
)
def test_what_is_no_zone_is_refused_with_near_names(text: str, advice: str):
    with pytest.raises(TimetableError, match=advice):
        canonical_zone(text)


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("mon 9 Berlin", ("mon 9", "Europe/Berlin")),
        ("mon 9 in Berlin", ("mon 9", "Europe/Berlin")),
        ("9am New York time", ("9am", "America/New_York")),
        ("daily 8:30 (Europe/Kyiv)", ("daily 8:30", "Europe/Kyiv")),
        ("9 UTC", ("9", "UTC")),
        ("mon 9", ("mon 9", "")),
        ("daily", ("daily", "")),
        ("", ("", "")),
    ],
)
def test_a_zone_may_stand_at_the_end(text: str, parted: tuple[str, str]):
    assert zone_at_end(text) == parted


@pytest.mark.parametrize("text", ["9am EST", "mon 9 PT", "9 UTC+2"])
def test_an_abbreviation_at_the_end_is_refused_as_such(text: str):
    with pytest.raises(TimetableError, match="zone"):
        zone_at_end(text)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [("Geneva", "Europe/Zurich"), ("München", "Europe/Berlin"),
     ("San Francisco", "America/Los_Angeles"), ("Beijing", "Asia/Shanghai"),
     ("oxford", "Europe/London")],
)  # fmt: skip
def test_a_city_that_no_zone_is_named_after_has_the_one_of_its_clocks(typed, zone):
    assert canonical_zone(typed) == zone
    assert zone_at_end(f"mon 9 {typed}") == ("mon 9", zone)


def test_every_zone_of_a_city_is_one():
    assert {*CITIES.values()} <= available_timezones()
    assert {canonical_zone(city) for city in CITIES} <= available_timezones()
