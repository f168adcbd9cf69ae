"""arXiv's announcement calendar."""

import json
import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.timetable import Calendar, Quiet, TimetableError

CONFIG = Path(__file__).parents[2] / "config" / "calendar.toml"
CALENDAR = Calendar.parse(tomllib.loads(CONFIG.read_text()))
NEW_YORK = ZoneInfo("America/New_York")


def new_york(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=NEW_YORK).astimezone(UTC)


@pytest.mark.parametrize(
    ("submitted", "mailed"),
    [
        pytest.param("2026-11-17T13:59", "2026-11-17T20:00", id="Tuesday before the cut-off"),
        pytest.param("2026-11-17T14:00", "2026-11-18T20:00", id="Tuesday at the cut-off"),
        pytest.param("2026-11-19T14:30", "2026-11-22T20:00", id="Thursday after it: Sunday"),
        pytest.param("2026-11-20T10:00", "2026-11-22T20:00", id="Friday before it: Sunday"),
        pytest.param("2026-11-20T14:00", "2026-11-23T20:00", id="Friday after it: Monday"),
        pytest.param("2026-11-21T09:00", "2026-11-23T20:00", id="Saturday: Monday"),
        pytest.param("2026-11-22T23:00", "2026-11-23T20:00", id="Sunday: Monday"),
        pytest.param("2026-11-26T09:00", "2026-11-29T20:00", id="Thanksgiving: Sunday"),
        pytest.param("2026-12-29T09:00", "2026-12-30T20:00", id="29 December: the 30th"),
        pytest.param("2026-12-31T09:00", "2027-01-03T20:00", id="31 December: Sunday"),
        pytest.param("2026-11-01T13:00", "2026-11-02T20:00", id="the clocks go back"),
        pytest.param("2027-03-14T13:00", "2027-03-15T20:00", id="the clocks go forward"),
    ],
)
def test_a_paper_is_mailed(submitted: str, mailed: str):
    assert CALENDAR.mailing_for(new_york(submitted)) == new_york(mailed)


@given(st.integers(0, 700 * 86_400))
def test_a_mailing_opens_with_the_first_paper_that_comes_with_it(seconds: int):
    mailing = CALENDAR.next_mailing(datetime(2025, 7, 1, tzinfo=UTC) + timedelta(seconds=seconds))
    opened = CALENDAR.opens_for(mailing)

    assert CALENDAR.mailing_for(opened) == mailing
    assert CALENDAR.mailing_for(opened - timedelta(seconds=1)) < mailing


def test_mailings_move_with_new_yorks_clocks():
    in_summer = CALENDAR.last_mailing(new_york("2026-10-30T12:00"))
    in_winter = CALENDAR.last_mailing(new_york("2026-11-03T12:00"))

    assert in_summer.hour == 0
    assert in_winter.hour == 1


