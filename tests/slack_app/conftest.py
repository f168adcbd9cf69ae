"""A real core on a real file, a real Bolt app, and a Slack on loopback to talk to."""

import asyncio
import json
import time
import urllib.parse
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.channels.slack import Slack
from bot.core import Core, Wishes
from bot.core.pipeline.papers.catalogue import Listed
from bot.model import Paper, Sighting
from bot.slack_app import SlackApp, Workspaces, build, desk
from bot.sources import Page
from bot.store.sqlite import SqliteStore
from tests.databases import copy_into
from tests.fakes import FrozenClock
from tests.houses import core_over
from tests.makers import paper
from tests.slack_server import SlackServer, slack_server

SECRET = "a secret that signs"
NOW = datetime(2026, 11, 30, 7, 30, tzinfo=UTC)
TOPICS = [
    Listed("rl-for-llm-agents", "RL for LLM Agents", "Agents that learn by reward.", "ml"),
    Listed(
        "kv-cache-compression",
        "KV-Cache Compression",
        "Smaller caches.",
        "ml",
        aliases=("KV cache",),
    ),
    Listed("world-models", "World Models", "Models of what happens next.", "ml"),
    Listed("diffusion-models", "Diffusion Models", "Noise, backwards.", "ml"),
]


class ByHand:
    """A source that shows what a test announces."""

    name = "by-hand"

    def __init__(self) -> None:
        self.waiting: list[Paper] = []

    def pages(self, watermark: str | None) -> Iterator[Page]:
        shown, self.waiting = self.waiting, []
        yield Page(tuple(Sighting(each) for each in shown), watermark=str(len(shown)))


def some_papers(count: int, words: str = "RL for LLM agents", first: int = 1) -> list[Paper]:
    return [
        paper(
            f"2611.{n:05d}",
            f"{words.capitalize()}, part {n}",
            abstract=f"We study {words}. Reinforcement learning of LLM agents pays off. Part {n}.",
            submitted_at=NOW - timedelta(hours=30 + n),
            updated_at=NOW - timedelta(hours=30 + n),
        )
        for n in range(first, first + count)
    ]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def source() -> ByHand:
    return ByHand()


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with slack_server() as running:
        running.conversations["C1"] = {"id": "C1", "name": "vision-lab", "is_member": True}
        running.members["C1"] = {"U1", "U2", "UGUEST"}
        running.users["UGUEST"] = {"is_restricted": True}
        yield running
        assert running.faults == []  # the strict validator saw every message and view


async def no_pause(seconds: float) -> None:
    """The second between two messages, without the waiting."""


def make_core(store: SqliteStore, clock: Any, server_url: str = "http://127.0.0.1:9/api/") -> Core:
    slack = Slack(lambda team: "xoxb-1", base_url=server_url, sleep=no_pause)
    core = core_over(store, clock, channels={"slack": slack}, wishes=Wishes(zone="Europe/Berlin"))
    core.learn_catalogue(TOPICS)
    return core


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = SqliteStore()
    yield opened
    opened.close()


@pytest.fixture
def core(store: SqliteStore, clock: FrozenClock, server: SlackServer) -> Core:
    copy_into(store, _in_use(clock()))
    return make_core(store, clock, server.url)


@cache
def _in_use(now: datetime) -> SqliteStore:
    """Sixteen weeks of the past were read whole, and seven papers came."""
    store, source = SqliteStore(), ByHand()
    made = make_core(store, lambda: now)
    with store.write():
        for n in range(1, 113):
            store.ledger.sliced((NOW - timedelta(days=n)).date(), 100, NOW)
    source.waiting = some_papers(7)
    made.ingest(source)
    return store


