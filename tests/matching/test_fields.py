"""Fields beside computer science: what a name finds among abstracts as they are written there.

The abstracts are invented; most never say the name by which they are to be found.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from bot.matching import Compiled, Language, cut
from bot.model import Breadth, Paper
from tests.makers import paper

LISTED = tomllib.loads(Path(__file__).with_name("abstracts_of_fields.toml").read_text("utf-8"))
NAMES = [each["name"] for each in LISTED["paper"]]
OTHERS = 10
AKIN = 200  # of so many pairs of a name and another's paper, one may match: fields overlap


@cache
def papers() -> dict[str, Paper]:
    return {each["name"]: _paper(**each) for each in LISTED["paper"]}


def _paper(name: str, title: str, abstract: str) -> Paper:
    return paper(title=title, abstract=abstract, categories=())


@cache
def _compiled(language: Language, name: str) -> Compiled:
    return language.compile(language.derive(name), name=name)


def _finds(language: Language, name: str, other: Paper) -> bool:
    judged = _compiled(language, name).judge(other)
    return judged is not None and judged.score >= cut(Breadth.BALANCED)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_finds_the_paper_of_its_field(language, name):
    assert _finds(language, name, papers()[name])


@pytest.mark.parametrize("name", NAMES)
def test_ten_other_names_do_not_find_it(language, name):
    """Names from all over the fields: every fifth of the list."""
    place = NAMES.index(name)
    others = [NAMES[(place + 5 * step) % len(NAMES)] for step in range(1, OTHERS + 1)]

    assert [other for other in others if _finds(language, other, papers()[name])] == []


def test_hardly_any_name_finds_the_paper_of_another(language):
    wrong = [
        (name, other)
        for name in NAMES
        for other in NAMES
        if other != name and _finds(language, name, papers()[other])
    ]

    assert len(wrong) <= len(NAMES) ** 2 / AKIN
