"""Whether it lives, whether it may be asked, and what it counts: /healthz, /readyz, /metrics.

None of these asks anything outside.  Figures and sentences are for whoever watches: a request
from elsewhere, or one that a proxy passed on, hears only yes or no.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.web.middleware import read

OPENMETRICS = "text/plain; version=0.0.4; charset=utf-8"
READY_WITHIN_S = 1.0
LOCAL = ("127.0.0.0/8", "::1/128")

_FORWARDED = (
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
)  # fmt: skip

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class Vitals(Protocol):
    """What the service knows about itself.  All three may be called from a worker thread."""

    def alive(self) -> str:
        """Why this process should be started anew, or ""."""
        ...

    def ready(self) -> str:
        """Why nobody should be sent here now, or "".  Writes to the database."""
        ...

    def standing(self) -> dict[str, object]:
        """How everything stands, for people who watch."""
        ...

    def metrics(self) -> bytes:
        """All counters in Prometheus's text format."""
        ...


def routes(
    vitals: Vitals, watchers: Sequence[str] = LOCAL, proxies: Sequence[str] = ()
) -> list[Route]:
    """The three pages.

    `watchers` are the networks that may see figures.  Who comes from `proxies` never may, since
    a proxy's guests come from there too, and not every proxy says whom it passes on.
    """
    pages = _Pages(vitals, _networks(watchers), _networks(proxies))
    return [
        Route("/healthz", pages.healthz),
        Route("/readyz", pages.readyz),
        Route("/metrics", pages.metrics),
    ]


@dataclass(frozen=True, slots=True)
class _Pages:
    vitals: Vitals
    watching: Sequence[Network]
    passing: Sequence[Network]

    async def healthz(self, request: Request) -> Response:
        dead = self.vitals.alive()
        said: dict[str, object] = {"ok": not dead, "reason": dead}
        if self._sees(request):
            said |= await asyncio.to_thread(_standing, self.vitals)
        return JSONResponse(said, 503 if dead else 200, {"Cache-Control": "no-store"})

    async def readyz(self, request: Request) -> Response:
        try:
            reason = await asyncio.wait_for(asyncio.to_thread(self.vitals.ready), READY_WITHIN_S)
        except TimeoutError:
            reason = "the database cannot be written within a second"
        body = {"ok": not reason, "reason": reason if self._sees(request) else ""}
        return JSONResponse(body, 503 if reason else 200, {"Cache-Control": "no-store"})

    async def metrics(self, request: Request) -> Response:
        if not self._sees(request):
            return PlainTextResponse(
                "Only for who watches, and not through a proxy; see web.watchers, web.proxies.\n",
                403,
            )
        text = await asyncio.to_thread(self.vitals.metrics)
        return Response(text, 200, {"Content-Type": OPENMETRICS})

    def _sees(self, request: Request) -> bool:
        at = _connected_from(request)
        return at is not None and _within(at, self.watching) and not _within(at, self.passing)


def _standing(vitals: Vitals) -> dict[str, object]:
    """How everything stands, or why that cannot be read: a living process answers anyway."""
    try:
        return vitals.standing()
    except Exception as error:
        return {"troubles": [f"the database cannot be read: {error}"]}


def _networks(written: Sequence[str]) -> list[Network]:
    return [ip_network(each, strict=False) for each in written]


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _connected_from(request: Request) -> Address | None:
    """Where the connection comes from; None if somebody says that they passed it on."""
    if any(name in request.headers for name in _FORWARDED) or request.client is None:
        return None
    return read(request.client.host)
