"""Papers a second against 100, 1,000 and 10,000 topics, and against the catalogue as it comes,
beside two floors on the same papers.

    python -m tests.bench.matching [--papers N]

Floors: (a) one full-text query a topic over an in-memory table of the same papers, which finds
candidates and judges none; (b) the bare scan for all terms of all topics by ahocorasick-rs, which
knows nothing of topics.  All times are the process's own, since the machine may be
shared.  Real papers where the shared folder is beside the checkout, else invented
ones of the same length.
"""

import argparse
import random
import sqlite3
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from ahocorasick_rs import AhoCorasick

from bot.cli import collect_seldom
from bot.matching import Compiled, Language, Matcher, QueryError
from bot.matching.spelling.folding import fold
from bot.model import Paper
from tests.bench.shared_papers import SHARED, records
from tests.makers import paper
from tests.matching.random_queries import hostile, random_query

HERE = Path(__file__).parent
CONFIG = HERE.parent.parent / "config"


def table(name: str) -> dict:
    return tomllib.loads((CONFIG / name).read_text(encoding="utf-8"))


def names(count: int) -> list[str]:
    """Names as people type them: the thesaurus' concepts, then one concept for another."""
    known = list(table("thesaurus.toml")["concepts"])
    chance = random.Random(3)
    made = known[:count]
    while len(made) < count:
        made.append(f"{chance.choice(known)} for {chance.choice(known)}")
    return made


def topics(language: Language, count: int) -> dict[int, Compiled]:
    return {
        number: language.compile(language.derive(name), name=name)
        for number, name in enumerate(names(count))
    }


def papers(count: int) -> list[Paper]:
    return list(_real(count) if SHARED.exists() else _invented(count))


def _real(count: int) -> Iterator[Paper]:
    for raw in islice(records(), count):
        yield paper(raw["id"], title=raw["title"], abstract=raw["abstract"])


def _invented(count: int) -> Iterator[Paper]:
    words = [w for text in table("company.toml").values() for w in text.split() if w.isalpha()]
    chance = random.Random(5)
    for number in range(count):
        text = " ".join(chance.choices(words, k=190))
        yield paper(f"2611.{number:05}", title=text[:70], abstract=text)


def catalogue(language: Language) -> list[Compiled]:
    """Every topic of the catalogue."""
    listed = [
        topic
        for path in sorted((CONFIG / "topics").glob("*.toml"))
        for topic in tomllib.loads(path.read_text("utf-8"))["topic"]
    ]
    return [
        language.compile(each.get("query") or language.derive(each["name"]), name=each["name"])
        for each in listed
    ]


def judged(which: str, made_ready: Callable[[], dict[int, Compiled]], read: list[Paper]) -> float:
    began = time.process_time()
    compiled = made_ready()
    made = time.process_time()
    matcher = Matcher(compiled)
    ready = time.process_time()
    fold.cache_clear()
    hits = sum(1 for _ in matcher.hits(read))
    took = time.process_time() - ready
    print(
        f"{which}  {len(read) / took:8,.0f} papers/s  {1e6 * took / len(read):6,.0f} µs "
        f"a paper  {hits / len(read):6.1f} hits a paper   compiled in {made - began:.1f} s, "
        f"scanner in {ready - made:.1f} s"
    )
    return took


def full_text_floor(language: Language, count: int, read: list[Paper]) -> float:
    expressions = [c.candidates for c in topics(language, count).values()]
    began = time.process_time()
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE p USING fts5(title, abstract, "
        "tokenize = 'unicode61 remove_diacritics 2')"
    )
    db.executemany("INSERT INTO p VALUES (?, ?)", [(p.title, p.abstract) for p in read])
    for expression in expressions:
        if expression:
            db.execute("SELECT rowid FROM p WHERE p MATCH ?", (expression,)).fetchall()
    return time.process_time() - began


def scan_floor(language: Language, count: int, read: list[Paper]) -> float:
    compiled = topics(language, count).values()
    terms = {term for c in compiled for group in c.groups for term in group}
    terms |= {term for c in compiled for company in c.companies for term in company.weights}
    needles = sorted({term.needle for term in terms})
    scanner = AhoCorasick(needles)
    texts = [fold(p.title, p.abstract).plain for p in read]
    began = time.process_time()
    for text in texts:
        scanner.find_matches_as_indexes(text, overlapping=True)
    return time.process_time() - began


def queries_over_many(language: Language, read: list[Paper]) -> None:
    """The slowest of odd and hostile queries through candidates, on 100,000 rows."""
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE p USING fts5(title, abstract, "
        "tokenize = 'unicode61 remove_diacritics 2')"
    )
    rows = [(p.title, p.abstract) for p in read]
    for start in range(0, 100_000, len(rows)):
        db.executemany("INSERT INTO p VALUES (?, ?)", rows[: 100_000 - start])
    slowest, refused, asked = (0.0, ""), 0, 0
    for query in _odd():
        began = time.process_time()
        try:
            expression = language.compile(query).candidates
            if expression:
                db.execute(
                    "SELECT rowid FROM p WHERE p MATCH ? ORDER BY rowid DESC LIMIT 200",
                    (expression,),
                ).fetchall()
        except QueryError:
            refused += 1
        slowest = max(slowest, (time.process_time() - began, query))
        asked += 1
    print(
        f"{asked:,} odd queries over 100,000 papers: {refused:,} refused with a reason, "
        f"none raised anything else; slowest {1000 * slowest[0]:.0f} ms: {slowest[1][:60]!r}"
    )


def _odd() -> list[str]:
    chance = random.Random(11)
    return [random_query(chance) for _ in range(10_000)] + hostile()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=int, default=10_000)
    options.add_argument("--queries", action="store_true", help="the odd queries as well")
    chosen = options.parse_args()
    collect_seldom()
    language = Language(table("thesaurus.toml"), table("company.toml"))
    read = papers(chosen.papers)
    took = {
        count: judged(f"{count:6,} topics", partial(topics, language, count), read)
        for count in (100, 1_000, 10_000)
    }
    judged("the catalogue", lambda: dict(enumerate(catalogue(language))), read)
    print(f"cost of a paper, 10,000 topics to 100: {took[10_000] / took[100]:.1f} ×")
    for count in (1_000, 10_000):
        full = full_text_floor(language, count, read)
        scan = scan_floor(language, count, read)
        print(
            f"{count:6,} topics: one full-text query a topic takes {full / took[count]:.2f} × our "
            f"time (and judges nothing); the bare scan {scan / took[count]:.2f} ×"
        )
    if chosen.queries:
        queries_over_many(language, read)


if __name__ == "__main__":
    main()
