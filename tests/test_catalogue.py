"""The catalogue of named topics: well-formed, and every name leads to exactly one topic."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "config" / "topics"
FILES = sorted(FOLDER.glob("*.toml"))
MANY = 400
ARCHIVES = {
    *(
        "astro-ph",
        "cond-mat",
        "cs",
        "econ",
        "eess",
        "gr-qc",
        "hep-ex",
        "hep-lat",
        "hep-ph",
        "hep-th",
    ),
    *("math", "math-ph", "nlin", "nucl-ex", "nucl-th", "physics", "q-bio", "q-fin", "quant-ph"),
    "stat",
}


@cache
def fields() -> dict[str, dict[str, Any]]:
    return {f.stem: tomllib.loads(f.read_text("utf-8")) for f in FILES}


def topics() -> Iterator[dict[str, Any]]:
    return (topic for field in fields().values() for topic in field["topic"])


def folded(name: str) -> str:
    """Two names that a reader takes for one are equal: case, hyphens, accents, plurals."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9+]+", plain.replace("'", ""))
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in words)


def labels(topic: dict[str, Any]) -> list[str]:
    return [topic["name"], *topic.get("aliases", [])]


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
    covered = {c.split(".")[0] for f in fields().values() for c in f["categories"]}

    assert sum(1 for _ in topics()) >= MANY
    assert covered <= ARCHIVES


def test_slugs_are_well_formed_and_unique():
    slugs = [t["slug"] for t in topics()]

    assert [s for s in slugs if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", s)] == []
    assert [s for s, n in Counter(slugs).items() if n > 1] == []


def test_a_name_or_alias_leads_to_one_topic_and_no_other():
    owners: dict[str, set[str]] = {}
    for topic in topics():
        for label in labels(topic):
            owners.setdefault(folded(label), set()).add(topic["slug"])

    assert {name: slugs for name, slugs in owners.items() if len(slugs) > 1} == {}


def test_no_topic_says_one_alias_twice():
    twice = [
        (t["slug"], name)
        for t in topics()
        for name, n in Counter(map(folded, labels(t))).items()
        if n > 1
    ]

    assert twice == []


def test_a_slug_is_no_other_topics_name():
    """`/papers topic kv-cache-compression` and the name must not part ways."""
    owners = {folded(label): t["slug"] for t in topics() for label in labels(t)}

    assert [
        t["slug"] for t in topics() if owners.get(folded(t["slug"]), t["slug"]) != t["slug"]
    ] == []


def test_a_description_is_one_short_sentence():
    wrong = [
        t["slug"]
        for t in topics()
        if not re.fullmatch(r"[^\n]{10,139}\.", t["description"])
        or t["description"] != t["description"].strip()
    ]

    assert wrong == []
