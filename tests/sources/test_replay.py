"""Papers from a file, told as time goes by."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model import Announced
from bot.sources import SourceError, SourceFault
from bot.sources.replay import Replay
from tests.fakes import FrozenClock

SAMPLE = Path(__file__).parents[2] / "config" / "sample_papers.jsonl"


def line(arxiv_id: str, **more: Any) -> str:
    return json.dumps(
        {"id": arxiv_id, "title": "A title", "abstract": "An abstract.", "authors": ["Ada"],
         "categories": ["cs.LG"], "submitted": "2026-11-20T10:00:00Z", **more}
    )  # fmt: skip


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    path.write_text(
        "\n".join(
            [
                line("2611.00001", announced="2026-11-23"),
                line("2611.00002", announced="2026-11-24", announce_type="cross"),
                "not json",
                line("2611.00003", announced="2026-11-25"),
            ]
        )
    )
    return path


def test_papers_come_once_they_are_announced(recorded: Path, clock: FrozenClock):
    source = Replay(recorded, clock)
    (today,) = source.pages(None)
    (nothing,) = source.pages(today.watermark)
    clock.forward(days=1)
    (tomorrow,) = source.pages(nothing.watermark)

    assert [s.paper.arxiv_id for s in today.sightings] == ["2611.00001", "2611.00002"]
    assert today.sightings[1].announced is Announced.CROSS
    assert len(today.rejected) == 1
    assert nothing.sightings == ()
    assert [s.paper.arxiv_id for s in tomorrow.sightings] == ["2611.00003"]


def test_batches_carry_watermarks(recorded: Path, clock: FrozenClock):
    source = Replay(recorded, clock, batch=1)

    assert [page.watermark for page in source.pages(None)] == ["1", "2", "3"]


def test_a_slice_is_one_day_of_submissions(recorded: Path, clock: FrozenClock):
    (page,) = Replay(recorded, clock).slice(date(2026, 11, 20))

    assert len(page.sightings) == 2


def test_a_missing_file_is_a_lasting_failure(tmp_path: Path, clock: FrozenClock):
    with pytest.raises(SourceError, match="one JSON object a line") as caught:
        list(Replay(tmp_path / "none.jsonl", clock).pages(None))
    assert caught.value.fault is SourceFault.PERMANENT


def test_the_sample_is_invented_and_never_old(clock: FrozenClock):
    papers = [s.paper for page in Replay(SAMPLE, clock).pages(None) for s in page.sightings]

    assert len(papers) >= 300
    assert len({p.arxiv_id for p in papers}) == len({p.title for p in papers}) == len(papers)
    assert all(p.is_sample and "example.org" in p.url for p in papers)
    assert all(
        timedelta(0) < clock.now - p.submitted_at < timedelta(weeks=16) + timedelta(days=1)
        for p in papers
    )
    assert [p.submitted_at for p in papers] == sorted(p.submitted_at for p in papers)
    assert sum(clock.now - p.submitted_at < timedelta(days=7) for p in papers) >= 8
    assert all(len(p.abstract) > 100 and p.categories and p.authors for p in papers)


def test_the_sample_is_read_whole(clock: FrozenClock):
    assert not [r for page in Replay(SAMPLE, clock).pages(None) for r in page.rejected]