@pytest.fixture
async def app(
    core: Core,
    store: SqliteStore,
    clock: FrozenClock,
    server: SlackServer,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[SlackApp]:
    monkeypatch.setattr(desk, "LATE_S", 60)  # a busy machine answers late: no test waits for that
    workspaces = Workspaces(store.slack, clock, token="xoxb-1", base_url=server.url)
    built = build(core, store, workspaces, clock, signing_secret=SECRET)
    yield built
    await built.finish()


@dataclass
class Person:
    """Somebody in Slack, using the app as Slack would."""

    app: SlackApp
    server: SlackServer
    user: str = "U1"
    team: str = "T1"
    channel: str = "D1"
    count: int = field(default=0)

    def number(self) -> str:
        self.count += 1
        return f"{self.user}.{self.count}"

    async def dispatch(self, body: dict[str, Any]) -> BoltResponse:
        return await self.app.bolt.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))

    async def settle(self) -> None:
        """Until nothing is under way any more."""
        for _ in range(20):  # an event is acknowledged before its listener runs
            await asyncio.sleep(0)
        while self.app.desk._tasks:
            await asyncio.wait(set(self.app.desk._tasks))

    def command_body(self, text: str, **more: Any) -> dict[str, Any]:
        name = self.number()
        return {
            "command": "/papers", "text": text, "team_id": self.team, "user_id": self.user,
            "channel_id": self.channel, "channel_name": "directmessage", "trigger_id": name,
            "is_enterprise_install": "false", "api_app_id": "A1",
            "response_url": self.server.response_url(name), **more,
        }  # fmt: skip

    async def type(self, text: str, **more: Any) -> dict[str, Any]:
        """``/papers text``; returns what the person sees."""
        before = len(self.server.answers)
        answer = await self.dispatch(self.command_body(text, **more))
        assert (answer.status, answer.body) == (200, "")
        await self.settle()
        seen = self.server.answers[before:]
        assert seen, f"“{text}” was met with silence"
        return seen[-1]

    async def event(
        self,
        kind: str,
        event_id: str = "",
        event_time: int | None = None,
        envelope: dict[str, Any] | None = None,
        **event: Any,
    ) -> BoltResponse:
        """Something happens; `envelope` is what Slack writes around it besides."""
        body = {
            "type": "event_callback", "team_id": self.team, "api_app_id": "A1",
            "event_id": event_id or f"Ev{self.number()}",
            "event": {"type": kind, "user": self.user, **event}, "event_time": event_time,
            **(envelope or {}),
        }  # fmt: skip
        answer = await self.dispatch(body)
        await self.settle()
        return answer

    async def write(self, text: str, **event: Any) -> dict[str, Any]:
        """Words in the direct messages; returns the bot's answer."""
        before = len(self.server.messages)
        values = {"channel": "D1", "channel_type": "im", "text": text, "ts": "1.1", **event}
        await self.event("message", **values)
        seen = self.server.messages[before:]
        assert seen, f"“{text}” was met with silence"
        return seen[-1]

    def press_body(self, value: str, action_id: str = "do:0", **more: Any) -> dict[str, Any]:
        name = self.number()
        action = {"type": "button", "action_id": action_id, "block_id": "b", "value": value,
                  "action_ts": name}  # fmt: skip
        return {
            "type": "block_actions", "team": {"id": self.team}, "api_app_id": "A1",
            "user": {"id": self.user, "team_id": self.team}, "channel": {"id": self.channel},
            "container": {"type": "message", "channel_id": self.channel}, "trigger_id": name,
            "response_url": self.server.response_url(name), "actions": [action],
            "message": {"ts": "1.1", "team": self.team}, **more,
        }  # fmt: skip

    async def press(self, value: str, action_id: str = "do:0", **more: Any) -> dict[str, Any]:
        """Press a button of a message; returns what the person sees."""
        before = len(self.server.answers)
        answer = await self.dispatch(self.press_body(value, action_id, **more))
        assert answer.status == 200
        await self.settle()
        seen = self.server.answers[before:]
        return seen[-1] if seen else {}

    async def press_at_home(self, value: str, action_id: str = "do:0") -> None:
        body = self.press_body(value, action_id)
        for key in ("response_url", "message", "channel"):
            del body[key]
        body["container"] = {"type": "view", "view_id": "VH"}
        shown = self.server.homes.get(self.user, {})
        body["view"] = {"id": "VH", "type": "home", "hash": "h1",
                        "private_metadata": shown.get("private_metadata", "")}  # fmt: skip
        await self.dispatch(body)
        await self.settle()

    async def submit(self, view: dict[str, Any], team: str = "", **entered: str) -> BoltResponse:
        """Fill in a window and send it off."""
        values = {}
        for name, value in entered.items():
            key = {"at": "selected_time", "until": "selected_date"}.get(name, "value")
            chosen: dict[str, Any] = {key: value}
            if name in ("days", "breadth"):
                chosen = {"selected_option": {"value": value}}
            values[name] = {"v": chosen}
        shown = {**view, "id": f"V{self.number()}", "hash": "h", "state": {"values": values}}
        body = {
            "type": "view_submission", "team": {"id": team or self.team}, "api_app_id": "A1",
            "user": {"id": self.user, "team_id": team or self.team}, "view": shown,
        }  # fmt: skip
        answer = await self.dispatch(body)
        await self.settle()
        return answer


@pytest.fixture
def ada(app: SlackApp, server: SlackServer) -> Person:
    return Person(app, server)


@pytest.fixture
def bea(app: SlackApp, server: SlackServer) -> Person:
    return Person(app, server, user="U2")


def words(message: dict[str, Any]) -> str:
    """Everything a person reads in a message or view, block by block."""
    return "\n".join(filter(None, (_words(block) for block in message.get("blocks") or ()))) or (
        message.get("text") or ""
    )


def _words(node: Any) -> str:
    if isinstance(node, list):
        return " | ".join(filter(None, map(_words, node)))
    if not isinstance(node, dict):
        return ""
    if node.get("type") in ("rich_text_section", "rich_text_quote"):
        return "".join(map(_words, node["elements"]))
    own = node.get("text")
    if isinstance(own, str):
        return own
    if node.get("type") == "channel":
        return f"<#{node['channel_id']}>"
    if node.get("type") == "user":
        return f"<@{node['user_id']}>"
    parts = (own, node.get("elements"), node.get("fields"), node.get("accessory"),
             node.get("options"), node.get("alt_text") and {"text": node["alt_text"]},
             node.get("label"), node.get("element"))  # fmt: skip
    return " | ".join(filter(None, map(_words, parts)))


def labels(message: dict[str, Any]) -> dict[str, str]:
    """Buttons and menu entries by label, with what they mean."""
    found: dict[str, str] = {}

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            if isinstance(node.get("text"), dict) and "value" in node:
                found[node["text"]["text"]] = node["value"]
            for each in node.values():
                walk(each)

    walk(message.get("blocks"))
    return found


def signed(body: str, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The headers with which Slack signs a request."""
    stamp = str(int(at if at is not None else time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    return {
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": signature or "",
        "Content-Type": "application/x-www-form-urlencoded",
    }


def form(body: dict[str, Any]) -> str:
    """A body as Slack posts it: a form for commands, a payload for presses."""
    if "command" in body:
        return urllib.parse.urlencode(body)
    return urllib.parse.urlencode({"payload": json.dumps(body)})
