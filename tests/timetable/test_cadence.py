"""How cadences are read, and that each local day or week has exactly one due instant."""

from datetime import UTC, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.timetable import Cadence, TimetableError, next_due

READINGS = [
    ("weekly mon 09:00", "weekly mon 09:00"),
    ("mon 9", "weekly mon 09:00"),
    ("Fridays at 17", "weekly fri 17:00"),
    ("montag 9", "weekly mon 09:00"),
    ("Mittwoch 8 Uhr", "weekly wed 08:00"),
    ("dimanche 7h30", "weekly sun 07:30"),
    ("every Tuesday at 8:05", "weekly tue 08:05"),
    ("weekly on Thu, 7pm", "weekly thu 19:00"),
    ("weekly", "weekly mon 09:00"),
    ("sunday", "weekly sun 09:00"),
    ("daily 8:30", "daily 08:30"),
    ("daily", "daily 09:00"),
    ("every day at noon", "daily 12:00"),
    ("weekdays 7", "weekdays 07:00"),
    ("mon-fri at 6h30", "weekdays 06:30"),
    ("Monday to Friday 06:30", "weekdays 06:30"),
    ("9am", "weekly mon 09:00"),
    ("9 am", "weekly mon 09:00"),
    ("12am", "weekly mon 00:00"),
    ("12pm", "weekly mon 12:00"),
    ("09.00", "weekly mon 09:00"),
    ("0915", "weekly mon 09:15"),
    ("17h", "weekly mon 17:00"),
    ("9 o'clock", "weekly mon 09:00"),
    ("midnight", "weekly mon 00:00"),
    ("23:59", "weekly mon 23:59"),
    ("weekly.", "weekly mon 09:00"),
    ("daily, please!", "daily 09:00"),
    ("once a week", "weekly mon 09:00"),
    ("wednesdays @ 8", "weekly wed 08:00"),
    ("mon; 8 a. m.", "weekly mon 08:00"),
    ("12 noon", "weekly mon 12:00"),
    ("18 Uhr 30", "weekly mon 18:30"),
    ("every morning at 8", "daily 08:00"),
    ("monday mornings", "weekly mon 09:00"),
    ("friday afternoon", "weekly fri 15:00"),
    ("8 in the evening", "weekly mon 20:00"),
    ("business days 7", "weekdays 07:00"),
    ("Mo-Fr 8", "weekdays 08:00"),
    ("jeden Freitag um 8 Uhr", "weekly fri 08:00"),
    ("tous les lundis à 9h", "weekly mon 09:00"),
    ("mon and thu", "weekly mon thu 09:00"),
    ("Mon & Thu 8am", "weekly mon thu 08:00"),
    ("thu/tue 8:30", "weekly tue thu 08:30"),
    ("mon, wed, fri", "weekly mon wed fri 09:00"),
    ("Tuesday through Thursday 7", "weekly tue wed thu 07:00"),
    ("fri to mon", "weekly mon fri sat sun 09:00"),
    ("montags und donnerstags um 8", "weekly mon thu 08:00"),
    ("twice a week", "weekly mon thu 09:00"),
    ("three times a week at 8", "weekly mon wed fri 08:00"),
    ("weekends at 10", "weekly sat sun 10:00"),
    ("daily except sunday", "weekly mon tue wed thu fri sat 09:00"),
    ("daily at 7am, but not on weekends", "weekdays 07:00"),
    ("weekdays but friday", "weekly mon tue wed thu 09:00"),
    ("mon to sun 7", "daily 07:00"),
    ("every other friday", "fortnightly fri 09:00"),
    ("biweekly", "fortnightly mon 09:00"),
    ("every two weeks on tuesday", "fortnightly tue 09:00"),
    ("monthly", "monthly mon 09:00"),
    ("once a month on fri", "monthly fri 09:00"),
    ("the first tuesday of every month at 8", "monthly tue 08:00"),
]


@pytest.mark.parametrize(("text", "canonical"), READINGS)
def test_a_cadence_is_read_as_people_write_it(text: str, canonical: str):
    cadence = Cadence.parse(text)

    assert str(cadence) == canonical
    assert Cadence.parse(str(cadence)) == cadence


