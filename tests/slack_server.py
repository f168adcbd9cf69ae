"""A Slack Web API on loopback: it remembers what was posted and fails on command.

It keeps what the real one keeps for as long as a test lasts: conversations, messages with their
metadata, views, files, the five uses of a response_url.  `script` puts a failure before the next
answers of a method: an error code, an HTTP status, "drop" (accepted, then the connection breaks)
or "lose" (the connection breaks before it is accepted); IN_ITS_PLACE are answers of a stranger.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.block_kit.shapes import message_faults, view_faults


@dataclass
class Failure:
    """What goes wrong once."""

    error: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drop: str = ""  # "after" or "before" acceptance
    body: str | None = None  # of somebody who answers in Slack's place
    kind: str = "text/plain"


RATE = Failure("ratelimited", 429, {"Retry-After": "7"})
DROP = Failure(drop="after")
LOSE = Failure(drop="before")
IN_ITS_PLACE = [
    Failure(body="Please log in to this network"),
    Failure(body="<html>Please log in</html>", kind="text/html"),
    Failure(body='"please log in"', kind="application/json"),
    Failure(body='["please log in"]', kind="application/json"),
    Failure(body="\xe9", kind="application/json"),
    Failure(body="{", kind="application/json"),
    Failure(body="", kind="application/json"),
    Failure(body="\x1f\x8b", kind="application/gzip"),
    Failure(body="a login is needed here", status=407),
]


class SlackServer:
    """See the module."""

    def __init__(self) -> None:
        self.url = ""
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.messages: list[dict[str, Any]] = []
        self.ephemerals: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []  # posted to response_urls
        self.views: list[dict[str, Any]] = []
        self.homes: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.faults: list[str] = []  # what the validator found in anything received
        self.users: dict[str, dict[str, Any]] = {}
        self.conversations: dict[str, dict[str, Any]] = {}
        self.members: dict[str, set[str]] = {}
        self.unreadable: set[str] = set()
        self.tokens: dict[str, str] = {}  # token -> team; empty: any token is good
        self.uses: dict[str, int] = defaultdict(int)
        self.heard = asyncio.Event()
        self._failures: dict[str, deque[Failure]] = defaultdict(deque)
        self._ts = 1_795_000_000
        self._sockets: list[web.WebSocketResponse] = []
        self.acks: dict[str, Any] = {}
        self.opened = 0
        self.accepted: Callable[[str], Awaitable[None]] | None = None  # before it is answered

    def script(self, method: str, *failures: Failure | str) -> None:
        """Let the next calls of a method fail; a bare string is an error code."""
        self._failures[method] += [Failure(f) if isinstance(f, str) else f for f in failures]

    def recover(self) -> None:
        """Nothing fails any more."""
        self._failures.clear()

    def called(self, method: str) -> list[dict[str, Any]]:
        """The arguments of every call of a method."""
        return [values for name, values in self.calls if name == method]

    def response_url(self, name: str = "1") -> str:
        """A fresh address for up to five answers."""
        return self.url.replace("/api/", f"/respond/{name}")

    async def wait(self, condition: Any, within: float = 60.0) -> None:
        """Until a condition holds; it is looked at after every request."""

        async def until() -> None:
            while not condition():
                self.heard.clear()
                await self.heard.wait()

        await asyncio.wait_for(until(), within)

    # -------------------------------------------------------------- HTTP

    async def api(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        values = await _values(request)
        self.calls.append((method, values))
        failure = self._failures[method].popleft() if self._failures[method] else None
        if failure and failure.drop == "before":
            return _broken(request)
        if failure and not failure.drop:
            return self._tell(_error(failure))
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.tokens and token not in self.tokens:
            return self._tell(web.json_response({"ok": False, "error": "invalid_auth"}))
        answer = getattr(self, method.replace(".", "_"), self._unknown)(values)
        if self.accepted:
            await self.accepted(method)
        if failure:
            self.heard.set()
            return _broken(request)
        return self._tell(web.json_response({"ok": "error" not in answer, **answer}))

    async def respond(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.uses[name] += 1
        values = await request.json()
        if self.uses[name] > 5:
            return web.Response(status=404, text="used_url")
        failure = self._failures["response_url"].popleft() if self._failures["response_url"] else 0
        if failure:
            return self._tell(web.Response(status=failure.status, text=failure.error))
        self._look(values)
        self.answers.append(values)
        return self._tell(web.Response(text="ok"))

    def _tell(self, response: web.StreamResponse) -> Any:
        self.heard.set()
        return response

    def _look(self, message: dict[str, Any]) -> None:
        if "text" in message or "blocks" in message:
            self.faults += message_faults(message)

    # -------------------------------------------------------------- methods

    def auth_test(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"team_id": "T1", "user_id": "UBOT", "bot_id": "B1", "user": "papers", "team": "t"}

    def chat_postMessage(self, values: dict[str, Any]) -> dict[str, Any]:
        self._look(values)
        for each in ("unfurl_links", "unfurl_media"):
            if str(values.get(each)).casefold() not in ("false", "0"):
                self.faults.append(f"{each} is not off: links would be shown at length")
        self._ts += 1
        ts = f"{self._ts}.000100"
        self.messages.append({**values, "ts": ts, "bot_id": "B1"})
        return {"ts": ts, "channel": values["channel"]}

    def chat_postEphemeral(self, values: dict[str, Any]) -> dict[str, Any]:
        self._look(values)
        self.ephemerals.append(values)
        return {"message_ts": "1.1"}

    def conversations_open(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"channel": {"id": "D" + values["users"][1:]}}

    def conversations_info(self, values: dict[str, Any]) -> dict[str, Any]:
        known = self.conversations.get(values["channel"])
        return {"channel": known} if known else {"error": "channel_not_found"}

    def conversations_members(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"members": sorted(self.members.get(values["channel"], ()))}

    def users_info(self, values: dict[str, Any]) -> dict[str, Any]:
        plain = {"id": values["user"], "tz": "Europe/Berlin", "team_id": "T1"}
        return {"user": {**plain, **self.users.get(values["user"], {})}}

    def conversations_history(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["channel"] in self.unreadable:
            return {"error": "missing_scope"}
        found = [m for m in self.messages if m["channel"] == values["channel"]]
        return _some([m for m in reversed(found) if not m.get("thread_ts")], values)

    def conversations_replies(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["channel"] in self.unreadable:
            return {"error": "missing_scope"}
        thread = [m for m in self.messages if values["ts"] in (m["ts"], m.get("thread_ts"))]
        return _some(thread, values)

    def views_publish(self, values: dict[str, Any]) -> dict[str, Any]:
        self.faults += view_faults(values["view"])
        self.homes[values["user_id"]] = values["view"]
        return {"view": {"id": "VH", "hash": "h1"}}

    def views_open(self, values: dict[str, Any]) -> dict[str, Any]:
        self.faults += view_faults(values["view"])
        self.views.append(values["view"])
        return {"view": {"id": f"V{len(self.views)}", "hash": "h1"}}

    views_update = views_open

    def files_getUploadURLExternal(self, values: dict[str, Any]) -> dict[str, Any]:
        name = f"F{len(self.files) + 1}"
        return {"file_id": name, "upload_url": self.url.replace("/api/", f"/upload/{name}")}

    def files_completeUploadExternal(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"files": values["files"]}

    def apps_connections_open(self, values: dict[str, Any]) -> dict[str, Any]:
        self.opened += 1
        return {"url": self.url.replace("http://", "ws://").replace("/api/", "/link")}

    def _unknown(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"error": "unknown_method"}

    async def upload(self, request: web.Request) -> web.Response:
        self.files[request.match_info["name"]] = await request.read()
        return web.Response(text="OK")

    # -------------------------------------------------------------- Socket Mode

    async def link(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._sockets.append(socket)
        hello = {"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}}
        await socket.send_json(hello)
        self.heard.set()
        async for heard in socket:
            if heard.type is web.WSMsgType.TEXT and heard.data.startswith("{"):
                answer = json.loads(heard.data)
                self.acks[answer.get("envelope_id", "")] = answer.get("payload")
                self.heard.set()
        return socket

    @property
    def sockets(self) -> list[web.WebSocketResponse]:
        """Every connection so far, the newest last."""
        return self._sockets

    async def push(self, envelope: dict[str, Any]) -> None:
        """Send an envelope down the newest connection."""
        await self._sockets[-1].send_json(envelope)


@asynccontextmanager
async def slack_server() -> AsyncIterator[SlackServer]:
    """A running server on a free port."""
    server = SlackServer()
    app = web.Application()
    app.router.add_route("*", "/api/{method}", server.api)
    app.router.add_post("/respond/{name}", server.respond)
    app.router.add_post("/upload/{name}", server.upload)
    app.router.add_get("/link", server.link)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    server.url = f"http://127.0.0.1:{port}/api/"
    try:
        yield server
    finally:
        for socket in server.sockets:
            await socket.close()
        await runner.cleanup()


def _some(messages: list[dict[str, Any]], values: dict[str, Any]) -> dict[str, Any]:
    limit = int(values.get("limit", 100))
    return {"messages": messages[:limit], "has_more": len(messages) > limit}


async def _values(request: web.Request) -> dict[str, Any]:
    if request.content_type == "application/json":
        return dict(await request.json())
    values: dict[str, Any] = {**request.query, **(await request.post())}
    for key in ("blocks", "metadata", "view", "files"):
        if isinstance(values.get(key), str):
            values[key] = json.loads(values[key])
    return values


def _error(failure: Failure) -> web.Response:
    if not failure.error:
        text = "upstream" if failure.body is None else failure.body
        return web.Response(
            status=failure.status, body=text.encode("latin-1"), content_type=failure.kind,
            headers=failure.headers,
        )  # fmt: skip
    body = {"ok": False, "error": failure.error}
    return web.json_response(body, status=failure.status, headers=failure.headers)


def _broken(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()
