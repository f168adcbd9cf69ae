"""What must hold for every query and every text."""

import contextlib
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.matching import Hit, Matcher, QueryError, cut
from bot.matching.evidence.seen import Seen
from bot.matching.spelling.folding import Folded, words_in
from bot.matching.spelling.terms import term
from bot.model import Breadth
from tests.makers import paper
from tests.matching.random_queries import hostile, random_query

calm = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

_WORDS = (
    "agent agents agentic LLM LLMs RL rl URL policy policies optimization optimisation memory "
    "world-model models multi-agent multiagent pre-training pretraining caches cache KV-cache "
    "diffusion language reinforcement learning survey Schrödinger naïve ﬁne-tuning C++ 3D o1 "
    "τ-bench losses loss analyses analysis behaviour behavior GRPO reward H₂O 10² re-ranking "
    "γ-ray gamma-ray π0.5 pi_0 A* μ Łojasiewicz Lojasiewicz Gauß Gauss Møller ħ"
)
WORDS = _WORDS.split()
text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
papers = st.lists(st.tuples(text, text), min_size=1, max_size=8).map(
    lambda rows: [paper(f"2611.{n:05}", title=t, abstract=a) for n, (t, a) in enumerate(rows)]
)
bare = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
part = st.one_of(
    st.sampled_from(WORDS),
    bare.map(lambda words: f'"{words}"'),
    st.sampled_from(
        ("agent*", "optimiz*", "multi*", "polic*", "caches*", "rer*", "behavio*", "gam*", "pi0*")
    ),
    bare.map(lambda words: f'title:"{words}"'),
    st.sampled_from(WORDS).map(lambda word: f"-{word}"),
    st.just("cat:cs.LG"),
)
query = st.recursive(
    part,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from((" AND ", " OR ", " NOT ", " ")), inner).map("".join),
        inner.map(lambda each: f"({each})"),
    ),
    max_leaves=6,
)


@calm
@given(query=query, papers=papers)
def test_candidates_hold_every_match_of_a_query(language, full_text, query, papers):
    try:
        topic = language.compile(query)
    except QueryError:
        return
    proposed = full_text(papers).find(topic.candidates)

    assert {n for n, each in enumerate(papers) if topic.judge(each)} <= proposed


named = st.one_of(
    bare,
    bare.map(lambda words: f"survey papers on {words}"),
    st.sampled_from(("theory of RL", "KV cache policy", "RL fine-tuning of LLM agents")),
)


@calm
@given(name=named, papers=papers)
def test_candidates_hold_every_match_of_a_name(language, full_text, name, papers):
    try:
        topic = language.compile(language.derive(name), name=name)
    except QueryError:
        return
    proposed = full_text(papers).find(topic.candidates)

    assert {n for n, each in enumerate(papers) if topic.judge(each)} <= proposed


@calm
@given(queries=st.lists(st.one_of(query, bare), min_size=1, max_size=6), papers=papers)
def test_thousands_in_one_go_say_what_each_says_alone(language, queries, papers):
    topics = {}
    for number, text in enumerate(queries):
        try:
            name = "" if language.is_query(text) else text
            derived = language.derive(name) if name else text
            topics[number] = language.compile(derived, name=name)
        except QueryError:
            continue
    together = list(Matcher(topics).hits(papers))

    assert together == [
        Hit(each, number, verdict.score, verdict.reason)
        for each in papers
        for number, topic in topics.items()
        if (verdict := topic.judge(each))
    ]


def test_hits_come_in_the_order_of_the_papers_however_many_go_side_by_side(language):
    read = [paper(f"2611.{n:05}", title="Reward models") for n in range(250)]
    topics = {2: language.compile("models"), 1: language.compile('"reward models"')}

    found = [(hit.paper, hit.topic_id) for hit in Matcher(topics).hits(iter(read))]

    assert found == [(each, number) for each in read for number in (1, 2)]


@calm
@given(queries=st.lists(query, min_size=1, max_size=4), papers=papers)
def test_a_scan_finds_a_word_where_a_search_does(language, queries, papers):
    topics = {}
    for number, text in enumerate(queries):
        with contextlib.suppress(QueryError):
            topics[number] = language.compile(text)
    matcher = Matcher(topics)
    terms = {term for topic in topics.values() for group in topic.groups for term in group}

    for each in papers:
        scanned, alone = matcher.sight(each), Seen(each)
        assert {t: scanned.find(t) for t in terms} == {t: alone.find(t) for t in terms}
        assert set(filter(scanned.holds, terms)) == {t for t in terms if alone.find(t)}