def test_a_bare_time_keeps_the_rest_of_the_default():
    weekly_friday = Cadence.parse("fri 17:00")

    assert str(Cadence.parse("8:15", default=weekly_friday)) == "weekly fri 08:15"
    assert str(Cadence.parse("8:15", default=Cadence.parse("daily 9"))) == "daily 08:15"
    assert str(Cadence.parse("daily", default=weekly_friday)) == "daily 17:00"
    assert str(Cadence.parse("weekly", default=Cadence.parse("daily 7"))) == "weekly mon 07:00"
    assert str(Cadence.parse("8:15", default=Cadence.parse("tue thu 9"))) == "weekly tue thu 08:15"
    assert str(Cadence.parse("weekly", default=Cadence.parse("tue thu 9"))) == "weekly tue 09:00"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("24:00", "write 00:00 for midnight"),
        ("daily 25:00", "from 00:00 to 23:59"),
        ("9:75", "from 00:00 to 23:59"),
        ("13pm", "from 00:00 to 23:59"),
        ("0am", "from 00:00 to 23:59"),
        ("", "write for example"),
        ("every other day", "cannot be had: a digest comes on one or several weekdays"),
        ("every 3 weeks", "cannot be had"),
        ("last friday of the month", "cannot be had"),
        ("monthly on the 1st", "cannot be had"),
        ("twice a day", "cannot be had"),
        ("daily except", "write for example"),
        ("daily except every day", "write for example"),
        ("daily mon", "a day too many"),
        ("mon 9 17", "write for example"),
        ("weekly daily", "write for example"),
        ("mon 9\x00\u202e", "write for example"),
        ("x" * 10_000, "write for example"),
    ],
)
def test_what_is_no_cadence_is_refused_with_what_to_write(text: str, advice: str):
    with pytest.raises(TimetableError, match=advice) as caught:
        Cadence.parse(text)

    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mon 9", "Monday 09:00"),
        ("daily 8:30", "every day 08:30"),
        ("weekdays 7", "weekdays 07:00"),
        ("mon thu 9", "Monday and Thursday 09:00"),
        ("mon wed fri 9", "Monday, Wednesday and Friday 09:00"),
        ("mon to sat 9", "Monday to Saturday 09:00"),
        ("every other fri 17", "every other Friday 17:00"),
        ("monthly", "the first Monday of the month 09:00"),
    ],
)
def test_a_cadence_in_words(text: str, words: str):
    assert Cadence.parse(text).words() == words


@pytest.mark.parametrize(
    ("cadence", "zone", "after", "due"),
    [
        pytest.param(
            "mon 9", "Europe/Berlin", "2026-11-30T07:59:59", "2026-11-30T08:00", id="this morning"
        ),
        pytest.param(
            "mon 9", "Europe/Berlin", "2026-11-30T08:00", "2026-12-07T08:00", id="strictly after"
        ),
        pytest.param(
            "daily 8", "Europe/Berlin", "2026-10-24T06:00", "2026-10-25T07:00", id="clocks go back"
        ),
        pytest.param(
            "daily 8",
            "Europe/Berlin",
            "2026-03-28T07:00",
            "2026-03-29T06:00",
            id="clocks go forward",
        ),
        pytest.param(
            "daily 2:30",
            "Europe/Berlin",
            "2026-03-28T12:00",
            "2026-03-29T01:00",
            id="in the gap: the first valid instant",
        ),
        pytest.param(
            "daily 2:30",
            "Europe/Berlin",
            "2026-10-24T12:00",
            "2026-10-25T00:30",
            id="in the fold: the first occurrence",
        ),
        pytest.param(
            "daily 2:30",
            "Europe/Berlin",
            "2026-10-25T00:30",
            "2026-10-26T01:30",
            id="and not the second",
        ),
        pytest.param(
            "daily 2:15",
            "Australia/Lord_Howe",
            "2026-10-03T00:00",
            "2026-10-03T15:30",
            id="a gap of half an hour",
        ),
        pytest.param(
            "daily 23:30",
            "America/Nuuk",
            "2027-03-27T12:00",
            "2027-03-28T01:00",
            id="a gap that ends the day",
        ),
        pytest.param(
            "daily 9",
            "Pacific/Apia",
            "2011-12-29T20:00",
            "2011-12-30T19:00",
            id="a day that never was",
        ),
        pytest.param(
            "weekdays 7",
            "America/New_York",
            "2026-11-27T13:00",
            "2026-11-30T12:00",
            id="over the weekend",
        ),
        pytest.param(
            "mon thu 9", "UTC", "2026-11-30T09:00", "2026-12-03T09:00", id="on the next of its days"
        ),
        pytest.param(
            "monthly tue 9", "UTC", "2026-11-30T09:00", "2026-12-01T09:00", id="the month's first"
        ),
        pytest.param(
            "monthly tue 9", "UTC", "2026-12-01T09:00", "2027-01-05T09:00", id="and none until then"
        ),
    ],
)
def test_a_digest_is_due_at_its_hour_where_its_reader_is(
    cadence: str, zone: str, after: str, due: str
):
    found = next_due(Cadence.parse(cadence), zone, _utc(after))

    assert found == _utc(due)
    assert found.tzinfo is UTC


