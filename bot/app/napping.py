"""How a source waits: counted, and not a moment longer than the service lives."""

from collections.abc import Callable
from threading import Event

from bot.app.metrics import Metrics
from bot.sources import SourceError


def counted(metrics: Metrics, nap: Callable[[float], None]) -> Callable[[float], None]:
    """A sleep of so many seconds that the metrics hear of."""

    def sleep(seconds: float) -> None:
        metrics.slept(seconds)
        nap(seconds)

    return sleep


def until(halt: Event) -> Callable[[float], None]:
    """A sleep that ends, and what it waited for with it, once `halt` is set."""

    def nap(seconds: float) -> None:
        if halt.wait(seconds):
            raise SourceError("Paperround was stopped while it waited for its turn")

    return nap
