"""Why nothing new has come from arXiv, and what is missing: one answer for every door."""

from datetime import datetime, timedelta

from bot.core.house import House
from bot.model import Completeness
from bot.store import READ_TO_THE_END, Outcome, Run
from bot.text import short_day
from bot.timetable import Silence
from bot.timetable.announcements import SURELY

FOUR_WEEKS = timedelta(weeks=4)
MAILINGS = 20
"""In four weeks, without holidays."""


def last_heard(house: House) -> datetime | None:
    """When a new paper was last seen, else when arXiv was first looked at; None before that.

    What the first look brings is the past, and no news: silence counts from there.
    """
    news = house.store.ledger.last("poll", outcomes=(Outcome.NEW,))
    return news.at if news else house.store.ledger.began("poll")


def silence_of(house: House, now: datetime) -> Silence:
    """What it means that nothing has come since.

    If arXiv was read all the same, it depends on how many papers there usually are.
    """
    heard = last_heard(house)
    silence = house.calendar.silence(now, heard)
    if silence.expected or heard is None:
        read = house.store.ledger.last("poll", outcomes=READ_TO_THE_END)
        return silence if read else house.calendar.silence(now, None)
    if _is_read(house, now):
        return house.calendar.silence(now, heard, _papers_a_mailing(house, heard))
    return silence


def _is_read(house: House, now: datetime) -> bool:
    """Whether the last mailing was looked for, and the source read whole."""
    read = house.store.ledger.last("poll", outcomes=READ_TO_THE_END)
    if read is None or read.completeness not in (Completeness.WHOLE, Completeness.STALE):
        return False
    return house.calendar.silence(now, read.at).expected


def _papers_a_mailing(house: House, heard: datetime) -> float:
    """How many new papers a mailing usually brings; four weeks without any are never usual."""
    return max(house.store.papers.count_after(heard - FOUR_WEEKS), SURELY) / MAILINGS


def source_notes(house: House, now: datetime) -> tuple[str, ...]:
    """A sentence if papers are missing because arXiv could not be read; else ().

    A source that failed and was healed by another one is not spoken of.
    """
    if not silence_of(house, now).expected:
        heard = last_heard(house)
        assert heard is not None  # where nothing was ever read, nothing is amiss
        failed = "has shown nothing new" if _is_read(house, now) else "could not be read"
        since = short_day(heard.date())
        return (f"arXiv {failed} since {since}; what is missing comes later.",)
    last = house.store.ledger.last("poll", "arxiv")
    if last and _is_cut_short(last) and not _is_healed(house, now):
        return ("arXiv was read only in part; what is missing comes later.",)
    return ()


def _is_healed(house: House, now: datetime) -> bool:
    """Whether another source was read to its end since the last mailing."""
    good = house.store.ledger.last("poll", "oai", outcomes=READ_TO_THE_END)
    return good is not None and good.at >= house.calendar.last_mailing(now)


def _is_cut_short(look: Run) -> bool:
    return look.outcome not in READ_TO_THE_END or look.completeness is Completeness.PART
