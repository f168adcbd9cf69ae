"""A polite session towards a loopback arXiv; nothing really sleeps."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.model import Pause
from bot.sources.arxiv_api import ArxivApi
from bot.sources.limiter import PoliteLimiter
from bot.sources.session import Session
from tests.arxiv_server import ArxivServer
from tests.fakes import FrozenClock


class Turns:
    """Turns at a host in memory: the store's, without the database."""

    def __init__(self) -> None:
        self.next_at = 0.0
        self.until = 0.0
        self.reason = ""
        self.count = 0

    def reserve(self, host: str, gap_s: float, now: float) -> float:
        turn = max(now, self.next_at)
        self.next_at = turn + gap_s
        return turn

    def pause(self, host: str, until: float, reason: str) -> None:
        self.until, self.reason, self.count = max(until, self.until), reason, self.count + 1

    def resumed(self, host: str) -> None:
        self.count = 0

    def pauses(self, host: str) -> int:
        return self.count

    def paused(self, host: str, now: float) -> Pause | None:
        return Pause(self.until, self.reason) if self.until > now else None


class HandClock:
    """Real time, moved by hand: sleeping moves it."""

    def __init__(self) -> None:
        self.epoch = 1_795_000_000.0
        self.steady = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.forward(seconds)

    def forward(self, seconds: float) -> None:
        self.epoch += seconds
        self.steady += seconds


@pytest.fixture
def arxiv() -> Iterator[ArxivServer]:
    with ArxivServer() as server:
        yield server


@pytest.fixture
def turns() -> Turns:
    return Turns()


@pytest.fixture
def hand() -> HandClock:
    return HandClock()


@pytest.fixture
def limiter(turns: Turns, hand: HandClock) -> PoliteLimiter:
    return PoliteLimiter(
        turns, epoch=lambda: hand.epoch, monotonic=lambda: hand.steady, sleep=hand.sleep
    )


MakeSession = Callable[..., Session]


@pytest.fixture
def make_session(limiter: PoliteLimiter, hand: HandClock) -> Iterator[MakeSession]:
    made: list[Session] = []

    def make(**more: Any) -> Session:
        options: dict[str, Any] = {
            "user_agent": "Paperround/test (mailto:ops@example.org)",
            "timeout": (2.0, 2.0),
            "sleep": hand.sleep,
            "now": lambda: datetime.fromtimestamp(hand.epoch, UTC),
            **more,
        }
        made.append(Session(limiter, **options))
        return made[-1]

    yield make
    for session in made:
        session.close()


@pytest.fixture
def session(make_session: MakeSession) -> Session:
    return make_session()


@pytest.fixture
def api(session: Session, arxiv: ArxivServer, clock: FrozenClock) -> ArxivApi:
    return ArxivApi(
        session, categories=["cs.LG"], clock=clock, base_url=arxiv.api_url, page_size=100
    )
