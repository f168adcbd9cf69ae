"""How instants, days and weeks are stored."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

WEEK = "(p.submitted_at + 259200) / 604800"
"""The number of the week that a paper `p` was submitted in; 1970-01-01 was a Thursday."""


def seconds(at: datetime) -> int:
    """An instant as it is stored: whole epoch seconds."""
    return int(at.timestamp())


def seconds_or_none(at: datetime | None) -> int | None:
    """An instant as it is stored, where there is one."""
    return None if at is None else seconds(at)


def instant(at: int) -> datetime:
    """A stored instant as an aware datetime."""
    return datetime.fromtimestamp(at, UTC)


def instant_or_none(at: int | None) -> datetime | None:
    """A stored instant where there is one."""
    return None if at is None else instant(at)


def iso(day: date | None) -> str | None:
    """A day as it is stored."""
    return day.isoformat() if day else None


def start_of(day: date) -> int:
    """Epoch second at which a UTC day begins."""
    return seconds(datetime(day.year, day.month, day.day, tzinfo=UTC))


def by_week(rows: Iterable[dict[str, Any]]) -> dict[date, int]:
    """Counts by Monday from rows of (week, papers)."""
    return {date(1969, 12, 29) + timedelta(weeks=row["week"]): row["papers"] for row in rows}
