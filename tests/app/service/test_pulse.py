"""The heartbeat, and clocks that are set."""

from datetime import timedelta

from bot.app.service.pulse import Pulse
from tests.fakes import FrozenClock


class Stopwatch:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_clock_that_goes_as_it_should_says_nothing():
    clock, watch = FrozenClock(), Stopwatch()
    pulse = Pulse(clock, watch)
    pulse.beat()
    clock.forward(seconds=1)
    watch.seconds += 1

    assert pulse.beat() is None


def test_a_clock_that_is_set_is_noticed_either_way():
    clock, watch = FrozenClock(), Stopwatch()
    pulse = Pulse(clock, watch)
    pulse.beat()
    clock.forward(hours=-1)
    assert pulse.beat() == timedelta(hours=-1)

    clock.forward(days=1)
    assert pulse.beat() == timedelta(days=1)


def test_standing_still_is_measured_by_the_other_clock():
    clock, watch = FrozenClock(), Stopwatch()
    pulse = Pulse(clock, watch)
    pulse.beat()
    watch.seconds += 90

    assert pulse.still_s() == 90
