"""Real answers of arXiv's interfaces, and days of real papers; skipped where they are absent."""

import gzip
import importlib.util
import json
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import Request, urlopen

import pytest
from lxml import etree

from bot.sources import Page, SourceError, atom, documents
from bot.sources.arxiv_api import ArxivApi
from bot.sources.oai_pmh import OaiPmh, paper_from_record
from bot.sources.rss import Rss, listing
from bot.sources.session import Session
from tests.fakes import FrozenClock

pytestmark = pytest.mark.slow

NOW = datetime(2026, 8, 19, 12, tzinfo=UTC)  # Wednesday: Tuesday evening's mailing is listed
WANTED = ["cs.LG", "cs.CL", "stat.ML"]


def test_every_real_atom_page_is_read_as_it_is(shared: Path):
    asked = json.loads((shared / "data/fixtures/atom/requests.json").read_text())
    outcome: dict[str, int | str] = {}
    for path in sorted((shared / "data/fixtures/atom").glob("*.xml")):
        document = documents.read(path.read_bytes(), frozenset({"feed"}))
        try:
            page = atom.feed(document.root)
        except SourceError as refusal:
            outcome[path.name] = str(refusal)
            continue
        assert not page.rejected
        assert all(s.paper.authors and s.paper.primary for s in page.sightings)
        outcome[path.name] = page.count

    assert asked
    assert "incorrect id format" in str(outcome.pop("arxivpy_id_abc_s0_m100.xml"))
    assert all(isinstance(count, int) for count in outcome.values())
    assert outcome["arxivpy_q_testing_s0_m100.xml"] == 100
    assert outcome["arxivpy_id_0000.0000_s0_m100.xml"] == 0


def test_real_listings_are_read(shared: Path):
    folder = shared / "data/fixtures/rss"
    found = {}
    for path in sorted(folder.glob("*atom*.xml")):
        document = documents.read(path.read_bytes(), frozenset({"feed", "rss"}))
        sightings, rejected, count = listing(document.root)
        assert not rejected
        assert count == len(sightings)
        assert all(s.announced and s.paper.announced_on for s in sightings)
        assert not any(s.paper.abstract.startswith("arXiv:") for s in sightings)
        found[path.name] = count

    assert found["excerpt_cs.AI_atom_2026-09-29_cut.xml"] == 3


def test_a_real_listing_that_stops_in_the_middle_is_refused(shared: Path):
    (path,) = (shared / "data/fixtures/rss").glob("*TRUNCATED*")
    with pytest.raises(SourceError, match="cut off"):
        documents.read(path.read_bytes(), frozenset({"rss"}))


def test_real_records_are_read_or_refused_with_a_reason(shared: Path):
    outcome = {}
    for path in sorted((shared / "data/fixtures/oai").glob("*.xml")):
        root = etree.fromstring(path.read_bytes())
        for record in root.iter("{http://www.openarchives.org/OAI/2.0/}record"):
            try:
                outcome[path.name] = paper_from_record(record).arxiv_id
            except ValueError as reason:
                outcome[path.name] = str(reason)

    assert outcome.pop("invenio_arXivRaw_GetRecord_1304.4214.xml") == "1304.4214"
    assert set(outcome.values()) == {"no arXivRaw in the record"}  # other formats


# ---------------------------------------------------------------------- days of real papers


class Days:
    """Two weeks of real papers behind arXiv's interfaces, with a clock and faults."""

    def __init__(self, tool: ModuleType, corpus: Path) -> None:
        self.server, self.archive = tool.serve([str(corpus)], 0)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def turn(self, **change: Any) -> None:
        body = json.dumps(change).encode()
        urlopen(Request(self.url + "/_control", body, method="POST")).close()

    def visible(self, since: date, wanted: list[str] = WANTED) -> set[str]:
        return {
            p.id
            for p in self.archive.visible()
            if set(wanted) & set(p.raw["categories"]) and p.published.date() >= since
        }


@pytest.fixture(scope="module")
def days() -> Iterator[Days]:
    folder = Path(__file__).parents[3] / "shared"
    if not (folder / "tools/arxiv_replay.py").is_file():
        pytest.skip("the shared folder with real papers is not beside this checkout")
    spec = importlib.util.spec_from_file_location("arxiv_replay", folder / "tools/arxiv_replay.py")
    assert spec
    assert spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    served = Days(tool, folder / "data/papers_2_weeks.jsonl.gz")
    yield served
    served.server.shutdown()
    served.server.server_close()


