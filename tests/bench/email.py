"""How fast mail goes out, beside Postfix's own client on the same sink in the same run.

    python -m tests.bench.email [messages]

Needs smtp-sink and smtp-source.  Prints medians over interleaved rounds; asserts nothing.
"""

import asyncio
import contextlib
import multiprocessing
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import aiosmtplib

from bot.channels.email import Email
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp
from bot.digest import Digest, arrange, title
from bot.model import Paper, Part
from tests.channels import days
from tests.channels.peers import free_port, program_path, smtp_sink
from tests.channels.postman import announce, enrol, make_due, open_post_office, work

ROUNDS = 5


@cache
def pool() -> list[Paper]:
    """The papers of a week: every digest takes its own 30 of them."""
    return [days.invented(n) for n in range(2000)]


def thirty(number: int) -> Digest:
    """A digest of 30 papers of three topics, unlike any other, its links signed."""
    papers = random.Random(number).sample(pool(), 30)
    parts = [
        days.section(f"Topic {t}", papers[t * 10 : t * 10 + 10], m=days.momentum())
        for t in range(3)
    ]
    sections = arrange(
        [entry for part in parts for entry in part.entries],
        [part.tag for part in parts],
        {part.tag.slug: part.momentum for part in parts if part.momentum},
        {part.tag.slug: part.actions for part in parts},
    )
    return replace(
        days.day(*sections), key=f"d{number}.20261130.0", title=title(sections), sections=sections
    )


def channel(port: int, connections: int = 4) -> Email:
    transport = Smtp("127.0.0.1", port, tls="none", connections=connections, pace=Pace(0, 0))
    return Email(transport, "Digest <digest@d.example>", bounce_key=b"an invented key")


async def sent(email: Email, parts: list[Part], slots: int = 8) -> float:
    """Messages a second, with so many at once."""
    waiting = iter(parts)

    async def slot() -> None:
        for part in waiting:
            await email.send(part)

    began = time.perf_counter()
    await asyncio.gather(*(slot() for _ in range(slots)))
    rate = len(parts) / (time.perf_counter() - began)
    await email.close()
    return rate


async def by_the_library(port: int, content: bytes, count: int, sessions: int = 4) -> float:
    """Messages a second by aiosmtplib's own `sendmail`, on as many connections."""
    numbers = iter(range(count))

    async def session() -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False) as client:
            for _ in numbers:
                await client.sendmail("bot@d.example", ["a@example.org"], content)

    began = time.perf_counter()
    await asyncio.gather(*(session() for _ in range(sessions)))
    return count / (time.perf_counter() - began)


def by_smtp_source(port: int, content: Path, count: int, sessions: int = 4) -> float:
    command = [
        str(program_path("smtp-source")),
        *("-d", "-s", str(sessions), "-m", str(count), "-F", str(content)),
        *("-f", "bot@d.example", "-t", "a@example.org", f"127.0.0.1:{port}"),
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return count / (time.perf_counter() - began)


@contextlib.contextmanager
def delayed(port: int, seconds: float) -> Iterator[int]:
    """A way to `port` that takes `seconds` in each direction: its own port."""
    own = free_port()
    process = multiprocessing.Process(target=_delay, args=(own, port, seconds), daemon=True)
    process.start()
    time.sleep(0.5)
    try:
        yield own
    finally:
        process.terminate()
        process.join()


def _delay(own: int, port: int, seconds: float) -> None:
    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while data := await reader.read(1 << 20):
            loop.call_later(seconds, writer.write, data)
        loop.call_later(seconds, writer.close)

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(pump(reader, back), pump(there, writer))

    async def serve() -> None:
        server = await asyncio.start_server(join, "127.0.0.1", own)
        await server.serve_forever()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())


def compare(
    name: str,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    rounds: int,
    who: str = "smtp-source",
) -> None:
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    a, b = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(x / y for x, y in pairs)
    print(f"{name:34} {a:8,.0f} /s   {who} {b:8,.0f} /s   ratio {ratio:.2f}")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(count: int) -> None:
    digest = thirty(1)
    [page] = channel(1).render(digest)
    began = time.process_time()
    for n in range(300):
        channel(1).render(replace(digest, key=f"d{n}.1"))
    cost = (time.process_time() - began) / 300
    print(f"one digest of 30 papers: {len(page.content):,} bytes, {cost * 1000:.2f} ms to render")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        content = folder / "digest"
        content.write_bytes(page.content.replace(b"\r\n", b"\n"))
        parts = [Part(n, 0, f"d{n}", "a@example.org", page.content) for n in range(count)]
        with smtp_sink(folder) as sink:
            compare(
                "loopback, 4 connections",
                lambda: asyncio.run(sent(channel(sink.port), parts)),
                lambda: by_smtp_source(sink.port, content, count),
                ROUNDS,
            )
            compare(
                "the same",
                lambda: asyncio.run(sent(channel(sink.port), parts)),
                lambda: asyncio.run(by_the_library(sink.port, page.content, count)),
                ROUNDS,
                "aiosmtplib",
            )
            with delayed(sink.port, 0.010) as port:
                few = parts[: max(200, count // 10)]
                compare(
                    "20 ms round trip, 4 connections",
                    lambda: asyncio.run(sent(channel(port), few)),
                    lambda: by_smtp_source(port, content, len(few)),
                    3,
                )
            composed_and_sent(sink.port, count * 5)
            whole_chain(sink.port, folder, count)


def composed_and_sent(port: int, count: int) -> None:
    """Compose, render and send different digests, without the store."""

    async def run() -> float:
        email = channel(port)
        numbers = iter(range(count))

        async def slot() -> None:
            for n in numbers:
                digest = thirty(n)
                for page in email.render(digest):
                    await email.send(Part(n, 0, digest.key, digest.address, page.content))

        before = time.perf_counter()
        await asyncio.gather(*(slot() for _ in range(8)))
        await email.close()
        return count / (time.perf_counter() - before)

    pool()
    start, busy_before = peak(), time.process_time()
    rate = asyncio.run(run())
    busy = time.process_time() - busy_before
    print(
        f"{count:,} different digests of 30 papers, composed, rendered, sent: {rate:,.0f} /s, "
        f"{busy / count * 1000:.2f} ms of CPU each, memory {start:.0f} → {peak():.0f} MB"
    )


def whole_chain(port: int, folder: Path, readers: int) -> None:
    """The same with everything remembered: from due destinations to receipts, on disk."""
    core = open_post_office(folder / "paperround.db", port)
    enrol(core, readers)
    announce(core, 30)
    make_due(core)
    start, busy_before = peak(), time.process_time()
    began = time.perf_counter()
    while core.prepare(200).more:
        pass
    prepared = time.perf_counter()
    asyncio.run(work(core))
    ended, busy = time.perf_counter(), time.process_time() - busy_before
    core.house.store.close()
    print(
        f"{readers:,} digests of 30 papers through the store: prepared "
        f"{readers / (prepared - began):,.0f} /s, delivered {readers / (ended - prepared):,.0f} /s,"
        f" together {readers / (ended - began):,.0f} /s, {busy / readers * 1000:.2f} ms of CPU "
        f"each, memory {start:.0f} → {peak():.0f} MB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
