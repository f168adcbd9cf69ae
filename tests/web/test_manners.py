"""Pages are light, private and polite: to browsers, to programs, and to whoever asks too often."""

import asyncio
import re
from dataclasses import replace

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from bot import web
from bot.core import Actor, Core
from bot.links import Links
from bot.model import Identity
from tests.web.invented import TOPIC
from tests.web.opened import text


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
