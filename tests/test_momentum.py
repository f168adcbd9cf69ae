"""Whether a topic is heating up."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.commands.topics import ranking
from bot.model import Origin, Topic
from bot.momentum import how_many, label, momentum, sentence, share_label, week_of

MONDAY = date(2026, 10, 5)  # the running week
THURSDAY = date(2026, 10, 8)
WEEK = timedelta(days=7)
TOPIC = Topic(1, "tides", "Tides", "", "tide", "Coasts", (), Origin.CATALOGUE)


def counted(*papers: int, everything: int = 2500, running: int = 0, **more):
    """Momentum of complete weeks that end with the one before MONDAY, oldest first."""
    mondays = [MONDAY - WEEK * n for n in range(len(papers), 0, -1)]
    facts = {
        "today": THURSDAY,
        "complete_before": MONDAY,
        "observed_from": date(2026, 1, 1),
        **more,
    }
    return momentum(
        dict(zip(mondays, papers, strict=True)) | {MONDAY: running},
        dict.fromkeys([*mondays, MONDAY], everything),
        **facts,
    )


def test_four_weeks_against_the_four_before():
    m = counted(0, 0, 0, 0, 7, 7, 7, 8, 16, 17, 18, 19)

    assert sentence(m) == (
        "70 papers in the last four weeks, up 141 % on the four weeks before. "
        "0.7 % of all new papers."
    )


def test_twelve_complete_weeks_and_the_running_one_last():
    m = counted(*range(1, 13), running=40)

    assert [week.papers for week in m.weeks] == [*range(1, 13), 40]
    assert [week.complete for week in m.weeks] == [True] * 12 + [False]


def test_the_running_week_is_not_counted():
    m = counted(*[10] * 12, running=1000)

    assert (m.current, m.previous, m.change) == (40, 40, 0.0)


def test_last_week_is_not_complete_until_mondays_mailing_is_read():
    m = counted(*[10] * 12, today=MONDAY, complete_before=MONDAY - WEEK)

    assert [week.monday for week in m.weeks if not week.complete] == [MONDAY - WEEK, MONDAY]
    assert m.current == 40


@pytest.mark.parametrize(
    ("weeks", "words"),
    [
        ([0] * 8, "Quiet: no papers in the last eight weeks; 3 since 5 October."),
        (
            [5] * 4 + [0] * 4,
            "No papers in the last four weeks, 20 in the four weeks before; 3 since 5 October.",
        ),
    ],
    ids=["quiet", "none now"],
)
def test_no_papers_is_never_said_beside_papers_of_this_week(weeks: list[int], words: str):
    assert sentence(counted(*weeks, running=3)) == words


def test_a_week_is_never_complete_before_it_is_over():
    m = counted(*[10] * 12, complete_before=MONDAY + 5 * WEEK)

    assert m.weeks[-1].monday == MONDAY
    assert not m.weeks[-1].complete


def test_a_source_silent_for_long_does_not_stretch_the_chart():
    m = counted(*[10] * 12, complete_before=MONDAY - 6 * WEEK)

    assert len(m.weeks) == 13


def test_weeks_that_were_not_read_are_no_quiet_ones():
    m = counted(*[10] * 9, 0, 0, 0, complete_before=MONDAY - 3 * WEEK)

    assert (m.current, m.previous, label(m)) == (40, 40, "steady")
    assert sentence(m).startswith("40 papers in the four weeks to 13 September, about as many")
    assert how_many(m) == "40 papers in the four weeks to 13 September"


def test_monday_and_its_mailing_are_waited_for_before_weeks_count_as_unread():
    waiting = counted(*[10] * 12, today=MONDAY, complete_before=MONDAY - WEEK)

    assert waiting.read_to is None


@pytest.mark.parametrize(
    ("weeks", "words", "short"),
    [
        ([0] * 8, "Quiet: no papers in the last eight weeks.", "quiet"),
        (
            [0, 0, 0, 0, 3, 3, 3, 3],
            "12 papers in the last four weeks, none in the four weeks before: new. "
            "0.1 % of all new papers.",
            "new",
        ),
        (
            [1, 0, 1, 0, 1, 1, 1, 0],
            "3 papers in the last four weeks, 2 in the four weeks before. "
            "Under 0.1 % of all new papers.",
            "",
        ),
        (
            [0, 0, 1, 0, 0, 0, 0, 1],
            "1 paper in the last four weeks, 1 in the four weeks before. "
            "Under 0.1 % of all new papers.",
            "",
        ),
        (
            [5, 5, 5, 5, 0, 0, 0, 0],
            "No papers in the last four weeks, 20 in the four weeks before.",
            "",
        ),
        (
            [25, 25, 25, 25, 22, 22, 22, 22],
            "88 papers in the last four weeks, down 12 % on the four weeks before. "
            "0.9 % of all new papers.",
            "down 12 %",
        ),
        (
            [250, 250, 250, 250, 251, 250, 250, 250],
            "1,001 papers in the last four weeks, about as many as in the four weeks before. "
            "10 % of all new papers.",
            "steady",
        ),
    ],
    ids=["quiet", "new", "few", "one", "none now", "down", "steady"],
)
def test_says_no_more_than_the_counts_allow(weeks, words, short):
    m = counted(*weeks)

    assert sentence(m) == words
    assert label(m) == short


def test_weeks_before_the_first_look_are_marked():
    m = counted(*[10] * 12, observed_from=MONDAY - 3 * WEEK)

    assert [week.observed for week in m.weeks] == [False] * 9 + [True] * 4
    assert m.change is None
    assert not m.observed


def test_seven_days_are_named_by_the_day_from_which_they_were_read():
    m = counted(0, 0, 0, 9, running=8, observed_from=date(2026, 10, 1))

    assert sentence(m) == "17 papers since 1 October; four weeks are needed for a trend."


def test_sixteen_days_are_not_called_two_weeks():
    m = counted(0, 1, 9, running=8, observed_from=date(2026, 9, 22))

    assert sentence(m) == "18 papers since 22 September; four weeks are needed for a trend."


def test_four_weeks_read_give_a_share_but_no_trend():
    m = counted(*[10] * 8, observed_from=MONDAY - 4 * WEEK)

    assert sentence(m) == (
        "40 papers in the last four weeks. 0.4 % of all new papers. "
        "The four weeks before were not observed in full, so there is no trend yet."
    )
    assert label(m) == ""


def test_a_list_counts_what_was_read_until_four_weeks_were():
    young = counted(0, 3, 9, running=8, observed_from=date(2026, 9, 22))
    grown = counted(2, 2, 2, 2, running=8, observed_from=date(2026, 9, 7))

    assert how_many(young) == "20 papers since 22 September"
    assert how_many(grown) == "8 papers in four weeks"


def test_before_anything_is_read_there_is_no_trend():
    m = momentum({}, {}, today=THURSDAY, complete_before=MONDAY, observed_from=None)

    assert sentence(m) == "No papers so far; four weeks are needed for a trend."
    assert m.share is None


def test_a_page_parts_thousands_by_a_thin_space():
    m = counted(*[1000] * 12)

    assert sentence(m, thin=True).startswith("4\u2009000 papers")
    assert sentence(m).startswith("4,000 papers")


@pytest.mark.parametrize(
    ("papers", "everything", "words"),
    [(1, 100_000, "under 0.1 %"), (70, 10_000, "0.7 %"), (5000, 10_000, "50 %"), (0, 9, "")],
)
def test_a_share_is_told_in_per_cent(papers, everything, words):
    assert share_label(counted(papers, everything=everything)) == words


counts = st.lists(st.integers(0, 10_000), min_size=13, max_size=13)


@given(counts, st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 13))
def test_always_twelve_mondays_in_a_row(papers, today, unread):
    running = week_of(today)
    mondays = [running - WEEK * n for n in range(12, -1, -1)]
    m = momentum(
        dict(zip(mondays, papers, strict=True)),
        dict.fromkeys(mondays, 10_000),
        today=today,
        complete_before=running,
        observed_from=mondays[0] + WEEK * unread,
    )

    assert [week.monday for week in m.weeks] == mondays
    assert m.current == sum(papers[8:12])
    assert m.previous == sum(papers[4:8])
    assert re.search(r"(?<![\d,])1 papers", sentence(m)) is None
    if m.change is not None:
        assert m.observed
        assert min(m.current, m.previous) >= 5


def test_nothing_emerges_before_all_the_weeks_were_read_that_it_is_compared_with():
    papers = [0] * 10 + [9, 9]
    young, grown = counted(*papers, observed_from=date(2026, 9, 1)), counted(*papers)

    assert not ranking.emerging([TOPIC], {TOPIC.id: young})
    assert ranking.emerging([TOPIC], {TOPIC.id: grown}) == [TOPIC]


def test_the_largest_topic_is_told_from_the_first_day_on():
    small, large = counted(1, observed_from=MONDAY - WEEK), counted(5, observed_from=MONDAY - WEEK)
    other = replace(TOPIC, id=2)

    assert ranking.largest([TOPIC, other], {TOPIC.id: small, 2: large}) == [other, TOPIC]
