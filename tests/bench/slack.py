"""Signed commands while a poll writes, and digests to a thousand conversations.

    python -m tests.bench.slack [PAPERS]        100,000 stored papers unless said otherwise

The app runs in a process of its own behind uvicorn; this one signs requests as Slack does, takes
the answers at its response_urls, and times both.  A bare Bolt app in the same place, which only
acknowledges and answers one sentence, is the floor that everything is compared with.
"""

import asyncio
import random
import sys
import tempfile
import threading
import time
from datetime import timedelta
from pathlib import Path

import aiohttp
import uvicorn
from slack_bolt.async_app import AsyncApp
from starlette.applications import Starlette

from bot.channels.slack import Slack
from bot.core import Core
from bot.core.reply import Actor
from bot.model import Identity, Paper, utc_now
from bot.slack_app import Workspaces, build, http
from bot.store.sqlite import SqliteStore
from tests.makers import paper
from tests.slack_app.conftest import SECRET, ByHand, form, make_core, signed
from tests.slack_server import SlackServer, slack_server

WORDS = tuple(
    f"{first}{last}"
    for first in ("al", "be", "cor", "dan", "el", "fir", "gos", "hal", "im", "jor", "kel", "lum")
    for last in ("ation", "ic", "ment", "ing", "ous", "ity", "er", "ness", "ive", "al", "ed", "ly")
)
NAMED = ("RL for LLM agents", "KV cache compression", "world models", "diffusion models")
COMMANDS = {
    "list": ["list"],
    "follow": ["follow world models", "follow diffusion models"],
    "mute": ["mute rl-for-llm-agents for 2w", "unmute rl-for-llm-agents"],
    "topic": ["topic rl for llm agents", "topic kv cache"],
}
PEOPLE = 4
EACH = 100  # requests of a kind
SPEED = 5  # simulated seconds a second
CONVERSATIONS = 1_000


