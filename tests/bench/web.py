"""Pages under load: `python -m tests.bench.web [--papers 100000] [--seconds 20] [--keep FOLDER]`.

Fills a database with invented papers and the catalogue's topics, serves it in a process of its
own in which a poll keeps writing, and asks open-loop (a late answer delays no later question, and
is counted from when it should have been asked).  Prints p50, p99 and the worst by kind of page,
beside the stylesheet as the floor of the same run, and the highest rate held within the aims.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from bot import web
from bot.core import Core
from bot.model import Author, Paper, Sighting
from bot.sources import Page
from bot.store import Scored
from bot.store.sqlite import SqliteStore
from tests.web.opened import catalogue, open_core, serving

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
A_WEEK = 2_500  # papers
AIMS = {"topic": 100, "index": 150, "atom": 100}  # ms at p99
PARTS = {"topic": 0.6, "index": 0.2, "atom": 0.2}
_AUTHORS = tuple(map(Author, ("Ada Lovelace", "Mary Somerville", "Zhang Rui", "Maryam Khan")))
RATES = (100, 150, 200, 300, 400, 600, 800)


# --------------------------------------------------------------------- filling


def invented(count: int, *, seed: int = 1) -> Iterator[Paper]:
    """Papers of pseudo-words with the word frequencies of English, the oldest first."""
    chance = random.Random(seed)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "ar", "en")]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(20_000)]
    often = [1 / (rank + 2) for rank in range(len(words))]
    texts = [" ".join(chance.choices(words, often, k=180)) for _ in range(2_000)]
    step = timedelta(weeks=1) / A_WEEK
    for n in range(count):
        text = texts[n % len(texts)]
        at = NOW - step * (count - n)
        yield Paper(
            f"{at:%y%m}.{n % 100_000:05}", 1, f"{text[:70].title()} {n}", text[70:], _AUTHORS,
            ("cs.LG", "cs.AI"), at, at,
        )  # fmt: skip


def fill(core: Core, store: SqliteStore, count: int) -> None:
    """Store them, and let every paper belong to eight topics, a few topics having most."""
    core.learn_catalogue(catalogue())
    topics = core.house.store.topics.all()
    for topic in topics:
        core.house.store.topics.rematched(topic, None)
    chance = random.Random(2)
    sizes = [1 / (rank + 5) for rank in range(len(topics))]
    batch: list[Sighting] = []
    store.engine._writer.conn.execute("PRAGMA synchronous = OFF")  # only to fill
    began = time.monotonic()

    def put() -> None:
        added = core.house.store.papers.add(batch, NOW, backfilled=True)
        core.house.store.topics.add_matches(
            [
                Scored(
                    topic.id, paper.seq, chance.uniform(0.36, 0.85), "title: words", topic.version
                )
                for paper in added.fresh
                for topic in {t.id: t for t in chance.choices(topics, sizes, k=8)}.values()
            ],
            live=False,
        )
        batch.clear()

    for n, paper in enumerate(invented(count), 1):
        batch.append(Sighting(paper))
        if len(batch) == 2_000:
            put()
            if n % 100_000 == 0:
                print(f"  stored {n:,} ({time.monotonic() - began:.0f} s)", file=sys.stderr)
    if batch:
        put()
    for days in range(7 * 16):
        day = NOW.date() - timedelta(days=days)
        core.house.store.ledger.sliced(day, 350, NOW)


# --------------------------------------------------------------------- serving


class Poll:
    """A source that shows a hundred new papers at a time, for as long as anyone asks."""

    name = "bench"

    def __init__(self) -> None:
        self._count = 0

    def pages(self, watermark: str | None) -> Iterator[Page]:
        papers = [
            Paper(
                f"2612.{self._count + n:05}", 1, f"Agents that use language models, part {n}",
                paper.abstract + " reinforcement learning for large language model agents",
                paper.authors, paper.categories, NOW, NOW,
            )
            for n, paper in enumerate(invented(100, seed=self._count))
        ]  # fmt: skip
        self._count += 100
        yield Page(tuple(map(Sighting, papers)), watermark=str(self._count))


def serve(path: Path, pause_s: float) -> None:
    """Serve a database on a free port, which is printed, while a poll writes to it."""
    sys.setswitchinterval(0.0005)  # as the service does
    started = time.monotonic()
    core = open_core(path, lambda: NOW + timedelta(seconds=time.monotonic() - started))
    stop, source, polls = threading.Event(), Poll(), [0]

    def poll() -> None:
        while not stop.wait(pause_s):
            core.ingest(source)
            polls[0] += 1

    def begin() -> None:
        poll()
        spent[0] = time.thread_time()

    spent = [0.0]
    with serving(web.create(core)) as address:
        httpx.get(f"{address}/", timeout=120)
        ready = time.process_time()
        thread = threading.Thread(target=begin)
        thread.start()
        print(address, flush=True)
        sys.stdin.read()
        stop.set()
        thread.join()
        cpu = time.process_time() - ready - spent[0]
        print(json.dumps({"polls": polls[0], "cpu_s": cpu, "poll_s": spent[0]}), flush=True)


# ------------------------------------------------------------------------ cost


def cost(core: Core, slugs: list[str]) -> None:
    """What making a page costs in CPU, whatever else the machine does meanwhile."""
    app = web.create(core, stale_s=0)
    print("CPU of one page, made anew and served again:")
    print_cost(app, "topic, the largest", [f"/topics/{slugs[0]}?page={n}" for n in range(1, 9)])
    print_cost(app, "topic, never seen", [f"/topics/{slug}" for slug in slugs[50:58]])
    print_cost(app, "index", ["/"])
    print_cost(app, "atom", [f"/topics/{slug}.atom" for slug in slugs[20:28]])
    print_cost(app, "ask", [f"/topics/{slugs[0]}/ask?q=which+agents+learn+{n}" for n in "abc"])


def print_cost(app: ASGIApp, name: str, paths: list[str]) -> None:
    anew = [spent(app, path) for path in paths]
    again = [spent(app, path) for path in paths]
    print(f"  {name:20} {statistics.median(anew):8.2f} ms {statistics.median(again):8.2f} ms")


def spent(app: ASGIApp, path: str) -> float:
    """Milliseconds of CPU for one request, straight into the app."""

    async def once() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://bench") as client:
            began.append(time.process_time())
            assert (await client.get(path)).status_code == 200, path

    began: list[float] = []
    asyncio.run(once())
    return (time.process_time() - began[0]) * 1000


# ---------------------------------------------------------------------- asking


def questions(slugs: list[str], count: int) -> list[tuple[str, str]]:
    """(kind, path): popular topics more often, sometimes an older page or the compact view."""
    chance = random.Random(3)
    often = [1 / (rank + 3) for rank in range(len(slugs))]
    asked = []
    for _ in range(count):
        kind = chance.choices(list(PARTS), list(PARTS.values()))[0]
        slug = chance.choices(slugs, often)[0]
        ending = chance.choice(["", "", "", "?view=compact", "?page=2"])
        path = {"index": "/", "atom": f"/topics/{slug}.atom", "topic": f"/topics/{slug}{ending}"}
        asked.append((kind, path[kind]))
    return asked


class Connections:
    """Connections kept open to one server: a client that costs little beside what it measures."""

    def __init__(self, address: str) -> None:
        self._host, _, port = address.removeprefix("http://").partition(":")
        self._port = int(port)
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def get(self, path: str) -> int:
        """Ask, read the whole answer, return its status."""
        reader, writer = (
            self._idle.pop()
            if self._idle
            else await asyncio.open_connection(self._host, self._port)
        )
        host = f"{self._host}:{self._port}"
        asked = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(asked.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        await reader.readexactly(length)
        self._idle.append((reader, writer))
        return int(head.split()[1])

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


async def ask(address: str, asked: list[tuple[str, str]], rate: float) -> dict[str, list[float]]:
    """Milliseconds from when each question was due to the end of its answer, by kind."""
    took: dict[str, list[float]] = {}
    connections = Connections(address)
    began = time.monotonic() + 0.2

    async def one(kind: str, path: str, due: float) -> None:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        try:
            status = await connections.get(path)
        except (OSError, asyncio.IncompleteReadError):  # an idle connection that was just closed
            status = await connections.get(path)
        assert status == 200, (path, status)
        took.setdefault(kind, []).append((time.monotonic() - due) * 1000)

    await asyncio.gather(*(one(k, p, began + n / rate) for n, (k, p) in enumerate(asked)))
    connections.close()
    return took


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]


def report(name: str, times: list[float]) -> None:
    print(
        f"  {name:8} {len(times):6} answers   p50 {statistics.median(times):7.1f} ms"
        f"   p99 {p99(times):7.1f} ms   worst {max(times):7.1f} ms"
    )


def measure(address: str, slugs: list[str], seconds: int) -> int:
    """Print what was measured; return how many pages were asked for."""
    asked = 0
    style = httpx.get(f"{address}/").text.split('rel="stylesheet" href="')[1].split('"')[0]
    floor = asyncio.run(ask(address, [("floor", style)] * (100 * seconds), 100))
    for _, path in dict.fromkeys(questions(slugs, RATES[-1] * seconds)):
        httpx.get(address + path, timeout=60)  # as after an hour of readers
    print("At 100 requests/s while a poll writes:")
    report("floor", floor["floor"])
    held = 0
    for rate in RATES:
        took = asyncio.run(ask(address, questions(slugs, rate * seconds), rate))
        asked += rate * seconds
        if rate == 100:
            for kind in PARTS:
                report(kind, took[kind])
        if any(p99(took[kind]) > aim for kind, aim in AIMS.items()):
            print(f"  {rate}/s is past the aims: " + ", ".join(
                f"{kind} p99 {p99(took[kind]):.0f} ms" for kind in AIMS))  # fmt: skip
            break
        held = rate
    print(f"  highest rate held within the aims: {held} requests/s")
    slow = []
    for n in range(20):
        began = time.monotonic()
        httpx.get(f"{address}/topics/{slugs[0]}/ask?q=which+agents+learn+part+{n}", timeout=30)
        slow.append((time.monotonic() - began) * 1000)
    report("ask", slow)
    return asked + 100 * seconds


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=int, default=100_000)
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--pause", type=float, default=1.0, help="seconds between polls")
    options.add_argument("--keep", type=Path, help="folder of databases to use again")
    options.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(chosen.serve, chosen.pause)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = (chosen.keep or Path(folder)) / f"web-{chosen.papers}.db"
        new = not path.exists()
        core = open_core(path, lambda: NOW)
        if new:
            assert isinstance(core.house.store, SqliteStore)
            fill(core, core.house.store, chosen.papers)
        stored = core.house.store.papers.count()
        sizes = {
            t.slug: core.house.store.topics.count(t.id, 0.36) for t in core.house.store.topics.all()
        }
        slugs = sorted(sizes, key=lambda slug: -sizes[slug])
        print(f"{stored:,} papers, {len(slugs)} topics, the largest with {sizes[slugs[0]]:,}")
        cost(core, slugs)
        core.house.store.close()
        command = [sys.executable, "-m", "tests.bench.web", "--serve", str(path)]
        command += ["--pause", str(chosen.pause)]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdout
        asked = 0
        try:
            asked = measure(server.stdout.readline().strip(), slugs, chosen.seconds)
        finally:
            told = json.loads(server.communicate("")[0])
            print(
                f"  meanwhile {told['polls']} polls of 100 papers were written "
                f"({told['poll_s']:.1f} s of CPU)"
            )
            # Whatever else the machine does, this is what a page costs.
            print(f"  CPU of the server: {told['cpu_s'] / max(asked, 1) * 1000:.2f} ms a request")


if __name__ == "__main__":
    main()
