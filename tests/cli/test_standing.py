"""What keeps digests from coming is a line of `status`; what does not is none."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.cli.standing import lines_of
from bot.core.pipeline.standing import Standing
from bot.model import Destination, DestinationState
from bot.store import Outcome, Run, Stuck, Waiting
from bot.timetable import Quiet, Silence

NOW = datetime(2026, 11, 24, 7, 0, tzinfo=UTC)
READ = Run("poll", "arxiv", NOW, Outcome.NEW, "", 1_200)
QUIET = Standing(
    now=NOW, last_poll=READ, last_new=READ, silence=Silence(Quiet.CURRENT, "The next comes at 8."),
    paused_until=None, paused_why="", papers=5_000, quarantined=0, waiting=(), held=0, failed=0,
    next_due_at=NOW, next_due_count=2, overdue=0, paused=(), sources=(READ,),
)  # fmt: skip
REFUSED = Destination(
    1, 1, "email", "ada@example.org", "daily 09:00", "UTC", NOW, DestinationState.PAUSED, "550 gone"
)


def test_where_all_is_well_there_are_three_lines():
    assert [name for name, _ in lines_of(QUIET, "UTC")] == ["arXiv", "digests", "papers"]


@pytest.mark.parametrize(
    ("trouble", "name", "said"),
    [
        ({"clock": "The clock was ahead."}, "clock", "The clock was ahead."),
        ({"line": "Slack: the line is down."}, "slack", "the line is down."),
        ({"sources": (READ, replace(READ, subject="rss", outcome="blocked", reason="403"))}, "",
         "arXiv's listing failed Tue 24 Nov 07:00: 403; the others bring what it misses"),
        ({"recovering": True}, "", "restored from a backup: digests wait for the first look"),
        ({"waiting": (Waiting("email", 3, NOW, "451 later"),)}, "email",
         "3 wait since Tue 24 Nov 07:00; 451 later; nothing lost"),
        ({"paused": (REFUSED,)}, "email", "ada@example.org paused: 550 gone"),
        ({"joins": "Nobody can join today."}, "sign-ups", "Nobody can join today."),
        ({"uncomposed": "Digests cannot be composed."}, "", "Digests cannot be composed."),
        ({"held": 1, "failed": 12}, "queue", "1 held, 12 failed; paperround queue ls"),
        ({"quarantined": 1}, "papers", "5,000 stored, 1 entry set aside"),
        ({"unmatched": ("A paper waits.",)}, "", "A paper waits. It is tried again"),
    ],
)  # fmt: skip
def test_each_trouble_is_a_line(trouble, name, said):
    lines = lines_of(replace(QUIET, **trouble), "UTC")

    assert [line for line in lines if line[0] == name and said in line[1]], lines


def test_of_many_reasons_the_latest_are_said_and_the_others_counted():
    stuck = tuple(Stuck("held", "email", f"55{n} no", 1) for n in range(12))
    said = [line for _, line in lines_of(replace(QUIET, held=12, stuck=stuck), "UTC")]

    assert "1 held, email: 550 no" in said
    assert "and 2 further reasons" in said
