"""How well a name alone finds its papers: twenty topics, sixty papers each judged by reading.

    python -m tests.bench.judged [--learn] [--only SLUG ...] [--json FILE]

The papers were pooled by narrow and broad keyword queries, by BM25 on the name, from the
neighbours of what a narrow query found, from what matching itself ranked, and from a classifier
trained on those (ten each, without what a narrow query finds); then each was read, title and
abstract, and judged on topic (1), borderline (0.5) or off topic (0).

For each topic, over all 47,000 shared papers:
    r@1%    share of the on-topic papers that score above the best-scoring 1 % of all papers
    found   share of the on-topic papers that count as matches at the balanced cut
    prec    mean judgement of the judged papers that count as matches
    volume  share of all papers that count as matches
`name` has nothing but the name; `query` the catalogue's own query, where the name is listed there;
`learnt` (--learn) the name and the words of its own thirty best papers.  BM25 on the name, over the
same folded words of the same papers, stands beside them.  The folder ../shared is needed.
"""

import argparse
import gzip
import json
import math
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.matching import Compiled, Language, Matcher, cut
from bot.matching.folding import words
from bot.model import Breadth, Paper
from tests.makers import paper

ROOT = Path(__file__).parent.parent.parent
JUDGED = Path(__file__).parent / "judged"
SHARED = ROOT.parent / "shared" / "data" / "papers_16_weeks.jsonl.gz"
TOP = 0.01
BEST, BACKGROUND = 30, 300
K1, B = 1.2, 0.75

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Judged:
    """A topic's name and what was said of its papers: 1, 0.5 or 0."""

    slug: str
    name: str
    judgements: Mapping[str, float]

    @property
    def on_topic(self) -> list[str]:
        return [arxiv_id for arxiv_id, judgement in self.judgements.items() if judgement == 1]


@dataclass(frozen=True, slots=True)
class Figures:
    """Recall at 1 %, found, precision among the judged, volume."""

    recall: float
    found: float
    precision: float
    volume: float


def judged(only: Sequence[str] = ()) -> list[Judged]:
    """The judged topics, by slug."""
    found = []
    for path in sorted(JUDGED.glob("*.json")):
        if not only or path.stem in only:
            raw = json.loads(path.read_text("utf-8"))
            found.append(Judged(path.stem, raw["name"], raw["judgements"]))
    return found


def shared_papers() -> list[Paper]:
    """All shared papers, without authors."""
    with gzip.open(SHARED, "rt", encoding="utf-8") as lines:
        raw = map(json.loads, lines)
        return [
            paper(
                each["id"],
                each["title"],
                abstract=each["abstract"],
                authors=(),
                categories=tuple(each["categories"]),
            )
            for each in raw
        ]


def scores(compiled: Sequence[Compiled], papers: Iterable[Paper]) -> list[dict[str, float]]:
    """For each topic its papers' scores, down to the broadest cut."""
    found: list[dict[str, float]] = [{} for _ in compiled]
    for hit in Matcher(dict(enumerate(compiled))).hits(papers):
        found[hit.topic_id][hit.paper.arxiv_id] = hit.score
    return found


def figures(topic: Judged, given: Scores, size: int, matched: set[str]) -> Figures:
    """What the scores of one topic are worth."""
    ranked = sorted(given.values(), reverse=True)
    at = int(size * TOP)
    least = ranked[at] if at < len(ranked) else 0.0
    good = topic.on_topic
    seen = [j for arxiv_id, j in topic.judgements.items() if arxiv_id in matched]
    return Figures(
        recall=sum(given.get(i, 0.0) > least for i in good) / len(good),
        found=sum(i in matched for i in good) / len(good),
        precision=sum(seen) / len(seen) if seen else 0.0,
        volume=len(matched) / size,
    )


def of_matching(
    topics: list[Judged], compiled: list[Compiled], papers: list[Paper]
) -> list[Figures]:
    """Figures of the compiled topics, in their order."""
    balanced = cut(Breadth.BALANCED)
    return [
        figures(topic, given, len(papers), {i for i, score in given.items() if score >= balanced})
        for topic, given in zip(topics, scores(compiled, papers), strict=True)
    ]


def bm25(topics: list[Judged], papers: list[Paper]) -> list[Figures]:
    """Figures of BM25 on the names; what it matches is as many as 1 % of the papers."""
    bags = [Counter(words(f"{each.title} {each.abstract}")) for each in papers]
    lengths = [bag.total() for bag in bags]
    mean = sum(lengths) / len(lengths)
    found = []
    for topic in topics:
        given: dict[str, float] = {}
        for word in set(words(topic.name)):
            holders = [(n, bag[word]) for n, bag in enumerate(bags) if word in bag]
            weight = math.log(1 + (len(bags) - len(holders) + 0.5) / (len(holders) + 0.5))
            for n, times in holders:
                share = times / (times + K1 * (1 - B + B * lengths[n] / mean))
                arxiv_id = papers[n].arxiv_id
                given[arxiv_id] = given.get(arxiv_id, 0.0) + weight * share * (K1 + 1)
        best = sorted(given, key=given.__getitem__, reverse=True)[: int(len(papers) * TOP)]
        found.append(figures(topic, given, len(papers), set(best)))
    return found