def invented(first: int, count: int) -> list[Paper]:
    """Papers of made-up words; one in 37 belongs to one of the four topics."""
    rng = random.Random(first)
    now = utc_now()

    def one(n: int) -> Paper:
        topic = NAMED[n // 37 % 4] if n % 37 == 0 else ""
        title = f"{topic} {' '.join(rng.choices(WORDS, k=8))}".strip()
        at = now - timedelta(minutes=n % 120_000)
        number = f"{20 + n // 1_200_000:02d}{1 + n // 100_000 % 12:02d}.{n % 100_000:05d}"
        abstract = " ".join(rng.choices(WORDS, k=150))
        return paper(number, title, abstract=abstract, submitted_at=at, updated_at=at)

    return [one(n) for n in range(first, first + count)]


def fill(path: Path, count: int) -> None:
    """Store and match so many papers; everybody follows something."""
    store = SqliteStore(path)
    core = make_core(store, utc_now)
    source = ByHand()
    began = time.monotonic()
    for first in range(0, count, 2_000):
        source.waiting = invented(first, min(2_000, count - first))
        core.ingest(source)
    for n in range(PEOPLE):
        me = Actor(Identity("slack", "T1", f"U{n}"), zone="Europe/Berlin")
        for name in ("rl for llm agents", "kv cache", "world models"):
            core.execute(me, f"follow {name}")
    store.close()
    print(f"stored and matched {count:,} papers in {time.monotonic() - began:.0f} s")


# ------------------------------------------------------------------ the app, in its own process


def serve(path: str, url: str, polling: str) -> None:
    """Run the app (or the floor) on a free port, which is printed; beside a poll if wished."""
    store = SqliteStore(Path(path))
    core = make_core(store, utc_now, url)
    if polling == "poll":
        threading.Thread(target=_poll, args=(core,), daemon=True).start()
    asyncio.run(_serve(core, store, url, floor=polling == "floor"))


def _poll(core: Core) -> None:
    """A catch-up at the pace that arXiv allows: 2,000 papers every 3 s, without an end."""
    source, first = ByHand(), 5_000_000
    while True:
        began = time.monotonic()
        source.waiting = invented(first, 2_000)
        core.ingest(source)
        first += 2_000
        time.sleep(max(0.0, 3.0 - (time.monotonic() - began)))


async def _serve(core: Core, store: SqliteStore, url: str, *, floor: bool) -> None:
    workspaces = Workspaces(store.slack, utc_now, token="xoxb-1", base_url=url)
    app = build(core, store, workspaces, utc_now, signing_secret=SECRET)
    routes = http.routes(_bare(workspaces), SECRET) if floor else app.routes()
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await task


def _bare(workspaces: Workspaces) -> AsyncApp:
    async def authorize(enterprise_id, team_id):
        return await workspaces.authorize(enterprise_id, team_id)

    bolt = AsyncApp(signing_secret=SECRET, authorize=authorize)

    async def answer(ack, respond):
        await ack()
        await respond("One sentence.")

    bolt.command("/papers")(answer)
    return bolt


# ------------------------------------------------------------------ the requests


class Asker:
    """Signs requests, and sees when they are acknowledged and answered."""

    def __init__(self, server: SlackServer, address: str, session: aiohttp.ClientSession) -> None:
        self.server, self.address, self.session = server, address, session
        self.acks: list[float] = []
        self.answers: list[float] = []
        self.count = 0

    async def ask(self, user: int, text: str) -> None:
        self.count += 1
        name = f"{id(self)}.{user}.{self.count}"
        body = form(
            {
                "command": "/papers", "text": text, "team_id": "T1", "user_id": f"U{user}",
                "channel_id": "D1", "trigger_id": name,
                "response_url": self.server.response_url(name),
            }
        )  # fmt: skip
        began = time.monotonic()
        post = self.session.post(self.address, data=body, headers=signed(body))
        async with post as response:
            assert response.status == 200, await response.text()
            self.acks.append(time.monotonic() - began)
        await self.server.wait(lambda: self.server.uses[name], within=30)
        self.answers.append(time.monotonic() - began)


async def measure(path: Path, server: SlackServer, mode: str, kinds: dict[str, list[str]]) -> dict:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.slack", "serve", str(path), server.url, mode,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    port = int(await process.stdout.readline())
    found = {}
    try:
        async with aiohttp.ClientSession() as session:
            for kind, texts in kinds.items():
                asker = Asker(server, f"http://127.0.0.1:{port}/slack/events", session)
                await _all(asker, texts, 5)  # warm
                asker.acks.clear()
                asker.answers.clear()
                began = time.monotonic()
                await _all(asker, texts, EACH // PEOPLE)
                found[kind] = (asker.acks, asker.answers, time.monotonic() - began)
    finally:
        process.kill()
        await process.wait()
    return found


async def _all(asker: Asker, texts: list[str], times: int) -> None:
    async def person(user: int) -> None:
        for n in range(times):
            await asker.ask(user, texts[n % len(texts)])

    await asyncio.gather(*(person(user) for user in range(PEOPLE)))


def report(mode: str, found: dict, floor: float) -> None:
    for kind, (acks, answers, took) in found.items():
        p50, p99 = at(answers, 0.5), at(answers, 0.99)
        print(
            f"{mode:6} {kind:7} ack p50 {at(acks, 0.5):5.1f} p99 {at(acks, 0.99):5.1f} ms"
            f"   answer p50 {p50:6.1f} p99 {p99:6.1f} ms   {len(answers) / took:5.0f}/s"
            f"   p99 = {p99 / floor:4.1f} x floor"
        )


def at(values: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    return 1_000 * sorted(values)[min(len(values) - 1, int(len(values) * share))]


# ------------------------------------------------------------------ digests


async def fan_out(count: int) -> None:
    """Digests of two pages to many conversations, under Slack's rule of one a second and place."""
    loop = asyncio.get_running_loop()

    def monotonic() -> float:
        return loop.time() * SPEED

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / SPEED)

    store = SqliteStore()
    now = [utc_now()]
    async with slack_server() as server:
        core = make_core(store, lambda: now[0], server.url)
        core.house.channels["slack"] = Slack(  # type: ignore[index]
            lambda team: "xoxb-1", base_url=server.url, monotonic=monotonic, sleep=sleep
        )
        for n in range(count):
            me = Actor(Identity("slack", "T1", "U1"), zone="UTC")
            core.execute(me, f"follow rl for llm agents in <#C{n}>")
        source = ByHand()
        source.waiting = [p for p in invented(0, 1_800) if p.title.startswith("RL for")]
        core.ingest(source)
        now[0] += timedelta(days=7)
        while core.prepare().more:
            pass
        last: dict[str, float] = {}
        closest = [99.0]

        async def accepted(method: str) -> None:
            if method == "chat.postMessage":
                where = server.messages[-1]["channel"]
                closest[0] = min(closest[0], monotonic() - last.get(where, -99.0))
                last[where] = monotonic()

        server.accepted = accepted
        cpu, began = time.process_time(), monotonic()
        await core.deliver("slack", slots=8)
        took, used = monotonic() - began, time.process_time() - cpu
        posted = len(server.messages)
        print(
            f"fan-out: {posted:,} messages to {len(last):,} conversations in {took:.0f} s of"
            f" simulated time ({SPEED} x real); {1_000 * used / max(posted, 1):.1f} ms of CPU each,"
            f" the server's included; the closest two in one conversation {closest[0]:.2f} s apart"
        )
    store.close()


async def main(papers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paperround.db"
        fill(path, papers)
        async with slack_server() as server:
            bare = await measure(path, server, "floor", {"bare": ["list"]})
            floor = at(bare["bare"][1], 0.99)
            report("floor", bare, floor)
            for mode in ("still", "poll"):
                report(mode, await measure(path, server, mode, COMMANDS), floor)
    if not __import__("os").environ.get("MODES"):
        await fan_out(CONVERSATIONS)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:])
    else:
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
