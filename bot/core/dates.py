"""Instants as people read them, in a zone."""

from datetime import date, datetime, time, timedelta

from bot.model import FOREVER
from bot.text import day
from bot.timetable import zone_of

NEAR = timedelta(days=183)
"""Up to here a day without its year is plain."""


SOON = timedelta(days=7)
"""Up to here an end is meant to the hour: "until fri 5pm" says whether Friday's digest comes."""


def is_far(at: datetime, now: datetime) -> bool:
    """Whether a day needs its year to be understood."""
    return abs(at - now) > NEAR


def is_soon(at: datetime, now: datetime, zone: str) -> bool:
    """Whether an end needs its hour to be understood: "for 2h", "until 5pm"."""
    return abs(at - now) < SOON and at.astimezone(zone_of(zone)).time() != time(0)


def local_day(at: datetime, zone: str) -> date:
    """The day it is in a zone at that instant."""
    return at.astimezone(zone_of(zone)).date()


def day_words(at: datetime, zone: str, *, year: bool = False) -> str:
    """ "Mon 14 Dec"; with the year where it is not plain."""
    return day(local_day(at, zone), year=year)


def clock_words(at: datetime, zone: str) -> str:
    """ "Mon 14 Dec 09:00"."""
    return instant_words(at, zone, clock=True)


def instant_words(at: datetime, zone: str, *, clock: bool = False, year: bool = False) -> str:
    """ "Mon 14 Dec"; with the hour where `clock`, and its `year`."""
    hour = f" {at.astimezone(zone_of(zone)):%H:%M}" if clock else ""
    return day_words(at, zone, year=year) + hour


def end_words(until: datetime, zone: str) -> str:
    """An end that may be read at any time: "Mon 14 Dec 2026", with its hour unless midnight."""
    local = until.astimezone(zone_of(zone))
    return day(local.date(), year=True) + (f" {local:%H:%M}" if local.time() != time(0) else "")


def until_words(until: datetime, zone: str, now: datetime) -> str:
    """ "until Mon 14 Dec", "until Fri 27 Nov 17:00" where that is soon, or "without an end"."""
    if until >= FOREVER:
        return "without an end"
    if is_soon(until, now, zone):
        return f"until {clock_words(until, zone)}"
    return f"until {day_words(until, zone, year=is_far(until, now))}"
