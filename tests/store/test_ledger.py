"""What happened, how far sources were read, and whose turn it is, whatever the engine."""

import gzip
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from bot.channels import Fault
from bot.model import Completeness, Pause, Rejected
from bot.sources import SourceFault
from bot.store import Outcome
from bot.store.sqlite import SqliteStore
from tests.makers import MONDAY
from tests.store.conftest import effort

OLDEST = Path(__file__).parent.parent / "recorded" / "schema" / "0.1.0.db.gz"


def test_runs_are_told_newest_first(engine):
    for n, outcome in enumerate(("new", "transient", "new")):
        engine.ledger.record("poll", "arxiv", MONDAY + timedelta(hours=n), outcome, "why", n)
    engine.ledger.record("prepare", "d1", MONDAY, "empty")

    assert [run.papers for run in engine.ledger.runs("poll")] == [2, 1, 0]
    assert [run.papers for run in engine.ledger.runs("poll", outcomes=("new",), limit=1)] == [2]
    assert engine.ledger.runs("poll", "rss") == []
    hour = timedelta(hours=1)
    around = engine.ledger.around("poll", "arxiv", MONDAY, MONDAY + hour)
    assert [run.outcome for run in around] == ["new", "transient"]


def test_the_last_run_of_a_kind_is_found_by_its_subject_and_its_outcome(engine):
    for n, (source, outcome) in enumerate([("arxiv", "new"), ("rss", "new"), ("rss", "transient")]):
        engine.ledger.record("poll", source, MONDAY, outcome, papers=n)
    last = engine.ledger.last

    assert last("poll") == last("poll", "rss") == engine.ledger.runs("poll")[0]
    assert last("poll", outcomes=("new",)).papers == 1
    assert last("poll", "arxiv").papers == 0
    assert last("poll", "oai") is None


@pytest.mark.parametrize("subject", ["", "arxiv"])
def test_the_last_run_is_found_without_passing_all_that_ever_were(engine, subject):
    def last():
        return engine.ledger.last("poll", subject)

    engine.ledger.record("poll", "arxiv", MONDAY, "new")
    first = effort(engine, last)
    for n in range(50):
        engine.ledger.record("poll", ("arxiv", "rss")[n % 2], MONDAY, "new")
        engine.ledger.record("prepare", f"d{n}", MONDAY, "queued")

    assert effort(engine, last) <= first + 5


@pytest.mark.parametrize("outcome", [*Outcome, *SourceFault, *Fault])
def test_an_outcome_is_found_by_what_it_was_written_down_as(engine, outcome):
    engine.ledger.record("poll", "arxiv", MONDAY, outcome)

    assert [run.outcome for run in engine.ledger.runs("poll", outcomes=(outcome,))] == [outcome]
    assert type(engine.ledger.runs("poll")[0].outcome) is str
    assert engine.ledger.outcomes("poll", MONDAY) == {outcome: 1}


@pytest.mark.parametrize("completeness", Completeness)
def test_how_much_a_look_showed_is_kept(engine, completeness):
    engine.ledger.record("poll", "arxiv", MONDAY, "new", completeness=completeness)

    assert engine.ledger.runs("poll")[0].completeness is completeness


def test_looks_of_before_say_by_their_reason_how_much_they_showed(tmp_path):
    reasons = {
        "incomplete: 40 of 90 papers came for 2026-11-20": Completeness.PART,
        "many records were changed; the rest comes next time": Completeness.PART,
        "stale: the listing names no paper unseen so far": Completeness.STALE,
        "the listing names nothing unseen so far in cs.CL": Completeness.WHOLE,
        "suspicious: no papers at all for 2026-11-20": Completeness.DOUBTFUL,
        "": Completeness.WHOLE,
    }
    path = tmp_path / "paperround.db"
    path.write_bytes(gzip.decompress(OLDEST.read_bytes()))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM runs")
        for reason in reasons:
            db.execute(
                "INSERT INTO runs (kind, subject, at, outcome, reason, papers)"
                " VALUES ('poll', 'arxiv', 0, 'new', ?, 0)",
                (reason,),
            )

    with closing(SqliteStore(path)) as store:
        assert {run.reason: run.completeness for run in store.ledger.runs("poll")} == reasons


