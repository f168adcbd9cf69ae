"""The momentum of topics, counted once and remembered until new papers come."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from threading import Lock

from bot.matching import cut
from bot.model import Breadth, Clock, Momentum, Topic
from bot.momentum import momentum, week_of
from bot.store import READ_TO_THE_END, Ledger, Store
from bot.timetable import Calendar

WEEKS = 14  # twelve complete ones, the running one, and the one that waits for Monday's mailing


class Heat:
    """Momentum by topic."""

    def __init__(self, store: Store, calendar: Calendar, clock: Clock) -> None:
        self._store = store
        self._calendar = calendar
        self._clock = clock
        self._stamp: object = None
        self._known: dict[int, Momentum] = {}
        self._totals: dict[date, int] = {}
        self._partly: dict[int, datetime] = {}
        self._frame: tuple[date, date | None] = (date.min, None)
        self._observed: tuple[object, date | None] = (None, None)
        self._lock = Lock()  # pages ask from many threads

    def of(self, topics: Iterable[Topic]) -> dict[int, Momentum]:
        """Momentum of some topics, by id; one pass of SQL for those not yet known."""
        wanted = [topic.id for topic in topics]
        with self._lock:
            self._refresh()
            if missing := [each for each in wanted if each not in self._known]:
                least, since = cut(Breadth.BALANCED), self._since()
                counts = self._store.topics.weekly_of_all(least, since, missing)
                for each in missing:
                    self._known[each] = self._of_topic(each, counts.get(each, {}))
            return {each: self._known[each] for each in wanted}

    def of_one(self, topic: Topic, breadth: Breadth = Breadth.BALANCED) -> Momentum:
        """Momentum of one topic."""
        if breadth is Breadth.BALANCED:
            return self.of([topic])[topic.id]
        weeks = self._store.topics.weekly(topic.id, cut(breadth), self.since())
        return self.of_counts(topic, weeks, breadth)

    def of_counts(self, topic: Topic, weeks: Mapping[date, int], breadth: Breadth) -> Momentum:
        """Momentum of a part of a topic: papers counted by Monday."""
        with self._lock:
            self._refresh()
            return self._of_topic(topic.id, weeks, breadth)

    def of_categories(self, categories: tuple[str, ...]) -> Momentum:
        """Momentum of everything listed in some categories."""
        with self._lock:
            self._refresh()
            return self._momentum(self._store.papers.weekly(self._since(), categories))

    def stamp(self) -> tuple[object, ...]:
        """Changes whenever the papers of a topic, or how their weeks count, may have changed."""
        # A look is written down behind its papers: a week may be whole by it alone.
        look = self._store.ledger.last("poll", outcomes=READ_TO_THE_END)
        topics = self._store.topics
        return topics.last_number(), topics.stamp(), self._clock().date(), look

    def _refresh(self) -> None:
        partly = self._store.topics.matched_after()
        stamp = (*self.stamp(), partly)
        if stamp == self._stamp:
            return
        self._known, self._partly = {}, partly
        self._frame = (self._complete_before(), self._observed_from())
        self._totals = self._store.papers.weekly(self._since())
        self._stamp = stamp

    def _observed_from(self) -> date | None:
        """As `observed_from`, asked anew once a day, or when more of the past was read."""
        ledger = self._store.ledger
        begun = ledger.last("poll", outcomes=READ_TO_THE_END) is not None
        stamp = (self._clock().date(), len(ledger.slices()), begun)
        if self._observed[0] != stamp:
            self._observed = (stamp, observed_from(ledger, self._clock().date()))
        return self._observed[1]

    def _complete_before(self) -> date:
        """The first Monday whose week is not complete: its last mailing has not been ingested."""
        read = _read_until(self._store.ledger)
        today = self._clock().date()
        monday = week_of(min(read.date(), today) if read else today) - timedelta(weeks=2)
        while read is not None and self._calendar.week_complete_at(monday) <= read:
            monday += timedelta(weeks=1)
        return monday

    def since(self) -> date:
        """The Monday of the first week that is counted: of what was read, not of today's."""
        with self._lock:
            self._refresh()
            return self._since()

    def _since(self) -> date:
        newest = min(week_of(self._clock().date()), self._frame[0] + timedelta(weeks=1))
        return newest - timedelta(weeks=WEEKS)

    def _of_topic(
        self, topic_id: int, weeks: Mapping[date, int], breadth: Breadth = Breadth.BALANCED
    ) -> Momentum:
        """Where a part of the past was matched, its share is that of this part."""
        after = self._partly.get(topic_id)
        found = self._momentum(weeks, after)
        if after is None:
            return found
        papers = self._store.papers.count_after(after)
        matched = self._store.topics.count_after(topic_id, cut(breadth), after)
        return replace(found, share=matched / papers if papers else None)

    def _momentum(self, counts: Mapping[date, int], after: datetime | None = None) -> Momentum:
        return momentum(
            counts,
            self._totals,
            today=self._clock().date(),
            complete_before=self._frame[0],
            observed_from=self._frame[1],
            matched_after=after.date() if after else None,
        )


def observed_from(ledger: Ledger, today: date) -> date | None:
    """The first day from which on every day until today was read, or None."""
    days = set(ledger.slices())
    if began := ledger.began("poll", outcomes=READ_TO_THE_END):
        first = began.date() - timedelta(days=7)
        if first - timedelta(days=2) in days:  # a backfill left one day between to the next look
            first -= timedelta(days=1)
        days |= {first + timedelta(days=n) for n in range((today - first).days + 1)}
    if not days:
        return None
    start = max(days)
    while start - timedelta(days=1) in days:
        start -= timedelta(days=1)
    return start


def _read_until(ledger: Ledger) -> datetime | None:
    ends = [
        run.at
        for name in ("arxiv", "rss", "oai", "sweep")  # not the past of new categories
        if (run := ledger.last("poll", name, outcomes=READ_TO_THE_END))
    ]
    if slices := ledger.slices():
        ends.append(slices[max(slices)].at)
    return max(ends, default=None)
