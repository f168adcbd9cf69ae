"""The web door's port: who is believed to be whom, and how long anybody may take.

connection ─▶ Visitor ─▶ proxy's words, where it is a named one ─▶ the pages
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_network
from time import monotonic
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.app.locks import Occupied
from bot.config import ConfigError

log = logging.getLogger(__name__)

MOST = 400
"""Connections at once.  With those still to be accepted well below the usual 1,024 descriptors of
a process, which polls, mail and the database share."""

ARRIVES_S = 20.0
"""Within this a request has come whole, its body too."""

TAKEN_S = 120.0
"""Within this its answer has been made and taken."""

_TO_ACCEPT = 64  # of a loop's turn: where descriptors run out, each is a line in the log


class Server(uvicorn.Server):
    """Leaves signals to the clockwork: alone, it would stop and leave deliveries in the air."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def server(app: ASGIApp, proxies: Sequence[str]) -> Server:
    """A server of `app` that believes what `proxies` say of whom they pass on, and nobody else."""
    return Server(
        uvicorn.Config(
            app,
            http=Visitor,
            ws="none",
            log_config=None,
            log_level="error",  # what strangers send amiss is no news
            access_log=False,
            server_header=False,
            lifespan="off",
            forwarded_allow_ips=list(_believed(proxies)),
            backlog=_TO_ACCEPT,
            timeout_graceful_shutdown=5,
        )
    )


def _believed(proxies: Sequence[str]) -> Iterator[str]:
    """The networks as uvicorn reads them: no bit of a host in them, and IPv4 as IPv6 too, which
    is how who listens on both hears of it."""
    for each in proxies:
        network = ip_network(each, strict=False)
        yield str(network)
        if network.version == 4:
            yield f"::ffff:{network.network_address}/{96 + network.prefixlen}"


def listener(host: str, port: int) -> socket.socket:
    """The bound port.  Raises ConfigError where it never can be had, Occupied where not now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        bound = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    except OSError as error:
        raise _unbound(host, port, error) from None
    # asyncio sets this only on sockets that name TCP; without it every answer waits 40 ms.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    shown = f"[{host}]" if ":" in host else host
    log.info("pages at http://%s:%s", shown, bound.getsockname()[1])
    return bound


def _unbound(host: str, port: int, error: OSError) -> Exception:
    """A machine that has just begun may not have its addresses, or names for them, yet."""
    no_name = (error.errno or 0) < 0  # getaddrinfo's, whose class create_server forgets
    if no_name or error.errno == errno.EADDRNOTAVAIL:
        return Occupied(
            f"web.host “{host}” is no address of this machine now; bring up its network, "
            "or set web.host to one that it has"
        )
    if error.errno == errno.EACCES:
        return ConfigError(
            f"web.port {port} is not for this user; set one above 1023, and let a proxy pass on "
            "what comes to that one"
        )
    said = os.strerror(error.errno) if error.errno else str(error)
    return Occupied(
        f"web.port {port} on {host} cannot be used ({said}); "
        "stop what listens there, or set another web.port"
    )


class Visitor(H11Protocol):
    """A connection that dawdles is closed, and gives way to newcomers before that.

    uvicorn waits for ever for a request that has begun, and for an answer to be taken.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._ends: asyncio.TimerHandle | None = None
        self.since = monotonic()

    @property
    def waits(self) -> bool:
        """Whether no whole request of it is being answered."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Welcome it, or make room for it, or turn it away where all others are at work."""
        super().connection_made(transport)
        self._end_in(ARRIVES_S)
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """What came; from a whole request on, the time runs for the answer."""
        waited = self.waits
        super().data_received(data)
        if waited and not self.waits:
            self._end_in(TAKEN_S)

    def on_response_complete(self) -> None:
        """The next request may come, or has come along with this one."""
        self._end_in(ARRIVES_S)
        super().on_response_complete()
        if not self.waits:
            self._end_in(TAKEN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing ends it any more."""
        if self._ends:
            self._ends.cancel()
        super().connection_lost(exc)

    def _end_in(self, seconds: float) -> None:
        if self._ends:
            self._ends.cancel()
        self.since = monotonic()
        self._ends = self.loop.call_later(seconds, self.transport.abort)

    def _make_room(self) -> None:
        """Where there are too many, whoever has waited longest goes; it itself waits as well."""
        here = [each for each in self.connections if isinstance(each, Visitor)]
        open_ = [each for each in here if not each.transport.is_closing()]
        if len(open_) > MOST:
            waiting = (each for each in open_ if each.waits)
            min(waiting, key=lambda each: each.since).transport.abort()
