"""Authors and categories: why a paper came by them, and how the store is asked for them."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching import Compiled, Matcher, Verdict
from bot.matching.evidence.seen import Seen
from bot.matching.queries.condition import is_same_name, name_keys, surrounding, within
from bot.matching.queries.outside import Outside
from bot.model import Paper, Sighting
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
    "Łukasz Kaiser", "Æsa Øy", "Koß", "Kossel", "Jürgen Übel", "Joerg Aalto",
    "Ming-Hsuan Yang", "Yang, Ming Hsuan", "Minghsuan Yang", "M.-H. Yang", "Anne de la Cour",
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
    ways = Outside(authors=(name_keys(name),)).beginnings

    assert all(name in store.reading.authors(beginnings) for beginnings in ways)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Juergen Uebel", "Jürgen Übel"),
        ("Jørg Ålto", "Joerg Aalto"),
        ("Jörg Aalto", "Joerg Aalto"),
        ("Minghsuan Yang", "Ming-Hsuan Yang"),
        ("Ming Hsuan Yang", "Minghsuan Yang"),
        ("Minghsuan Yang", "Yang, Ming Hsuan"),
        ("MH Yang", "M.-H. Yang"),
    ],
)
def test_a_name_is_proposed_however_it_is_signed(store, typed, printed):
    asked = Outside(authors=(name_keys(typed),))
    proposed = {name for words in asked.beginnings for name in store.reading.authors(words)}

    assert printed in filter(asked.is_author, proposed)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Jun S. Li", "Jun Li"), ("Ming-Yu Liu", "Ming Liu"), ("Anna Maria Rossi", "Anna Rossi")],
)
def test_names_of_which_one_has_more_are_two(one, other):
    assert not is_same_name(one, other)


class Unasked(Compiled):
    """A topic that no paper is held against."""

    def judge(self, paper: Paper | Seen) -> Verdict | None:
        raise AssertionError("it was asked about a paper that lacks its authors and categories")


@pytest.mark.parametrize(
    "query",
    [
        'author:"Ada Lovelace"',
        'author:"Ada Lovelace" AND patience',
        'author:"Ada Lovelace" OR cat:math',
        "cat:math",
        "cat:cs.L OR cat:cs.LGX",
    ],
)
def test_a_paper_meets_only_the_topics_of_its_own_authors_and_categories(language, query):
    topic = language.compile(query)
    topic.__class__ = Unasked

    assert list(Matcher({1: topic}).hits([ZACHARY])) == []


@pytest.mark.parametrize(
    "query",
    [
        'author:"Li, Jun"',
        'author:"Jun Li" AND patience',
        'author:"Ada Lovelace" OR author:"Jun Li" OR cat:math',
        "cat:cs",
        "cat:STAT.ml",
        'author:"Ada Lovelace" OR patience',
    ],
)
def test_among_others_a_topic_of_authors_and_categories_finds_what_it_finds_alone(language, query):
    topic = language.compile(query)
    [hit] = Matcher({1: topic}).hits([ZACHARY])

    assert Verdict(hit.score, hit.reason) == topic.judge(ZACHARY)


@given(st.text("aA.", max_size=6), st.text("a.", max_size=6))
def test_what_surrounds_a_category_is_all_that_it_is_within(category, wanted):
    assert (wanted in surrounding(category)) == within(category, wanted)
