"""Reading as it is typed: days without papers are passed over, an outage or a full disk is not."""

import shutil
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bot.cli import cli
from bot.core.pipeline.papers.news import BEGUN
from bot.store.sqlite import SqliteStore
from tests.arxiv_server import ArxivServer, Printed
from tests.cli.typed import typed

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


def backfill(folder, arxiv: ArxivServer):
    settings = {
        "PAPERROUND_DATA": str(folder),
        "PAPERROUND_ARXIV__API_URL": arxiv.api_url,
        "PAPERROUND_ARXIV__DELAY_S": "0",
        "PAPERROUND_ARXIV__CATEGORIES": "cs.LG",
    }
    typed = ["--now", NOW.isoformat(), "backfill", "--weeks", "1"]
    return CliRunner().invoke(cli, typed, env=settings)


def begun_there(folder) -> str | None:
    """The categories whose past has been read."""
    store = SqliteStore(folder / "paperround.db")
    mark = store.ledger.watermark(BEGUN)
    store.close()
    return mark


@pytest.mark.slow
def test_a_day_that_shows_nothing_does_not_end_it(tmp_path) -> None:
    """A small category has no paper on most days; the days before them are read all the same."""
    old = Printed("2611.00001", NOW - timedelta(days=8), title="A rare paper")
    with ArxivServer([old]) as arxiv:
        done = backfill(tmp_path, arxiv)

    assert done.exit_code == 0
    assert "1 paper read" in done.output


def test_on_a_disk_that_is_nearly_full_it_stops_with_a_word_and_a_code(here, monkeypatch) -> None:
    nearly_full = SimpleNamespace(free=100 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nearly_full)
    with ArxivServer([Printed("2611.00001", NOW - timedelta(days=8))]) as arxiv:
        done = backfill(here, arxiv)
        asked = arxiv.requests

    assert done.exit_code == 1
    assert "the disk has 100 MB left" in done.output
    assert "goes on where it stopped" in done.output
    assert not asked


def test_a_poll_by_hand_leaves_the_disk_the_room_that_the_service_does(here, monkeypatch) -> None:
    nearly_full = SimpleNamespace(free=100 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nearly_full)
    said, standing = typed("--data d poll"), typed("--data d status")

    assert said.code == 1
    assert "nothing is read: the disk has 100 MB left; free some space" in said.err
    assert "deferred: the disk has 100 MB left" in standing.out


def test_an_outage_ends_it_with_a_word_and_a_code(here) -> None:
    with ArxivServer() as arxiv:
        arxiv.fail(status=403, kind="text/html", body=b"Access Denied", times=50)
        done = backfill(here, arxiv)

    assert done.exit_code == 1
    assert "goes on where it stopped" in done.output
    assert begun_there(here) is None, "what was not read is no past yet"