def test_the_words_of_a_query_are_gathered_only_once_it_asks(language):
    topic = language.compile('"reward models" AND NOT survey')
    seen = Matcher({1: topic}).sight(paper(title="Reward models", abstract="Better reward models."))

    assert not seen.named_groups
    assert topic.judge(seen) == topic.judge(seen.paper)


def test_a_query_waits_for_the_part_that_the_fewest_papers_hold(language):
    rare = ("cell painting", "light sheet", "live cell", "cryo electron")
    said = " OR ".join(f'"{each}"' for each in rare)
    topic = language.compile(f'({said}) AND (segment* OR "deep learning")')

    assert set(topic.keys) == {term(each) for each in rare}


@calm
@given(query=st.one_of(query, bare), papers=papers)
def test_a_verdict_depends_on_nothing_but_paper_query_and_weights(language, query, papers):
    try:
        name = "" if language.is_query(query) else query
        first, second = (language.compile(query, name=name) for _ in range(2))
    except QueryError:
        return
    alone = {each.arxiv_id: first.judge(each) for each in papers}
    later = {each.arxiv_id: second.judge(each) for each in reversed(papers)}

    assert alone == later


@calm
@given(query=st.one_of(query, bare), papers=papers)
def test_scores_are_shares_and_reasons_are_words_of_the_text(language, query, papers):
    try:
        name = "" if language.is_query(query) else query
        topic = language.compile(query, name=name)
    except QueryError:
        return
    for each in papers:
        judged, ranked = topic.judge(each), topic.rank(each)
        if judged:
            assert cut(Breadth.BROAD) <= judged.score <= 1
            assert judged == ranked
            assert judged.reason
        if ranked:
            assert 0 < ranked.score <= 1


@pytest.mark.parametrize("seed", range(4))
def test_no_query_raises_anything_but_a_query_error(language, seed):
    chance = random.Random(seed)
    some = paper(title="World Models for Agents", abstract="RL, LLMs and GRPO in C++ on τ-bench.")
    texts = [random_query(chance) for _ in range(250)]
    for text in texts + (hostile() if seed == 0 else []):
        with contextlib.suppress(QueryError):
            language.check(text)
        with contextlib.suppress(QueryError):
            language.derive(text)
        with contextlib.suppress(QueryError):
            topic = language.compile(text, name=chance.choice(("", text)))
            topic.rank(some)
            assert topic.candidates != ""


def test_candidates_of_hostile_queries_are_sound_expressions(language, full_text):
    table = full_text([paper(title="World Models", abstract="RL for LLM agents")])
    for text in hostile():
        try:
            topic = language.compile(text)
        except QueryError:
            continue
        table.find(topic.candidates)


_ODD = st.sampled_from(
    ("RL", "URL", "a", "aa", "pre-", "Pre_", "co training", "C++", "C#", "A*", "1st", "LLMs", "x9")
)
_BETWEEN = st.sampled_from((" ", "-", "_", ", ", " (", ") ", "/", "+", "\n", "#", ""))
_TEXTS = st.lists(st.one_of(_ODD, _BETWEEN, st.characters(max_codepoint=127)), max_size=40)


@given(_TEXTS.map("".join))
def test_a_word_of_plain_letters_is_read_like_any_other(text):
    """The mark of an accent is one more word, and changes none before it."""
    assert words_in(f"{text} . é") == [*words_in(text), "é"]


@given(_TEXTS.map("".join), _TEXTS.map("".join), st.randoms())
def test_words_are_printed_the_same_in_whatever_order_they_are_asked_for(title, abstract, chance):
    folded = Folded(title, abstract)
    places = [at for at, sign in enumerate(folded.plain) if sign == " "]
    pairs = [(at, folded.plain[at : end + 1]) for at, end in zip(places, places[2:], strict=False)]
    asked = [(at, pair) for at, pair in pairs if "|" not in pair]
    chance.shuffle(asked)

    for at, pair in asked:
        alone = Folded(title, abstract).as_printed(at, pair, cased=False)
        assert folded.as_printed(at, pair, cased=False) == alone
