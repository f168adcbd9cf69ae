"""The daily listing.  Rows are those of the list of arXiv's faults."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.model import Announced
from bot.sources import Completeness, Page, SourceError
from bot.sources.arxiv_api import ArxivApi
from bot.sources.rss import Rss
from bot.sources.session import Session
from tests.arxiv_server import ArxivServer, Printed, many
from tests.fakes import FrozenClock

SUBMITTED = datetime(2026, 11, 22, 9, tzinfo=UTC)
LISTED = date(2026, 11, 24)


@pytest.fixture(params=["rss", "atom"])
def flavour(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rss(session: Session, arxiv: ArxivServer, clock: FrozenClock, flavour: str) -> Rss:
    return Rss(
        session, categories=["cs.LG", "cs.CL"], clock=clock, base_url=f"{arxiv.url}/{flavour}"
    )


def only(source: Rss, watermark: str | None = None) -> Page:
    (page,) = source.pages(watermark)
    return page


def test_the_listing_says_what_was_announced_and_how(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = [
        Printed("2611.00001", SUBMITTED, announced="new", categories=("cs.LG", "stat.ML")),
        Printed("2301.00002", SUBMITTED, announced="cross", categories=("hep-th", "cs.LG")),
        Printed("2306.00003", SUBMITTED, announced="replace", version=3, categories=("cs.CL",)),
        Printed("2306.00004", SUBMITTED, announced="replace-cross", version=2),
    ]
    page = only(rss)

    assert [s.announced for s in page.sightings] == [
        Announced.NEW,
        Announced.CROSS,
        Announced.REPLACE,
        Announced.REPLACE_CROSS,
    ]
    assert [s.paper.version for s in page.sightings] == [1, 1, 3, 2]
    assert {s.paper.announced_on for s in page.sightings} == {LISTED}
    first = page.sightings[0].paper
    assert first.abstract == "An invented abstract of two lines."
    assert [a.name for a in first.authors] == ["Ada Lovelace", "Mary Somerville"]
    assert first.categories == ("cs.LG", "stat.ML")


def test_categories_share_feeds(session: Session, arxiv: ArxivServer, clock: FrozenClock):
    wanted = [f"cs.{leaf}" for leaf in ("AI", "CL", "CV", "LG", "RO", "SE", "IR", "DB")]
    pages = list(
        Rss(session, categories=wanted, clock=clock, base_url=f"{arxiv.url}/rss").pages(None)
    )

    assert [r.path for r in arxiv.requests] == [
        "/rss/cs.AI+cs.CL+cs.CV+cs.DB+cs.IR+cs.LG",
        "/rss/cs.RO+cs.SE",
    ]
    assert len(pages) == 2


def test_unknown_papers_are_looked_up_for_their_real_dates(
    rss: Rss, api: ArxivApi, arxiv: ArxivServer
):
    arxiv.papers = many(3, SUBMITTED, comment="9 pages")
    rss.lookup = api.by_ids
    rss.changes = lambda papers: papers[:2]
    page = only(rss)

    assert [s.paper.comment for s in page.sightings] == ["9 pages", "9 pages", ""]
    assert page.sightings[0].paper.submitted_at == SUBMITTED
    assert page.sightings[0].paper.announced_on == LISTED


def test_without_the_api_dates_are_estimates(rss: Rss, api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = [Printed("2611.00001", SUBMITTED), Printed("2301.00002", SUBMITTED)]
    rss.lookup = api.by_ids
    arxiv.fail(status=429, match="/api/query")
    page = only(rss)
    recent, old = (s.paper.submitted_at for s in page.sightings)

    assert abs(recent - SUBMITTED) < timedelta(days=2)
    assert (old.year, old.month) == (2023, 1)
    assert "estimates" in page.remark


def test_row_44_an_empty_listing_is_no_trouble_and_may_come_late(rss: Rss):
    page = only(rss)

    assert page.sightings == ()
    assert (page.remark, page.completeness) == ("no listing today", Completeness.STALE)


def test_rows_46_and_47_a_stale_listing_is_told_by_its_papers(
    rss: Rss, arxiv: ArxivServer, clock: FrozenClock
):
    arxiv.papers = many(2, SUBMITTED)
    first = only(rss)
    clock.forward(days=1)
    again = only(rss, first.watermark)
    arxiv.papers += many(1, SUBMITTED + timedelta(days=1))
    later = only(rss, again.watermark)

    assert again.remark == "stale: the listing names no paper unseen so far"
    assert later.remark == "the listing names nothing unseen so far in cs.CL"
    shown = [page.completeness for page in (first, again, later)]
    assert shown == [Completeness.WHOLE, Completeness.STALE, Completeness.WHOLE]


def test_a_listing_that_was_fresh_this_morning_is_so_all_day(
    rss: Rss, arxiv: ArxivServer, clock: FrozenClock
):
    """It is read again where another feed failed or was stale."""
    arxiv.papers = many(2, SUBMITTED)
    mark = only(rss).watermark
    clock.forward(hours=9)

    assert only(rss, mark).completeness is Completeness.WHOLE


def test_row_48_a_full_feed_is_marked_truncated(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(1995, datetime(2026, 11, 22, tzinfo=UTC))

    page = only(rss)
    assert page.remark.startswith("truncated: 1,995 rows")
    assert page.completeness is Completeness.TRUNCATED


def test_a_wrong_category_costs_only_itself(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(2, SUBMITTED)
    arxiv.fail(status=400, times=2, match="cs.CL")
    pages = list(rss.pages(None))

    assert sum(len(page.sightings) for page in pages) == 2
    assert [page.remark for page in pages if "cs.CL" in page.remark]


def test_an_unchanged_feed_is_not_read_again(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(2, SUBMITTED)
    arxiv.fail(headers={"ETag": '"today"'})
    mark = only(rss).watermark
    arxiv.fail(status=304)
    page = only(rss, mark)

    assert (page.remark, page.completeness) == ("unchanged: cs.CL+cs.LG", Completeness.WHOLE)
    assert arxiv.requests[-1].headers["If-None-Match"] == '"today"'


def test_a_feed_that_has_not_changed_since_the_day_before_is_stale(
    rss: Rss, arxiv: ArxivServer, clock: FrozenClock
):
    """Else the listing would not be looked at again, and the batch that comes late is missed."""
    arxiv.papers = many(2, SUBMITTED)
    arxiv.fail(headers={"ETag": '"yesterday"'})
    mark = only(rss).watermark
    clock.forward(days=1)
    arxiv.fail(status=304, times=2)
    first = only(rss, mark)

    assert first.completeness is Completeness.STALE
    assert only(rss, first.watermark).completeness is Completeness.STALE


def test_a_watermark_of_before_is_read(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(2, SUBMITTED)
    kept = json.loads(only(rss).watermark)
    del kept["fresh"]
    kept["stale"] = {"cs.CL+cs.LG": False}

    assert only(rss, json.dumps(kept)).completeness is Completeness.STALE


def test_where_the_listing_has_moved_nothing_else_is_asked(rss: Rss, arxiv: ArxivServer):
    arxiv.fail(status=404, times=9)
    with pytest.raises(SourceError, match="404"):
        list(rss.pages(None))

    assert len(arxiv.requests) == 1


def test_a_feed_that_stops_in_the_middle_is_not_read(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(5, SUBMITTED)
    arxiv.fail(edit=lambda body: body[: len(body) // 2], times=9)

    with pytest.raises(SourceError, match="cut off"):
        only(rss)


@pytest.mark.parametrize("day", ["Fri, 31 Dec 9999 20:00:00 -1400", "Mon, 1 Jan 99999999999 00:00"])
def test_a_row_of_a_day_beyond_the_calendar_is_set_aside(rss: Rss, arxiv: ArxivServer, day: str):
    arxiv.papers = many(2, SUBMITTED)
    last = re.compile(rb"(.*<(?:pubDate|published)>)[^<]*", re.DOTALL)
    arxiv.fail(edit=lambda body: last.sub(rb"\g<1>" + day.encode(), body, count=1))
    page = only(rss)

    assert len(page.sightings) == len(page.rejected) == 1


def test_a_row_without_identifier_is_set_aside(rss: Rss, arxiv: ArxivServer):
    arxiv.papers = many(2, SUBMITTED)
    second = arxiv.papers[1].arxiv_id.encode()
    arxiv.fail(edit=lambda body: body.replace(second, b"nothing"))
    page = only(rss)

    assert len(page.sightings) == len(page.rejected) == 1


@pytest.mark.parametrize("watermark", ["", "nonsense", "[]", '{"etags": 3}', "null"])
def test_a_strange_watermark_is_forgotten(rss: Rss, arxiv: ArxivServer, watermark: str):
    arxiv.papers = many(1, SUBMITTED)

    assert len(only(rss, watermark).sightings) == 1
