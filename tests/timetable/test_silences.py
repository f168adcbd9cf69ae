"""How long a silence lasts."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import FOREVER
from bot.timetable import TimetableError, is_time, silence_until

MONDAY = datetime(2026, 11, 30, 10, 12, tzinfo=UTC)  # 11:12 in Berlin


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("7d", "2026-12-07T11:12"),
        ("for 7d", "2026-12-07T11:12"),
        ("for 7 days", "2026-12-07T11:12"),
        ("a week", "2026-12-07T11:12"),
        ("2w", "2026-12-14T11:12"),
        ("for a fortnight", "2026-12-14T11:12"),
        ("until Freitag", "2026-12-04T00:00"),
        ("two weeks", "2026-12-14T11:12"),
        ("1 month", "2026-12-30T11:12"),
        ("3 months", "2027-02-28T11:12"),
        ("1y", "2027-11-30T11:12"),
        ("12h", "2026-11-30T23:12"),
        ("until 14 Dec", "2026-12-14T00:00"),
        ("until December 14th", "2026-12-14T00:00"),
        ("until 14th of december", "2026-12-14T00:00"),
        ("until 2026-12-14", "2026-12-14T00:00"),
        ("14.12.", "2026-12-14T00:00"),
        ("until 14.12.2026", "2026-12-14T00:00"),
        ("until 14 Dec 2027", "2027-12-14T00:00"),
        ("until 30 Nov 2027", "2027-11-30T00:00"),
        ("until 1 March", "2027-03-01T00:00"),
        ("until 29 Feb", "2028-02-29T00:00"),
        ("until january", "2027-01-01T00:00"),
        ("until friday", "2026-12-04T00:00"),
        ("until monday", "2026-12-07T00:00"),
        ("until next week", "2026-12-07T00:00"),
        ("until tomorrow", "2026-12-01T00:00"),
        ("UNTIL  TOMORROW", "2026-12-01T00:00"),
        ("2 weeks please!", "2026-12-14T11:12"),
        ("a couple of weeks", "2026-12-14T11:12"),
        ("1w 2d", "2026-12-09T11:12"),
        ("2 weeks and 3 days", "2026-12-17T11:12"),
        ("1.5h", "2026-11-30T12:42"),
        ("90 minutes", "2026-11-30T12:42"),
        ("half a year", "2027-05-30T11:12"),
        ("zwei Wochen", "2026-12-14T11:12"),
        ("bis Montag", "2026-12-07T00:00"),
        ("bis 1. März", "2027-03-01T00:00"),
        ("until Mon 14 Dec", "2026-12-14T00:00"),
        ("until Mon 14 Dec 09:00", "2026-12-14T09:00"),
        ("until 2026-12-14T09:00", "2026-12-14T09:00"),
        ("until 14/12", "2026-12-14T00:00"),
        ("until 12/14/26", "2026-12-14T00:00"),
        ("until 14.12", "2026-12-14T00:00"),
        ("until the 15th", "2026-12-15T00:00"),
        ("until January 2028", "2028-01-01T00:00"),
        ("until noon", "2026-11-30T12:00"),
        ("until 9am", "2026-12-01T09:00"),
        ("until 8.30", "2026-12-01T08:30"),
        ("until tomorrow 9", "2026-12-01T09:00"),
        ("until fri 5pm", "2026-12-04T17:00"),
        ("until 5 pm", "2026-11-30T17:00"),
        ("until 5 p.m.", "2026-11-30T17:00"),
        ("bis 17 Uhr", "2026-11-30T17:00"),
        ("until 9am tomorrow", "2026-12-01T09:00"),
        ("until 9 am on Monday", "2026-12-07T09:00"),
        ("until 17:00 14 Dec", "2026-12-14T17:00"),
        ("until noon tomorrow", "2026-12-01T12:00"),
        ("until 24:00", "2026-12-01T00:00"),
        ("until midnight", "2026-12-01T00:00"),
        ("until fri midnight", "2026-12-05T00:00"),
        ("until midnight on friday", "2026-12-05T00:00"),
        ("until tomorrow midnight", "2026-12-02T00:00"),
        ("until 14 Dec midnight", "2026-12-15T00:00"),
        ("bis Freitag Mitternacht", "2026-12-05T00:00"),
        ("until the end of friday", "2026-12-05T00:00"),
        ("until the end of 14 Dec", "2026-12-15T00:00"),
        ("until fri 24:00", "2026-12-05T00:00"),
        ("until 14 Dec 24:00", "2026-12-15T00:00"),
        ("bis Freitag 24 Uhr", "2026-12-05T00:00"),
        ("until tomorrow morning", "2026-12-01T09:00"),
        ("until EOD", "2026-12-01T00:00"),
        ("today", "2026-12-01T00:00"),
        ("this week", "2026-12-07T00:00"),
        ("the rest of the month", "2026-12-01T00:00"),
        ("until the end of December", "2027-01-01T00:00"),
        ("next week", "2026-12-14T00:00"),
        ("for next week", "2026-12-14T00:00"),
        ("for tomorrow", "2026-12-02T00:00"),
        ("for December", "2027-01-01T00:00"),
        ("through Friday", "2026-12-05T00:00"),
        ("over the weekend", "2026-12-07T00:00"),
    ],
)
def test_a_silence_ends_when_the_words_say(text: str, local: str):
    until = silence_until(text, MONDAY, "Europe/Berlin")

    assert until == datetime.fromisoformat(local).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    assert until.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("until Christmas", "until 25 dec"),
        ("until after xmas", "through 25 dec"),
        ("until New Year's Day", "until 1 jan"),
        ("until after friday", "through friday"),
        ("until the deadline on Dec 2", "until dec 2"),
        ("until after the paper deadline on Dec 2", "through dec 2"),
    ],
)
def test_feasts_and_deadlines_are_days(text: str, same: str):
    assert silence_until(text, MONDAY, "UTC") == silence_until(same, MONDAY, "UTC")


@pytest.mark.parametrize(
    "text",
    [
        "forever",
        "for ever",
        "until forever",
        "indefinitely",
        "until further notice",
        "until I say so",
    ],
)
def test_a_silence_may_have_no_end(text: str):
    assert silence_until(text, MONDAY, "UTC") == FOREVER


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("0d", "no time at all"),
        ("-1d", "no time at all"),
        ("99999d", "at most 3650d"),
        ("999999999999999999d", "at most 3650d"),
        ("until 9999-12-31", "at most 3650d"),
        ("until 31 Feb", "February has 28"),
        ("until 2026-11-31", "November has 30"),
        ("until 2026-13-01", "is not a day"),
        ("until yesterday", "already passed"),
        ("until today", "already passed"),
        ("until 2026-11-30", "already passed"),
        ("until 30 Nov", "already passed; name a day from tomorrow on, or write until 30 Nov 2027"),
        ("until Oct 1st", "already passed; .* or write until 1 Oct 2027"),
        ("until november", "already passed; .* or write until 1 Nov 2027"),
        ("until 14 Dec 2025", "already passed"),
        ("1m", "minutes or months"),
        ("until 5/6", "may be 5 Jun or 6 May"),
        ("until 8.10", "may be 8 Oct or 8:10"),
        ("until Tue 14 Dec", "that date is a Monday"),
        ("a few days", "any number of days; write 3 days"),
        ("until Easter", "write for example"),
        ("until 9", "write for example"),
        ("soon", "write for example"),
        ("", "write for example"),
        ("7", "write for example"),
        ("７d\u202e", "write for example"),
    ],
)
def test_what_is_no_silence_is_refused_with_what_to_write(text: str, advice: str):
    with pytest.raises(TimetableError, match=advice) as caught:
        silence_until(text, MONDAY, "Europe/Berlin")

    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["2w", "this week", "tomorrow", "14 Dec", "for a month"])
def test_a_time_is_told_from_other_words_even_where_it_has_passed(text: str):
    assert is_time(text)


@pytest.mark.parametrize("text", ["", "world models", "3D reconstruction", "loops for cats"])
def test_other_words_are_no_time(text: str):
    assert not is_time(text)


def test_days_keep_the_wall_clock_over_a_change_of_the_clocks():
    before = datetime(2026, 10, 24, 7, 0, tzinfo=UTC)  # 09:00 in Berlin

    assert silence_until("1d", before, "Europe/Berlin") == before + timedelta(hours=25)


@given(st.text())
def test_no_text_breaks_it(text: str):
    try:
        until = silence_until(text, MONDAY, "Asia/Kathmandu")
    except TimetableError:
        return

    assert until > MONDAY


@pytest.mark.parametrize("row", ["mon ", "until mon ", "2w and ", "1 to ", "fri, "])
def test_a_row_of_words_longer_than_any_time_is_none(row):
    with pytest.raises(TimetableError, match="is not a length of time"):
        silence_until(row * 2000, MONDAY, "UTC")
