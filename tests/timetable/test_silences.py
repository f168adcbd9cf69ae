"""How long a silence lasts."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import FOREVER
from bot.timetable import TimetableError, silence_until

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
    ],
)
def test_a_silence_ends_when_the_words_say(text: str, local: str):
    until = silence_until(text, MONDAY, "Europe/Berlin")

    assert until == datetime.fromisoformat(local).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    assert until.tzinfo is UTC


@pytest.mark.parametrize("text", ["forever", "for ever", "until forever", "indefinitely"])
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