def test_old_runs_are_forgotten(engine):
    for days in (1, 500):
        engine.ledger.record("poll", "arxiv", MONDAY - timedelta(days=days), "new")
    engine.ledger.forget(MONDAY - timedelta(days=400))

    assert len(engine.ledger.runs("poll")) == 1


def test_a_watermark_is_opaque(engine):
    assert engine.ledger.watermark("arxiv") is None
    for mark in ("2026-11-23", "anything {at} all"):
        engine.ledger.set_watermark("arxiv", mark, MONDAY)

    assert engine.ledger.watermark("arxiv") == "anything {at} all"


def test_the_same_bad_entry_is_set_aside_once(engine):
    for _ in range(2):
        engine.ledger.quarantine("arxiv", [Rejected("<entry>", "no title")], MONDAY)

    assert engine.ledger.quarantined() == 1


def test_days_of_the_past_that_were_read(engine):
    day = date(2026, 11, 1)
    for papers in (3, 4):
        engine.ledger.sliced(day, papers, MONDAY)

    assert {d: s.papers for d, s in engine.ledger.slices().items()} == {day: 4}


# -------------------------------------------------------------- turns


def test_turns_are_a_gap_apart_for_everyone(engine):
    assert [engine.turns.reserve("arxiv.org", 3.5, 100.0) for _ in range(3)] == [100, 103.5, 107]
    assert engine.turns.reserve("arxiv.org", 3.5, 200.0) == 200
    assert engine.turns.reserve("elsewhere", 3.5, 100.0) == 100


def test_a_pause_is_for_everyone_and_the_longer_one_holds(engine):
    assert engine.turns.paused("arxiv.org", 100.0) is None
    engine.turns.pause("arxiv.org", 500.0, "429")
    engine.turns.pause("arxiv.org", 400.0, "503")

    assert engine.turns.paused("arxiv.org", 100.0) == Pause(500.0, "503")
    assert engine.turns.paused("arxiv.org", 500.0) is None
    assert engine.turns.pauses("arxiv.org") == 2
    engine.turns.resumed("arxiv.org")
    assert engine.turns.pauses("arxiv.org") == 0
    assert engine.turns.paused("arxiv.org", 100.0) is None


def test_a_pause_by_a_clock_that_was_ahead_is_none_and_hides_none(engine):
    engine.turns.pause("arxiv.org", 9e6, "429 in spring")
    assert engine.turns.paused("arxiv.org", 100.0) is None

    engine.turns.pause("arxiv.org", 1000.0, "429 now")
    assert engine.turns.paused("arxiv.org", 100.0) == Pause(1000.0, "429 now")


# -------------------------------------------------------------- a clock that was ahead


def test_looks_of_times_to_come_count_no_more_and_other_runs_are_of_now(engine):
    later = MONDAY + timedelta(days=40)
    engine.ledger.record("poll", "arxiv", MONDAY - timedelta(days=1), "new")
    for kind in ("poll", "backup"):
        engine.ledger.record(kind, "arxiv", later, "new")
    found = engine.ledger.ahead(MONDAY)
    engine.set_back(MONDAY)

    assert found
    assert (found.rows, found.until) == (2, later)
    assert engine.ledger.ahead(MONDAY) is None
    assert [run.at for run in engine.ledger.runs("poll")] == [MONDAY - timedelta(days=1)]
    assert [run.at for run in engine.ledger.runs("backup")] == [MONDAY]
    assert [run.at for run in engine.ledger.runs("ahead poll")] == [MONDAY]