@pytest.mark.parametrize("at", [time(0), time(2, 30), time(23, 45)], ids=str)
def test_every_zone_has_exactly_one_due_instant_a_day_at_each_change_of_the_clocks(at: time):
    for zone in sorted(available_timezones()):
        for change in _changes(zone):
            start = change - timedelta(days=2)
            _assert_one_a_day(Cadence("daily", (), at), zone, start, days=4)


@settings(max_examples=150, deadline=None)
@given(
    zone=st.sampled_from(sorted(available_timezones())),
    start=st.integers(0, 4000 * 86_400).map(lambda s: _utc("2025-01-01") + timedelta(seconds=s)),
    at=st.times().map(lambda t: t.replace(second=0, microsecond=0)),
    weekday=st.integers(0, 6),
)
def test_every_week_has_exactly_one(zone: str, start: datetime, at: time, weekday: int):
    cadence = Cadence("weekly", (weekday,), at)
    due = next_due(cadence, zone, start)
    following = next_due(cadence, zone, due)

    assert start < due <= start + timedelta(days=7, hours=3)
    assert timedelta(days=7, hours=-3) <= following - due <= timedelta(days=7, hours=3)
    assert next_due(cadence, zone, due - timedelta(microseconds=1)) == due


@given(st.integers(0, 4000))
def test_every_other_week_has_exactly_one_over_the_end_of_any_year(days: int):
    cadence, start = Cadence.parse("every other wed 9"), _utc("2025-01-01") + timedelta(days=days)
    due = next_due(cadence, "UTC", start)

    assert due <= start + timedelta(days=14)
    assert next_due(cadence, "UTC", due) - due == timedelta(days=14)


def _assert_one_a_day(cadence: Cadence, zone: str, start: datetime, days: int) -> None:
    place = ZoneInfo(zone)
    due, instants = start, []
    for _ in range(days):
        due = next_due(cadence, zone, due)
        instants.append(due)
    walls = [at.astimezone(place) for at in instants]
    assert instants == sorted(set(instants))
    periods = [(wall - _late_by(wall, cadence.at)).date() for wall in walls]
    assert all(b - a == timedelta(days=1) for a, b in pairwise(periods)), (
        zone,
        walls,
    )


def _late_by(wall: datetime, at: time) -> timedelta:
    """How far a gap pushed the due time: over midnight where the day ended in it."""
    return timedelta(hours=12) if wall.time() < at else timedelta(0)


@cache
@cache
def _changes(zone: str) -> list[datetime]:
    """The days in 2025-2027 on which the offset of the zone changes."""
    place = ZoneInfo(zone)
    days = [datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(1095)]
    offsets = [day.astimezone(place).utcoffset() for day in days]
    return [day for day, a, b in zip(days[1:], offsets, offsets[1:], strict=False) if a != b]


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
