"""What every source keeps: the same promises over API, RSS, OAI-PMH and replay."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.sources import Page, Source, SourceError
from bot.sources.arxiv_api import ArxivApi
from bot.sources.oai_pmh import OaiPmh
from bot.sources.replay import Replay
from bot.sources.rss import Rss
from bot.sources.session import Session
from tests.arxiv_server import ArxivServer, many
from tests.fakes import FrozenClock

DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)
KINDS = ("api", "rss", "oai", "replay")


@dataclass
class Stage:
    """A source that has 23 papers to show, and a way to break it."""

    source: Source
    break_it: Callable[[], None]


@pytest.fixture(params=KINDS)
def stage(
    request: pytest.FixtureRequest,
    session: Session,
    arxiv: ArxivServer,
    clock: FrozenClock,
    tmp_path: Path,
) -> Stage:
    arxiv.papers = many(23, DAY)
    recorded = tmp_path / "papers.jsonl"
    recorded.write_text(
        "\n".join(
            json.dumps(
                {"id": p.arxiv_id, "title": p.title, "abstract": p.abstract,
                 "authors": list(p.authors), "categories": list(p.categories),
                 "submitted": p.submitted_at.isoformat()}
            )
            for p in arxiv.papers
        )
    )  # fmt: skip
    wanted = ["cs.LG"]
    sources: dict[str, Source] = {
        "api": ArxivApi(
            session, categories=wanted, clock=clock, base_url=arxiv.api_url, page_size=10
        ),
        "rss": Rss(session, categories=wanted, clock=clock, base_url=f"{arxiv.url}/rss"),
        "oai": OaiPmh(session, categories=wanted, clock=clock, base_url=f"{arxiv.url}/oai"),
        "replay": Replay(recorded, clock, batch=10),
    }

    def break_it() -> None:
        arxiv.fail(status=503, times=99)
        recorded.unlink()

    return Stage(sources[request.param], break_it)


def ids(pages: list[Page]) -> list[str]:
    return [s.paper.arxiv_id for page in pages for s in page.sightings]


def test_everything_is_shown_once(stage: Stage):
    found = ids(list(stage.source.pages(None)))

    assert len(found) == len(set(found)) == 23


def test_from_the_last_watermark_on_nothing_new_comes(stage: Stage):
    first = list(stage.source.pages(None))
    marks = [page.watermark for page in first if page.watermark]
    second = list(stage.source.pages(marks[-1]))

    assert set(ids(second)) <= set(ids(first))


def test_papers_are_ready_to_be_stored(stage: Stage):
    for page in stage.source.pages(None):
        for paper in (s.paper for s in page.sightings):
            assert paper.arxiv_id == paper.arxiv_id.lower()
            assert "v" not in paper.arxiv_id
            assert paper.title == " ".join(paper.title.split())
            assert paper.abstract == "An invented abstract of two lines."
            assert paper.primary == "cs.LG"
            assert paper.version >= 1
            assert paper.submitted_at.tzinfo is UTC
            assert paper.submitted_at <= paper.updated_at
            assert [a.name for a in paper.authors] == ["Ada Lovelace", "Mary Somerville"]
            assert paper.seq == 0


def test_progress_grows(stage: Stage):
    pages = list(stage.source.pages(None))

    assert [page.done for page in pages] == sorted(page.done for page in pages)
    assert all(page.done <= page.total for page in pages if page.total)


def test_an_outage_is_one_sentence(stage: Stage):
    stage.break_it()
    with pytest.raises(SourceError) as caught:
        list(stage.source.pages(None))

    said = str(caught.value)
    assert said
    assert "\n" not in said
    assert "Traceback" not in said


def test_nothing_is_asked_before_pages_are_taken(stage: Stage, arxiv: ArxivServer):
    stage.source.pages(None)

    assert arxiv.requests == []


def test_every_source_has_a_name_of_its_own(stage: Stage):
    assert stage.source.name in ("arxiv", "rss", "oai", "replay")
