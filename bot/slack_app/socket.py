"""Socket Mode: a connection that Slack opens to us, watched so that it never dies quietly.

slack_sdk reconnects by itself, and now and then does not (its aiohttp session closed, no events
after a reconnect, ghosts of old connections).  So somebody else looks too, and builds a new
connection from scratch: a closed session is never used again.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.model import Clock
from bot.slack_app.trouble import trouble_of
from bot.slack_client import proxy

LOOK_S = 15.0
PATIENCE = timedelta(seconds=60)  # without a connection, before a new one is built
CONNECT_S = 30.0
AT_ONCE = 3  # connections that are asked for without a rest, within a minute
APART_S = 20.0  # between two beyond that

log = structlog.get_logger()
Handler = AsyncSocketModeHandler


@dataclass(frozen=True, slots=True)
class SocketState:
    """How the connection stands.  `connections` is what Slack counted when it said hello,
    `trouble` why the last one could not be had, `down_since` when it was first missed."""

    connected: bool
    since: datetime | None
    last_heard_at: datetime | None
    connections: int
    rebuilt: int
    trouble: str = ""
    down_since: datetime | None = None


class Socket:
    """The connection of one app.  `run` keeps it until cancelled."""

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        clock: Clock,
        *,
        ping_s: float = 10.0,
        make: Callable[..., Handler] = AsyncSocketModeHandler,
    ) -> None:
        self._app = app
        self._app_token = app_token
        self._clock = clock
        self._ping_s = ping_s
        self._make = make
        self._handler: Handler | None = None
        self._since: datetime | None = None
        self._well_at: datetime | None = None
        self._down_since: datetime | None = None
        self._heard_at: datetime | None = None
        self._connections = 0
        self._rebuilt = 0
        self._connected = False
        self._trouble = ""
        self._turns: list[float] = []  # when connections were asked for, or will be

    @property
    def state(self) -> SocketState:
        """How the connection stands now."""
        return SocketState(
            self._connected, self._since, self._heard_at, self._connections, self._rebuilt,
            self._trouble, self._down_since,
        )  # fmt: skip

    async def run(self) -> None:
        """Connect, and look after the connection until cancelled."""
        try:
            while True:
                try:
                    await self.look()
                except Exception:
                    log.exception("slack_socket_look_failed")
                await asyncio.sleep(LOOK_S)
        finally:
            await self.close()

    async def look(self) -> None:
        """See whether the connection lives; build a new one where it has been gone too long."""
        now = self._clock()
        self._connected = self._handler is not None and await self._handler.client.is_connected()
        if self._connected:
            self._well_at, self._down_since = now, None
            return
        self._down_since = self._down_since or now
        if self._handler is not None and self._well_at and now - self._well_at < PATIENCE:
            return  # slack_sdk is busy reconnecting
        await self._rebuild(now)

    async def close(self) -> None:
        """End the connection; nothing of it is left behind."""
        handler, self._handler = self._handler, None
        self._connected = False
        if handler is None:
            return
        try:
            await asyncio.wait_for(handler.client.close(), 10)  # type: ignore[no-untyped-call]
        except Exception as exc:
            log.warning("slack_socket_close_failed", error=str(exc)[:200])

    async def _rebuild(self, now: datetime) -> None:
        if self._handler is not None:
            self._rebuilt += 1
            log.warning("slack_socket_rebuilt", times=self._rebuilt)
        await self.close()
        handler = self._make(self._app, self._app_token, ping_interval=self._ping_s, proxy=proxy())
        handler.client.on_message_listeners.append(self._heard)
        handler.client.issue_new_wss_url = self._in_turn(handler.client)  # type: ignore[method-assign]
        self._handler, self._well_at = handler, now
        try:
            await asyncio.wait_for(handler.client.connect(), CONNECT_S)  # type: ignore[no-untyped-call]
        except Exception as exc:
            self._trouble = self._trouble or trouble_of(exc)
            log.warning("slack_socket_unreachable", error=self._trouble)
            await self.close()
            self._well_at = None
            return
        self._since, self._connected, self._down_since = now, True, None

    def _in_turn(self, client: Any) -> Callable[[], Coroutine[Any, Any, str]]:
        """How a client asks for a new connection, after a rest if needed."""
        ask = client.issue_new_wss_url

        async def asked() -> str:
            await asyncio.sleep(self._rest())
            if client.closed:
                raise ConnectionAbortedError("closed meanwhile")
            try:
                url = str(await ask())
            except Exception as exc:
                self._trouble = trouble_of(exc)
                raise
            self._trouble = ""
            return url

        return asked

    def _rest(self) -> float:
        """Take the next turn and return the seconds until then."""
        now = asyncio.get_running_loop().time()
        self._turns = [turn for turn in self._turns if now - turn < AT_ONCE * APART_S]
        early = len(self._turns) < AT_ONCE
        self._turns.append(now if early else max(now, self._turns[-1] + APART_S))
        return self._turns[-1] - now

    async def _heard(self, message: Any) -> None:
        self._heard_at = self._clock()
        data = getattr(message, "data", "")
        if isinstance(data, str) and '"type":"hello"' in data.replace(" ", ""):
            self._connections = _count(data)
            if self._connections > 1:
                # One process holds one connection; more are ghosts, and take events along.
                log.warning("slack_socket_ghosts", connections=self._connections)


def _count(hello: str) -> int:
    digits = hello.partition('"num_connections"')[2].lstrip(": ")
    number = digits[: len(digits) - len(digits.lstrip("0123456789"))]
    return int(number) if number else 0
