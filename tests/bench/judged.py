"""How well a name alone finds its papers: 56 topics, some sixty papers each judged by reading,
and 154 names of public reading lists, workshops and conferences.

    python -m tests.bench.judged [--set SET ...] [--learn] [--only SLUG ...]

Each paper was read, title and abstract, and judged on topic (1), borderline (0.5) or off topic (0).

`by_name`     twenty names; papers pooled by keyword queries, by BM25 on the name, from the
              neighbours of what a narrow query found, from what matching ranked, and from a
              classifier trained on those
`by_curator`  24 names; papers looked for as the curator of a public reading list would, half of
              those on topic without the phrase of the name, a quarter by other words altogether
`unseen`      twelve more names, judged in the same way before the thesaurus was last widened, and
              never looked into: only their means were read

`listed`        47 public lists and sections of lists, by the names that their curators gave them
                (a few were worded for it), with the papers of theirs that are among the shared
                ones; all papers count as on topic, and precision says nothing
`listed_later`  18 more, gathered after the thesaurus had learnt from what was missed of `listed`
`listed_unread` ten more, whose papers nobody has looked into: only their means are printed
`listed_last`   25 more, many of them sections with names as of chapters, five from one survey;
                it was looked at how their names are read, and no words were added
`listed_sixth`  15 more: seven reading lists, and eight workshops and conferences by their names,
                with the papers whose authors say that they were accepted there
`listed_closed` eleven more workshops and conferences, looked into by nobody
`listed_seventh` fourteen names as sections of public lists word them: of two the papers that
                are listed, of twelve 52 each that were judged by title and a sentence
                of the abstract
`listed_seventh_closed` nine such names and five conferences, looked into by nobody

For each topic, over its judged papers and 12,000 random ones of the 47,000 shared papers:
    r@1%    share of the on-topic papers that score above the best-scoring 1 % of the random ones
    found   share of the on-topic papers that count as matches at the balanced cut
    prec    mean judgement of the judged papers that count as matches
    volume  share of the random papers that count as matches
`name` has nothing but the name; `query` the catalogue's own query, where the name is listed there;
`learnt` (--learn) the name and the words of its own best papers.  BM25 on the name, over the
same folded words of the same papers, stands beside them.  The folder ../shared is needed.
"""

import argparse
import json
import math
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.matching import Compiled, Language, Matcher, cut, taught
from bot.matching.spelling.folding import words
from bot.model import Breadth, Paper
from tests.bench.shared_papers import SHARED, records
from tests.makers import paper

ROOT = Path(__file__).parent.parent.parent
CONFIG = ROOT / "config"
JUDGED = Path(__file__).parent / "judged"
SETS = ("by_name", "by_curator", "unseen")
SEALED = ("unseen", "listed_unread", "listed_closed", "listed_seventh_closed")
LISTS = (
    "listed",
    "listed_later",
    "listed_unread",
    "listed_last",
    "listed_sixth",
    "listed_closed",
    "listed_seventh",
    "listed_seventh_closed",
)
TOP = 0.01
RANDOM = 12_000
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
class Pool:
    """Papers to score, and which of them are there by chance."""

    papers: list[Paper]
    chance: frozenset[str]


@dataclass(frozen=True, slots=True)
class Figures:
    """Recall at 1 %, found, precision among the judged, volume."""

    recall: float
    found: float
    precision: float
    volume: float


def judged(kind: str, only: Sequence[str] = ()) -> list[Judged]:
    """The judged topics of a set, by slug."""
    found = []
    for path in sorted((JUDGED / kind).glob("*.json")):
        if not only or path.stem in only:
            raw = json.loads(path.read_text("utf-8"))
            found.append(Judged(path.stem, raw["name"], raw["judgements"]))
    return found


def pool(topics: Sequence[Judged]) -> Pool:
    """The judged papers and random ones of all the shared papers."""
    everything = list(records())
    chance = frozenset(random.Random(5).sample([each["id"] for each in everything], RANDOM))
    wanted = chance.union(*(topic.judgements for topic in topics))
    return Pool([_paper(each) for each in everything if each["id"] in wanted], chance)


def _paper(raw: Mapping[str, str]) -> Paper:
    categories = tuple(raw["categories"])
    text = {"title": raw["title"], "abstract": raw["abstract"]}
    return paper(raw["id"], authors=(), categories=categories, **text)


def scores(compiled: Sequence[Compiled], papers: Iterable[Paper]) -> list[dict[str, float]]:
    """For each topic its papers' scores, also of those that it does not bring."""
    found: list[dict[str, float]] = [{} for _ in compiled]
    matcher = Matcher(dict(enumerate(compiled)))
    for each in papers:
        seen = matcher.sight(each)
        for topic, given in zip(compiled, found, strict=True):
            given[each.arxiv_id] = topic.score(seen)
    return found


def least_of_the_best(topic: Judged, given: Scores, chance: Iterable[str]) -> float:
    """The score that the best 1 % of random papers reach, without those known to be on topic."""
    strangers = [given.get(i, 0.0) for i in chance if topic.judgements.get(i, 0) < 1]
    return sorted(strangers, reverse=True)[int(len(strangers) * TOP)]


