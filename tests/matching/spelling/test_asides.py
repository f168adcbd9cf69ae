"""What an abstract says aside counts for less than what it is about."""

import pytest

from bot.matching import Language, cut
from bot.matching.spelling.asides import asides
from bot.model import Breadth
from tests.makers import paper

BALANCED = cut(Breadth.BALANCED)


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("Domains such as finance and law, we show, gain.", ["finance and law"]),
        ("Tasks, including parsing, are hard; tagging is not.", ["parsing"]),
        ("It serves many ends (e.g. parsing) and others.", [" parsing"]),
        ("Unlike federated learning, we share nothing.", ["federated learning"]),
        ("We prune rather than distil. It works.", ["distil"]),
        ("It works without relying on labels, or rules.", ["labels"]),
        ("It works without labels.", []),
        ("", []),
    ],
)
def test_examples_and_contrasts_are_said_aside(text, aside):
    assert asides(text) == aside


@pytest.fixture(scope="module")
def language() -> Language:
    source = {"concepts": {"samovar": {"abbr": ["SV"]}}}
    return Language(source, {"samovar": "900; -300; 400 kettle; 300 leaf"})


def score(language: Language, abstract: str, title: str = "On a Tray") -> float:
    verdict = language.compile(language.derive("samovar"), name="samovar").judge(
        paper(title=title, abstract=abstract)
    )
    return verdict.score if verdict else 0.0


def test_what_is_named_as_an_example_alone_does_not_bring_a_paper(language):
    assert score(language, "We polish copper with a samovar beside it.") >= BALANCED
    assert score(language, "We polish copper, such as a samovar and a pan.") < BALANCED
    assert score(language, "We polish copper, including an SV.") < BALANCED
    assert score(language, "Unlike a samovar, a pan is easy to polish.") < BALANCED


def test_what_is_an_example_and_said_again_counts_in_full(language):
    again = "We polish copper, such as a samovar and a pan. A samovar shines."

    assert score(language, again) >= BALANCED


def test_what_the_title_names_counts_in_full_wherever_else_it_stands(language):
    aside, beside = (f"We polish copper, {how} a samovar and a pan." for how in ("such as", "with"))

    assert score(language, aside, "A Samovar") == pytest.approx(
        score(language, beside, "A Samovar"), abs=0.01
    )


def test_an_example_comes_where_the_paper_speaks_of_the_matter(language):
    text = "We polish kettle after kettle, such as a samovar, with a leaf."

    assert score(language, text) >= BALANCED
