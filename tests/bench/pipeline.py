"""How fast papers are taken in and digests are composed, beside floors of the same run.

    python -m tests.bench.pipeline [--papers 2000] [--topics 1000] [--digests 300]

Ingest: from Atom bytes to committed, searchable and matched, against lxml's parse and one
executemany into the same tables with the same full-text index.  Digests: some thirty papers each,
decided, composed, rendered as mail with their links signed, queued and committed; what each step
costs, the papers met for the first time and rendered before, in CPU time.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar

from lxml import etree

from bot.app.wiring import build
from bot.cli import collect_seldom
from bot.config import Config
from bot.config.tables import Web
from bot.core import Actor, Core
from bot.core.pipeline.digests.composing import compose
from bot.core.pipeline.digests.deciding import decide
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

Made = TypeVar("Made")


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
    """A core in a file, with so many topics of the catalogue, whose mails have links."""
    rooms = build(Config(data=folder, web=Web(address="https://papers.example.org")), lambda: NOW)
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
        print(f"digests, {followed} topics followed; ms of CPU each")
        by_step(core, digests, "papers met first")
        steps = by_step(core, digests, "rendered before")
        began = time.perf_counter()
        queued, whole = timed(lambda: core.prepare(digests).queued)
        took = time.perf_counter() - began
    print(f"  queued, committed {whole / queued * 1000 - steps:5.2f}")
    print(f"  all of it          {queued / took:5.0f} digests/s")


def by_step(core: Core, digests: int, known: str) -> float:
    """Milliseconds to decide, compose and render a digest, printed; nothing is recorded."""
    house = core.house
    due = house.store.people.due(NOW, digests)
    chosen, decided = timed(lambda: [(each, decide(house, each, NOW)) for each in due])
    news = [(each, found, f"d{each.id}.20261123.0") for each, found in chosen if found.told]
    made, composed = timed(lambda: [compose(house, *each) for each in news])
    _, rendered = timed(lambda: [house.channels["email"].render(each) for each in made])
    papers = sum(len(digest.entries) for digest in made) / len(made)
    a, b, c = (1000 * took / len(made) for took in (decided, composed, rendered))
    print(
        f"  {known:16}  decided {a:.2f}, composed {b:.2f}, rendered {c:.2f}; composed and rendered "
        f"{1000 / (b + c):.0f}/s, of {papers:.0f} papers"
    )
    return a + b + c


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """What some work makes, and the seconds of CPU that it took."""
    began = time.process_time()
    made = work()
    return made, time.process_time() - began


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
    collect_seldom()
    measure_ingest(chosen.papers, chosen.topics)
    measure_digests(chosen.digests)


if __name__ == "__main__":
    main()
