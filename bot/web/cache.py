"""A cache whose outdated entries are served while one thread makes them anew."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import perf_counter, sleep
from typing import Generic, TypeVar

from bot.model import Clock

T = TypeVar("T")

_LOCKS = 32


class Cache(Generic[T]):
    """Values by key while their stamp holds, at most `most` of them.

    An outdated one is served for another `stale_s` seconds while it is made anew in the
    background, one after the other, so that a poll that writes slows no reader down.  Threads may
    share it: one makes a value, the others that want the same one wait for it.
    """

    def __init__(self, clock: Clock, *, stale_s: float = 0.0, most: int = 2_000) -> None:
        self._clock = clock
        self._stale_s = stale_s
        self._most = most
        self._values: OrderedDict[Hashable, tuple[Hashable, float, T]] = OrderedDict()
        self._changing = Lock()
        self._making = [Lock() for _ in range(_LOCKS)]
        self._renewing: set[Hashable] = set()
        self._worker = ThreadPoolExecutor(1, "pages") if stale_s else None

    def get(self, key: Hashable, stamp: Hashable, make: Callable[[], T]) -> T:
        """The value for `key` as of `stamp`, or a little older; made where it is not here."""
        found = self._values.get(key)
        if found and found[0] == stamp:
            return found[2]
        if found and self._worker and self._clock().timestamp() - found[1] < self._stale_s:
            self._renew(key, stamp, make)
            return found[2]
        with self._making[hash(key) % _LOCKS]:
            found = self._values.get(key)
            if found and found[0] == stamp:
                return found[2]
            value = make()
            self._put(key, stamp, value)
            return value

    def _renew(self, key: Hashable, stamp: Hashable, make: Callable[[], T]) -> None:
        with self._changing:
            if key in self._renewing:
                return
            self._renewing.add(key)
        assert self._worker
        self._worker.submit(self._made_anew, key, stamp, make)

    def _made_anew(self, key: Hashable, stamp: Hashable, make: Callable[[], T]) -> None:
        began = perf_counter()
        try:
            self._put(key, stamp, make())
            # At most half of the time: whoever waits for a page they lack goes first.
            sleep(min(perf_counter() - began, 1.0))
        finally:  # what fails here fails again for the reader who finds it too old, and is shown
            with self._changing:
                self._renewing.discard(key)

    def _put(self, key: Hashable, stamp: Hashable, value: T) -> None:
        with self._changing:
            self._values[key] = (stamp, self._clock().timestamp(), value)
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
