"""The harvest of changed records.  Rows are those of the list of arXiv's faults."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.sources import Completeness, Page, SourceError, SourceFault
from bot.sources.oai_pmh import OaiPmh, Position, sets_for
from bot.sources.printed import authors_from_line
from bot.sources.session import Session
from tests.arxiv_server import ArxivServer, Printed, many, oai_error
from tests.fakes import FrozenClock
from tests.sources.conftest import HandClock

DAY = datetime(2026, 11, 22, 9, tzinfo=UTC)


@pytest.fixture
def oai(session: Session, arxiv: ArxivServer, clock: FrozenClock) -> OaiPmh:
    return OaiPmh(session, categories=["cs.LG"], clock=clock, base_url=f"{arxiv.url}/oai")


def ids(pages: Iterable[Page]) -> list[str]:
    return [s.paper.arxiv_id for page in pages for s in page.sightings]


def test_records_come_page_by_page_and_the_end_is_the_day_it_began(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(8, DAY)
    pages = list(oai.pages(None))

    assert ids(pages) == [p.arxiv_id for p in arxiv.papers]
    assert len(pages) == 3
    assert pages[-1].watermark == '{"day": "2026-11-24"}'


def test_the_next_harvest_overlaps_two_days(oai: OaiPmh, arxiv: ArxivServer):
    list(oai.pages('{"day": "2026-11-24"}'))

    assert arxiv.requests[0].args["from"] == "2026-11-22"
    assert "until" not in arxiv.requests[0].args


def test_a_harvest_that_began_in_the_future_is_begun_anew(oai: OaiPmh, arxiv: ArxivServer):
    """A clock that was ahead began it."""
    mark = Position("2026-11-20", "2027-01-11", "cs:cs:LG", "2027-01-09", 5)
    pages = list(oai.pages(str(mark)))

    assert arxiv.requests[0].args["from"] == "2026-11-18"
    assert pages[-1].watermark == '{"day": "2026-11-24"}'


def test_a_record_is_read_whole(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = [
        Printed(
            "2611.00001",
            DAY - timedelta(days=24),
            title="Bandits\n  in $\\mathcal{X}$",
            version=2,
            updated_at=DAY,
            authors=("Ada Lovelace (Analytical Engines)", "Mary Somerville"),
            categories=("cs.LG", "stat.ML"),
            comment="12 pages",
        )
    ]
    (paper,) = [s.paper for page in oai.pages(None) for s in page.sightings]

    assert paper.title == "Bandits in 𝒳"
    assert (paper.version, paper.submitted_at, paper.updated_at) == (
        2,
        DAY - timedelta(days=24),
        DAY,
    )
    assert paper.authors[0].affiliations == ("Analytical Engines",)
    assert paper.categories == ("cs.LG", "stat.ML")


@pytest.mark.parametrize("stop", [1, 2])
def test_an_interrupted_harvest_goes_on_where_it_was(
    oai: OaiPmh, arxiv: ArxivServer, clock: FrozenClock, stop: int
):
    arxiv.papers = many(8, DAY)
    pages = oai.pages(None)
    seen = [next(pages) for _ in range(stop)]
    clock.forward(days=1)
    rest = list(oai.pages(seen[-1].watermark))

    assert ids(seen) + ids(rest) == [p.arxiv_id for p in arxiv.papers]
    assert rest[-1].watermark == '{"day": "2026-11-24"}'  # the day it began


def test_a_token_is_built_anew_across_days(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(2, DAY) + many(7, DAY + timedelta(days=1))
    pages = list(oai.pages(None))

    assert ids(pages) == [p.arxiv_id for p in arxiv.papers]
    position = Position.read(pages[0].watermark)
    assert (position.since, position.skip) == ("2026-11-23", 1)


def test_row_41_a_version_without_files_is_withdrawn(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = [Printed("2611.00001", DAY, version=2, withdrawn=True)]
    (paper,) = [s.paper for page in oai.pages(None) for s in page.sightings]

    assert paper.withdrawn


def test_row_42_a_paper_held_for_24_days_comes_with_its_real_date(oai: OaiPmh, arxiv: ArxivServer):
    held = Printed("2611.00009", DAY - timedelta(days=24), modified_on=date(2026, 11, 23))
    arxiv.papers = [held]
    (paper,) = [s.paper for page in oai.pages('{"day": "2026-11-23"}') for s in page.sightings]

    assert paper.submitted_at == DAY - timedelta(days=24)


def test_row_43_a_late_cross_list_shows_its_new_category(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = [
        Printed(
            "2301.00001",
            datetime(2023, 1, 9, tzinfo=UTC),
            categories=("hep-th", "cs.LG"),
            modified_on=date(2026, 11, 23),
        )
    ]
    (paper,) = [s.paper for page in oai.pages(None) for s in page.sightings]

    assert paper.categories == ("hep-th", "cs.LG")


def test_row_49_no_records_are_an_empty_success(oai: OaiPmh):
    pages = list(oai.pages(None))

    assert ids(pages) == []
    assert pages[-1].watermark == '{"day": "2026-11-24"}'


def test_row_49_a_refused_token_begins_its_day_again(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(8, DAY)
    first = next(oai.pages(None))
    arxiv.fail(body=oai_error("badResumptionToken", "no").encode(), kind="text/xml")
    pages = list(oai.pages(first.watermark))

    assert set(ids([first, *pages])) == {p.arxiv_id for p in arxiv.papers}
    assert pages[0].remark == "a resumption token was refused"


def test_row_50_the_same_address_again_after_503(oai: OaiPmh, arxiv: ArxivServer, hand: HandClock):
    arxiv.papers = many(2, DAY)
    arxiv.fail(status=503, times=6)

    assert len(ids(oai.pages(None))) == 2
    assert len({r.path for r in arxiv.requests}) == 1
    assert sum(hand.slept) > 400


def test_row_50_eight_tries_and_then_the_next_run(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.fail(status=503, times=99)

    with pytest.raises(SourceError) as caught:
        list(oai.pages(None))
    assert caught.value.fault is SourceFault.TRANSIENT
    assert len(arxiv.requests) == 8


def test_row_51_a_bulk_change_is_read_over_several_runs(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(40, DAY)
    oai.max_pages = 5
    mark, seen = None, []
    for _ in range(4):
        pages = list(oai.pages(mark))
        seen += ids(pages)
        mark = pages[-1].watermark

    assert seen[:40] == [p.arxiv_id for p in arxiv.papers]
    last = list(oai.pages(None))[-1]
    assert "rest comes next time" in last.remark
    assert last.completeness is Completeness.PART


def test_row_55_what_was_missing_upstream_is_found_by_the_overlap(oai: OaiPmh, arxiv: ArxivServer):
    whole = many(4, DAY)
    arxiv.papers = whole[:2]
    first = list(oai.pages(None))
    arxiv.papers = whole

    assert set(ids(oai.pages(first[-1].watermark))) == {p.arxiv_id for p in whole}


def test_a_deleted_record_is_counted_and_left_out(oai: OaiPmh, arxiv: ArxivServer):
    gone = replace(
        many(1, DAY)[0],
        raw="<record><header status='deleted'><identifier>oai:arXiv.org:2611.1</identifier>"
        "<datestamp>2026-11-22</datestamp></header></record>",
    )
    arxiv.papers = [*many(1, DAY + timedelta(hours=1)), gone]
    pages = list(oai.pages(None))

    assert len(ids(pages)) == 1
    assert pages[0].remark.startswith("1 records were deleted")


def test_a_bad_record_is_set_aside(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(2, DAY)
    arxiv.fail(edit=lambda body: body.replace(b"<date>Sun, 22", b"<date>never", 1))
    (page,) = oai.pages(None)

    assert len(page.sightings) == 1
    assert "no date of a version" in page.rejected[0].reason


def test_a_wrong_request_is_a_lasting_failure(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.fail(body=oai_error("badArgument", "Set does not exist").encode(), kind="text/xml")

    with pytest.raises(SourceError, match="Set does not exist") as caught:
        list(oai.pages(None))
    assert caught.value.fault is SourceFault.PERMANENT


def test_a_token_that_leads_nowhere_ends_the_run(oai: OaiPmh, arxiv: ArxivServer):
    arxiv.papers = many(8, DAY)
    arxiv.fail(edit=lambda body: body.replace(b"skip%3D", b"jump%3D"))

    with pytest.raises(SourceError, match="leads nowhere"):
        list(oai.pages(None))


@pytest.mark.parametrize(
    ("categories", "sets"),
    [
        ([], ("",)),
        (["cs.LG", "hep-th"], ("cs:cs:LG", "physics:hep-th")),
        (["cs.LG", "cs.CL", "cs.CV", "cs.AI", "stat.ML"], ("cs:cs", "stat:stat:ML")),
        (["cond-mat.str-el"], ("physics:cond-mat:str-el",)),
        (["cs", "cs.LG"], ("cs:cs",)),
    ],
)
def test_categories_are_asked_for_in_a_few_sets(categories: list[str], sets: tuple[str, ...]):
    assert sets_for(categories) == sets


def test_a_whole_archive_is_sifted(session: Session, arxiv: ArxivServer, clock: FrozenClock):
    wanted = ["cs.LG", "cs.CL", "cs.CV", "cs.AI"]
    arxiv.papers = [
        *many(2, DAY, categories=("cs.DB",)),
        *many(1, DAY + timedelta(hours=2), categories=("cs.DB", "cs.AI")),
    ]
    oai = OaiPmh(session, categories=wanted, clock=clock, base_url=f"{arxiv.url}/oai")

    assert len(ids(oai.pages(None))) == 1
    assert arxiv.requests[0].args["set"] == "cs:cs"


@pytest.mark.parametrize("watermark", ["", "nonsense", "[]", '{"day": "x"}', '{"what": 1}', "7"])
def test_a_strange_watermark_begins_anew(oai: OaiPmh, arxiv: ArxivServer, watermark: str):
    list(oai.pages(watermark))

    assert arxiv.requests[0].args["from"] == "2026-11-15"


def test_a_position_is_kept_as_text():
    position = Position("2026-11-20", "2026-11-24", "cs:cs:LG", "2026-11-22", 1300)

    assert Position.read(str(position)) == position
    assert set(json.loads(str(position))) == {"day", "began", "set", "since", "skip"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Igor A. Foo and John M. Bar", ["Igor A. Foo", "John M. Bar"]),
        ("A. Foo, B. Bar, and C. Baz", ["A. Foo", "B. Bar", "C. Baz"]),
        ("A. Foo (1), B. Bar (1 and 2) ((1) Univ X, (2) Y)", ["A. Foo", "B. Bar"]),
        ("A. Foo, Jr., B. Bar", ["A. Foo, Jr.", "B. Bar"]),
        ("Ring Collaboration: A. Foo, B. Bar", ["Ring Collaboration", "A. Foo", "B. Bar"]),
        ("A. Foo (Univ. X, Dept. Y), B. Bar", ["A. Foo", "B. Bar"]),
        ("", []),
    ],
)
def test_a_line_of_authors(line: str, names: list[str]):
    assert [name for name, _ in authors_from_line(line)] == names


def test_affiliations_in_a_line_of_authors():
    assert authors_from_line("A. Foo (Univ. X, Dept. Y), B. Bar (2)") == [
        ("A. Foo", ("Univ. X, Dept. Y",)),
        ("B. Bar", ()),
    ]