@given(st.integers(0, 700 * 86_400))
def test_mailings_are_in_order(seconds: int):
    now = datetime(2025, 7, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    last, following = CALENDAR.last_mailing(now), CALENDAR.next_mailing(now)

    assert last <= now < following <= CALENDAR.mailing_for(now) + timedelta(days=3)
    assert CALENDAR.mailing_for(now) >= following


def test_the_week_is_complete_once_its_sunday_has_been_mailed():
    assert CALENDAR.week_complete_at(date(2026, 11, 16)) == new_york("2026-11-23T20:00")
    assert CALENDAR.week_complete_at(date(2026, 1, 12)) == new_york("2026-01-20T20:00")  # holiday


def test_the_real_year_is_told_day_by_day(shared: Path):
    seen = set(json.loads((shared / "data" / "announcement_days.json").read_text())["days"])
    days = [date(2025, 7, 1) + timedelta(days=n) for n in range(417)]
    listed = {day.isoformat() for day in days if CALENDAR.is_mailing_day(day - timedelta(days=1))}

    assert listed == seen


@pytest.mark.parametrize(
    ("now", "success", "tried", "due"),
    [
        pytest.param(
            "2026-11-17T20:30", "2026-11-17T01:40", "2026-11-17T01:40", "2026-11-18T01:30",
            id="just mailed: wait for the night",
        ),
        pytest.param(
            "2026-11-18T02:00", "2026-11-18T01:35", "2026-11-18T01:35", "2026-11-19T01:30",
            id="seen: the next night",
        ),
        pytest.param(
            "2026-11-18T02:00", "2026-11-17T01:35", "2026-11-18T01:35", "2026-11-18T02:35",
            id="not there yet: in an hour",
        ),
        pytest.param(
            "2026-11-18T13:00", "2026-11-17T01:35", "2026-11-18T12:35", "2026-11-18T18:35",
            id="not there by noon: every six hours",
        ),
        pytest.param(
            "2026-11-20T09:00", "2026-11-20T01:31", "2026-11-20T01:31", "2026-11-23T01:30",
            id="Friday: nothing until Sunday's mailing",
        ),
        pytest.param(
            "2026-12-29T21:00", "2026-12-29T01:31", "2026-12-29T01:31", "2026-12-31T01:30",
            id="no mailing tonight",
        ),
        pytest.param(
            "2026-11-18T15:00", "2026-11-16T01:31", "2026-11-16T01:31", "2026-11-18T01:30",
            id="the machine was off: at once",
        ),
        pytest.param(
            "2026-11-18T21:00", "2026-11-17T01:31", "2026-11-18T18:35", "2026-11-19T00:35",
            id="yesterday's never seen: go on asking",
        ),
    ],
)  # fmt: skip
def test_the_next_poll_comes_when_something_new_may_be_there(
    now: str, success: str, tried: str, due: str
):
    found = CALENDAR.next_poll(new_york(now), new_york(success), new_york(tried))

    assert found == new_york(due)


def test_a_new_installation_polls_at_once():
    now = new_york("2026-11-21T15:00")

    assert CALENDAR.next_poll(now, None) == now


def test_installations_do_not_all_ask_at_once():
    late = Calendar(jitter=timedelta(minutes=7))

    assert late.first_try(new_york("2026-11-17T20:00")) == new_york("2026-11-18T01:37")


@pytest.mark.parametrize(
    ("now", "last_new", "reason", "missed"),
    [
        pytest.param("2026-11-18T09:00", "2026-11-18T01:35", Quiet.CURRENT, 0, id="up to date"),
        pytest.param("2026-11-18T02:00", "2026-11-17T01:35", Quiet.NOT_YET, 0, id="not yet"),
        pytest.param("2026-11-21T09:00", "2026-11-20T01:35", Quiet.WEEKEND, 0, id="Saturday"),
        pytest.param("2026-11-22T09:00", "2026-11-20T01:35", Quiet.WEEKEND, 0, id="Sunday"),
        pytest.param("2026-11-27T09:00", "2026-11-26T01:35", Quiet.HOLIDAY, 0, id="Thanksgiving"),
        pytest.param("2026-11-28T09:00", "2026-11-26T01:35", Quiet.WEEKEND, 0, id="and after it"),
        pytest.param("2026-11-18T12:00", "2026-11-17T01:35", Quiet.OVERDUE, 1, id="by noon"),
        pytest.param("2026-11-21T09:00", "2026-11-19T01:35", Quiet.OVERDUE, 1, id="one missed"),
        pytest.param("2026-11-24T13:00", "2026-11-19T01:35", Quiet.OVERDUE, 3, id="three missed"),
    ],
)
def test_silence_says_why(now: str, last_new: str, reason: Quiet, missed: int):
    silence = CALENDAR.silence(new_york(now), new_york(last_new))

    assert (silence.reason, silence.missed) == (reason, missed)
    assert silence.sentence.endswith(".")
    assert silence.expected is (reason is not Quiet.OVERDUE)


def test_the_sentence_names_the_next_announcement():
    silence = CALENDAR.silence(new_york("2026-11-21T09:00"), new_york("2026-11-20T01:35"))

    assert silence.sentence == (
        "arXiv does not announce at the weekend; "
        "the next announcement comes Sun 22 Nov at 20:00 New York."
    )


@pytest.mark.parametrize(
    ("a_mailing", "reason"),
    [
        pytest.param(0.5, Quiet.FEW, id="of one paper in two mailings three may bring none"),
        pytest.param(2.3, Quiet.FEW, id="not quite seven papers"),
        pytest.param(2.4, Quiet.OVERDUE, id="more than seven of them never fail to come"),
        pytest.param(600, Quiet.OVERDUE, id="all of computer science"),
    ],
)
def test_where_few_papers_are_read_some_announcements_bring_none(a_mailing: float, reason: Quiet):
    now, last_new = new_york("2026-11-24T13:00"), new_york("2026-11-19T01:35")

    silence = CALENDAR.silence(now, last_new, a_mailing)

    assert silence.reason is reason
    assert "Nothing new since Thu 19 Nov" in silence.sentence


def test_before_the_first_paper_nothing_is_overdue():
    assert CALENDAR.silence(new_york("2026-11-21T09:00"), None).reason is Quiet.NEVER


@pytest.mark.parametrize(
    ("table", "advice"),
    [
        ({"no_mailing": ["2026-02-30"]}, "write 2026-12-29"),
        ({"no_mailing": "2026-12-29"}, "write a list of dates"),
        ({"no_mailing": [3]}, "is not a date"),
    ],
)
def test_a_broken_calendar_is_refused(table: dict[str, object], advice: str):
    with pytest.raises(TimetableError, match=advice):
        Calendar.parse(table)
