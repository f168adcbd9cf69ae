"""The catalogue of named topics: well-formed, unambiguous, neither empty nor too loud."""

import gzip
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from bot.core.naming import folded
from bot.matching import Compiled, Language, Matcher, QueryError, cut
from bot.matching.concepts.thesaurus import Concept, Thesaurus
from bot.matching.spelling.folding import words
from bot.model import Breadth, Paper
from tests.houses import known_language
from tests.makers import paper

CONFIG = Path(__file__).parent.parent / "config"
FEWEST, MOST = 0.00005, 0.05  # of the papers of its field: neither empty nor too loud
MANY = 1_000
ARCHIVES = {
    *("astro-ph", "cond-mat", "cs", "econ", "eess", "gr-qc", "hep-ex", "hep-lat", "hep-ph"),
    *("hep-th", "math", "math-ph", "nlin", "nucl-ex", "nucl-th", "physics", "q-bio", "q-fin"),
    *("quant-ph", "stat"),
}


@cache
def fields() -> dict[str, dict[str, Any]]:
    files = sorted((CONFIG / "topics").glob("*.toml"))
    return {f.stem: tomllib.loads(f.read_text("utf-8")) for f in files}


@cache
def parsed(name: str) -> dict[str, Any]:
    return tomllib.loads((CONFIG / name).read_text("utf-8"))


def language() -> Language:
    return known_language()


@cache
def thesaurus() -> Thesaurus:
    return Thesaurus(parsed("thesaurus.toml"), parsed("company.toml"))


def topics() -> Iterator[dict[str, Any]]:
    return (topic for field in fields().values() for topic in field["topic"])


def covered() -> list[dict[str, Any]]:
    """The topics whose papers are among the shared ones."""
    open_fields = [f for f in fields().values() if f.get("covered", True)]
    return [t for f in open_fields for t in f["topic"] if t.get("covered", True)]


def labels(topic: dict[str, Any]) -> list[str]:
    return [topic["name"], *topic.get("aliases", [])]


def query(topic: dict[str, Any]) -> str:
    return topic.get("query") or language().derive(topic["name"])


@pytest.mark.parametrize("field", fields())
def test_a_field_says_its_name_and_where_its_papers_are_listed(field):
    head = fields()[field]

    assert set(head) <= {"field", "categories", "covered", "topic"}
    assert head["field"]
    assert head["categories"]
    assert all(re.fullmatch(r"[a-z-]+(\.[A-Za-z-]+)?", c) for c in head["categories"])
    assert {c.split(".")[0] for c in head["categories"]} <= ARCHIVES


@pytest.mark.parametrize("field", fields())
def test_a_topic_holds_only_what_is_known(field):
    known = {"slug", "name", "description", "query", "aliases", "covered"}

    assert [set(t) - known for t in fields()[field]["topic"] if set(t) - known] == []
    assert all({"slug", "name", "description"} <= set(t) for t in fields()[field]["topic"])


def test_the_catalogue_is_broad():
    listed = {c.split(".")[0] for f in fields().values() for c in f["categories"]}

    assert sum(1 for _ in topics()) >= MANY
    assert listed == ARCHIVES


def test_no_two_fields_have_one_name():
    names = [f["field"] for f in fields().values()]

    assert len(set(names)) == len(names)


def test_slugs_are_well_formed_and_unique():
    slugs = [t["slug"] for t in topics()]

    assert [s for s in slugs if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", s)] == []
    assert [s for s, n in Counter(slugs).items() if n > 1] == []


def test_a_name_alias_or_slug_leads_to_one_topic_and_no_other():
    owners: dict[str, set[str]] = {}
    for topic in topics():
        for label in (topic["slug"], *labels(topic)):
            owners.setdefault(folded(label), set()).add(topic["slug"])

    assert {name: slugs for name, slugs in owners.items() if len(slugs) > 1} == {}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("vibe coding", "Vibe Coding"),
        ("O-RAN", "Open RAN"),
        ("exoskeleton", "Exoskeletons"),
        ("multi-modal LLMs", "Multimodal Large Language Models"),
        ("MLLMs", "Multimodal Large Language Models"),
        ("self-driving cars", "Autonomous Driving"),
        ("chain of thought", "Chain-of-Thought Prompting"),
        ("LLM reasoning", "Large Language Models for Reasoning"),
        ("deep RL", "Deep Reinforcement Learning"),
        ("BCIs", "Brain-Computer Interfaces"),
        ("explainability", "Explainable AI"),
        ("text2sql", "Text-to-SQL"),
        ("mocap", "Human Pose Estimation"),
        ("jailbreaks", "LLM Jailbreaks"),
        ("recsys", "Recommender Systems"),
        ("maths reasoning", "Mathematical Reasoning"),
        ("information retrieval", "Information Retrieval"),
    ],
)
def test_what_people_call_a_subject_leads_to_its_topic(typed, name):
    wordings = {*map(folded, (typed, *language().wordings(typed)))}

    assert [t["name"] for t in topics() if wordings & {*map(folded, labels(t))}] == [name]


