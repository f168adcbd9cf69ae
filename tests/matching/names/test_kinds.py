"""A kind of paper that a name asks for is asked of papers, too."""

import pytest

from bot.matching import Language, cut
from bot.matching.names.kinds import in_a_query
from bot.model import Breadth
from tests.makers import paper

SURVEY = "A survey of retrieval-augmented generation"
PLAIN = "Faster retrieval-augmented generation"
SAYS_SO = "This survey is on retrieval-augmented generation. RAG is what it tells of."


def brings(language: Language, name: str, title: str, abstract: str = "RAG, and nothing else."):
    topic = language.compile(language.derive(name), name=name)
    verdict = topic.judge(paper(title=title, abstract=abstract))
    return verdict is not None and verdict.score >= cut(Breadth.BALANCED)


@pytest.mark.parametrize(
    "name",
    ["survey papers on RAG", "new survey articles about RAG", "surveys on RAG", "surveys of RAG",
     "review papers on RAG", "RAG survey papers", "literature reviews of RAG", "Surveys in RAG",
     "RAG (surveys)", "RAG: surveys", "RAG, only surveys", "RAG surveys only"],
)  # fmt: skip
def test_surveys_on_a_topic_are_its_papers_that_say_they_are_such(language, name):
    assert brings(language, name, SURVEY)
    assert brings(language, name, "Retrieval-augmented generation today", SAYS_SO)
    assert not brings(language, name, PLAIN)
    assert not brings(language, name, "A survey of tides", "Tides come and go.")


@pytest.mark.parametrize(
    ("name", "title", "abstract"),
    [
        ("benchmark papers on RAG", "RAG-Bench", "RAG is measured."),
        ("dataset papers on RAG", "A dataset for RAG", "RAG is fed."),
        ("tutorials on RAG", "RAG: a tutorial", "RAG is taught."),
        ("theory of RAG", "A theory of RAG", "RAG is proved."),
        ("theoretical foundations of RAG", "RAG converges", "RAG. We prove that it does."),
        ("position papers on RAG", "RAG must end", "This position paper argues against RAG."),
        ("papers with code on RAG", "RAG", "RAG. Our code is available at github.com/a/b."),
        ("RAG papers with code", "RAG", "RAG. Code is publicly available."),
        ("RAG, with code", "RAG", "RAG. See https://github.com/a/b."),
    ],
)
def test_each_kind_is_known_by_what_its_papers_say(language, name, title, abstract):
    assert brings(language, name, title, abstract)
    assert not brings(language, name, PLAIN)


def test_full_text_search_proposes_only_papers_of_the_kind(language, full_text):
    table = full_text([paper(title=PLAIN), paper(title=SURVEY), paper(title="A survey of tides")])
    topic = language.compile(language.derive("surveys on RAG"), name="surveys on RAG")

    assert table.find(topic.candidates) == {1}


@pytest.mark.parametrize(
    ("query", "brought"),
    [
        ('"retrieval-augmented generation" with code', True),
        ('title:"retrieval-augmented generation", with code', True),
        ('"retrieval-augmented generation" but only github', True),
        ('"retrieval-augmented generation" but only tides', False),
    ],
)
def test_what_is_said_behind_a_query_is_read_as_behind_a_name(language, query, brought):
    topic = language.compile(in_a_query(query))

    assert bool(topic.judge(paper(title=PLAIN, abstract="See github.com/a/b."))) is brought
    assert not topic.judge(paper(title=PLAIN, abstract="We go with code."))


@pytest.mark.parametrize("query", ['"code"', '"with code"', "but only tides", "(a AND b) OR c"])
def test_a_query_that_says_nothing_more_stays(query):
    assert in_a_query(query) == query


def test_the_kind_stands_in_the_query_where_it_can_be_edited(language):
    query = language.derive("tutorials on RAG")

    assert query.startswith('("RAG" OR "retrieval-augmented generation"')
    assert ") AND (title:(tutorial OR " in query
    language.check(query)


@pytest.mark.parametrize(
    "name",
    ["benchmarks for code generation", "peer review", "galaxy surveys", "reviews of products",
     "reasoning with code", "code generation", "position encodings", "survey design",
     "theory of mind", "theory of change", "theory of superconductivity", "GNN theory"],
)  # fmt: skip
def test_a_topic_that_has_the_word_of_a_kind_is_itself(language, name):
    assert ") AND (title:" not in language.derive(name)
