"""The search API on its bad days.  Rows are those of the list of arXiv's faults."""

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import arxiv as package
import pytest

from bot.sources import Completeness, Page, SourceError, SourceFault, atom, printed
from bot.sources.arxiv_api import ArxivApi
from bot.sources.session import Session
from bot.sources.spans import Span
from tests.arxiv_server import ArxivServer, Printed, error_entry, many
from tests.fakes import FrozenClock

DAY = datetime(2026, 11, 17, 9, tzinfo=UTC)  # the clock stands at Tuesday 24 November 07:00
YESTERDAY = "2026-11-23"


def ids(pages: Iterable[Page]) -> list[str]:
    return [s.paper.arxiv_id for page in pages for s in page.sightings]


def last(pages: Iterable[Page]) -> Page:
    return list(pages)[-1]


# ---------------------------------------------------------------------- a good day


def test_a_week_of_papers_comes_oldest_first_with_a_watermark_at_the_end(
    api: ArxivApi, arxiv: ArxivServer
):
    arxiv.papers = many(150, DAY) + many(60, DAY + timedelta(days=3))
    pages = list(api.pages("2026-11-22"))

    assert ids(pages) == [p.arxiv_id for p in arxiv.papers]
    assert [page.watermark for page in pages] == [None, None, YESTERDAY]
    assert [(page.done, page.total) for page in pages] == [(100, 210), (200, 210), (210, 210)]


def test_the_search_names_every_category_and_whole_days(
    session: Session, arxiv: ArxivServer, clock: FrozenClock
):
    arxiv.papers = many(1, DAY)
    api = ArxivApi(session, categories=["stat.ML", "cs.LG"], clock=clock, base_url=arxiv.api_url)
    list(api.pages("2026-11-20"))

    assert arxiv.requests[0].args == {
        "search_query": "(cat:cs.LG OR cat:stat.ML) AND "
        "submittedDate:[202611130000 TO 202611252359]",
        "id_list": "",
        "sortBy": "submittedDate",
        "sortOrder": "ascending",
        "start": "0",
        "max_results": "500",
    }


def test_without_categories_all_of_arxiv_is_read(
    session: Session, arxiv: ArxivServer, clock: FrozenClock
):
    arxiv.papers = [*many(2, DAY, categories=("hep-th",)), *many(1, DAY + timedelta(days=1))]
    api = ArxivApi(session, clock=clock, base_url=arxiv.api_url)

    assert len(ids(api.pages(None))) == 3


@pytest.mark.parametrize("watermark", [None, "2026-11-24", "2030-01-01", "nonsense"])
def test_a_first_reading_takes_a_week(api: ArxivApi, arxiv: ArxivServer, watermark: str | None):
    arxiv.papers = many(1, datetime(2026, 11, 17, tzinfo=UTC))

    assert len(ids(api.pages(watermark))) == 1
    assert "202611170000 TO" in arxiv.requests[0].args["search_query"]


