"""A backfill of twelve weeks, then ten announcement days one by one, on real papers.

    python -m tests.bench.ten_days [--weeks 12]

Three readers in three zones with topics of their own.  Every step is a process of its own, as an
operator would type it, with `--now`.  Prints the time and peak memory of the backfill, and for
each reader what should have come, what came, and what came twice.  Needs ../shared.
"""

import argparse
import email
import email.policy
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared"
BEGIN = datetime(2026, 8, 3, 12, 0, tzinfo=UTC)
READERS = {
    "ada@example.org": ("Europe/Berlin", "weekly mon 09:00", ["RL for LLM Agents"]),
    "bo@example.org": ("America/New_York", "daily 08:00", ["KV-Cache Compression", "GUI Agents"]),
    "chi@example.org": ("Asia/Tokyo", "weekdays 07:30", ["World Models", "RL for LLM Agents"]),
}


class Replay:
    """The loopback arXiv of ../shared."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [sys.executable, SHARED / "tools" / "arxiv_replay.py",
             SHARED / "data" / "papers_16_weeks.jsonl.gz", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self._wait()

    def set(self, now: datetime) -> None:
        body = json.dumps({"now": now.isoformat()}).encode()
        urllib.request.urlopen(f"{self.url}/_control", body).read()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/_log").read()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the loopback arXiv did not start")


def paperround(folder: Path, replay: Replay, now: datetime, *words: str) -> str:
    settings = {
        "PAPERROUND_DATA": str(folder),
        "PAPERROUND_ARXIV__API_URL": f"{replay.url}/api/query",
        "PAPERROUND_ARXIV__RSS_URL": f"{replay.url}/rss",
        "PAPERROUND_ARXIV__OAI_URL": f"{replay.url}/oai",
        "PAPERROUND_ARXIV__DELAY_S": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--now", now.isoformat(), *words],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    return done.stdout.strip()


def told(folder: Path) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for path in (folder / "mail").glob("*.eml"):
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        part = mail.get_body(("plain",))
        assert part is not None
        numbers = set(re.findall(r"arxiv\.org/abs/(\d{4}\.\d{5})", part.get_content()))
        found.update((str(mail["To"]), number) for number in numbers)
    return found


def wanted(folder: Path) -> set[tuple[str, str]]:
    """Live matches of each reader's topics, straight from the database."""
    from bot.matching import cut
    from bot.model import Breadth
    from bot.store.sqlite import SqliteStore

    store = SqliteStore(folder / "paperround.db")
    rows = store.engine.rows(
        "SELECT DISTINCT d.address, p.arxiv_id FROM destinations d"
        " JOIN follows f ON f.subscriber_id = d.subscriber_id"
        " JOIN matches m ON m.topic_id = f.topic_id AND m.live = 1 AND m.score >= ?"
        " JOIN papers p ON p.seq = m.seq WHERE m.number > f.since",
        (cut(Breadth.BALANCED),),
    )
    store.close()
    return {(row["address"], row["arxiv_id"]) for row in rows}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--weeks", type=int, default=12)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, replay = Path(name) / "data", Replay()
        try:
            walk(folder, replay, chosen.weeks)
        finally:
            replay.process.terminate()
            replay.process.wait()


def walk(folder: Path, replay: Replay, weeks: int) -> None:
    replay.set(BEGIN)
    began = time.monotonic()
    print(paperround(folder, replay, BEGIN, "backfill", "--weeks", str(weeks)))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"backfill: {time.monotonic() - began:.0f} s, at most {peak:.0f} MB")
    for address, (zone, cadence, topics) in READERS.items():
        for topic in topics:
            paperround(folder, replay, BEGIN, "do", "--as", f"email:{address}", f"follow {topic}")
        paperround(folder, replay, BEGIN, "do", "--as", f"email:{address}",
                   f"digest {cadence} tz {zone}")  # fmt: skip
    day = BEGIN
    for _ in range(14):  # ten announcement days and two weekends
        day += timedelta(days=1)
        replay.set(day)
        said = paperround(folder, replay, day, "run", "--once").splitlines()
        print(f"{day:%a %d %b}  {'  '.join(said)}")
    for _ in range(8):
        day += timedelta(days=1)
        paperround(folder, replay, day, "prepare")
        paperround(folder, replay, day, "deliver")
    report(folder)
    before = len(list((folder / "mail").glob("*.eml")))
    paperround(folder, replay, day, "run", "--once")
    again = len(list((folder / "mail").glob("*.eml"))) - before
    print(f"a second run sends {again}")


def report(folder: Path) -> None:
    came, should = told(folder), wanted(folder)
    for address in READERS:
        own = {number for who, number in should if who == address}
        got = {number for who, number in came if who == address}
        twice = sum(count > 1 for (who, _), count in came.items() if who == address)
        print(f"{address:18} should {len(own):4}  came {len(got):4}  missing {len(own - got)}"
              f"  unasked {len(got - own)}  twice {twice}")  # fmt: skip


if __name__ == "__main__":
    main()
