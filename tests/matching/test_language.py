"""The topic language, from a name to a verdict."""

import tomllib
from pathlib import Path

import pytest

from bot.matching import Language, QueryError, cut
from bot.model import Breadth
from tests.makers import paper


@pytest.fixture(scope="session")
def language() -> Language:
    return Language(tomllib.loads(Path("config/thesaurus.toml").read_text(encoding="utf-8")))


def matches(language: Language, query: str, text: str, **more) -> bool:
    topic = language.compile(query)
    return topic.judge(paper(title="Untitled", abstract=text, **more)) is not None


@pytest.mark.parametrize("text", ["RL.", "RL-based control", "(RL)", "RLs differ"])
def test_an_abbreviation_is_found_at_word_borders(language, text):
    assert matches(language, "RL", text)


@pytest.mark.parametrize("text", ["a URL", "early work", "rl", "curl"])
def test_an_abbreviation_is_not_found_inside_words(language, text):
    assert not matches(language, '"RL"', text)


def test_a_name_finds_its_papers_and_says_why(language):
    name = "RL for LLM agents"
    topic = language.compile(language.derive(name), name=name)
    verdict = topic.judge(
        paper(
            title="Policy Optimization for Patient Helpers",
            abstract="We train LLM agents with GRPO.",
        )
    )

    assert verdict is not None
    assert verdict.score >= cut(Breadth.BALANCED)
    assert verdict.reason == "title: Policy Optimization; abstract: GRPO, LLM agents"


def test_a_query_that_cannot_be_read_names_the_place(language):
    with pytest.raises(QueryError) as caught:
        language.check('agents AND ("credit assignment" OR memory')

    assert caught.value.place == 11
    assert caught.value.suggestion == 'agents AND ("credit assignment" OR memory)'
