"""The pages as a browser without JavaScript gets them."""

import re
from dataclasses import replace
from datetime import timedelta
from html import escape

import pytest
from starlette.testclient import TestClient

from bot import web
from bot.core import Actor, Core
from bot.core.reply import Code, line
from bot.model import Identity
from bot.store import Outcome
from bot.web.door import MOST_SAVED
from bot.web.rendering import STATIC, line_to_html
from tests.web import invented
from tests.web.invented import TOPIC
from tests.web.opened import fill, open_core, text


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


def test_saved_papers_travel_in_the_address(page):
    answer = page.get("/saved?ids=2610.90001,2606.00002,9999.99999,%3Cscript%3E,2610.90001")
    words = text(answer.text)

    assert "2 papers. This page’s address holds the list" in words
    assert "Not stored here: 9999.99999." in words
    assert "http://testserver/saved?ids=2610.90001,2606.00002" in answer.text


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
