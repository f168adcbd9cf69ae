"""Ten announcement days with a holiday, over all three interfaces, with faults: nothing is lost.

    python -m tests.bench.completeness

Real papers of a few categories are served by a loopback arXiv.  Some are held for weeks, listed
elsewhere days later, replaced or withdrawn; every night something else fails.  A line for each
listing: served, stored, told to who follows a category, late (not there after the first night),
late cross-lists and how many of them were told, lost.  Skips where the papers are not beside the
checkout.
"""

import asyncio
import gzip
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.app.service.clockwork import Service
from bot.config import Arxiv
from bot.model import Identity
from tests.app.house import open_rooms, told
from tests.fakes import FrozenClock

SHARED = Path(__file__).parents[2].parent / "shared"
CATEGORIES = ("cs.CL", "cs.IR", "cs.MA", "cs.HC")
FIRST, LAST = date(2026, 6, 29), date(2026, 7, 13)  # listings; 6 July is a holiday
ADA, BOB = Identity("email", "", "ada@example.org"), Identity("email", "", "bob@example.org")

FAULTS: dict[int, tuple[str, list[dict[str, Any]]]] = {
    1: ("API 503 all night", [{"match": "/api", "status": 503, "times": 60}]),
    2: ("API shows an empty page", [{"match": "/api", "empty": True, "total": 900, "times": 3}]),
    3: ("OAI-PMH 503, then cut off", [{"match": "/oai", "status": 503, "times": 3},
                                      {"match": "/oai", "truncate": 0.5, "times": 2}]),
    4: ("429 on everything", [{"status": 429, "body": "Rate exceeded.", "type": "text/plain",
                               "times": 2}]),
    5: ("listing cut off, API entries missing", [{"match": "/rss", "truncate": 0.7, "times": 2},
                                                 {"match": "/api", "drop_entries": [1, 5, 9]}]),
    6: ("API and listing down for a day", [{"match": "/api", "reset": True, "times": 200},
                                           {"match": "/rss", "reset": True, "times": 200}]),
    7: ("API out of order", [{"match": "/api", "shuffle": True, "times": 4}]),
    8: ("a date that is none", [{"match": "/api", "corrupt_date": 2, "times": 2}]),
    9: ("API body short", [{"match": "/api", "short_body": 0.6, "times": 3}]),
}  # fmt: skip


