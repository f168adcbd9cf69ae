"""Authors and categories: why a paper came by them, and how the store is asked for them."""

from collections.abc import Iterator

import pytest

from bot.matching.condition import name_key
from bot.matching.outside import Outside
from bot.model import Sighting
from bot.store.sqlite import SqliteStore
from tests.makers import MONDAY, paper

ZACHARY = paper(
    "2611.00001",
    "Policies that Wait",
    abstract="Reinforcement learning with patience.",
    authors=("Zachary Kenton", "Jun Li"),
    categories=("cs.LG", "stat.ML"),
)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ('author:"Zachary Kenton"', "author: Zachary Kenton"),
        ('author:"kenton, zachary"', "author: Zachary Kenton"),
        ('author:"Zachary Kenton" OR author:"Ada Lovelace"', "author: Zachary Kenton"),
        ('author:"Zachary Kenton" AND patience', "abstract: patience; author: Zachary Kenton"),
        ('cat:stat author:"Jun Li"', "author: Jun Li"),
        ("cat:stat.ML", "listed in stat.ML"),
        ("cat:stat", "listed in stat.ML"),
        ("(cat:cs.CV AND patience) OR cat:cs.LG NOT survey", "abstract: patience"),
        ("cat:cs.LG NOT survey", "listed in cs.LG"),
        ('cat:cs.LG NOT author:"Ada Lovelace"', "listed in cs.LG"),
    ],
)
def test_the_reason_names_the_condition_that_held(language, query, why):
    verdict = language.compile(query).judge(ZACHARY)

    assert verdict
    assert verdict.reason == why


def test_what_did_not_hold_is_not_named(language):
    verdict = language.compile('author:"Ada Lovelace" OR cat:cs.LG').judge(ZACHARY)

    assert verdict
    assert verdict.reason == "listed in cs.LG"


PRINTED = (
    "Zachary Kenton", "Jun Li", "X. Y", "Émilie du Châtelet", "Davies Dries", "Lee, Bo",
    "Jamie Fox", "Anne-Marie Moss", "Nalin De Silva", "Re Smith", "Colour Harbour", "张伟", "Al",
    "Siobhan O'Brien", r"J. M\"uller", "DeepMind Robotics Team", "Gross S", "Λ. Κόσμος",
)  # fmt: skip


@pytest.fixture(scope="module")
def store() -> Iterator[SqliteStore]:
    opened = SqliteStore(None)
    papers = [paper(f"2611.{n:05}", "P", authors=(name,)) for n, name in enumerate(PRINTED)]
    opened.papers.add([Sighting(each) for each in papers], MONDAY)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", PRINTED)
def test_every_name_is_proposed_for_what_it_is_compared_as(store, name):
    [beginnings] = Outside(authors=(name_key(name),)).beginnings

    assert name in store.reading.authors(beginnings)
