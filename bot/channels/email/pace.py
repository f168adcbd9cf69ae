"""How fast mail goes out, in all and to one domain."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

_REMEMBERED = 2000  # domains; a forgotten one starts with a full bucket


@dataclass(slots=True)
class _Bucket:
    """Tokens that flow in at `rate` a second up to `size`; below zero they are promised."""

    rate: float
    size: float
    tokens: float
    at: float

    def take(self, now: float) -> float:
        """Take one token and return for how many seconds to wait until it is there."""
        self.tokens = min(self.size, self.tokens + (now - self.at) * self.rate) - 1
        self.at = now
        return max(0.0, -self.tokens / self.rate)


class Pace:
    """Keeps mail below two rates, in messages a second; a rate of 0 is no limit.

    A domain that asks for patience is written to at half its rate, and slowly faster again.
    """

    def __init__(
        self,
        per_second: float,
        per_domain: float,
        burst: float = 20,
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._per_second, self._per_domain, self._burst = per_second, per_domain, burst
        self._clock = clock
        self._all: _Bucket | None = None
        self._domains: dict[str, _Bucket] = {}

    async def turn(self, domain: str) -> None:
        """Return when one more message may go to `domain`."""
        wait = self.reserve(domain)
        if wait <= 0:
            return
        try:
            await asyncio.sleep(wait)
        except asyncio.CancelledError:
            for bucket in self._buckets(domain):
                bucket.tokens += 1
            raise

    def reserve(self, domain: str) -> float:
        """Take the next turn to write to `domain`; return how many seconds away it is."""
        now = self._now()
        return max((bucket.take(now) for bucket in self._buckets(domain)), default=0.0)

    def ease(self, domain: str) -> None:
        """The domain asked for patience: half as fast from now on."""
        if self._per_domain:
            bucket = self._bucket(domain, self._now())
            bucket.rate = max(bucket.rate / 2, self._per_domain / 64)
            bucket.tokens = min(bucket.tokens, 0)

    def recover(self, domain: str) -> None:
        """The domain took a message: a little faster, up to the rate it began with."""
        if self._per_domain:
            bucket = self._bucket(domain, self._now())
            bucket.rate = min(bucket.rate * 1.1, self._per_domain)

    def _buckets(self, domain: str) -> list[_Bucket]:
        """The buckets that a message to `domain` takes from."""
        now, taken = self._now(), []
        if self._per_second:
            self._all = self._all or _Bucket(self._per_second, self._burst, self._burst, now)
            taken.append(self._all)
        if self._per_domain:
            taken.append(self._bucket(domain, now))
        return taken

    def _bucket(self, domain: str, now: float) -> _Bucket:
        if domain not in self._domains:
            if len(self._domains) >= _REMEMBERED:
                del self._domains[next(iter(self._domains))]
            self._domains[domain] = _Bucket(self._per_domain, self._burst, self._burst, now)
        return self._domains[domain]

    def _now(self) -> float:
        return self._clock() if self._clock else asyncio.get_running_loop().time()