@dataclass
class Corpus:
    """What arXiv serves, and what is odd about it."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    listed: dict[str, date] = field(default_factory=dict)
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    crossed: dict[str, date] = field(default_factory=dict)
    withdrawn: dict[str, date] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Corpus":
        """Papers of the window and the week before, made odd in a steady way."""
        corpus = cls()
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for raw in map(json.loads, lines):
                day = date.fromisoformat(raw["announced"])
                near = FIRST - timedelta(days=8) <= day <= LAST
                if near and set(raw["categories"]) & set(CATEGORIES):
                    corpus._take(raw, day)
        return corpus

    def _take(self, raw: dict[str, Any], day: date) -> None:
        n = len(self.by_id)
        self.by_id[raw["id"]], self.listed[raw["id"]] = raw, day
        later = day + timedelta(days=4 - (day.weekday() == 4) * 1)
        if n % 50 == 7:  # moderation held it: only OAI-PMH or the listing shows it
            at = datetime.combine(day, datetime.min.time(), UTC) - timedelta(days=10 + n % 15)
            raw["published"] = at.isoformat()
            self.held.add(raw["id"])
        self.lines.append(raw)
        again = {**raw, "announced": later.isoformat()}
        if n % 40 == 11 and "cs.MA" not in raw["categories"]:
            self.lines.append({**again, "categories": [*raw["categories"], "cs.MA"]})
            self.crossed[raw["id"]] = later
        elif n % 60 == 13:
            updated = f"{later.isoformat()}T00:00:00Z"
            self.lines.append({**again, "version": 2, "updated": updated,
                               "title": f"{raw['title']} (revised)"})  # fmt: skip
        elif n % 150 == 17:
            updated = f"{later.isoformat()}T00:00:00Z"
            said = "This paper has been withdrawn by the author"
            self.lines.append({**again, "version": 2, "updated": updated, "comment": said})
            self.withdrawn[raw["id"]] = later


@contextmanager
def replay(corpus: Corpus, folder: Path, now: datetime) -> Iterator[str]:
    """A loopback arXiv that serves the corpus; its address."""
    path = folder / "corpus.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in corpus.lines)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, str(SHARED / "tools/arxiv_replay.py"), str(path), "--port", str(port),
         "--now", _iso(now)],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                control(url, {})
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


def control(url: str, wishes: dict[str, Any]) -> None:
    """Tell the server what time it is and what is to go wrong."""
    request = urllib.request.Request(f"{url}/_control", json.dumps(wishes).encode(), method="POST")
    urllib.request.urlopen(request, timeout=10).close()


async def live(corpus: Corpus, folder: Path, *, every: timedelta = timedelta(hours=1)) -> "Result":
    """Keep an installation through the window, hour by hour."""
    start = datetime.combine(FIRST - timedelta(days=1), datetime.min.time(), UTC)
    clock = FrozenClock(start)
    with replay(corpus, folder, start) as url:
        rooms, mailbox = open_rooms(
            folder / "data", clock,
            arxiv=Arxiv(api_url=f"{url}/api/query", rss_url=f"{url}/rss", oai_url=f"{url}/oai",
                        delay_s=0, categories=CATEGORIES),
        )  # fmt: skip
        rooms.reach().session.sleep = lambda seconds: None
        rooms.reach().session.limiter.epoch = lambda: clock().timestamp()  # type: ignore[attr-defined]
        rooms.reach().session.limiter.sleep = lambda seconds: None  # type: ignore[attr-defined]
        service = Service(rooms)
        told(rooms, ADA, f"follow {' OR '.join(f'cat:{c}' for c in CATEGORIES)}")
        told(rooms, ADA, "digest daily 14:00")
        told(rooms, BOB, "follow cat:cs.MA")
        told(rooms, BOB, "digest daily 14:00")
        result = Result(corpus, rooms, mailbox)
        night = -1
        end = datetime.combine(LAST + timedelta(days=8), datetime.min.time(), UTC)
        while clock() < end:
            clock.forward(seconds=every.total_seconds())
            wishes: dict[str, Any] = {"now": _iso(clock())}
            if clock().hour == 2 and clock().date() in result.days:
                night += 1
                wishes["faults"] = FAULTS.get(night, ("", []))[1]
            control(url, wishes)
            service.poll_due()
            result.look(clock())
            rooms.core.prepare()
            await rooms.core.deliver("email")
        result.close()
    return result


class Result:
    """What came of it."""

    def __init__(self, corpus: Corpus, rooms: Any, mailbox: Any) -> None:
        self.corpus, self.rooms, self.mailbox = corpus, rooms, mailbox
        self.days = sorted({d for d in corpus.listed.values() if FIRST <= d <= LAST})
        self.stored_at: dict[str, datetime] = {}
        self.polls: dict[tuple[str, str], int] = {}
        self.told: dict[Identity, dict[str, int]] = {}
        self._seen = 0

    def look(self, now: datetime) -> None:
        papers = self.rooms.store.papers
        seen, self._seen = self._seen, papers.count()
        fresh = papers.some(range(seen + 1, self._seen + 1))
        self.stored_at |= dict.fromkeys((p.arxiv_id for p in fresh), now)

    def close(self) -> None:
        store = self.rooms.store
        for who in (ADA, BOB):
            counts: dict[str, int] = defaultdict(int)
            (place,) = store.people.destinations(store.people.find(who) or 0)
            for line in store.outbox.history(place.id):
                if line.sent_at:
                    for paper in store.papers.some(store.outbox.contents(line.delivery).papers):
                        counts[paper.arxiv_id] += 1
            self.told[who] = dict(counts)
        for run in store.ledger.runs("poll", limit=100_000):
            key = (run.subject, run.outcome)
            self.polls[key] = self.polls.get(key, 0) + 1
        self.rooms.close()

    def lost(self, day: date) -> set[str]:
        """Papers of a listing that nobody was told of, those withdrawn meanwhile left out."""
        ids = self.of(day)
        return {i for i in ids - set(self.corpus.withdrawn) if i not in self.told[ADA]}

    def of(self, day: date) -> set[str]:
        return {i for i, listed in self.corpus.listed.items() if listed == day}

    def crossed_of(self, day: date) -> set[str]:
        return {i for i in self.of(day) if i in self.corpus.crossed}

    def table(self) -> Iterator[str]:
        """The lines to print."""
        yield (f"{'listing':10} {'fault in its night':38} {'served':>6} {'stored':>6} {'told':>6}"
               f" {'held':>5} {'late':>5} {'crossed':>7} {'told':>5} {'lost':>5}")  # fmt: skip
        for night, day in enumerate(self.days):
            ids, crossed = self.of(day), self.crossed_of(day)
            noon = datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=16)
            stored = {i for i in ids if i in self.stored_at}
            late = {i for i in stored if self.stored_at[i] > noon}
            yield (
                f"{day} {FAULTS.get(night, ('–', []))[0]:38} {len(ids):6} {len(stored):6}"
                f" {len(ids & set(self.told[ADA])):6} {len(ids & self.corpus.held):5} {len(late):5}"
                f" {len(crossed):7} {len(crossed & set(self.told[BOB])):5} {len(self.lost(day)):5}"
            )
        yield f"polls: {', '.join(f'{s} {o} {n}' for (s, o), n in sorted(self.polls.items()))}"
        twice = [i for counts in self.told.values() for i, n in counts.items() if n > 1]
        crossed = {i for day in self.days for i in self.crossed_of(day)}
        unheard = crossed - set(self.told[BOB]) - set(self.corpus.withdrawn)
        lost = sum(len(self.lost(day)) for day in self.days)
        yield f"lost {lost}, told twice {len(twice)}, cross-lists not told {len(unheard)}"


def _iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> int:
    """Print the table; 1 where anything was lost or told twice."""
    papers = SHARED / "data/papers_16_weeks.jsonl.gz"
    if not papers.is_file():
        print("skipped: the real papers are not beside this checkout")
        return 0
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(live(Corpus.read(papers), Path(folder)))
    lines = list(result.table())
    print("\n".join(lines))
    print(f"{time.perf_counter() - began:.0f} s")
    return 0 if lines[-1].startswith("lost 0, told twice 0, cross-lists not told 0") else 1


if __name__ == "__main__":
    sys.exit(main())