def test_plurals_and_accents_make_no_second_topic():
    owners: dict[str, set[str]] = {}
    for topic in topics():
        for label in labels(topic):
            owners.setdefault(_singular(label), set()).add(topic["slug"])

    assert {name: slugs for name, slugs in owners.items() if len(slugs) > 1} == {}


def test_what_the_thesaurus_knows_as_a_thing_of_its_own_is_no_alias_of_another():
    """Who asks for prediction markets is not to be given all of cryptocurrency."""
    wrong = [
        (topic["name"], alias)
        for topic in topics()
        for alias in topic.get("aliases", [])
        if (concept := _own(alias)) and not _holds(topic["name"], concept)
    ]

    assert wrong == []


def _own(name: str) -> Concept | None:
    """The concept that is called so itself, and not only by another name of it."""
    concept = thesaurus().concept(name)
    if concept is None:
        return None
    short = name.removesuffix("s") in concept.abbreviations
    return concept if short or words(name) == words(concept.name) else None


def _holds(name: str, concept: Concept) -> bool:
    """Whether the concept is what a topic's name says, or a part of it."""
    if set(words(concept.name)) <= set(words(name)):
        return True
    parts = name.split()
    spans = [" ".join(parts[i:j]) for i, j in combinations(range(len(parts) + 1), 2)]
    return any(thesaurus().concept(span.strip(",")) is concept for span in spans)


def _singular(name: str) -> str:
    return " ".join(w.removesuffix("s") if len(w) > 3 else w for w in folded(name).split())


def test_no_topic_says_one_alias_twice():
    twice = [
        (t["slug"], name)
        for t in topics()
        for name, n in Counter(map(folded, labels(t))).items()
        if n > 1
    ]

    assert twice == []


def test_a_description_is_one_short_sentence():
    wrong = [t["slug"] for t in topics() if not re.fullmatch(r"\S[^\n]{9,138}\.", t["description"])]

    assert wrong == []


@pytest.mark.parametrize("field", fields())
def test_every_query_can_be_read(field):
    assert [slug for t in fields()[field]["topic"] if (slug := _unreadable(t))] == []


def test_a_field_without_papers_at_hand_keeps_to_its_own_archives():
    """Its words are unproven among other fields: "forcing", "bank" and "inflation" mean much."""
    closed = [f for f in fields().values() if not f.get("covered", True)]

    assert [t["slug"] for f in closed for t in f["topic"] if " AND (cat:" not in query(t)] == []


@cache
def _compiled(query: str, name: str) -> Compiled:
    return language().compile(query, name=name)


def _unreadable(topic: dict[str, Any]) -> str:
    try:
        _compiled(query(topic), topic["name"])
    except QueryError as error:
        return f"{topic['slug']}: {error}"
    return ""


def test_no_topic_is_too_loud(shared):
    """A sample, with room for chance; the whole is counted by the slow test below."""
    sample = list(_papers(shared, every=120))

    counts = _counts(sample)

    most = len(sample) * MOST * 1.5
    assert {slug: n for slug, n in counts.items() if n > most} == {}


@pytest.mark.slow
def test_every_topic_has_papers_and_none_too_many(shared):
    papers = list(_papers(shared))

    shares = {slug: n / len(papers) for slug, n in _counts(papers).items()}

    assert {slug: s for slug, s in shares.items() if not FEWEST <= s <= MOST} == {}


def _papers(shared: Path, every: int = 1) -> Iterator[Paper]:
    with gzip.open(shared / "data" / "papers_16_weeks.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, every):
            found = json.loads(line)
            yield paper(
                found["id"],
                found["title"],
                abstract=found["abstract"],
                authors=(),
                categories=tuple(found["categories"]),
            )


def _counts(papers: list[Paper]) -> Counter[str]:
    wanted = covered()
    compiled = {n: _compiled(query(t), t["name"]) for n, t in enumerate(wanted)}
    counts = Counter({t["slug"]: 0 for t in wanted})
    for hit in Matcher(compiled).hits(papers):
        if hit.score >= cut(Breadth.BALANCED):
            counts[wanted[hit.topic_id]["slug"]] += 1
    return counts