def figures(topic: Judged, given: Scores, chance: Iterable[str], cut_at: float) -> Figures:
    """What the scores of one topic are worth, where those from `cut_at` up count as matches."""
    matched = {arxiv_id for arxiv_id, score in given.items() if score >= cut_at}
    least, good = least_of_the_best(topic, given, chance), topic.on_topic
    seen = [j for arxiv_id, j in topic.judgements.items() if arxiv_id in matched]
    strangers = [i for i in chance if topic.judgements.get(i, 0) < 1]
    return Figures(
        recall=sum(given.get(i, 0.0) > least for i in good) / len(good),
        found=sum(i in matched for i in good) / len(good),
        precision=sum(seen) / len(seen) if seen else 0.0,
        volume=sum(i in matched for i in strangers) / len(strangers),
    )


def of_matching(topics: list[Judged], compiled: list[Compiled], known: Pool) -> list[Figures]:
    """Figures of the compiled topics, in their order."""
    return [
        figures(topic, given, known.chance, cut(Breadth.BALANCED))
        for topic, given in zip(topics, scores(compiled, known.papers), strict=True)
    ]


def bm25(topics: list[Judged], known: Pool) -> list[Figures]:
    """Figures of BM25 on the names; what it matches are its best 1 %."""
    bags = [Counter(words(f"{each.title} {each.abstract}")) for each in known.papers]
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
                arxiv_id = known.papers[n].arxiv_id
                given[arxiv_id] = given.get(arxiv_id, 0.0) + weight * share * (K1 + 1)
        least = least_of_the_best(topic, given, known.chance)
        found.append(figures(topic, given, known.chance, math.nextafter(least, math.inf)))
    return found


def learnt(
    language: Language, topics: list[Judged], plain: list[Compiled], known: Pool
) -> list[Compiled]:
    """The same names with weights from their own best papers."""
    by_name = {topic.name: each for topic, each in zip(topics, plain, strict=True)}
    return list(taught(language, by_name, known.papers).values())


def listed() -> dict[tuple[str, ...], tuple[str, str]]:
    """Folded names and aliases of the catalogue, with name and query."""
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    for path in sorted((CONFIG / "topics").glob("*.toml")):
        for topic in tomllib.loads(path.read_text("utf-8"))["topic"]:
            for label in (topic["name"], *topic.get("aliases", ())):
                found[tuple(words(label))] = (topic["name"], topic.get("query", ""))
    return found


def of_catalogue(language: Language, topics: list[Judged], known: Pool) -> list[Figures | None]:
    """Figures of the catalogue's own queries; None where a name is not listed."""
    names = listed()
    found: list[Figures | None] = [None] * len(topics)
    places = [n for n, t in enumerate(topics) if names.get(tuple(words(t.name)), ("", ""))[1]]
    compiled = []
    for n in places:
        name, query = names[tuple(words(topics[n].name))]
        compiled.append(language.compile(query, name=name))
    got = of_matching([topics[n] for n in places], compiled, known)
    for n, each in zip(places, got, strict=True):
        found[n] = each
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


def measure(kind: str, only: Sequence[str], *, learn: bool) -> None:
    """Print the table of one set; of a sealed one only the last line."""
    topics = judged(kind, only)
    if not topics:
        return
    known = pool(topics)
    language = known_language()
    plain = [language.compile(language.derive(t.name), name=t.name) for t in topics]
    table: dict[str, list[Figures | None]] = {
        "BM25": list(bm25(topics, known)),
        "name": list(of_matching(topics, plain, known)),
        "query": of_catalogue(language, topics, known),
    }
    if learn:
        table["learnt"] = list(of_matching(topics, learnt(language, topics, plain, known), known))
    if kind not in SEALED:
        for n, topic in enumerate(topics):
            print(shown(topic, {label: column[n] for label, column in table.items()}))
    everything = Judged("", f"{kind}: mean of {len(topics)} topics", topics[0].judgements)
    print(shown(everything, {label: mean(column) for label, column in table.items()}))


def known_language() -> Language:
    """The language of the thesaurus as it comes."""
    source = ((CONFIG / name).read_text("utf-8") for name in ("thesaurus.toml", "company.toml"))
    return Language(*map(tomllib.loads, source))


def command_line(description: str | None, kinds: Sequence[str]) -> argparse.ArgumentParser:
    """Options that ask for sets; ends the program where the shared papers are absent."""
    if not SHARED.is_file():
        sys.exit(f"{SHARED} is absent: the judged papers are named here and kept there")
    cli = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    cli.add_argument("--set", dest="kinds", nargs="*", choices=(*SETS, *LISTS), default=kinds)
    return cli


def main() -> None:
    cli = command_line(__doc__, SETS)
    cli.add_argument("--learn", action="store_true", help="also from each topic's best papers")
    cli.add_argument("--only", nargs="*", default=())
    options = cli.parse_args()
    print("for each way: r@1%, found, prec, volume")
    for kind in options.kinds:
        measure(kind, options.only, learn=options.learn)


if __name__ == "__main__":
    main()
