"""What a topic learns from papers, and the query that examples share."""

import json
import re
from dataclasses import replace

import pytest

from bot.matching import Matcher, QueryError, cut
from bot.model import Breadth
from tests.makers import paper

TEAPOTS = [
    paper(
        f"2611.1{n:04}",
        title=f"Teapot control {n}",
        abstract=f"A spout of porcelain pours tea; the kettle boils. Steam rises {n} times.",
    )
    for n in range(20)
]
OTHERS = [
    paper(
        f"2611.2{n:04}",
        title=f"Gardens of kind {n}",
        abstract=f"Roses and tulips grow in the control group; soil is wet {n} times.",
    )
    for n in range(60)
]
BEST = dict.fromkeys(TEAPOTS, 0.9)
MENTION = replace(OTHERS[0], abstract=f"{OTHERS[0].abstract} Rain is pouring.")
UNNAMED = paper("2611.30000", title="Pouring", abstract="Porcelain spout, kettle and steam.")


def test_learned_words_lift_papers_that_share_them(language):
    query, name = "teapot OR pouring", "Teapots"
    weights = language.learn(BEST, OTHERS)
    plain = language.compile(query, name=name).rank(UNNAMED)
    learned = language.compile(query, name=name, weights=weights).rank(UNNAMED)

    assert plain is not None
    assert learned is not None
    assert learned.score > plain.score


@pytest.mark.parametrize(
    ("title", "abstract"),
    [
        ("On teapots", "The kettle boils, and the kettle sings beside a teapot that is cold."),
        ("On kettles", "The kettle boils, and the other one sings beside a teapot that is cold."),
    ],
)
def test_a_learned_word_says_more_the_more_often_a_paper_has_it(language, title, abstract):
    weights = '{"version":3,"usual":0,"spread":400,"words":{"kettle":1000,"brass":9}}'
    topic = language.compile(language.derive("Teapots"), name="Teapots", weights=weights)
    once = paper("2611.31000", title, abstract=abstract.replace("kettle", "fellow", 1))
    again = paper("2611.32000", title, abstract=abstract)
    plain = topic.rank(once), topic.rank(again)
    scanned = [hit.score for hit in Matcher({1: topic}).hits([once, again])]

    assert scanned == [each.score for each in plain]
    assert plain[0].score < plain[1].score


def test_what_half_of_the_best_papers_hold_counts_for_more_than_half(language):
    halves = [replace(each, abstract=f"{each.abstract} Brass.") for each in TEAPOTS[:10]]
    best = dict.fromkeys([*halves, *TEAPOTS[10:]], 0.9)
    words = json.loads(language.learn(best, OTHERS))["words"]

    assert words["brass"] > 0.6 * words["kettle"]


def test_a_query_beside_a_name_leaves_what_only_mentions_it_to_the_broadest_breadth(language):
    query, name = "teapot OR pouring", "Teapots"
    plain = language.compile(query, name=name)
    others = [replace(o, abstract=o.abstract + n % 3 * " Steam.") for n, o in enumerate(OTHERS)]
    learned = language.compile(query, name=name, weights=language.learn(BEST, others))

    assert plain.judge(MENTION).score >= cut(Breadth.BALANCED)
    assert learned.judge(TEAPOTS[0]).score >= cut(Breadth.BALANCED)
    assert cut(Breadth.BROAD) <= learned.judge(MENTION).score < cut(Breadth.BALANCED)


STORY = "A spout of porcelain pours tea; the kettle boils and steam rises over the spout."


@pytest.mark.parametrize(
    ("title", "abstract", "comes"),
    [
        ("Vessels", f"{STORY} It may serve a teapot.", False),
        ("Vessels", f"It serves a teapot. {STORY}", True),
        ("Vessels", f"{STORY} It may serve a teapot, as a teapot.", True),
        ("Vessels", f"{STORY} It may serve a teapot, or pouring.", True),
        ("Teapot lids", f"{STORY} It may serve a teapot.", True),
    ],
)
def test_what_is_named_once_and_late_is_said_in_passing(language, title, abstract, comes):
    weights = language.learn(BEST, OTHERS)
    topic = language.compile("abstract:teapot OR pouring", name="Teapots", weights=weights)
    verdict = topic.judge(paper(title=title, abstract=abstract))

    assert verdict.score >= cut(Breadth.BROAD)
    assert (verdict.score >= cut(Breadth.BALANCED)) is comes


def test_of_words_that_are_asked_for_together_the_one_in_passing_decides(language):
    weights = language.learn(BEST, OTHERS)
    topic = language.compile("porcelain AND teapot", name="Teapots", weights=weights)
    verdict = topic.judge(paper(title="Porcelain", abstract=f"{STORY} It may serve a teapot."))

    assert cut(Breadth.BROAD) <= verdict.score < cut(Breadth.BALANCED)


def test_a_query_alone_brings_all_that_meets_it_whatever_was_learned(language):
    learned = language.compile("teapot OR pouring", weights=language.learn(BEST, OTHERS))

    assert learned.judge(MENTION).score >= cut(Breadth.BALANCED)


def test_the_same_papers_teach_the_same(language):
    assert language.learn(BEST, OTHERS) == language.learn(BEST, OTHERS)


def test_disliked_papers_pull_down_what_they_share(language):
    without = json.loads(language.learn(BEST, OTHERS))
    disliked = [paper(f"2611.4{n:04}", title="Steam engines", abstract="Steam.") for n in range(9)]
    with_them = json.loads(language.learn(BEST, OTHERS, disliked=disliked))

    assert with_them["words"].get("steam", 0) < without["words"]["steam"]


