"""When a digest is due, and when arXiv announces.  Pure."""

from bot.timetable.announcements import NEW_YORK, Calendar, Quiet, Silence
from bot.timetable.cadence import Cadence, next_due
from bot.timetable.complaint import TimetableError
from bot.timetable.localtime import is_known, zone_of, zone_words
from bot.timetable.silences import is_time, silence_until
from bot.timetable.zones import canonical_zone, zone_at_end

__all__ = [
    "NEW_YORK",
    "Cadence",
    "Calendar",
    "Quiet",
    "Silence",
    "TimetableError",
    "canonical_zone",
    "is_known",
    "is_time",
    "next_due",
    "silence_until",
    "zone_at_end",
    "zone_of",
    "zone_words",
]
