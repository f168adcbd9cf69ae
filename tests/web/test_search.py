"""Papers and answers are found from a page: by number, by words, by a question."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.web.searching import understood
from tests.web.invented import TOPIC
from tests.web.opened import text

ODD = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ['"', "(", ")", "AND", "NOT", "-", "*", ":", "cat:", "a", "agent", "\0", "🙂"]
        ),
        max_size=12,
    ).map(" ".join),
)


def test_search_reads_the_topic_language(page):
    words = text(page.get("/search?q=cat:cs.RO+AND+%22world+model%22").text)

    assert "A world model is asked what a room looks like" in words
    assert "KV" not in words


@pytest.mark.parametrize(
    "q",
    [
        'author:"Émilie du Châtelet"',
        'author:"emilie du chatelet"',
        'author:"Ludwig van der Berg"',
        'author:"Hai Liu" OR author:"Zhang Rui"',
        'cat:cs.RO author:"Maryam Khan"',
        "cat:cs.RO",
        "cat:cs NOT agent",
        'author:"Maryam Khan" OR "world model"',
    ],
)
def test_search_needs_no_words(page, library, q):
    """What it finds is what a topic of that query brings."""
    compiled = library.house.language.compile(q)
    fitting = [p for p in library.house.store.papers.some(range(1, 1001)) if compiled.judge(p)]
    newest = max(fitting, key=lambda p: (p.submitted_at, p.seq))
    answer = page.get("/search", params={"q": q})

    assert answer.status_code == 200
    assert f'id="p-{newest.arxiv_id}"' in answer.text
    shown = page.get("/search.json", params={"q": q}).json()["items"]
    assert {item["_arxiv"]["id"] for item in shown} == {p.arxiv_id for p in fitting}


def test_an_author_who_stands_as_words_beside_another_is_one(library):
    query, _ = understood(library.house, 'author:"Hai Liu" OR Maryam Khan')
    as_words, _ = understood(library.house, 'author:"Hai Liu" OR world model')

    assert query == 'author:"Hai Liu" OR author:"Maryam Khan"'
    assert as_words == 'author:"Hai Liu" OR world model'


def test_a_search_leaves_out_what_a_follow_would(page):
    """World models not of robots: fewer than all of them, and none that holds the word."""

    def found(q: str) -> dict[str, str]:
        items = page.get("/search.json", params={"q": q}).json()["items"]
        return {item["_arxiv"]["id"]: item["content_text"].lower() for item in items}

    every = found("world models")
    word = next(w for w in ("room", "robot", "agent") if any(w in t for t in every.values()))
    fewer = found(f"world models without {word}")

    assert fewer.keys() < every.keys()
    assert not any(f" {word} " in said for said in fewer.values())
    assert found(f"world models not {word}").keys() == fewer.keys()
    assert page.get("/search", params={"q": "world models without cat:cs.RO"}).status_code == 400


@pytest.mark.parametrize("q", ["Ludwig van der Berg", "papers by emilie du chatelet"])
def test_an_authors_name_finds_the_papers_where_its_words_find_none(page, q):
    words = text(page.get("/search", params={"q": q}).text)

    assert 'author:"' in words
    assert "No stored paper" not in words
    feed = page.get("/search.atom", params={"q": q}).text
    assert any(
        f"<name>{name}</name>" in feed for name in ("Ludwig van der Berg", "Émilie du Châtelet")
    )


def test_a_category_that_there_is_not_is_answered_with_one(page):
    answer = page.get("/search?q=cat:cs.CLL")

    assert answer.status_code == 400
    assert "cat:cs.CL" in text(answer.text)


def test_the_examples_of_the_search_page_are_read(page):
    examples = re.findall(r"<code>(.*?)</code>", page.get("/search").text)

    assert len(examples) == 3
    for each in examples:
        assert page.get("/search", params={"q": unescape(each)}).status_code == 200
        assert page.get("/search.atom", params={"q": unescape(each)}).status_code == 200


def test_a_search_that_ends_early_says_so(page, monkeypatch):
    monkeypatch.setattr("bot.web.searching.SEARCHED", 20)
    said = text(page.get("/search", params={"q": "cat:cs NOT agent NOT cache"}).text)

    assert "Only the newest 20 papers that might fit were looked at" in said


def test_a_search_with_a_misspelt_word_asks_which_was_meant(page):
    answer = page.get("/search", params={"q": "world modle"})

    assert "No stored paper matches that. Did you mean world model ?" in text(answer.text)
    assert 'href="/search?q=world%20model"' in answer.text


@pytest.mark.parametrize("q", ["zyxxyq", '"world modle"', "title:modle", "world model"])
def test_a_search_asks_back_only_where_a_word_looks_misspelt(page, q):
    assert "Did you mean" not in page.get("/search", params={"q": q}).text


def test_search_offers_topics_of_that_name(page):
    assert "Topics of that name KV-Cache Compression" in text(page.get("/search?q=kv+cache").text)


@pytest.mark.parametrize(
    "pasted", ["arXiv:2606.00002", "arXiv:2606.00002v3", "https://arxiv.org/abs/2606.00002"]
)
def test_a_paper_is_found_however_its_number_is_pasted(page, pasted):
    assert page.get(f"/papers/{pasted}").status_code == 200
    assert "1 paper." in page.get(f"/saved?ids={pasted}").text


def test_a_paper_that_is_not_here_is_a_link_to_arxiv(page):
    answer = page.get("/papers/arXiv:2608.90001v2")

    assert answer.status_code == 404
    assert 'href="https://arxiv.org/abs/2608.90001"' in answer.text
    assert "arxiv.org/abs" not in page.get("/papers/basket").text


def test_a_topic_answers_in_its_papers_words(page):
    words = text(page.get(f"{TOPIC}/ask?q=how+many+rounds+are+finished").text)

    assert "“They finish 89.1 % of the rounds" in words
    assert "From 113 papers:" in words


def test_a_paper_answers_for_itself(page):
    words = text(page.get("/papers/2606.00002/ask?q=How+many+rounds+are+finished%3F").text)

    assert "of the rounds, eleven points more" in words


def test_what_nothing_answers_is_said_so(page):
    words = text(page.get(f"{TOPIC}/ask?q=what+is+the+capital+of+Mongolia").text)

    assert "Nothing in these 113 papers answers that." in words


def test_only_the_answer_for_a_page_that_asks_in_place(page):
    html = page.get(f"{TOPIC}/ask?q=rounds+finished&only=1").text

    assert html.startswith('<div class="answer"')
    assert "<html" not in html


def test_orders_in_an_abstract_stay_words(page):
    html = page.get(f"{TOPIC}/ask?q=What+does+it+say+about+the+token%3F").text

    assert "<script>alert" not in html


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ODD)
def test_nothing_typed_breaks_a_page(page, typed):
    for path, name in (
        ("/", "q"), ("/search", "q"), ("/search.atom", "q"), (TOPIC, "words"), (TOPIC, "cat"),
        (f"{TOPIC}/ask", "q"), ("/papers/2606.00002/ask", "q"), ("/saved", "ids"), (TOPIC, "page"),
    ):  # fmt: skip
        answer = page.get(path, params={name: typed})

        assert answer.status_code < 500, (path, typed)
    assert page.get(f"/topics/{quote(typed, safe='')}").status_code < 500
    assert page.get(f"/papers/{quote(typed, safe='')}").status_code < 500


@pytest.mark.parametrize("form", ["{}", "arXiv:{}v2", "https://arxiv.org/abs/{}"])
def test_a_paper_is_found_by_its_number_or_link(page, library, form):
    paper = next(iter(library.house.store.papers.some([1])))
    answer = page.get("/search", params={"q": form.format(paper.arxiv_id)})

    assert f'href="/papers/{paper.arxiv_id}' in answer.text


def test_a_list_of_arxivs_is_searched_as_the_category(page):
    answer = page.get("/search?q=https://arxiv.org/list/cs.LG/recent")

    assert "Understood as <code>cat:cs.LG</code>" in answer.text
