"""Why nothing new has come from arXiv: one answer for every door."""

from datetime import datetime

from bot.core.house import House
from bot.store import READ_TO_THE_END, Outcome
from bot.timetable import Silence


def last_heard(house: House) -> datetime | None:
    """When a new paper was last seen, else when arXiv was first looked at; None before that.

    What the first look brings is the past, and no news: silence counts from there.
    """
    news = house.store.ledger.last("poll", outcomes=(Outcome.NEW,))
    return news.at if news else house.store.ledger.began("poll")


def silence_of(house: House, now: datetime) -> Silence:
    """What it means that nothing has come since."""
    silence = house.calendar.silence(now, last_heard(house))
    read = house.store.ledger.last("poll", outcomes=READ_TO_THE_END)
    return silence if read or not silence.expected else house.calendar.silence(now, None)
