"""The search API of arXiv, day by day of submission.

Searches are built by the arxiv package and its results read by it; paging, patience and
judgement are ours.  What arXiv's API does wrong on a bad day: empty pages that look like
success, totals that change, ignored `start` and sort order.  So a span of days counts as read
only when as many different papers came as the API says there are, in order, from those days.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

import arxiv

from bot.model import Clock
from bot.sources import Completeness, Page, SourceError, atom
from bot.sources.session import Refused, Session
from bot.sources.spans import Reading, Span
from bot.text.categories import known_categories

BASE_URL = "https://export.arxiv.org/api/query"
PAGE_SIZE = 500
SMALL_PAGE = 100
CEILING = 5_000  # offsets beyond it come empty or fail
IDS_A_REQUEST = 100

_ONE_DAY = timedelta(days=1)
_EMPTY_TRIES = 3
# Papers of the last days may not have been announced yet: no papers then are no riddle.
_ANNOUNCED_WITHIN = timedelta(days=4)


class ArxivApi:
    """Papers by their day of submission.

    `categories` (cs.LG …, spelled out: the API knows no wildcards) are asked for in one search;
    none means all of arXiv.  The watermark is the last day that was read whole.  Raises
    ValueError for what is not a category.
    """

    name = "arxiv"

    def __init__(
        self,
        session: Session,
        *,
        categories: Sequence[str] = (),
        clock: Clock,
        window_days: int = 7,
        base_url: str = BASE_URL,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self.session = session
        self.categories = known_categories(categories)
        self.clock = clock
        self.window_days = window_days
        self.page_size = page_size
        self._client = arxiv.Client(page_size=page_size, delay_seconds=0, num_retries=0)
        self._client.query_url_format = base_url + "?{}"

    # ------------------------------------------------------------------ what is read

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """Papers submitted from a week before the watermark until now, oldest first.

        The week heals what came late.  A page has a watermark where everything up to that day
        has been read whole; an empty answer for days that had papers moves nothing.
        """
        today = self.clock().date()
        since = today
        if watermark:
            with suppress(ValueError):
                since = min(date.fromisoformat(watermark), today)
        span = Span(since - timedelta(days=self.window_days), today + _ONE_DAY)
        yield from self._read(span, _Run(today, marks=True))

    def sweep(self, days: int = 35) -> Iterator[Page]:
        """The last so many days again, without a watermark: for papers that were held long."""
        today = self.clock().date()
        yield from self._read(Span(today - timedelta(days=days), today + _ONE_DAY), _Run(today))

    def slice(self, day: date) -> Iterator[Page]:
        """One day of the past.  Raises SourceError after its pages where it was not read whole."""
        run = _Run(self.clock().date(), marks=True, probes=True)
        yield from self._read(Span(day, day), run)
        if run.trouble:
            raise SourceError(run.trouble)

    def by_ids(self, arxiv_ids: Sequence[str]) -> Iterator[Page]:
        """The newest versions of these papers; unknown identifiers are left out.

        A batch that the server refuses is split, so that one bad identifier costs only itself.
        """
        ids = list(dict.fromkeys(arxiv_ids))
        for at in range(0, len(ids), IDS_A_REQUEST):
            yield from self._batch(ids[at : at + IDS_A_REQUEST], at, len(ids))

    def _batch(self, ids: list[str], done: int, total: int) -> Iterator[Page]:
        try:
            found = self._fetch(arxiv.Search(id_list=ids, max_results=len(ids)), 0, len(ids))
        except Refused as refusal:
            if not refusal.is_for_the_question:
                raise
            if len(ids) == 1:
                yield Page((), done=done + 1, total=total, remark=f"{ids[0]}: {refusal}")
                return
            middle = len(ids) // 2
            yield from self._batch(ids[:middle], done, total)
            yield from self._batch(ids[middle:], done + middle, total)
            return
        yield Page(found.sightings, None, found.rejected, done + len(ids), total)

    # ------------------------------------------------------------------ reading a span

    def _read(self, span: Span, run: "_Run") -> Iterator[Page]:
        """Read a span page by page; in halves where it is too large or a page does not come."""
        reading = Reading(span)
        while not reading.finished:
            try:
                found, asked = self._ask(reading, run)
            except _TooMuch as problem:
                run.parted = True
                for half in span.halves():
                    yield from self._read(half, run)
                if not span.halves():
                    yield run.given_up(reading, str(problem))
                return
            reading.take(found, asked)
            if reading.finished:
                self._doubt(reading, run)
            yield run.page(found, reading)

    def _ask(self, reading: Reading, run: "_Run") -> tuple[atom.Feed, int]:
        """The next page and the size that was asked for.  Empty ones are asked for again."""
        for size in sorted({self.page_size, min(SMALL_PAGE, self.page_size)}, reverse=True):
            for _ in range(_EMPTY_TRIES if size == self.page_size else 1):
                try:
                    found = self._fetch(self._search(reading.span), reading.start, size)
                except Refused as refusal:
                    if refusal.status != 500 or size <= SMALL_PAGE:
                        raise
                    break  # large pages fail where small ones do not
                if found.total is None:
                    raise SourceError("arXiv's answer does not say how many papers there are")
                if not reading.start and found.total > CEILING and reading.span.halves():
                    raise _TooMuch("too many papers for one search")
                if found.count or reading.is_end(found, run.settled):
                    return found, size
        if not reading.start and not found.total:
            return found, size
        if not reading.start and not run.parted:
            raise SourceError(f"arXiv says {found.total} papers for {reading.span} and shows none")
        raise _TooMuch(f"{reading.span}: {len(reading.seen)} of {found.total} papers came")

    def _doubt(self, reading: Reading, run: "_Run") -> None:
        """Whether no papers on a working day are true: all of arXiv had none only by mistake."""
        if reading.seen or not reading.span.has_weekday_before(run.settled):
            return
        reading.suspicious = True
        if run.probes and self.categories:
            probe = self._fetch(_search(_days(reading.span)), 0, 1)
            reading.suspicious = not probe.count

    # ------------------------------------------------------------------ one request

    def _search(self, span: Span) -> arxiv.Search:
        wanted = " OR ".join(f"cat:{category}" for category in self.categories)
        return _search(f"({wanted}) AND {_days(span)}" if wanted else _days(span))

    def _fetch(self, search: arxiv.Search, start: int, size: int) -> atom.Feed:
        answer = self.session.get(self._client._format_url(search, start, size), "feed")
        return atom.feed(answer.document, mended=answer.mended)


class _TooMuch(Exception):
    """A span that must be read in smaller parts; the message says how far it came."""


@dataclass(slots=True)
class _Run:
    """One call of a source: what it may conclude, and how far it is.

    `marks`: its pages carry watermarks, until a span stays incomplete.  `probes`: no papers on a
    working day are looked into.
    """

    today: date
    marks: bool = False
    probes: bool = False
    parted: bool = False
    trouble: str = ""
    total: int = 0
    done: int = 0

    @property
    def settled(self) -> date:
        """Papers submitted before this day have been announced, but for the held ones."""
        return self.today - _ANNOUNCED_WITHIN

    def page(self, found: atom.Feed, reading: Reading) -> Page:
        """The page as the core gets it; with a watermark where it completes its span."""
        self.done += found.count
        self.total = max(self.total, found.total or 0, self.done)
        if not reading.finished:
            return self._page(found, None, "", Completeness.WHOLE)
        remark = reading.remark()
        if remark:
            self.marks, self.trouble = False, self.trouble or remark
        last = min(reading.span.last, self.today - _ONE_DAY)
        whole = self.marks and reading.span.first <= last
        mark = last.isoformat() if whole else None
        return self._page(found, mark, remark, reading.completeness())

    def given_up(self, reading: Reading, problem: str) -> Page:
        """The error for a day whose pages do not come."""
        remark = f"incomplete: {problem}"
        self.marks, self.trouble = False, self.trouble or remark
        return Page((), None, (), self.done, self.total, remark, Completeness.PART)

    def _page(
        self, found: atom.Feed, watermark: str | None, remark: str, completeness: Completeness
    ) -> Page:
        if found.mended:
            remark = "; ".join(filter(None, (remark, "illegal characters were taken out")))
        return Page(
            found.sightings, watermark, found.rejected, self.done, self.total, remark, completeness
        )


def _search(query: str) -> arxiv.Search:
    return arxiv.Search(
        query=query,
        max_results=None,
        sort_by=arxiv.SortCriterion.SubmittedDate,
        sort_order=arxiv.SortOrder.Ascending,
    )


def _days(span: Span) -> str:
    return f"submittedDate:[{span.first:%Y%m%d}0000 TO {span.last:%Y%m%d}2359]"
