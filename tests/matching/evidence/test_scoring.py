"""What a paper counts for, where it shows some facets of a name and not others."""

import pytest

from bot.matching import Language, Matcher, cut
from bot.model import Breadth
from tests.makers import paper

CONCEPTS = ("kettle", "samovar", "spout", "hot drink", "cold drink")
SHARE = {"kettle": 900, "samovar": 100, "spout": 300, "hot drink": 30_000, "cold drink": 15_000}
BALANCED = cut(Breadth.BALANCED)


@pytest.fixture(scope="module")
def language() -> Language:
    company = {name: f"{share}; -300; 50 leaf" for name, share in SHARE.items()}
    company["~"] = "60 polishing; 300 long handled"
    return Language({"concepts": {name: {} for name in CONCEPTS}}, company)


def score(language: Language, name: str, *mentions: str) -> float:
    """Of a paper that speaks of these things and of little else."""
    text = " ".join(
        f"A {mention} stands on the table. We study the {mention}." for mention in mentions
    )
    verdict = language.compile(language.derive(name), name=name).judge(
        paper("2611.00001", "On " + " and ".join(mentions), abstract=text)
    )
    return verdict.score if verdict else 0.0


def test_two_rare_facets_spare_a_third(language):
    name = "Kettles with Spouts for Samovars"

    assert score(language, name, "samovar", "spout") >= BALANCED
    assert score(language, name, "samovar", "spout", "kettle") > score(
        language, name, "samovar", "spout"
    )
    assert score(language, name, "samovar") < BALANCED


def test_what_every_other_paper_shows_need_not_be_said_beside_a_rare_facet(language):
    name = "Kettles for Hot Drinks"

    assert score(language, name, "kettle") >= BALANCED
    assert score(language, name, "kettle", "hot drink") > score(language, name, "kettle")
    assert score(language, name, "hot drink") < BALANCED


def test_a_second_facet_that_many_papers_lack_must_show(language):
    assert score(language, "Kettles for Cold Drinks", "kettle") < BALANCED


@pytest.mark.parametrize("word", ["polishing", "long-handled"])
def test_what_many_say_in_passing_need_not_be_said_where_the_rest_is_sure(language, word):
    name = f"{word} Samovars with Spouts"

    assert score(language, name, "samovar", "spout") > 0
    assert score(language, name, "samovar", "spout", word) >= BALANCED
    assert score(language, name, word) == 0


def test_a_rare_word_that_nothing_is_known_of_must_be_named(language):
    assert score(language, "Champlevé Samovars", "samovar") == 0
    assert score(language, "Champlevé Samovars", "samovar", "champlevé") >= BALANCED


def test_a_paper_that_shows_one_facet_well_stands_before_one_that_shows_none(language):
    topic = language.compile(
        language.derive("Kettles for Cold Drinks"), name="Kettles for Cold Drinks"
    )
    one, none = (
        topic.rank(paper(title=f"On {what}", abstract=f"We study {what}, and {what} again."))
        for what in ("kettles", "gardens")
    )

    assert one is not None
    assert none is None or none.score < one.score < BALANCED


# ------------------------------------------------------------ what a word means here

NAMES = {"speech recognition": {"abbr": ["ASR"], "same": ["automatic speech recognition"]}}


def brings(language: Language, name: str, abstract: str, title: str = "Untitled") -> bool:
    """Whether a name brings a paper, judged alone and among thousands of topics alike."""
    topic, found = (
        language.compile(language.derive(name), name=name),
        paper(title, abstract=abstract),
    )
    alone, among = topic.judge(found), list(Matcher({1: topic}).hits([found]))
    assert (alone is not None) is bool(among)
    return bool(among)


def test_an_abbreviation_means_what_the_paper_says_that_it_means():
    language = Language({"concepts": NAMES})

    assert brings(language, "Speech Recognition", "ASR is hard in noise. We study ASR.")
    assert brings(language, "ASR", "Audio speech recognition (ASR) is hard. We study ASR.")
    assert not brings(language, "ASR", "The attack success rate (ASR) rises. An ASR of 90 %.")


def test_a_phrase_in_quotes_stands_as_it_is():
    topic = Language({"concepts": NAMES}).compile('"ASR"')

    assert topic.judge(paper(abstract="The attack success rate (ASR) rises.")) is not None


def test_who_says_the_narrower_thing_means_it_first():
    language = Language({"concepts": {"graph network": {"same": ["oversmoothing", "graph nets"]}}})
    said = language.compile(language.derive("oversmoothing"), name="oversmoothing")
    close, wide = (
        said.judge(paper(title=f"On {what}", abstract=f"We study {what}, and {what} again."))
        for what in ("oversmoothing", "graph networks")
    )

    assert close is not None
    assert wide is None or wide.score < close.score
    assert brings(language, "graph network", "We study oversmoothing. Oversmoothing is bad.")


def test_what_makes_a_concept_up_is_named_in_all_its_parts_and_not_only_likely():
    """Of two concepts that stand apart in a name, words in company may speak for one."""
    concepts = {"teatime": {"both": ["samovar", "spout"]}, "samovar": {}, "spout": {}}
    counted = {"samovar": "100; -300; 50 leaf", "spout": "300; -300; 2000 leaf"}
    known = Language({"concepts": concepts}, counted)
    likely = "We study the samovar and its leaf. A samovar is a samovar."

    assert brings(known, "Samovars with Spouts", likely, "On the samovar")
    assert not brings(known, "Teatime", likely, "On the samovar")
    assert brings(known, "Teatime", likely + " The spout is on it.", "On the samovar")


@pytest.mark.parametrize(("with_models", "comes"), [("", True), (" 71", True), (" 27", False)])
def test_a_setting_is_asked_for_where_most_papers_do_without_it(with_models, comes):
    counted = {"samovar": f"100{with_models}; -300; 50 leaf", "hot drink": "30000; -300; 50 leaf"}
    known = Language({"concepts": {"samovar": {}, "hot drink": {}}}, counted)

    assert (score(known, "Samovars for Hot Drinks", "samovar") >= BALANCED) is comes
    assert score(known, "Samovars for Hot Drinks", "samovar", "hot drink") >= BALANCED
