"""From a source into the store, matched: ingest and backfill."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Protocol

from bot.core.house import House
from bot.core.pipeline.papers import unmatched
from bot.core.pipeline.papers.news import (
    OLD,
    is_announced_since,
    is_news,
    is_news_meanwhile,
    no_news,
    was_unknown_before,
)
from bot.core.pipeline.papers.unmatched import Found
from bot.model import Announced, Completeness, Paper, Sighting
from bot.momentum import WEEK, week_of
from bot.sources import Page, Source, SourceError, SourceFault
from bot.store import Added, Outcome

AT_ONCE = 100  # papers a transaction: others who write wait a few hundredths of a second at most

Progress = Callable[[Page], None]
Novelty = Callable[[House, Sighting, datetime], bool]


class SlicedSource(Protocol):
    """A source that can read one day of submissions (UTC) at a time."""

    name: str

    def slice(self, day: date) -> Iterator[Page]:
        """All papers submitted on that day.  Raises SourceError."""
        ...


@dataclass(frozen=True, slots=True)
class Ingested:
    """What a poll or a slice brought.

    `fault` is None where the source was read to its end; `completeness` says whether it showed
    all of it.
    """

    papers: int = 0
    fresh: int = 0
    matched: int = 0
    rejected: int = 0
    remark: str = ""
    fault: SourceFault | None = None
    retry_after: float = 0.0
    changed: int = 0
    completeness: Completeness = Completeness.WHOLE

    def plus(self, papers: int, added: Added, matched: int) -> "Ingested":
        """With some more papers stored."""
        return replace(
            self,
            papers=self.papers + papers,
            fresh=self.fresh + len(added.fresh),
            matched=self.matched + matched,
            changed=self.changed + len(added.changed) + len(added.crossed),
        )

    def after(self, page: Page) -> "Ingested":
        """With what a page says of itself, once its papers are stored."""
        return replace(
            self,
            rejected=self.rejected + len(page.rejected),
            remark=page.remark or self.remark,
            completeness=Completeness.of_all(self.completeness, page.completeness),
        )

    @property
    def doubtful(self) -> bool:
        """Whether the source answered, but showed nothing where papers were expected."""
        is_answer = self.fault is SourceFault.TRANSIENT
        return is_answer and self.completeness is Completeness.DOUBTFUL

    def failed(self, error: SourceError) -> "Ingested":
        """How far it came before the source failed."""
        return replace(self, remark=str(error), fault=error.fault, retry_after=error.retry_after)


def silent(_: Page) -> None:
    """Nobody watches."""


def ingest(house: House, source: Source, progress: Progress = silent) -> Ingested:
    """Read what the source showed since last time; store and match it; leave a ledger row.

    What was read before the source failed stays.  Does not raise SourceError.
    """
    outcome = Ingested()
    unmatched.match_again(house)
    try:
        for page in source.pages(house.store.ledger.watermark(source.name)):
            outcome = _keep(house, source.name, page, outcome, is_news)
            progress(page)
    except SourceError as error:
        outcome = outcome.failed(error)
    word = outcome.fault or (Outcome.NEW if outcome.fresh else Outcome.NOTHING_NEW)
    house.store.ledger.record(
        "poll", source.name, house.clock(), word, outcome.remark, outcome.fresh,
        outcome.completeness,
    )  # fmt: skip
    house.tell(
        "poll", word, source=source.name, papers=outcome.papers, fresh=outcome.fresh,
        changed=outcome.changed, matched=outcome.matched, rejected=outcome.rejected,
        remark=outcome.remark,
    )  # fmt: skip
    return outcome


def backfill(house: House, source: SlicedSource, day: date) -> Ingested:
    """Read one day of the past whole; it is matched and told to nobody.

    A day that was read only in part is not marked, and read again next time.
    """
    return _read_slice(house, source, day, "", no_news)


def read_day(house: House, source: SlicedSource, day: date) -> Ingested:
    """Read one day of submissions, live.  What was read before the source failed stays."""
    return _read_slice(house, source, day, source.name, is_news)


def _read_slice(
    house: House, source: SlicedSource, day: date, name: str, novelty: Novelty
) -> Ingested:
    outcome = Ingested()
    try:
        for page in source.slice(day):
            outcome = _keep(house, name, page, outcome, novelty)
    except SourceError as error:
        return outcome.failed(error)
    house.store.ledger.sliced(day, outcome.papers, house.clock())
    return outcome


def read_past(house: House, source: Source) -> Ingested:
    """Read a source from the beginning of its window; stored and matched, told to nobody.

    Except what was announced since this was first tried.  Raises SourceError; what was read
    before stays.
    """
    outcome = Ingested()
    for page in source.pages(None):
        outcome = _keep(house, "", page, outcome, is_news_meanwhile)
    return outcome


def days_to_backfill(house: House, source_name: str, weeks: int) -> list[date]:
    """Days of the past that were not read yet, newest first: so many whole weeks.

    Where a live source reads already, its recent days are left to it: what it has still to
    announce would otherwise reach nobody.
    """
    now = house.clock()
    newest, running = now.date(), week_of(now.date())
    if mark := house.store.ledger.watermark(source_name):
        newest = min(newest, date.fromisoformat(mark[:10]) - timedelta(days=8))
    # Papers of the last days are still to be announced: such a day is read again later.
    settled = timedelta(days=8)
    done = {s.day for s in house.store.ledger.slices().values() if s.at.date() - s.day >= settled}
    ended = house.calendar.week_complete_at(running - WEEK) <= now
    oldest = running - WEEK * (weeks if ended else weeks + 1)
    days = (newest - timedelta(days=n) for n in range((newest - oldest).days + 1))
    return [day for day in days if day not in done]


def _keep(house: House, source: str, page: Page, outcome: Ingested, novelty: Novelty) -> Ingested:
    """Store a page in short transactions; the last one also moves the watermark.

    `source` is "" for the past, which has none.
    """
    now = house.clock()
    sightings = page.sightings
    for start in range(0, max(len(sightings), 1), AT_ONCE):
        some = sightings[start : start + AT_ONCE]
        found = _find(house, some)
        with house.store.write():
            if house.store.topics.stamp() != found.stamp:  # a topic was made while we matched
                found = _find(house, some)
            if house.compendium.unread:
                house.store.topics.miss(house.compendium.unread)
            added = house.store.papers.add(some, now, backfilled=not source)
            gone = [p.seq for p in (*added.changed, *added.crossed) if p.withdrawn]
            house.store.outbox.recheck(gone)
            house.store.outbox.reconsider(
                [p.seq for p in added.restored if now - p.submitted_at < OLD]
            )
            matched = _add_matches(house, some, added, found, now, novelty)
            _turn_live(house, some, added)
            if start + AT_ONCE >= len(sightings):
                if page.watermark is not None and source:
                    house.store.ledger.set_watermark(source, page.watermark, now)
                house.store.ledger.quarantine(source or "backfill", page.rejected, now)
        outcome = outcome.plus(len(some), added, matched)
    return outcome.after(page)


def _find(house: House, sightings: Sequence[Sighting]) -> Found:
    """What the papers that would change something match."""
    began = time.perf_counter()
    found = unmatched.find(house, house.store.papers.unknown([s.paper for s in sightings]))
    house.tell("match", "done", took_s=time.perf_counter() - began)
    return found


def _add_matches(
    house: House, sightings: Sequence[Sighting], added: Added,
    found: Found, now: datetime, novelty: Novelty,
) -> int:  # fmt: skip
    """New papers and papers listed elsewhere now are live matches; a new version is not."""
    crossed = {paper.arxiv_id for paper in added.crossed}
    new = crossed | {paper.arxiv_id for paper in added.fresh}
    shown = (_as_crossed(s) if s.paper.arxiv_id in crossed else s for s in sightings)
    news = {s.paper.arxiv_id for s in shown if s.paper.arxiv_id in new and novelty(house, s, now)}
    told = [paper for paper in (*added.fresh, *added.crossed) if paper.arxiv_id in news]
    rest = [p for p in (*added.fresh, *added.crossed, *added.changed) if p.arxiv_id not in news]
    return _put(house, told, found, live=True) + _put(house, rest, found, live=False)


def _as_crossed(sighting: Sighting) -> Sighting:
    """A known paper that stands in a further category now is a cross-list, whoever shows it."""
    return replace(sighting, announced=Announced.CROSS)


def _turn_live(house: House, sightings: Sequence[Sighting], added: Added) -> None:
    """What another source showed before the listing that announced it is news by the listing."""
    announced = {s.paper.arxiv_id for s in sightings if is_announced_since(house, s)}
    house.store.topics.turn_live(
        paper.seq
        for paper in added.listed
        if paper.arxiv_id in announced and was_unknown_before(house, paper)
    )


def _put(house: House, papers: list[Paper], found: Found, *, live: bool) -> int:
    seqs = [paper.seq for paper in papers if paper.arxiv_id in found.failed]
    house.store.topics.leave_unmatched(seqs, live=live)
    return unmatched.put(house, papers, found, live=live)