def test_one_unwanted_paper_leaves_the_others_as_wanted_as_they_were(language):
    unwanted = paper("2611.70000", title="A teapot at the quay", abstract="Cranes and anchors.")
    quays = [
        paper(f"2611.8{n:04}", title=f"Quay {n}", abstract="Cranes lift; anchors hold; boats wait.")
        for n in range(5)
    ]
    before, after = (
        language.compile("teapot", weights=language.learn(BEST, OTHERS + quays, disliked=said))
        for said in ((), (unwanted,))
    )
    teapot = paper("2611.90000", title="A teapot", abstract="Of its spout, and of much else.")

    assert after.rank(teapot).score > 0.9 * before.rank(teapot).score


def test_liked_papers_teach_more_than_the_best(language):
    liked = [paper(f"2611.5{n:04}", title="Samovars", abstract="A samovar.") for n in range(3)]
    with_them = json.loads(language.learn(BEST, OTHERS, liked=liked))["words"]
    among_the_best = json.loads(language.learn(dict.fromkeys([*TEAPOTS, *liked], 0.9), OTHERS))[
        "words"
    ]

    assert with_them["samovar"] > among_the_best["samovar"]


def test_surer_papers_teach_more(language):
    doubted, sure = (
        TEAPOTS[:10],
        [paper(f"2611.6{n:04}", title=f"Samovar {n}", abstract="Brass.") for n in range(10)],
    )
    scores = {**dict.fromkeys(doubted, 0.4), **dict.fromkeys(sure, 0.9)}
    words = json.loads(language.learn(scores, OTHERS))["words"]
    alike = json.loads(language.learn(dict.fromkeys(scores, 0.9), OTHERS))["words"]

    assert words["brass"] / words["porcelain"] > alike["brass"] / alike["porcelain"]


@pytest.mark.parametrize(("best", "others"), [(TEAPOTS[:3], OTHERS), (TEAPOTS, OTHERS[:9])])
def test_too_few_papers_teach_nothing(language, best, others):
    assert language.learn(dict.fromkeys(best, 0.9), others) == ""


@pytest.mark.parametrize(
    "weights",
    ["", "{}", "nonsense", '{"version": 99}', "[]", '{"version":3}', '{"version":3,"spread":0}'],
)
def test_weights_of_another_kind_are_set_aside(language, weights):
    topic = language.compile("teapot", weights=weights)

    assert topic.judge(TEAPOTS[0]) is not None


def test_examples_make_a_query_that_finds_them(language):
    query = language.from_examples(TEAPOTS[:2], OTHERS)
    topic = language.compile(query)

    assert "teapot" in query
    assert all(topic.judge(each) is not None for each in TEAPOTS)
    assert not any(topic.judge(each) for each in OTHERS)


def test_a_query_of_examples_finds_each_of_them_and_says_only_what_all_hold(language):
    first = replace(TEAPOTS[0], title="Teapots of 1804 with KV Caches", abstract="Kettles, old.")
    second = replace(TEAPOTS[1], title="KV caches (of teapots)", abstract="Samovars are older.")
    query = language.from_examples([first, second], OTHERS)

    assert "KV cache" in query
    assert "teapots" in query
    assert not {"kettl", "kettles", "samovars", "1804"} & set(re.findall(r"\w+", query))


def test_what_examples_are_about_goes_before_words_that_they_share_by_chance(language):
    first = replace(TEAPOTS[0], title="KV cache eviction on Tuesdays", abstract="Rapid kettles.")
    second = replace(TEAPOTS[1], title="Key-value caches", abstract="Rapid, and on Tuesdays.")
    query = language.from_examples([first, second], OTHERS, lambda expression: 0.03)

    assert query == "KV cache"


def test_examples_of_several_things_are_found_by_each_of_them(language):
    texts = ("Federated learning", "Federated learning, a study", "Prompt injection")
    papers = [replace(TEAPOTS[0], title=text, abstract="") for text in texts]
    query = language.from_examples(papers, OTHERS, lambda expression: 0.03)

    assert query == "(federated learning) OR (prompt injection)"


def test_of_many_examples_each_holds_some_of_the_words(language):
    texts = ("red teapot", "red kettle", "blue teapot", "blue kettle", "red samovar")
    papers = [replace(TEAPOTS[0], title=text, abstract="") for text in texts]
    query = language.from_examples(papers[:4], OTHERS)

    assert all(language.compile(query).judge(each) for each in papers[:4])


def test_examples_of_which_one_names_only_a_part_are_found_by_the_whole(language):
    texts = ("Loco-manipulation", "Quadruped manipulation")
    whole, part = (replace(TEAPOTS[0], title=text, abstract="") for text in texts)
    query = language.from_examples([whole, part], OTHERS, lambda expression: 0.03)

    assert query == "loco-manipulation"


def test_two_examples_of_two_things_are_found_by_each_of_them(language):
    texts = ("Federated learning", "Prompt injection")
    papers = [replace(TEAPOTS[0], title=text, abstract="") for text in texts]
    query = language.from_examples(papers, OTHERS, lambda expression: 0.03)

    assert query == "(prompt injection) OR (federated learning)"


def test_examples_that_share_nothing_are_answered_with_an_example(language):
    with pytest.raises(QueryError, match="share no words"):
        language.from_examples([OTHERS[0], UNNAMED, TEAPOTS[0]], [*OTHERS, *TEAPOTS])
