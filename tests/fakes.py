"""Stand-ins for time and other people's services.  They keep the contracts of the real ones."""

from datetime import UTC, datetime, timedelta


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, now: datetime = datetime(2026, 11, 24, 7, 0, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **delta: float) -> None:
        self.now += timedelta(**delta)

    def set(self, now: datetime) -> None:
        self.now = now
