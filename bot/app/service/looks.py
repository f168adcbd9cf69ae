"""When to look at which source: by the calendar of announcements and the last outcomes.

The API is asked first, until the new batch is there.  Then the listing says what was announced
and how, and last OAI-PMH shows what neither knows: held papers, late cross-lists, withdrawals.
One that fails is tried again in an hour; what it missed, the others bring.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.app.polling import Past, new_categories
from bot.app.wiring import Rooms
from bot.core.house import House
from bot.core.pipeline.papers.news import begun
from bot.core.pipeline.recovering import restored, waits_for_a_look
from bot.model import Completeness
from bot.sources import Page, Source, SourceFault
from bot.sources.arxiv_api import ArxivApi
from bot.sources.limiter import HOST
from bot.store import READ_TO_THE_END, Outcome, Run

AGAIN = timedelta(hours=1)
SOON = timedelta(minutes=15)
FRESH_LISTING_UNTIL = timedelta(hours=10)
"""A listing that shows yesterday's batch is looked at again so long after the first try."""

OAI_MISSED = timedelta(days=3)
SWEEP_EVERY = timedelta(days=7)
PATIENCE = 4
"""So many looks in a row that could not read the API whole, and it is left to OAI-PMH; so many
that brought nothing, and it is asked less often."""


@dataclass(frozen=True, slots=True)
class Look:
    """A source that is to be read, and when."""

    name: str
    due_at: datetime
    source: Callable[[], Source]


class Sweep:
    """The API over 35 days: what brings held papers while OAI-PMH does not answer."""

    name = "sweep"

    def __init__(self, api: ArxivApi) -> None:
        self.api = api

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """All papers submitted in the last 35 days.  Raises SourceError."""
        return self.api.sweep()


def looks(rooms: Rooms, now: datetime) -> list[Look]:
    """Every source with its next moment, in the order in which they are best asked.

    While arXiv wants to be left alone, none of them comes before the end of that.
    """
    house = rooms.core.house
    due = [
        Look("arxiv", next_poll(house, now), rooms.reach().polling),
        Look(
            "rss", next_after_mailing(house, "rss", now, timedelta(minutes=20)), rooms.reach().rss
        ),
        Look(
            "oai", next_after_mailing(house, "oai", now, timedelta(minutes=60)), rooms.reach().oai
        ),
        Look("sweep", next_sweep(house, now), lambda: Sweep(rooms.reach().arxiv())),
        Look(Past.name, next_past(rooms, now), rooms.reach().past),
    ]
    left = left_alone(house)
    return [replace(look, due_at=max(look.due_at, now + left)) for look in due] if left else due


def left_alone(house: House) -> timedelta:
    """How long arXiv is not to be asked anything, in real time."""
    real = house.real_clock().timestamp()
    paused = house.store.turns.paused(HOST, real)
    return timedelta(seconds=paused.until - real) if paused else timedelta(0)


def next_poll(house: House, now: datetime) -> datetime:
    """When the API is to be asked: until a new batch is seen, then after the next mailing.

    Where the listing showed the batch first, one look that reads the API to its end is enough.
    After a restore it is asked at once: until then no digest is composed.
    """
    ledger = house.store.ledger
    tries = ledger.runs("poll", "arxiv", limit=PATIENCE)
    if waits_for_a_look(house) and not _tried_since(restored(house), tries):
        return now
    passing = [run.outcome in (SourceFault.TRANSIENT, SourceFault.RATE_LIMITED) for run in tries]
    if passing and passing[0]:
        return tries[0].at + (AGAIN if sum(passing) == PATIENCE else SOON)
    cut_short = [run.completeness is Completeness.PART for run in tries]
    if cut_short and cut_short[0] and sum(cut_short) < PATIENCE:
        return tries[0].at + AGAIN
    return _usual(house, now, tries)


def _tried_since(mark: datetime | None, tries: Sequence[Run]) -> bool:
    return mark is None or bool(tries and tries[0].at >= mark)


def _usual(house: House, now: datetime, tries: Sequence[Run]) -> datetime:
    ledger = house.store.ledger
    good = ledger.last("poll", "arxiv", outcomes=READ_TO_THE_END)
    news = [run.at for name in ("arxiv", "rss")
            if (run := ledger.last("poll", name, outcomes=(Outcome.NEW,)))]  # fmt: skip
    # What the first look of all brought was the batch that was there, and the past: no news.
    seen_at = max(news, default=ledger.began("poll"))
    read = good is not None and seen_at is not None and good.at >= seen_at
    return house.calendar.next_poll(now, seen_at if read else None, tries[0].at if tries else None)


def next_past(rooms: Rooms, now: datetime) -> datetime:
    """When categories are to be read that a topic needs since lately: at once.

    What the first poll of all asks for it reads by itself.
    """
    core = rooms.core
    if not begun(core.house) or not new_categories(core, rooms.polled()):
        return now + SWEEP_EVERY
    last = core.house.store.ledger.last("poll", Past.name)
    return last.at + AGAIN if last and last.outcome not in READ_TO_THE_END else now


def next_after_mailing(house: House, source: str, now: datetime, after: timedelta) -> datetime:
    """When a source that is read once a mailing is to be read: a while after the first try."""
    last = house.store.ledger.last("poll", source)
    mailing = house.calendar.last_mailing(now)
    start = house.calendar.first_try(mailing) + after
    if last is None:
        return now
    if start > now:  # the night's first try is still to come; the mailing before counts
        earlier = house.calendar.last_mailing(mailing - timedelta(seconds=1))
        before = house.calendar.first_try(earlier) + after
        done = last.at >= before and not _again(last, before)
        return start if done else min(start, last.at + AGAIN)
    if last.at < start:
        return start
    if _again(last, start):
        return last.at + AGAIN
    return house.calendar.first_try(house.calendar.next_mailing(now)) + after


def next_sweep(house: House, now: datetime) -> datetime:
    """When the API must stand in for OAI-PMH: that was silent for days, and no sweep came since."""
    ledger, calendar = house.store.ledger, house.calendar
    good = ledger.last("poll", "oai", outcomes=READ_TO_THE_END)
    last = ledger.last("poll", "oai")
    swept = ledger.last("poll", "sweep", outcomes=READ_TO_THE_END)
    if last is None or last.outcome in READ_TO_THE_END:  # over a holiday nobody asks it
        return now + SWEEP_EVERY
    missed = calendar.first_try(calendar.next_mailing(good.at)) if good else None
    since = missed or ledger.since("poll", "oai") or now
    tried = ledger.last("poll", "sweep")
    earliest = max(since + OAI_MISSED, swept.at + SWEEP_EVERY if swept else since)
    return max(earliest, tried.at + AGAIN) if tried else earliest


def _again(last: Run, start: datetime) -> bool:
    """Whether a try must be repeated: it failed, was cut short, or showed yesterday's batch."""
    if last.outcome not in READ_TO_THE_END:
        return True
    if last.completeness is Completeness.PART:
        return True
    is_stale = last.completeness is Completeness.STALE
    return is_stale and last.at < start + FRESH_LISTING_UNTIL
