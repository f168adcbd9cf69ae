"""arXiv's clock, as its answers show it, and ours."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

APART = timedelta(days=1)
"""A clock that is further from arXiv's would take news for the past, or the past for news."""


def http_date(value: str) -> datetime | None:
    """The instant that a header holds, or None."""
    with suppress(ValueError, TypeError, OverflowError):
        at = parsedate_to_datetime(value)
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    return None


def apart(ours: datetime, theirs: datetime) -> str:
    """Why our clock cannot be right, for an operator, or ""."""
    if abs(ours - theirs) <= APART:
        return ""
    return (
        f"the clock of this machine says {ours:%Y-%m-%d}, arXiv's {theirs:%Y-%m-%d}; "
        "nothing is read or sent until it is set (NTP)"
    )
