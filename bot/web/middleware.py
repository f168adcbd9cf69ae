"""What stands around every page: headers that keep browsers narrow, a limit for an address."""

from collections import Counter, OrderedDict
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.model import Clock
from bot.web.trouble import refusal

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the address may be a signed link
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}

_KNOWN = 10_000  # addresses remembered
_AT_ONCE = 10  # requests of one address under way, of the 40 that the server works on
_FREE = ("/static/", "/healthz", "/metrics")


class Headers:
    """Adds HEADERS to every answer, HSTS where the pages are reached by https."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = dict(HEADERS)
        if https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)


class Limit:
    """At most `a_minute` requests from one address, in bursts of as many, and a few at once, so
    that dear pages leave room for others; 0 lifts both limits.

    Static files and health are not counted.  The address is the connection's, or what a
    proxy of `web.proxies` says it is.
    """

    def __init__(self, app: ASGIApp, *, a_minute: int, clock: Clock) -> None:
        self._app = app
        self._a_minute = a_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = scope["type"] == "http" and not scope["path"].startswith(_FREE)
        if not (counted and self._a_minute):
            await self._app(scope, receive, send)
            return
        address = address_of(Request(scope))
        if self._under_way[address] >= _AT_ONCE or not self._take(address):
            said = "Too many requests from this address; wait a minute and go on."
            again = {"Retry-After": "60"}
            refused = refusal(Request(scope), 429, "One minute, please", said, again)
            await refused(scope, receive, send)
            return
        await self._served(address, scope, receive, send)

    async def _served(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        self._under_way[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    def _take(self, address: str) -> bool:
        now = self._clock().timestamp()
        left, since = self._left.pop(address, (float(self._a_minute), now))
        left = min(self._a_minute, left + (now - since) * self._a_minute / 60)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > _KNOWN:
            self._left.popitem(last=False)
        return left >= 1


def address_of(request: Request) -> str:
    """The peer's address; of IPv6 the network, which one subscriber has whole."""
    host = request.client.host if request.client else ""
    found = read(host)
    return found.exploded[:19] if found and found.version == 6 else str(found or host)


def read(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, or None.  IPv4 that is written as IPv6, as a listener on both
    sees it, is IPv4."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
