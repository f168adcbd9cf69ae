"""Instants as people read them, in a zone."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.model import FOREVER
from bot.text import day


def local_day(at: datetime, zone: str) -> date:
    """The day it is in a zone at that instant."""
    return at.astimezone(ZoneInfo(zone)).date()


def day_words(at: datetime, zone: str) -> str:
    """ "Mon 14 Dec"."""
    return day(local_day(at, zone))


def clock_words(at: datetime, zone: str) -> str:
    """ "Mon 14 Dec 09:00"."""
    return f"{day_words(at, zone)} {at.astimezone(ZoneInfo(zone)):%H:%M}"


def until_words(until: datetime, zone: str) -> str:
    """ "until Mon 14 Dec", or "without an end"."""
    return "without an end" if until >= FOREVER else f"until {day_words(until, zone)}"
