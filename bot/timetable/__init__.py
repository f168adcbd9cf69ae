"""When a digest is due, and when arXiv announces.  Pure."""

from bot.timetable.announcements import NEW_YORK, Calendar, Quiet, Silence
from bot.timetable.cadence import Cadence, next_due
from bot.timetable.complaint import TimetableError
from bot.timetable.silences import silence_until
from bot.timetable.zones import canonical_zone

__all__ = [
    "NEW_YORK",
    "Cadence",
    "Calendar",
    "Quiet",
    "Silence",
    "TimetableError",
    "canonical_zone",
    "next_due",
    "silence_until",
]