def test_after_a_long_absence_everything_since_is_read(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(1, datetime(2026, 9, 2, tzinfo=UTC)) + many(1, DAY)

    assert len(ids(api.pages("2026-09-08"))) == 2


def test_fields_are_clean(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = [
        Printed(
            "2611.17000",
            DAY,
            title="Bandits in $\\mathcal{X}$\n and Erd\\H{o}s",
            authors=("The Ring Collaboration", ":", 'Zo\\"e Gr\\"un'),
            categories=("cs.LG", "cs.AI", "68T07", "I.2.6"),
            comment="12 pages. Code: https://github.com/lab/rings.",
            version=3,
            updated_at=DAY + timedelta(days=2),
        )
    ]
    (paper,) = [s.paper for page in api.pages(None) for s in page.sightings]

    assert paper.title == "Bandits in 𝒳 and Erdős"
    assert paper.abstract == "An invented abstract of two lines."
    assert [a.name for a in paper.authors] == ["The Ring Collaboration", "Zoë Grün"]
    assert paper.categories == ("cs.LG", "cs.AI")
    assert paper.code_url == "https://github.com/lab/rings"
    assert (paper.version, paper.submitted_at) == (3, DAY)
    assert paper.updated_at == DAY + timedelta(days=2)
    assert not paper.withdrawn


@pytest.mark.parametrize(
    ("texts", "url"),
    [
        (("See https://github.com/a/b.git, https://gitlab.com/c/d.",), "https://github.com/a/b"),
        (("Page: https://a.github.io/b", "Code: github.com/a/b"), "https://github.com/a/b"),
        (("https://a.github.io/b and https://c.github.io",), "https://a.github.io/b"),
        (("No code at all",), ""),
    ],
)
def test_of_several_places_the_first_repository_is_the_code_else_the_first_page(texts, url):
    assert printed.code_url(*texts) == url


def test_hostile_text_about_code_takes_no_time():
    began = time.process_time()

    assert printed.code_url("github " + "a-" * 20_000) == ""
    assert time.process_time() - began < 2


def test_a_slice_is_one_day(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY) + many(5, DAY + timedelta(days=1))
    page = last(api.slice(DAY.date()))

    assert len(page.sightings) == 5
    assert page.watermark == "2026-11-17"


def test_a_sweep_leaves_the_watermark_alone(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY - timedelta(days=25))
    page = last(api.sweep(35))

    assert len(page.sightings) == 5
    assert page.watermark is None


@pytest.mark.parametrize("category", ["cs.*", "CS.LG", "cs.LG OR cat:cs.AI", "", "cs."])
def test_what_is_no_category_is_refused(session: Session, clock: FrozenClock, category: str):
    with pytest.raises(ValueError, match="write it in full"):
        ArxivApi(session, categories=[category], clock=clock)


# ---------------------------------------------------------------------- emptiness


def test_row_12_no_papers_for_a_working_week_move_nothing(api: ArxivApi, arxiv: ArxivServer):
    page = last(api.pages("2026-11-20"))

    assert page.watermark is None
    assert page.remark.startswith("suspicious: no papers at all")
    assert page.completeness is Completeness.DOUBTFUL
    assert len(arxiv.requests) == 3


def test_row_12_emptiness_that_passes_is_not_noticed(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY)
    arxiv.fail(empty=True, times=2)

    assert last(api.pages("2026-11-20")).watermark == YESTERDAY


def test_row_13_no_entries_of_250_is_a_failure(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY)
    arxiv.fail(empty=True, total=250, times=9)

    with pytest.raises(SourceError, match="250 papers") as caught:
        list(api.pages("2026-11-20"))
    assert caught.value.fault is SourceFault.TRANSIENT


def test_row_14_a_second_page_that_comes_late(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(150, DAY)
    arxiv.fail(empty=True, total=150, times=2, match="start=100")
    found = ids(api.pages(None))

    assert len(found) == len(set(found)) == 150


def test_row_15_a_page_that_never_comes_narrows_the_search(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(80, DAY) + many(80, DAY + timedelta(days=3))
    arxiv.fail(empty=True, total=160, times=5, match="start=100")
    pages = list(api.pages(None))

    assert set(ids(pages)) == {p.arxiv_id for p in arxiv.papers}
    assert pages[-1].watermark == YESTERDAY


def test_row_15_a_day_that_cannot_be_read_whole_keeps_the_watermark(
    api: ArxivApi, arxiv: ArxivServer
):
    arxiv.papers = many(150, DAY) + many(20, DAY + timedelta(days=3))
    arxiv.fail(empty=True, total=150, times=99, match="start=100")
    pages = list(api.pages(None))

    assert len(set(ids(pages))) == 120
    assert any("incomplete" in page.remark for page in pages)
    assert Completeness.PART in {page.completeness for page in pages}
    assert (pages[-1].watermark or "") < "2026-11-17"


def test_row_16_short_pages_are_counted_by_what_came(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(150, DAY)
    arxiv.page_limit = 60
    pages = list(api.pages(None))

    assert len(ids(pages)) == 150
    assert pages[-1].watermark == YESTERDAY
    assert {page.completeness for page in pages} == {Completeness.WHOLE}


def test_row_17_an_answer_without_a_total_is_no_answer(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY)
    arxiv.fail(
        edit=lambda body: body.replace(b"<opensearch:totalResults>5</opensearch:totalResults>", b"")
    )

    with pytest.raises(SourceError, match="how many"):
        list(api.pages(None))


@pytest.mark.parametrize("total", ["many", "9" * 5000])
def test_row_17_a_total_that_is_no_number_is_none(api: ArxivApi, arxiv: ArxivServer, total: str):
    arxiv.papers = many(2, DAY)
    arxiv.fail(
        edit=lambda body: body.replace(b"totalResults>2<", f"totalResults>{total}<".encode()),
        times=9,
    )

    with pytest.raises(SourceError, match="does not say how many"):
        list(api.pages(None))


def test_row_17_a_total_that_is_too_small_ends_nothing(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(250, DAY)
    arxiv.fail(total=80, times=9)

    assert len(ids(api.pages(None))) == 250


def test_row_18_a_total_that_is_too_large_is_remarked(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(30, DAY)
    arxiv.fail(total=40, times=99)
    pages = list(api.pages(None))

    assert set(ids(pages)) == {p.arxiv_id for p in arxiv.papers}
    assert pages[-1].watermark is None
    assert any("30 of 40" in page.remark for page in pages)
    assert pages[-1].completeness is Completeness.PART


def test_row_19_papers_that_come_between_two_pages(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(150, DAY)
    late = [replace(p, arxiv_id=f"2611.9{n:04d}") for n, p in enumerate(many(5, DAY))]
    arxiv.before = lambda n: arxiv.papers.extend(late) if n == 1 else None
    found = ids(api.pages(None))

    assert set(found) == {p.arxiv_id for p in arxiv.papers}


def test_row_20_papers_that_leave_between_two_pages(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(205, DAY)

    def leave(n: int) -> None:
        if n == 1:
            del arxiv.papers[:5]

    arxiv.before = leave
    pages = list(api.pages(None))

    assert {p.arxiv_id for p in arxiv.papers} <= set(ids(pages))
    assert pages[-1].watermark == YESTERDAY


def test_row_21_the_same_page_for_ever(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(300, DAY)
    arxiv.fail(start=0, times=99)

    with pytest.raises(SourceError, match="same page"):
        list(api.pages(None))
    assert len(arxiv.requests) == 2


def test_row_22_papers_of_other_years_are_not_stored(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(5, DAY)
    old = many(5, datetime(2020, 3, 3, tzinfo=UTC))
    arxiv.fail(change=lambda page: old)

    with pytest.raises(SourceError, match="order violation"):
        list(api.pages(None))


def test_row_22_an_ignored_sort_order_moves_nothing(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(50, DAY) + many(50, DAY + timedelta(days=1))
    arxiv.fail(change=lambda page: page[::-1], times=9)
    page = last(api.pages(None))

    assert page.watermark is None
    assert "order violation" in page.remark


def test_row_23_replacements_are_never_asked_for_by_their_date(api: ArxivApi, arxiv: ArxivServer):
    list(api.pages(None))

    assert not any("lastUpdated" in r.path for r in arxiv.requests)


def test_row_24_a_refused_search_is_not_tried_again(api: ArxivApi, arxiv: ArxivServer):
    arxiv.fail(status=400, body=b"<feed><entry><summary>bad query</summary></entry></feed>")

    with pytest.raises(SourceError, match="bad query") as caught:
        list(api.pages(None))
    assert caught.value.fault is SourceFault.PERMANENT
    assert len(arxiv.requests) == 1


@pytest.mark.parametrize(("row", "published"), [(25, False), (26, True)])
def test_rows_25_and_26_an_error_entry_is_an_error(
    api: ArxivApi, arxiv: ArxivServer, row: int, published: bool
):
    arxiv.fail(change=lambda page: [error_entry("incorrect id format", published=published)])

    with pytest.raises(SourceError, match="incorrect id format"):
        list(api.pages(None))


def test_row_31_a_refused_list_of_identifiers_is_halved(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(7, DAY)
    wanted = [p.arxiv_id for p in arxiv.papers] + ["nonsense"]
    arxiv.fail(status=400, times=99, match="nonsense")
    pages = list(api.by_ids(wanted))

    assert set(ids(pages)) == set(wanted) - {"nonsense"}
    assert next(page.remark for page in pages if page.remark).startswith("nonsense: ")
    assert pages[-1].done == pages[-1].total == 8


@pytest.mark.parametrize("status", [401, 404, 410])
def test_where_the_api_has_moved_no_list_is_halved(api: ArxivApi, arxiv: ArxivServer, status: int):
    arxiv.fail(status=status, times=999)
    with pytest.raises(SourceError, match=str(status)):
        list(api.by_ids([f"2611.{n:05}" for n in range(100)]))

    assert len(arxiv.requests) == 1


def test_many_identifiers_go_a_hundred_at_a_time(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(250, DAY)

    assert len(ids(api.by_ids([p.arxiv_id for p in arxiv.papers]))) == 250
    assert len(arxiv.requests) == 3


def broken(**changes: str) -> Printed:
    good = {"id": "http://arxiv.org/abs/2611.90001v1", "published": "2026-11-17T10:00:00Z",
            "updated": "2026-11-17T10:00:00Z", "title": "Broken"} | changes  # fmt: skip
    inside = "".join(f"<{name}>{value}</{name}>" for name, value in good.items() if value)
    return Printed("2611.90001", DAY, raw=f"<entry>{inside}</entry>")


@pytest.mark.parametrize(
    ("row", "changes", "reason"),
    [
        (32, {"published": "yesterday"}, "“yesterday” is no date of submission"),
        (32, {"updated": "2026-13-01"}, "is no date of the version"),
        (32, {"published": "0001-01-01T00:00:00+14:00"}, "is no date of submission"),
        (33, {"published": ""}, "no date of submission"),
        (33, {"updated": ""}, "no date of the version"),
        (33, {"id": ""}, "no identifier"),
        (33, {"title": ""}, "no title"),
        (26, {"id": "http://arxiv.org/abs/help"}, "is no identifier"),
    ],
)
def test_rows_32_and_33_a_bad_entry_is_set_aside_and_the_rest_kept(
    api: ArxivApi, arxiv: ArxivServer, row: int, changes: dict[str, str], reason: str
):
    arxiv.papers = [*many(120, DAY), broken(**changes)]
    pages = list(api.pages(None))
    rejected = [r for page in pages for r in page.rejected]

    assert len(set(ids(pages))) == 120
    assert [reason in r.reason for r in rejected] == [True]
    assert rejected[0].raw.startswith("<entry")
    assert pages[-1].watermark == YESTERDAY


def test_row_34_large_pages_that_fail_are_asked_for_in_small_ones(
    session: Session, arxiv: ArxivServer, clock: FrozenClock
):
    arxiv.papers = many(130, DAY)
    arxiv.fail(status=500, times=99, match="max_results=500")
    api = ArxivApi(session, categories=["cs.LG"], clock=clock, base_url=arxiv.api_url)

    assert len(set(ids(api.slice(DAY.date())))) == 130


def test_row_37_old_identifiers_are_one_key(api: ArxivApi, arxiv: ArxivServer):
    spelt = [("math/0309136", 1), ("math.CA/0611800", 2), ("hep-th/9901001", 10)]
    arxiv.papers = [
        Printed(name, DAY + timedelta(minutes=n), version=version)
        for n, (name, version) in enumerate(spelt)
    ]
    found = [s.paper for page in api.pages(None) for s in page.sightings]

    assert [(p.arxiv_id, p.version) for p in found] == [
        ("math/0309136", 1),
        ("math/0611800", 2),
        ("hep-th/9901001", 10),
    ]


@pytest.mark.parametrize(
    ("comment", "abstract", "withdrawn"),
    [
        ("This paper has been withdrawn by the author due to an error in Lemma 2", "", True),
        ("Withdrawn", "", True),
        ("paper withdrawn", "", True),
        ("12 pages", "This paper has been withdrawn by the authors.", True),
        ("12 pages", "Withdrawn from arXiv for a crucial error.", True),
        ("supersedes arXiv:2401.00001", "We study money withdrawn at machines.", False),
        ("", "Deposits were withdrawn before the panic.", False),
    ],
)
def test_row_41_withdrawal_is_told_by_the_comments(
    api: ArxivApi, arxiv: ArxivServer, comment: str, abstract: str, withdrawn: bool
):
    arxiv.papers = [Printed("2611.00001", DAY, comment=comment, abstract=abstract or "Words.")]
    (paper,) = [s.paper for page in api.pages(None) for s in page.sightings]

    assert paper.withdrawn is withdrawn


def test_row_42_a_held_paper_is_found_by_the_sweep(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(3, DAY) + many(1, DAY - timedelta(days=17))

    assert len(ids(api.pages(YESTERDAY))) == 3
    assert len(ids(api.sweep(35))) == 4


@pytest.mark.parametrize("row", [44, 45])
def test_rows_44_and_45_a_weekend_without_papers_is_read_whole(
    api: ArxivApi, arxiv: ArxivServer, row: int
):
    saturday = date(2026, 11, 14)
    page = last(api.slice(saturday))

    assert page.watermark == "2026-11-14"
    assert page.remark == ""
    assert len(arxiv.requests) == 1


def test_a_slice_without_papers_is_believed_where_all_of_arxiv_had_some(
    api: ArxivApi, arxiv: ArxivServer
):
    arxiv.papers = many(3, DAY - timedelta(days=7), categories=("hep-th",))

    assert last(api.slice(date(2026, 11, 10))).watermark == "2026-11-10"


def test_a_slice_without_papers_is_doubted_where_all_of_arxiv_had_none(api: ArxivApi):
    with pytest.raises(SourceError, match="suspicious"):
        list(api.slice(date(2026, 11, 10)))


def test_a_slice_that_was_not_read_whole_says_so(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(150, DAY)
    arxiv.fail(empty=True, total=150, times=99, match="start=100")

    with pytest.raises(SourceError, match="100 of 150"):
        list(api.slice(DAY.date()))


def test_too_many_papers_are_asked_for_in_halves(
    api: ArxivApi, arxiv: ArxivServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.sources.arxiv_api.CEILING", 150)
    arxiv.papers = many(90, DAY) + many(90, DAY + timedelta(days=3))
    pages = list(api.pages(None))

    assert ids(pages) == [p.arxiv_id for p in arxiv.papers]
    marks = [page.watermark for page in pages if page.watermark]
    assert marks == sorted(marks)
    assert marks[-1] == YESTERDAY


def test_what_was_read_before_a_failure_has_been_given_out(api: ArxivApi, arxiv: ArxivServer):
    arxiv.papers = many(150, DAY)
    arxiv.fail(status=429, match="start=100")
    pages = api.pages(None)

    assert len(next(pages).sightings) == 100
    with pytest.raises(SourceError):
        next(pages)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (b"Inv\x0bented", "Invented"),
        (b"Inv&#11;ented", "Invented"),
        (b"Inv&#xD800;ented", "Invented"),
        (b"Inv&#65535;ented", "Invented"),
        (b"Inv&#x110000;ented", "Invented"),
        (b"Inv&eacute;nted &amp;amp; &lt;b&gt;", "Invénted &amp; <b>"),
        (b"R & D, R&D;", "R & D, R&D;"),
    ],
)
def test_row_35_mended_pages_are_remarked(
    api: ArxivApi, arxiv: ArxivServer, written: bytes, read: str
):
    arxiv.papers = many(2, DAY)
    arxiv.fail(edit=lambda body: body.replace(b"Invented", written))
    page = last(api.pages(None))

    assert page.sightings[0].paper.title.startswith(read)
    assert "illegal characters" in page.remark


# ---------------------------------------------------------------------- spans, the package


def test_halves_cover_a_span():
    span = Span(date(2026, 11, 1), date(2026, 11, 4))
    early, late = span.halves()

    assert (early.first, late.last) == (span.first, span.last)
    assert late.first - early.last == timedelta(days=1)
    assert Span(span.first, span.first).halves() == ()


def test_the_package_still_has_what_we_use_of_its_inside():
    client = package.Client(page_size=10, delay_seconds=0, num_retries=0)
    client.query_url_format = "http://127.0.0.1/q?{}"
    search = package.Search(query="cat:cs.LG", max_results=None)

    assert client._format_url(search, 20, 10) == (
        "http://127.0.0.1/q?search_query=cat%3Acs.LG&id_list=&sortBy=relevance"
        "&sortOrder=descending&start=20&max_results=10"
    )
    assert callable(package._feed._build_result)
    assert atom.feed.__module__ == "bot.sources.atom"