@pytest.fixture
def real_clock(clock: FrozenClock) -> FrozenClock:
    clock.set(NOW)
    return clock


@pytest.fixture
def real_api(session: Session, days: Days, real_clock: FrozenClock) -> ArxivApi:
    days.turn(now="2026-08-19T12:00:00Z", faults=[])
    return ArxivApi(session, categories=WANTED, clock=real_clock, base_url=f"{days.url}/api/query")


def ids(pages: list[Page]) -> set[str]:
    return {s.paper.arxiv_id for page in pages for s in page.sightings}


def test_a_real_week_is_read_whole(real_api: ArxivApi, days: Days):
    pages = list(real_api.pages("2026-08-17"))

    assert ids(pages) == days.visible(date(2026, 8, 10))
    assert pages[-1].watermark == "2026-08-18"


@pytest.mark.parametrize(
    "faults",
    [
        [{"status": 503, "times": 2}],
        [{"reset": True}, {"short_body": 0.5}, {"truncate": 0.6}],
        [{"empty": True, "times": 2}],
        [{"empty": True, "total": 900, "times": 2, "match": "start=500"}],
        [{"total": 90, "times": 9}],
    ],
    ids=["503", "broken bodies", "empty", "empty second page", "small totals"],
)
def test_a_real_week_on_a_bad_day(real_api: ArxivApi, days: Days, faults: list[dict[str, Any]]):
    days.turn(faults=faults)

    assert ids(list(real_api.pages("2026-08-17"))) == days.visible(date(2026, 8, 10))


def test_missing_entries_keep_the_watermark(real_api: ArxivApi, days: Days):
    days.turn(faults=[{"drop_entries": [3, 4], "times": 99}])
    pages = list(real_api.pages("2026-08-17"))

    assert pages[-1].watermark is None
    assert "incomplete" in pages[-1].remark


def test_an_ignored_order_keeps_the_watermark(real_api: ArxivApi, days: Days):
    days.turn(faults=[{"shuffle": True, "times": 99}])
    pages = list(real_api.pages("2026-08-17"))

    assert pages[-1].watermark is None
    assert ids(pages) == days.visible(date(2026, 8, 10))


def test_a_corrupt_date_costs_one_paper(real_api: ArxivApi, days: Days):
    days.turn(faults=[{"corrupt_date": 2}])
    pages = list(real_api.pages("2026-08-17"))

    assert len([r for page in pages for r in page.rejected]) == 1
    assert len(days.visible(date(2026, 8, 10)) - ids(pages)) == 1


def test_three_sources_agree_on_a_real_day(
    real_api: ArxivApi, session: Session, days: Days, real_clock: FrozenClock
):
    oai = OaiPmh(session, categories=WANTED, clock=real_clock, base_url=f"{days.url}/oai")
    rss = Rss(session, categories=WANTED, clock=real_clock, base_url=f"{days.url}/rss")
    listed = ids(list(rss.pages(None)))
    harvested = ids(list(oai.pages('{"day": "2026-08-18"}')))
    searched = ids(list(real_api.pages("2026-08-17")))

    assert listed
    assert listed <= harvested
    assert listed & searched == {p for p in listed if p in days.visible(date(2026, 8, 10))}


def test_odd_real_papers_come_clean(shared: Path):
    with gzip.open(shared / "data/odd_papers.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(1).shuffle(rows)
    from tests.arxiv_server import Printed
    from tests.arxiv_server import atom as written

    printed = [
        Printed(
            row["id"],
            NOW - timedelta(minutes=n),
            title=row["title"],
            abstract=row["abstract"],
            authors=tuple(row["authors"]),
            categories=tuple(row["categories"]),
        )
        for n, row in enumerate(rows)
    ]
    document = documents.read(written(printed, len(rows)).encode(), frozenset({"feed"}))
    page = atom.feed(document.root)

    assert page.count == len(page.sightings) == len(rows)
    for paper in (s.paper for s in page.sightings):
        whole = " ".join((paper.title, paper.abstract, *(a.name for a in paper.authors)))
        whole.encode("utf-8")
        assert whole.isprintable() or "\u2028" not in whole
        assert all(a.name not in ("", ":") for a in paper.authors)
    assert max(len(s.paper.authors) for s in page.sightings) > 3_000
