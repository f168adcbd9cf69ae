"""Days of submission, and how far a search for them has been read.

A span of days counts as read whole only when as many different papers came as the API says
there are, in order, from those days.
"""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from bot.sources import Completeness, SourceError
from bot.sources.atom import Feed

_ONE_DAY = timedelta(days=1)
# Sorting by submission is exact to the minute; more is a server that does not sort.
_DISORDER = timedelta(hours=1)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """Days of submission (UTC), both included."""

    first: date
    last: date

    def __str__(self) -> str:
        last = "" if self.first == self.last else f" to {self.last}"
        return f"{self.first}{last}"

    def __contains__(self, at: datetime) -> bool:
        """Whether an instant lies in it, give or take a day."""
        return self.first - _ONE_DAY <= at.date() <= self.last + _ONE_DAY

    def halves(self) -> "tuple[Span, ...]":
        """The earlier and the later half; nothing for a single day."""
        if self.first >= self.last:
            return ()
        middle = self.first + (self.last - self.first) // 2
        return Span(self.first, middle), Span(middle + _ONE_DAY, self.last)

    def has_weekday_before(self, day: date) -> bool:
        """Whether people in offices submitted papers on one of its days before `day`."""
        days = min((self.last - self.first).days + 1, 7)
        found = (self.first + n * _ONE_DAY for n in range(days))
        return any(each.weekday() < 5 and each < day for each in found)


@dataclass(slots=True)
class Reading:
    """How far a span has been read."""

    span: Span
    start: int = 0
    total: int = 0
    seen: set[str] = field(default_factory=set)
    latest: set[str] = field(default_factory=set)  # what the last page showed
    newest: datetime = _LONG_AGO
    again: bool = False  # second pass, since papers moved between the pages of the first
    shrunk: bool = False  # some left while we read, and others may have slipped past
    disorder: bool = False
    suspicious: bool = False
    finished: bool = False

    def is_end(self, found: Feed, settled: date) -> bool:
        """Whether an empty page is the end and no mistake."""
        if self.start:
            return self.start >= (found.total or 0)
        return not found.total and not self.span.has_weekday_before(settled)

    def take(self, found: Feed, asked: int) -> None:
        """Count a page.  Raises SourceError for papers of other days, or the same page again."""
        self._check_days(found)
        fresh = {s.paper.arxiv_id for s in found.sightings} | {r.raw for r in found.rejected}
        if found.count and self.start and fresh == self.latest:
            raise SourceError(f"{self.span}: arXiv shows the same page again and again")
        self.seen |= fresh
        self.latest = fresh
        self.start += found.count
        self.shrunk |= (found.total or 0) < self.total
        self.total = found.total or 0
        if found.count and (self.start < self.total or found.count >= asked):
            return
        if self.is_whole() or self.again:
            self.finished = True
        else:
            self.again, self.shrunk, self.start, self.newest = True, False, 0, _LONG_AGO
            self.seen = set()

    def is_whole(self) -> bool:
        """Whether as many papers came as there are, and none slipped past."""
        return len(self.seen) >= self.total and not self.shrunk

    def remark(self) -> str:
        """Why the span does not count as read whole; "" where it does."""
        if self.suspicious:
            return f"suspicious: no papers at all for {self.span}"
        if not self.is_whole():
            return f"incomplete: {len(self.seen)} of {self.total} papers came for {self.span}"
        if self.disorder:
            return f"order violation: arXiv did not sort the papers of {self.span}"
        return ""

    def completeness(self) -> Completeness:
        """How much of the span came."""
        if self.suspicious:
            return Completeness.DOUBTFUL
        return Completeness.WHOLE if self.is_whole() else Completeness.PART

    def _check_days(self, found: Feed) -> None:
        for sighting in found.sightings:
            at = sighting.paper.submitted_at
            if at not in self.span:
                raise SourceError(
                    f"order violation: asked for {self.span}, arXiv showed a paper of {at.date()}"
                )
            self.disorder |= at + _DISORDER < self.newest
            self.newest = max(self.newest, at)
