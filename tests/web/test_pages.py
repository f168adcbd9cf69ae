"""The pages as a browser without JavaScript gets them."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from html import escape, unescape
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from bot import web
from bot.core import Actor, Core
from bot.core.reply import Code, line
from bot.links import Links
from bot.model import Identity
from bot.store import Outcome
from bot.web.door import MOST_SAVED
from bot.web.rendering import STATIC, line_to_html
from bot.web.searching import understood
from tests.web import invented
from tests.web.opened import fill, open_core

TOPIC = "/topics/rl-for-llm-agents"


def text(html: str) -> str:
    """The words of a page, one space between them."""
    plain = re.sub(r"<[^>]+>", " ", html)
    return " ".join(plain.replace("&nbsp;", " ").replace("\u00a0", " ").split())


# ------------------------------------------------------------------ a topic


def test_a_topic_says_what_it_is_and_whether_it_heats_up(page):
    words = text(page.get(TOPIC).text)

    assert "RL for LLM Agents Training acting language models." in words
    assert "52 papers in the last four weeks, up 86 % on the four weeks before." in words
    assert "Latest papers 114" in words


def test_a_topic_has_everything_at_hand(page):
    html = page.get(TOPIC).text

    assert html.count('<g class="bar') == 13
    assert html.count('<tr><th scope="row">') == 13
    assert 'href="/topics/world-models"' in html
    assert "/papers follow RL for LLM Agents" in html
    assert 'action="/join"' in html
    assert f'href="{TOPIC}.atom"' in html
    assert f'action="{TOPIC}/ask"' in html
    assert html.count('<article class="card"') == 30
    assert "https://arxiv.org/pdf/2610.90004" in html


def test_no_form_for_addresses_where_no_mail_is_sent(library):
    html = TestClient(web.create(library)).get(TOPIC).text

    assert "Your e-mail address" not in html
    assert "/papers follow RL for LLM Agents" in html


@pytest.mark.parametrize(
    ("by_mail", "in_slack", "words"),
    [
        ("/join", True, "Follow it by mail, or in Slack: /papers follow basket weaving"),
        ("/join", False, "Follow it by mail"),
        ("", True, "Follow it in Slack: /papers follow basket weaving"),
        ("", False, ""),
    ],
)
@pytest.mark.parametrize("path", ["/topics/basket-weaving", "/search?q=basket+weaving"])
def test_what_is_no_topic_yet_can_be_followed_where_the_house_can(
    library, by_mail, in_slack, words, path
):
    app = web.create(library, follow_by_mail=by_mail, in_slack=in_slack)
    html = TestClient(app).get(path).text

    assert words in text(html).replace(" ,", ",")
    assert ("Slack" in html, "by mail" in html) == (in_slack, bool(by_mail))
    assert ('href="/join?topic=basket%20weaving"' in html) == bool(by_mail)


@pytest.fixture
def first_hour(tmp_path):
    """The pages right after the install: topics are known, no paper was read."""
    core = open_core(tmp_path / "new.db", lambda: invented.NOW)
    core.learn_catalogue(list(invented.TOPICS))
    yield TestClient(web.create(core))
    core.house.store.close()


def test_in_the_first_hour_the_topics_say_that_papers_come(first_hour):
    html = first_hour.get("/").text

    assert "topics, and no papers yet. They stand here as soon as arXiv has been read" in text(html)
    assert "Largest" not in html
    assert "·····" not in html
    assert f'href="{TOPIC}"' in html


def test_a_topic_without_papers_says_when_they_come_and_shows_nothing_empty(first_hour):
    html = first_hour.get(TOPIC).text

    assert "No papers yet. The next ones stand here as soon as arXiv announces them." in html
    assert "<svg" not in html
    assert "Take these papers along" not in html
    assert 'class="filter"' not in html
    assert 'class="filter"' in first_hour.get(f"{TOPIC}?words=tides").text


def test_older_papers_are_a_link_away(page):
    first = page.get(TOPIC).text
    assert f'<a rel="next" href="{TOPIC}?page=2">Older papers</a>' in first

    last = page.get(f"{TOPIC}?page=4").text
    assert 'rel="next"' not in last
    assert last.count('<article class="card"') == 24
    assert "91–114 of 114" in text(last)


def test_a_list_by_closeness_calls_no_page_of_it_older(page):
    second = page.get(f"{TOPIC}?sort=score&page=2").text

    assert ">Closer papers</a>" in second
    assert ">Further papers</a>" in second
    assert "Older papers" not in second


def test_behind_the_last_page_stands_the_way_to_the_first(page):
    beyond = page.get(f"{TOPIC}?cat=cs.RO&page=7").text

    assert "has 37 papers that fit these filters, on 2 pages." in text(beyond)
    assert f'<a href="{TOPIC}?cat=cs.RO">RL for LLM Agents</a>' in beyond


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?words=withdrawn", 1),
        ("?words=three+hundred", 1),
        ("?words=told&title=1", 1),
        ("?cat=cs.RO", 37),
        ("?cat=hep-th", 0),
        ("?sort=score", 114),
    ],
)
def test_a_filter_leaves_the_papers_that_it_names(page, query, count):
    words = text(page.get(TOPIC + query).text)

    assert f"Latest papers {count} " in words


def test_filters_stay_in_every_link(page):
    html = page.get(f"{TOPIC}?cat=cs.AI&sort=score&view=compact").text

    assert "?cat=cs.AI&amp;sort=score&amp;view=compact&amp;page=2" in html
    assert "<option selected>cs.AI</option>" in html


def test_the_compact_view_is_a_list_beside_a_reading_pane(page):
    html = page.get(f"{TOPIC}?view=compact").text

    assert html.count('href="#p-2') == 30
    assert html.count('<article class="card" id="p-2') == 30


def test_the_glossary_line_spells_out_abbreviations(page, library):
    glossary = library.house.language.glossary("RL for LLM Agents")
    line = " · ".join(f"{short}: {long}" for short, long in glossary)

    assert line in text(page.get(TOPIC).text)


def test_what_is_said_on_a_page_has_its_thousands_by_thin_spaces():
    said = line_to_html(line("1,374 papers; have them by ", Code("topic 1,374"), "."))

    assert said == "1\u2009374 papers; have them by <code>topic 1,374</code>."


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/topics/rl-for-llm-agent-training", 404, "Near it RL for LLM Agents"),
        ("/topics/basket-weaving", 404, "Make this a topic"),
        ("/topics/%00", 404, "No such topic"),
        ("/topics/<script>", 404, "No such topic"),
        ("/topics/..%2f..%2fetc%2fpasswd", 404, "No such"),
        ("/topics/" + "a" * 5000, 404, "No such topic"),
        (TOPIC + "?page=-1", 400, "There is no page “-1”; pages count from 1."),
        (TOPIC + "?page=x", 400, "There is no page “x”"),
        (
            TOPIC + "?page=9",
            404,
            "There is no page 9 RL for LLM Agents has 114 papers, on 4 pages.",
        ),
        (TOPIC + "?page=99999999999999999999", 400, "There is no page"),
        (TOPIC + "?sort=random", 400, "it may be new or score"),
        (TOPIC + "?view=3d", 400, "it may be cards or compact"),
        (TOPIC + "?cat=cs.LG'--", 400, "they look like cs.LG"),
        (TOPIC + "?words=" + "a" * 500, 400, "200 characters are enough"),
        (TOPIC + "/ask", 400, "Ask a question"),
        (TOPIC + "/ask?q=" + "why+" * 2500, 400, "characters; 500 are read"),
        ("/papers/9999.99999", 404, "is not stored here"),
        ("/papers/nonsense", 404, "is not stored here"),
        ("/nowhere", 404, "There is nothing at /nowhere."),
        ("/search?q=" + "a" * 2000, 400, "1,000 are read"),
        ("/search?q=(((", 400, ""),
        ("/static/x/../../../etc/passwd", 404, ""),
        ("/static/x/base.html.j2", 404, ""),
    ],
)
def test_odd_addresses_get_a_clear_page(page, path, status, words):
    answer = page.get(path)

    assert answer.status_code == status
    assert words in text(answer.text)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", ["/", TOPIC, f"{TOPIC}?page=2", "/search?q=reinforcement"])
def test_links_stand_apart_where_no_style_is_drawn(page, path):
    assert "</a><a" not in page.get(path).text


@pytest.mark.parametrize("path", ["/topics/Agent%20RL", "/topics/agent-rl"])
def test_an_older_name_leads_to_the_topic(page, path):
    answer = page.get(path)

    assert (answer.status_code, answer.headers["Location"]) == (301, TOPIC)


def test_an_older_name_keeps_what_was_asked_of_it(page):
    answer = page.get("/topics/RL-for-LLM-Agents?view=compact&page=2")

    assert answer.headers["Location"] == f"{TOPIC}?view=compact&page=2"


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        (f"{TOPIC}/?page=2", f"{TOPIC}?page=2"),
        ("/search/?q=a%26b", "/search?q=a%26b"),
        ("//evil.example/", "/evil.example"),
        ("/%2F%2Fevil.example/", "/evil.example"),
        ("/%5Cevil.example/", "/%5Cevil.example"),
    ],
)
def test_a_slash_too_many_leads_to_the_page_on_this_very_site(page, path, leads_to):
    answer = page.get(f"http://testserver{path}", headers={"Host": "evil.example"})

    assert answer.status_code == 307
    assert answer.headers["Location"] == leads_to


def test_what_papers_hold_never_becomes_markup(page):
    html = page.get(TOPIC).text + page.get("/papers/2610.90001").text

    assert "<script>alert" not in html
    assert "<b>Bold</b>" not in html
    assert "Sparse &lt;attention&gt; &amp; &#34;you&#34; – {0} %s" in html


# -------------------------------------------------------------------- index


def test_the_index_groups_topics_by_what_happens_to_them(page):
    words = text(page.get("/").text)

    assert re.search(r"Heating up on the four weeks before RL for LLM Agents \S+ 52 up 86 %", words)
    assert re.search(r"Emerging hardly there six weeks ago World Models", words)
    assert re.search(
        r"Cooling on the four weeks before KV-Cache Compression \S+ 15 down 29 %", words
    )
    assert "By field Agents Paper Folding" in words


def test_pages_say_when_arxiv_was_read_last_and_that_it_is_silent(tmp_path):
    now = [invented.NOW]
    core = open_core(tmp_path / "silent.db", lambda: now[0])
    fill(core, invented.TOPICS, list(invented.papers())[:20])
    page = TestClient(web.create(core, stale_s=0))
    assert "Last look" not in page.get("/").text, "nothing was polled so far"

    core.house.store.ledger.record("poll", "arxiv", now[0], Outcome.NOTHING_NEW)
    day = f"{now[0]:%a} {now[0].day} {now[0]:%b %H:%M}"
    assert f"Last look at arXiv: {day} UTC" in text(page.get("/").text)
    assert "could not be read" not in page.get("/").text

    now[0] += timedelta(days=10)
    for address in ("/", f"/topics/{invented.TOPICS[0].slug}"):
        assert "arXiv could not be read since" in text(page.get(address).text)
    assert f"Last look at arXiv: {day} UTC" in text(page.get("/").text)
    core.house.store.close()


def test_a_topic_is_found_by_its_name_or_alias(page):
    assert "1 topic for “eviction”." in text(page.get("/?q=eviction").text)
    assert "Search the papers for it" in text(page.get("/?q=basket").text)


def test_peoples_own_topics_show_only_where_allowed(library, tmp_path):
    core = open_core(tmp_path / "own.db", lambda: invented.NOW)
    fill(core, invented.TOPICS, list(invented.papers())[:20])
    core.execute(Actor(Identity("console", "", "me")), 'follow "late reward"')
    [own] = [t for t in core.house.store.topics.all() if t.origin == "own"]

    wishes = replace(core.house.wishes, own_topics=True)

    hidden = TestClient(web.create(core))
    shown = TestClient(web.create(Core(replace(core.house, wishes=wishes))))

    assert hidden.get(f"/topics/{own.slug}").status_code == 404
    assert "late reward" not in hidden.get("/").text
    assert shown.get(f"/topics/{own.slug}").status_code == 200
    assert "People’s own" in shown.get("/").text
    core.house.store.close()


# ------------------------------------------------------------ paper, search


def test_a_paper_has_its_topics_reasons_versions_and_relatives(page):
    html = page.get("/papers/2606.00002").text
    words = text(html)

    assert "RL for LLM Agents" in words
    assert "Why" in words
    assert "https://arxiv.org/abs/2606.00002v3" in html
    assert 'href="/papers/2606.00002.bib"' in html
    assert html.count('<span class="title" dir="auto">') == 6


def test_a_paper_is_found_by_a_versioned_number(page):
    assert page.get("/papers/2606.00002v2").status_code == 200


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


def test_search_offers_topics_of_that_name(page):
    assert "Topics of that name KV-Cache Compression" in text(page.get("/search?q=kv+cache").text)


def test_saved_papers_travel_in_the_address(page):
    answer = page.get("/saved?ids=2610.90001,2606.00002,9999.99999,%3Cscript%3E,2610.90001")
    words = text(answer.text)

    assert "2 papers. This page’s address holds the list" in words
    assert "Not stored here: 9999.99999." in words
    assert "http://testserver/saved?ids=2610.90001,2606.00002" in answer.text


# ---------------------------------------------------------------------- ask


def test_a_long_list_is_shown_page_by_page_and_taken_along_whole(page, library):
    ids = [paper.arxiv_id for paper in library.house.store.papers.some(range(1, 71))]
    at = f"/saved?ids={','.join(ids)}"
    first, last = page.get(at).text, page.get(f"{at}&page=3").text

    assert "70 papers." in first
    assert "1–30 of 70" in first
    assert f'href="{escape(at)}&amp;page=2"' in first
    assert "61–70 of 70" in last
    assert page.get(at.replace("/saved", "/saved.bib")).text.count("@misc") == 70


def test_where_nothing_is_saved_the_page_says_in_whole_sentences_how_to(page):
    shown = page.get("/saved").text

    assert "Nothing saved yet." in shown
    assert "; press" not in shown
    assert "Press Save beside a paper" in shown


@pytest.mark.parametrize("path", ["/saved", "/saved.bib"])
def test_more_papers_than_an_address_holds_are_refused_and_not_dropped(page, path):
    answer = page.get(f"{path}?ids={','.join(f'2601.{n:05}' for n in range(501))}")

    assert answer.status_code == 400
    assert "names 501 papers, and 500 are read" in answer.text


def test_the_script_and_the_pages_agree_on_how_many_are_kept():
    assert f"const MOST = {MOST_SAVED};" in (STATIC / "paperround.js").read_text("utf-8")


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


# ------------------------------------------------------------------ manners


def test_pages_are_narrow_about_what_browsers_may_do(page):
    for path in ("/", TOPIC, "/nowhere", f"{TOPIC}.atom", "/static/x/paperround.js"):
        headers = page.get(path).headers

        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "set-cookie" not in headers


def test_no_page_asks_a_third_party_or_styles_inline(page):
    for path in ("/", TOPIC, f"{TOPIC}?view=compact", "/papers/2606.00002", "/search?q=agents"):
        html = page.get(path).text

        assert not re.findall(r"<(?:img|iframe|link|script)[^>]+(?:src|href)=\"https?:", html)
        assert " style=" not in html
        assert "<style" not in html
        assert not re.search(r"\son\w+=", html)


def test_a_page_of_thirty_papers_is_light(page):
    for query in ("", "?view=compact", "?page=2"):
        assert len(page.get(TOPIC + query).content) < 120_000


def test_static_files_may_be_kept_for_ever(page):
    html = page.get("/").text
    address = re.search(r'href="(/static/\w+/paperround\.css)"', html)[1]

    assert "immutable" in page.get(address).headers["Cache-Control"]


def test_https_is_remembered_only_where_it_is_served(library):
    links = Links("https://papers.example.org", bytes(32))
    published = Core(replace(library.house, links=links))
    plain = TestClient(web.create(library)).get("/").headers
    secure = TestClient(web.create(published)).get("/").headers

    assert "Strict-Transport-Security" not in plain
    assert "Strict-Transport-Security" in secure


def test_a_page_that_did_not_change_is_not_sent_again(page):
    mark = page.get(TOPIC).headers["ETag"]
    again = page.get(TOPIC, headers={"If-None-Match": mark})

    assert (again.status_code, again.content) == (304, b"")


def test_pages_are_squeezed_for_those_who_can(page):
    plain = page.get("/", headers={"Accept-Encoding": "identity"})
    squeezed = page.get("/")

    assert "Content-Encoding" not in plain.headers
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert squeezed.headers["ETag"] != plain.headers["ETag"]
    assert squeezed.text == plain.text
    assert page.get("/", headers={"If-None-Match": plain.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("accepted", "squeezed"),
    [
        ("gzip", True), ("GZIP", True), ("x-gzip", True), ("*", True), ("br, gzip;q=0.8", True),
        ("gzip;q=0", False), ("x-gzip;q=0, *", False), ("gzip;q=0.0, *;q=1", False),
        ("identity", False), ("gzip;q=odd", False), ("notgzip", False), ("", False),
    ],
)  # fmt: skip
def test_gzip_is_for_those_who_take_it(page, accepted, squeezed):
    answer = page.get(TOPIC, headers={"Accept-Encoding": accepted})

    assert ("Content-Encoding" in answer.headers) == squeezed


def test_whoever_has_any_copy_keeps_it(page):
    assert page.get(TOPIC, headers={"If-None-Match": "*"}).status_code == 304
    assert page.get("/topics/basket-weaving", headers={"If-None-Match": "*"}).status_code == 404


def test_the_same_answer_as_in_slack(page, library):
    question = "how many rounds are finished"
    reader = Actor(Identity.parse("slack:T1:U1"))
    reply = library.execute(reader, f"ask RL for LLM agents: {question}")
    words = text(page.get(f"{TOPIC}/ask?q={question}").text)

    assert reply.quotes
    assert all(f"“{said}”" in words for quote in reply.quotes for said in quote.sentences)
    assert library.house.store.people.find(reader.identity) is None


def test_head_is_answered(page):
    assert page.head(TOPIC).status_code == 200


def test_writing_to_a_reading_page_is_refused(page):
    assert page.post(TOPIC).status_code == 405


def test_a_public_page_limits_each_address(library):
    app = web.create(library, a_minute=5)
    here, there = (TestClient(app, client=(host, 1)) for host in ("192.0.2.1", "192.0.2.2"))

    assert [here.get("/search").status_code for _ in range(7)] == [200] * 5 + [429] * 2
    assert here.get("/search").headers["Retry-After"] == "60"
    assert here.get("/static/x/paperround.css").status_code == 200
    assert there.get("/search").status_code == 200


async def test_nor_does_one_address_keep_everybody_busy(library):
    gate = asyncio.Event()

    async def dear(request):
        await gate.wait()
        return PlainTextResponse("")

    app = web.create(library, routes=[Route("/dear", dear)], a_minute=1_000)
    here, there = (
        httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(host, 1)), base_url="http://x")
        for host in ("192.0.2.1", "192.0.2.2")
    )
    begun = [asyncio.create_task(here.get("/dear")) for _ in range(10)]
    await asyncio.sleep(0.1)

    assert (await asyncio.wait_for(here.get("/dear"), 20)).status_code == 429
    assert (await there.get("/robots.txt")).status_code == 200
    gate.set()
    assert {answer.status_code for answer in await asyncio.gather(*begun)} == {200}
    assert (await here.get("/dear")).status_code == 200


def test_a_browser_that_is_refused_gets_a_page_and_a_program_one_line(library):
    here = TestClient(web.create(library, a_minute=1))
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    wrong = here.post(TOPIC, headers=browser)
    often = here.get(TOPIC, headers=browser)

    assert "That cannot be done here This page can only be read. All topics" in text(wrong.text)
    assert "One minute, please Too many requests from this address;" in text(often.text)
    assert (often.status_code, often.headers["Retry-After"]) == (429, "60")
    assert "Content-Security-Policy" in often.headers
    assert here.get(TOPIC).text == (
        "Too many requests from this address; wait a minute and go on.\n"
    )


def test_addresses_of_ipv4_are_counted_one_by_one_where_both_are_listened_on(library):
    app = web.create(library, a_minute=5)
    here, there, again = (
        TestClient(app, client=(host, 1))
        for host in ("::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1")
    )
    answers = [here.get("/").status_code for _ in range(6)]

    assert answers[-1] == 429
    assert there.get("/").status_code == 200
    assert again.get("/").status_code == 429, "the same one, whichever way it is written"


def test_a_fault_of_ours_says_nothing_of_itself(library, monkeypatch):
    app = web.create(library)
    client = TestClient(app, raise_server_exceptions=False)
    monkeypatch.setattr("bot.web.views.Library.rows", lambda self: 1 / 0)

    answer = client.get("/?q=x")

    assert answer.status_code == 500
    assert "Something failed here" in answer.text
    assert "division" not in answer.text


odd = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ['"', "(", ")", "AND", "NOT", "-", "*", ":", "cat:", "a", "agent", "\0", "🙂"]
        ),
        max_size=12,
    ).map(" ".join),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(odd)
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


def test_crawlers_are_asked_to_leave_searches_and_questions_alone(page):
    """Each is work of its own, and there is no end of them; topics, papers and feeds are open."""
    rules = page.get("/robots.txt").text.splitlines()
    shut = [line.removeprefix("Disallow: ") for line in rules if line.startswith("Disallow")]
    closed = re.compile("|".join(re.escape(each).replace(r"\*", ".*") for each in shut))

    assert rules[0] == "User-agent: *"
    for path in ("/search?q=tides", f"{TOPIC}/ask?q=why", "/papers/2606.00002/ask?q=why"):
        assert closed.match(path), path
    for path in ("/", TOPIC, "/papers/2606.00002", f"{TOPIC}.atom", "/search.atom?q=tides"):
        assert not closed.match(path), path