def learnt(
    language: Language, topics: list[Judged], plain: list[Compiled], papers: list[Paper]
) -> list[Compiled]:
    """The same names with weights from their own best papers."""
    by_id = {each.arxiv_id: each for each in papers}
    background = random.Random(1).sample(papers, BACKGROUND)
    made = []
    for topic, given in zip(topics, scores(plain, papers), strict=True):
        best = sorted(given, key=given.__getitem__, reverse=True)[:BEST]
        query = language.derive(topic.name)
        weights = language.learn(query, [by_id[i] for i in best], background, name=topic.name)
        made.append(language.compile(query, name=topic.name, weights=weights))
    return made


def listed() -> dict[tuple[str, ...], tuple[str, str]]:
    """Folded names and aliases of the catalogue, with name and query."""
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    for path in sorted((ROOT / "config" / "topics").glob("*.toml")):
        for topic in tomllib.loads(path.read_text("utf-8"))["topic"]:
            for label in (topic["name"], *topic.get("aliases", ())):
                found[tuple(words(label))] = (topic["name"], topic.get("query", ""))
    return found


def shown(topic: Judged, columns: Mapping[str, Figures | None]) -> str:
    """One line of the table."""
    parts = [f"{topic.name[:40]:40s} n={len(topic.on_topic):2d}"]
    for label, f in columns.items():
        if f is None:
            parts.append(f"{label}    –    –    –      –")
            continue
        worth = f"{f.recall:.2f} {f.found:.2f} {f.precision:.2f} {100 * f.volume:5.2f}%"
        parts.append(f"{label} {worth}")
    return "  ".join(parts)


def mean(found: Iterable[Figures | None]) -> Figures | None:
    """The mean over those topics that have figures."""
    kept = [each for each in found if each is not None]
    if not kept:
        return None
    names = ("recall", "found", "precision", "volume")
    return Figures(*(sum(getattr(each, n) for each in kept) / len(kept) for n in names))


def main() -> None:
    cli = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    cli.add_argument(
        "--learn", action="store_true", help="also learn from each topic's best papers"
    )
    cli.add_argument("--only", nargs="*", default=())
    cli.add_argument("--json", type=Path)
    options = cli.parse_args()
    if not SHARED.is_file():
        sys.exit(f"{SHARED} is absent: the judged papers are named here and kept there")
    topics, papers = judged(options.only), shared_papers()
    thesaurus = (ROOT / "config" / "thesaurus.toml").read_text("utf-8")
    language = Language(tomllib.loads(thesaurus))
    plain = [language.compile(language.derive(t.name), name=t.name) for t in topics]
    table: dict[str, list[Figures | None]] = {
        "BM25": list(bm25(topics, papers)),
        "name": list(of_matching(topics, plain, papers)),
    }
    table["query"] = of_catalogue(language, topics, papers)
    if options.learn:
        table["learnt"] = list(of_matching(topics, learnt(language, topics, plain, papers), papers))
    print("for each way: r@1%, found, prec, volume")
    for n, topic in enumerate(topics):
        print(shown(topic, {label: column[n] for label, column in table.items()}))
    everything = Judged("", f"mean of {len(topics)} topics", topics[0].judgements)
    print(shown(everything, {label: mean(column) for label, column in table.items()}))
    if options.json:
        rows = {
            t.slug: {label: _plain(column[n]) for label, column in table.items()}
            for n, t in enumerate(topics)
        }
        options.json.write_text(json.dumps(rows, indent=1))


def of_catalogue(
    language: Language, topics: list[Judged], papers: list[Paper]
) -> list[Figures | None]:
    """Figures of the catalogue's own queries; None where a name is not listed."""
    known = listed()
    found: list[Figures | None] = [None] * len(topics)
    places = [n for n, t in enumerate(topics) if known.get(tuple(words(t.name)), ("", ""))[1]]
    compiled = []
    for n in places:
        name, query = known[tuple(words(topics[n].name))]
        compiled.append(language.compile(query, name=name))
    got = of_matching([topics[n] for n in places], compiled, papers)
    for n, each in zip(places, got, strict=True):
        found[n] = each
    return found


def _plain(each: Figures | None) -> dict[str, float] | None:
    if each is None:
        return None
    return {n: round(getattr(each, n), 4) for n in ("recall", "found", "precision", "volume")}


if __name__ == "__main__":
    main()
