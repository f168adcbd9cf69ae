"""arXiv's announcement calendar: cut-off, mailing, holidays, and what silence means.

Source: arXiv's help page on the availability of submissions.  Papers submitted until 14:00 New
York are announced at 20:00 the same evening; Friday's on Sunday, and all from Friday 14:00 to
Monday 14:00 on Monday.  A listing dated D is mailed on the evening before D; days here are the
New York days of the evening.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from math import inf
from zoneinfo import ZoneInfo

from bot.timetable import localtime
from bot.timetable.complaint import TimetableError, quoted

NEW_YORK = ZoneInfo("America/New_York")
CUT_OFF = time(14)
MAILING = time(20)
# The new batch reaches RSS and OAI by midnight, the API later; the hour after the mailing is
# when everybody asks and arXiv answers 429.
FIRST_TRY = time(1, 30)
LATEST = time(12)

SURELY = 7.0
"""If so many papers were expected and none came, something is wrong: chance alone does that once
in a thousand times."""

_ONE_DAY = timedelta(days=1)
_FRIDAY, _SATURDAY, _SUNDAY = 4, 5, 6


class Quiet(StrEnum):
    """Why no new paper has come."""

    CURRENT = "current"  # the last mailing has been seen, the next has not been yet
    NOT_YET = "not yet"  # mailed, and not in the API yet
    WEEKEND = "weekend"
    HOLIDAY = "holiday"
    FEW = "few"  # so few are read that some days bring none
    OVERDUE = "overdue"
    NEVER = "never"  # nothing has been read so far


@dataclass(frozen=True, slots=True)
class Silence:
    """What silence means, in a sentence for `status`.

    `missed` counts the mailings that should have been seen by now and were not.
    """

    reason: Quiet
    sentence: str
    missed: int = 0

    @property
    def expected(self) -> bool:
        """Whether nobody needs to look into it."""
        return self.reason is not Quiet.OVERDUE


@dataclass(frozen=True, slots=True)
class Calendar:
    """When arXiv announces.  `no_mailing` holds evenings (New York) without the usual mailing.

    `jitter` moves every first try by so much, so that not all installations ask at once.
    """

    no_mailing: frozenset[date] = field(default_factory=frozenset)
    jitter: timedelta = timedelta(0)

    @classmethod
    def parse(cls, table: Mapping[str, object], jitter: timedelta = timedelta(0)) -> "Calendar":
        """From the parsed calendar.toml.  Raises TimetableError for what is not a date."""
        days = table.get("no_mailing", [])
        if not isinstance(days, list):
            raise TimetableError(
                f"no_mailing is {quoted(str(days))}; write a list of dates: [2026-12-29]"
            )
        return cls(frozenset(map(_date, days)), jitter)

    # ------------------------------------------------------------------ mailings

    def is_mailing_day(self, evening: date) -> bool:
        """Whether arXiv mails at 20:00 of that New York day."""
        return evening.weekday() not in (_FRIDAY, _SATURDAY) and evening not in self.no_mailing

    def mailing_for(self, submitted_at: datetime) -> datetime:
        """When a paper submitted then is expected to be announced (UTC).

        Moderation may hold one for days or weeks longer; a holiday defers it to the next mailing.
        """
        here = submitted_at.astimezone(NEW_YORK)
        evening = here.date() + (_ONE_DAY if here.time() >= CUT_OFF else timedelta(0))
        if evening.weekday() == _FRIDAY:
            evening += 2 * _ONE_DAY  # to Sunday's mailing
        elif evening.weekday() in (_SATURDAY, _SUNDAY):
            evening += (7 - evening.weekday()) * _ONE_DAY  # to Monday's
        return _mailed(next(self._evenings(evening, +1)))

    def opens_for(self, mailing: datetime) -> datetime:
        """From when on papers submitted are expected with that mailing, or with a later one."""
        day = mailing.astimezone(NEW_YORK).date()
        while self.mailing_for(before := localtime.instant(day, CUT_OFF, NEW_YORK)) >= mailing:
            opened, day = before, day - _ONE_DAY
        return opened

    def mailed_for(self, listing: date) -> datetime:
        """When the listing of that date was mailed (UTC): on the evening before."""
        return _mailed(listing - _ONE_DAY)

    def last_mailing(self, now: datetime) -> datetime:
        """The latest mailing (UTC) that is not after now."""
        today = now.astimezone(NEW_YORK).date()
        return next(at for at in map(_mailed, self._evenings(today, -1)) if at <= now)

    def next_mailing(self, now: datetime) -> datetime:
        """The first mailing (UTC) after now."""
        today = now.astimezone(NEW_YORK).date()
        return next(at for at in map(_mailed, self._evenings(today, +1)) if at > now)

    def week_complete_at(self, monday: date) -> datetime:
        """The mailing (UTC) that covers the last Sunday evening of the week begun on `monday`."""
        end = datetime.combine(monday + 7 * _ONE_DAY, time(0), UTC)
        return self.mailing_for(end - timedelta(seconds=1))

    def _evenings(self, start: date, step: int) -> Iterator[date]:
        while True:
            if self.is_mailing_day(start):
                yield start
            start += step * _ONE_DAY

    # ------------------------------------------------------------------ polling

    def first_try(self, mailing: datetime) -> datetime:
        """When it is worth asking for a mailing's papers: 01:30 in the night after it (UTC)."""
        return _morning_after(mailing, FIRST_TRY) + self.jitter

    def next_poll(
        self,
        now: datetime,
        last_success: datetime | None,
        last_try: datetime | None = None,
    ) -> datetime:
        """When to ask arXiv next (UTC); now or earlier means at once.

        `last_success` is when a poll last saw the newest batch, `last_try` when one was last
        made.  The first try comes in the night after a mailing, then one an hour until the batch
        is seen, and after noon one every six hours: it may come late, but it comes.
        """
        if last_success is None and last_try is None:
            return now
        mailing = self.last_mailing(now)
        first = self.first_try(mailing)
        if last_success is not None and last_success >= first:
            return self.first_try(self.next_mailing(now))
        if now < first:
            earlier = self.last_mailing(mailing - timedelta(seconds=1))
            seen = last_success is not None and last_success >= self.first_try(earlier)
            return first if seen or last_try is None else min(first, self._again(earlier, last_try))
        if last_try is None or last_try < first:
            return first
        return self._again(mailing, last_try)

    def _again(self, mailing: datetime, last_try: datetime) -> datetime:
        hours = 1 if last_try < _morning_after(mailing, LATEST) else 6
        return last_try + timedelta(hours=hours)

    # ------------------------------------------------------------------ silence

    def silence(
        self, now: datetime, last_new_at: datetime | None, a_mailing: float = inf
    ) -> Silence:
        """Why nothing has come since `last_new_at`, when a new paper was last seen.

        `a_mailing` is how many new papers one usually brings.
        """
        if last_new_at is None:
            return Silence(Quiet.NEVER, "No papers have been read yet.")
        missed = self._missed(now, last_new_at)
        if missed and missed * a_mailing < SURELY:
            return Silence(
                Quiet.FEW,
                f"Nothing new since {_day(last_new_at)}, as happens where few papers are read; "
                f"{self._coming(now)}",
            )
        if missed:
            days = "one announcement" if missed == 1 else f"{missed} announcements"
            return Silence(
                Quiet.OVERDUE,
                f"Nothing new since {_day(last_new_at)}; {days} should have been seen by now.",
                missed,
            )
        if self.last_mailing(now) > last_new_at:
            return Silence(Quiet.NOT_YET, "arXiv has announced, and its API does not show it yet.")
        return self._between_mailings(now)

    def _between_mailings(self, now: datetime) -> Silence:
        here = now.astimezone(NEW_YORK)
        evening = here.date() - (_ONE_DAY if here.time() < MAILING else timedelta(0))
        coming = self._coming(now)
        if evening in self.no_mailing:
            return Silence(Quiet.HOLIDAY, f"arXiv's holiday; {coming}")
        if not self.is_mailing_day(evening):
            return Silence(Quiet.WEEKEND, f"arXiv does not announce at the weekend; {coming}")
        return Silence(Quiet.CURRENT, f"Up to date; {coming}")

    def _coming(self, now: datetime) -> str:
        return f"the next announcement comes {_day(self.next_mailing(now))} at 20:00 New York."

    def _missed(self, now: datetime, last_new_at: datetime) -> int:
        """Mailings after the last new paper whose noon has passed."""
        missed, mailing = 0, self.next_mailing(last_new_at)
        while _morning_after(mailing, LATEST) <= now:
            missed, mailing = missed + 1, self.next_mailing(mailing)
        return missed


def _mailed(evening: date) -> datetime:
    return localtime.instant(evening, MAILING, NEW_YORK)


def _morning_after(mailing: datetime, at: time) -> datetime:
    return localtime.instant(mailing.astimezone(NEW_YORK).date() + _ONE_DAY, at, NEW_YORK)


def _day(at: datetime) -> str:
    here = at.astimezone(NEW_YORK)
    return f"{here:%a} {here.day} {here:%b}"


def _date(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise TimetableError(
            f"{quoted(str(value))} in no_mailing is not a date; write 2026-12-29"
        ) from None
