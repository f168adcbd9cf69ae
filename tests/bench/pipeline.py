"""How fast papers are taken in and digests are composed, beside floors of the same run.

    python -m tests.bench.pipeline [--papers 2000] [--topics 1000] [--digests 300]

Ingest: from Atom bytes to committed, searchable and matched, against lxml's parse and one
executemany into the same tables with the same full-text index.  Digests: thirty papers each,
decided, composed, rendered as mail and queued, against rendering alone.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from lxml import etree

from bot.app.wiring import build
from bot.config import Config
from bot.core import Actor, Core
from bot.core.pipeline.papers.ingest import ingest
from bot.model import Identity
from bot.sources import Page, atom, documents
from bot.store.sqlite import SqliteStore
from tests.arxiv_server import Printed
from tests.arxiv_server import atom as written
from tests.bench.shared_papers import SHARED, records
from tests.bench.sources import page as invented

REAL = SHARED.with_name("papers_2_weeks.jsonl.gz")
ATOM = "{http://www.w3.org/2005/Atom}"
NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
A_PAGE = 500


def pages(papers: int) -> list[bytes]:
    """Atom pages of real papers where they are at hand, else of invented ones."""
    if not REAL.exists():
        return [invented(latex=False)]
    rows = list(islice(records(REAL), papers))
    first = NOW - timedelta(days=3)
    printed = [
        Printed(
            row["id"],
            first + timedelta(seconds=n),
            title=row["title"],
            abstract=row["abstract"],
            authors=tuple(row["authors"]),
            categories=tuple(row["categories"]),
            comment=row.get("comment") or "",
        )
        for n, row in enumerate(rows)
    ]
    return [
        written(printed[at : at + A_PAGE], len(printed), at).encode()
        for at in range(0, len(printed), A_PAGE)
    ]


@dataclass
class Bytes:
    """A source that parses pages it was given."""

    raw: list[bytes]
    name: str = "bench"

    def pages(self, watermark: str | None) -> Iterator[Page]:
        for n, each in enumerate(self.raw):
            document = documents.read(each, frozenset({"feed"}))
            found = atom.feed(document.root, mended=document.mended)
            yield Page(found.sightings, str(n), found.rejected)


def floor(raw: list[bytes], folder: Path) -> float:
    """Seconds for lxml's parse and one executemany into the same tables."""
    store = SqliteStore(folder / "floor.db")
    began = time.perf_counter()
    for each in raw:
        rows = [
            (entry.findtext(f"{ATOM}id"), entry.findtext(f"{ATOM}title"),
             entry.findtext(f"{ATOM}summary"))
            for entry in etree.fromstring(each).iterfind(f"{ATOM}entry")
        ]  # fmt: skip
        store.engine.many(
            "INSERT INTO papers (arxiv_id, version, title, abstract, primary_category,"
            " submitted_at, updated_at, first_seen_at) VALUES (?, 1, ?, ?, 'cs.LG', 0, 0, 0)",
            rows,
        )
    took = time.perf_counter() - began
    store.close()
    return took


def core_with(folder: Path, topics: int) -> Core:
    """A core in a file, with so many topics of the catalogue."""
    rooms = build(Config(data=folder), lambda: NOW)
    rooms.store.engine.run(
        "UPDATE topics SET retired_at = 1 WHERE id NOT IN (SELECT id FROM topics LIMIT ?)",
        (topics,),
    )
    rooms.core.house.compendium.current()
    return rooms.core


def measure_ingest(papers: int, topics: int) -> None:
    raw = pages(papers)
    with tempfile.TemporaryDirectory() as name:
        least = floor(raw, Path(name))
        core = core_with(Path(name) / "data", topics)
        began = time.perf_counter()
        outcome = ingest(core.house, Bytes(raw))
        took = time.perf_counter() - began
    print(f"ingest: {outcome.fresh} papers, {topics} topics, {outcome.matched} matches")
    print(f"  floor  {outcome.fresh / least:8.0f} papers/s  (lxml, one executemany, same index)")
    print(f"  ours   {outcome.fresh / took:8.0f} papers/s  {least / took:.2f} of the floor")


def measure_digests(digests: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        core = core_with(Path(name), 1_200)
        followed = _follow(core, digests)
        ingest(core.house, Bytes(pages(3_000)))
        core.house.store.engine.run("UPDATE destinations SET next_due_at = 0")  # type: ignore[attr-defined]
        began = time.perf_counter()
        done = core.prepare(digests)
        took = time.perf_counter() - began
        parts = core.house.store.engine.rows(  # type: ignore[attr-defined]
            "SELECT count(*) AS papers FROM told GROUP BY delivery_id"
        )
    each = sum(row["papers"] for row in parts) / max(len(parts), 1)
    print(f"digests: {done.queued} of {each:.0f} papers on average, {followed} topics followed")
    print(f"  decided, composed, rendered, queued  {done.queued / took:8.0f} digests/s")
    print(f"  that is                              {done.queued * each / took:8.0f} papers/s")


def _follow(core: Core, readers: int) -> int:
    topics = [t.slug for t in core.house.store.topics.all()]
    chance = random.Random(3)
    used = set()
    for n in range(readers):
        actor = Actor(Identity("email", "", f"reader{n}@example.org"), operator=True)
        for slug in chance.sample(topics, 4):
            used.add(slug)
            core.execute(actor, f"follow {slug}")
    return len(used)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=int, default=2_000)
    options.add_argument("--topics", type=int, default=1_000)
    options.add_argument("--digests", type=int, default=300)
    chosen = options.parse_args()
    measure_ingest(chosen.papers, chosen.topics)
    measure_digests(chosen.digests)


if __name__ == "__main__":
    main()
