"""Feeds and exports, read back by other people's parsers."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from io import StringIO
from pathlib import Path

import feedparser
import pytest
import rispy
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pybtex.database import parse_string
from starlette.testclient import TestClient

from bot import web
from bot.model import Author, Sighting
from bot.web.files import export
from bot.web.files.atom import atom
from tests.makers import MONDAY, paper
from tests.web import invented
from tests.web.opened import open_core

TOPIC = "/topics/rl-for-llm-agents"
ATOM = "{http://www.w3.org/2005/Atom}"

UGLY = paper(
    "2611.00007",
    'Sparse <attention> & 50 % of "you" – {0} $x_1$ \\ ~ ^ #7',
    abstract="A line.\nAnother & <b>line</b> with {braces} and 5 % _under_ $\\alpha$.",
    authors=("Ludwig van der Berg", "The ATLAS Collaboration", "Émilie du Châtelet", "Plato",
             "Simon and Garfunkel", "Sammy Davis, Jr."),
    comment="=cmd|' /C calc'!A0",
    doi="10.1000/x_y",
)  # fmt: skip


# --------------------------------------------------------------------- Atom


def test_a_topic_is_a_valid_feed(page):
    answer = page.get(f"{TOPIC}.atom")
    feed = feedparser.parse(answer.content)

    assert not feed.bozo
    assert feed.version == "atom10"
    assert feed.feed.title == "RL for LLM Agents"
    assert feed.feed.id == f"http://testserver{TOPIC}.atom"
    assert len(feed.entries) == 50
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"


@pytest.mark.parametrize(
    "path", [f"{TOPIC}.atom", "/topics/paper-folding.atom", "/search.atom?q=reinforcement"]
)
def test_a_feed_fits_the_grammar_of_rfc_4287(page, path):
    grammar = etree.RelaxNG(etree.parse(Path(__file__).with_name("atom.rng")))

    grammar.assertValid(etree.fromstring(page.get(path).content))


def test_every_entry_has_what_rfc_4287_demands(page):
    root = etree.fromstring(page.get(f"{TOPIC}.atom").content)

    for element in (root, *root.iter(f"{ATOM}entry")):
        names = [child.tag.removeprefix(ATOM) for child in element]
        assert [names.count(n) for n in ("id", "title", "updated")] == [1, 1, 1]
        for updated in element.iterfind(f"{ATOM}updated"):
            assert datetime.fromisoformat(updated.text).tzinfo is UTC
        assert "author" in names
        assert "alternate" in [link.get("rel") for link in element.iterfind(f"{ATOM}link")]
    ids = [entry.findtext(f"{ATOM}id") for entry in root.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    assert all(i.startswith("https://arxiv.org/abs/") for i in ids)


def test_a_feed_is_sent_once(page):
    first = page.get(f"{TOPIC}.atom")
    again = page.get(f"{TOPIC}.atom", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert parsedate_to_datetime(first.headers["Last-Modified"]).tzinfo
    since = {"If-Modified-Since": first.headers["Last-Modified"]}
    assert page.get(f"{TOPIC}.atom", headers=since).status_code == 304


def test_any_query_is_a_feed(page):
    feed = feedparser.parse(page.get('/search.atom?q="world model"').content)

    assert not feed.bozo
    assert feed.entries[0].title.endswith("orchards") or "World Model" in feed.entries[0].title
    assert page.get("/search.atom").status_code == 400
    assert page.get("/search.atom?q=(((").status_code == 400
    assert page.get("/search.atom", params={"q": "world " * 200}).status_code == 400


def test_a_filtered_topic_is_a_feed(page):
    feed = feedparser.parse(page.get(f"{TOPIC}.atom?cat=cs.RO").content)

    assert len(feed.entries) == 37
    assert feed.feed.id.endswith("?cat=cs.RO")


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        (f"{TOPIC}.atom?utm_source=%3Cx%3E&fbclid=abc", f"{TOPIC}.atom"),
        (f"{TOPIC}.atom?page=2&view=compact", f"{TOPIC}.atom"),
        ("/topics/RL%20for%20LLM%20agents.atom", f"{TOPIC}.atom"),
        (f"{TOPIC}.atom?from=x&cat=cs.RO&words=", f"{TOPIC}.atom?cat=cs.RO"),
        ("/search.atom?a=1&q=world++model", "/search.atom?q=world%20model"),
        ("/saved.atom?x=y&ids=2610.90001,nonsense", "/saved.atom?ids=2610.90001"),
        ("/papers/2606.00002v1.atom?utm_source=x", "/papers/2606.00002.atom"),
    ],
)
def test_a_feed_is_the_same_whatever_a_stranger_wrote_behind_its_address(page, asked, own):
    strange, usual = (feedparser.parse(page.get(each).content).feed for each in (asked, own))

    assert strange.id == usual.id == f"http://testserver{own}"
    assert [each.href for each in usual.links if each.rel == "self"] == [usual.id]
    asked, own = asked.replace(".atom", ".json"), own.replace(".atom", ".json")
    assert json.loads(page.get(asked).text)["feed_url"] == f"http://testserver{own}"


def test_a_feed_without_papers_is_valid(page):
    feed = feedparser.parse(page.get("/topics/paper-folding.atom").content)

    assert not feed.bozo
    assert feed.feed.updated == "2026-10-08T00:00:00Z"


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_title_breaks_a_feed(title, abstract):
    raw = atom(
        [paper(title=title, abstract=abstract)], title=title, home="http://a.example/",
        feed="http://a.example/f", tags={}, empty_at=MONDAY,
    )  # fmt: skip

    assert etree.fromstring(raw).tag == f"{ATOM}feed"


# ------------------------------------------------------------------ exports


def read(bib: str):
    """The entries as a strict reader has them.  Raises where BibTeX would stop."""
    return parse_string(bib, "bibtex").entries


def test_bibtex_is_read_back():
    [(key, entry)] = read(export.bibtex([UGLY])).items()

    first, group, *_ = entry.persons["author"]
    assert key == "vanderberg2026sparse"
    assert entry.fields["eprint"] == "2611.00007"
    assert entry.fields["archivePrefix"] == "arXiv"
    assert entry.fields["primaryClass"] == "cs.LG"
    assert (entry.fields["year"], entry.fields["month"]) == ("2026", "November")
    assert entry.fields["doi"] == UGLY.doi
    assert entry.fields["abstract"].startswith("A line. Another")
    assert r"50 \% of" in entry.fields["title"]
    assert r"\textbraceleft{}0\textbraceright{}" in entry.fields["title"]
    assert (first.first_names, first.prelast_names) == (["Ludwig"], ["van", "der"])
    assert group.last_names == ["{The ATLAS Collaboration}"]


@pytest.mark.parametrize(
    ("title", "author", "key"),
    [
        ("Ørsted’s Needle", "Łukasz Nießner", "niessner2026orsteds"),
        ("Østergård Maps", "Magnus Kjær", "kjaer2026ostergard"),
    ],
)
def test_a_key_of_bibtex_keeps_every_letter_of_a_name(title, author, key):
    assert list(read(export.bibtex([paper(title=title, authors=(author,))]))) == [key]


@pytest.mark.parametrize("odd", ["6x faster}.", "{open", "}{", "\\{", "\\}", "a\\"])
def test_a_brace_without_its_partner_takes_no_other_paper_along(odd):
    broken = paper("2611.00001", odd, abstract=odd, authors=(f"Ada {odd}",), comment=odd)
    whole = paper("2611.00002", "The next one")

    entries = read(export.bibtex([broken, whole])).values()

    assert [entry.fields["eprint"] for entry in entries] == ["2611.00001", "2611.00002"]


def test_bibtex_keys_are_unlike(page):
    assert len(read(page.get(f"{TOPIC}.bib").text)) == 114


def test_ris_is_read_back():
    [record] = rispy.loads(export.ris([UGLY]))

    assert record["title"] == " ".join(UGLY.title.split())
    assert record["authors"] == [
        "van der Berg, Ludwig", "The ATLAS Collaboration", "du Châtelet, Émilie", "Plato",
        "Simon and Garfunkel", "Davis Jr., Sammy",
    ]  # fmt: skip
    assert record["urls"] == ["https://arxiv.org/abs/2611.00007"]
    assert record["year"] == "2026"


def test_every_paper_of_a_topic_is_in_its_files(page):
    assert len(rispy.loads(page.get(f"{TOPIC}.ris").text)) == 114
    assert (
        len(list(csv.DictReader(StringIO(page.get(f"{TOPIC}.csv").text.lstrip("\ufeff"))))) == 114
    )
    assert len(json.loads(page.get(f"{TOPIC}.json").text)["items"]) == 114


def test_csv_holds_nothing_that_a_spreadsheet_computes():
    [row] = csv.DictReader(StringIO(export.table([UGLY]).lstrip("\ufeff")))

    assert row["comment"].startswith("'=cmd")
    assert row["title"] == UGLY.title


def test_json_is_a_json_feed(page):
    feed = json.loads(page.get(f"{TOPIC}.json").text)

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["items"][0]["_arxiv"]["categories"]
    assert all(item["id"] and item["content_text"] for item in feed["items"])


def test_a_json_feed_holds_all_that_is_known_of_a_paper():
    whole = replace(UGLY, authors=(Author("Ada", ("Paris",)), Author("Plato")),
                    code_url="https://github.com/a/b", journal_ref="J. 7")  # fmt: skip
    about = {"title": "T", "home": "http://a.example", "feed": "http://a.example/f"}
    [item] = json.loads(export.json_feed([whole], **about, tags={whole.arxiv_id: ["Tides"]}))[
        "items"
    ]

    assert item == {
        "id": whole.url, "url": whole.url, "title": whole.title, "tags": ["Tides"],
        "content_text": whole.abstract, "authors": [{"name": "Ada"}, {"name": "Plato"}],
        "date_published": "2026-11-23T12:00:00+00:00",
        "date_modified": "2026-11-23T12:00:00+00:00",
        "_arxiv": {
            "id": "2611.00007", "version": 1, "categories": ["cs.LG"], "pdf": whole.pdf_url,
            "code": "https://github.com/a/b", "doi": "10.1000/x_y", "journal_ref": "J. 7",
            "comment": whole.comment, "withdrawn": False, "affiliations": {"Ada": ["Paris"]},
        },
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["bib", "ris", "csv", "json", "atom"])
def test_saved_and_single_papers_are_taken_along(page, kind):
    saved = page.get(f"/saved.{kind}?ids=2610.90001,2606.00002")
    single = page.get(f"/papers/2606.00002.{kind}")

    assert saved.status_code == single.status_code == 200
    for answer, name in ((saved, "saved"), (single, "2606.00002")):
        disposition = answer.headers.get("Content-Disposition")
        whole = kind in ("atom", "json")
        assert disposition == (None if whole else f'attachment; filename="{name}.{kind}"')
    assert "2610.90001" in saved.text
    assert "2606.00002" in single.text


ugly_words = st.text(st.characters() | st.sampled_from('{}\\$%@,#"'), max_size=50)


@given(ugly_words, st.lists(ugly_words, max_size=3))
def test_no_title_or_name_breaks_an_export(title, authors):
    ugly = paper(title=title, abstract=title, comment=title, authors=tuple(authors))
    bib = export.bibtex([ugly])

    assert bib.count("{") == bib.count("}")
    assert len(read(bib)) == 1
    assert export.ris([ugly]).count("\nER  - ") == 1
    assert len(list(csv.reader(StringIO(export.table([ugly]))))) == 2


def test_bibtex_keeps_a_suffix_and_what_stands_before_a_comma():
    names = ("Martin Luther King Jr.", "Ó Súilleabháin, Seán", "Ada Lovelace")
    [entry] = read(export.bibtex([paper("2611.00001", "A", authors=names)])).values()

    king, sean, _ = entry.persons["author"]
    assert (king.last_names, king.lineage_names) == (["King"], ["Jr."])
    assert (sean.last_names, sean.first_names) == (["Ó", "Súilleabháin"], ["Seán"])


def test_an_institute_has_no_family_name_and_somebody_called_ai_has():
    names = ("Xiaomi LLM Research", "Clark Labs Inc", "Yuang Ai", "The Anh Han")
    papers = [paper("2611.00001", "A", authors=names)]
    [entry] = read(export.bibtex(papers)).values()

    assert [" ".join(each.last_names) for each in entry.persons["author"]] == [
        "{Xiaomi LLM Research}", "{Clark Labs Inc}", "Ai", "Han",
    ]  # fmt: skip
    assert "AU  - Xiaomi LLM Research\nAU  - Clark Labs Inc\nAU  - Ai, Yuang" in export.ris(papers)


def test_a_doi_is_an_address_and_stays_one():
    doi = "10.1007/978-3-031_2{3"
    [entry] = read(export.bibtex([paper("2611.00001", "A", doi=doi)])).values()

    assert entry.fields["doi"] == "10.1007/978-3-031_2%7B3"


def test_bibtex_writes_mathematics_as_latex_and_leaves_letters():
    """Of Unicode, pdfLaTeX sets the letters of names and the signs of text, and no more."""
    title = "Étale α-β² over ℝ → ∞, 日本"
    [entry] = read(export.bibtex([paper("2611.00001", title)])).values()

    said = r"Étale \ensuremath{\alpha}-\ensuremath{\beta}² over \ensuremath{\mathbb{R}} → "
    assert entry.fields["title"] == f"{{{said}\\ensuremath{{\\infty}}, 日本}}"


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({"journal_ref": "J. Tides 7", "comment": "9 pages"}, "J. Tides 7"),
        ({"comment": "9 pages"}, "9 pages"),
        ({}, None),
    ],
)
def test_bibtex_names_the_journal_else_what_the_authors_remark(more, note):
    [entry] = read(export.bibtex([paper("2611.00001", "A", **more)])).values()

    assert entry.fields.get("note") == note


def test_ris_names_the_journal():
    assert "N1  - J. Tides 7" in export.ris([paper("2611.00001", "A", journal_ref="J. Tides 7")])


def test_csv_says_to_excel_that_it_is_utf_8():
    assert export.table([UGLY]).encode().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("looked_at", [20, 4_000])
def test_a_feed_of_a_query_misses_no_paper_that_came_late(tmp_path, monkeypatch, looked_at):
    """Though arXiv held it so long that it is older than all that such a query looks at."""
    monkeypatch.setattr("bot.web.searching.SEARCHED", looked_at)
    core = open_core(tmp_path / "paperround.db", lambda: invented.NOW)
    core.learn_catalogue(list(invented.TOPICS))
    week, now = invented.NOW - timedelta(days=7), invented.NOW
    usual = [paper(f"2610.{n:05}", "Reinforcement", submitted_at=week) for n in range(60)]
    held = paper("2608.00007", "Reinforcement", submitted_at=week - timedelta(days=40))
    past = paper("2607.00001", "Reinforcement", submitted_at=week - timedelta(days=90))
    core.house.store.papers.add([Sighting(p) for p in usual], week)
    core.house.store.papers.add([Sighting(held)], now)
    core.house.store.papers.add([Sighting(past)], now, backfilled=True)
    page = TestClient(web.create(core))

    for query in ("reinforcement", "cat:cs.LG"):
        found = feedparser.parse(page.get(f"/search.atom?q={query}").content).entries
        assert found[0].id.endswith("2608.00007")
        assert not [each for each in found if each.id.endswith("2607.00001")]
    core.house.store.close()


@pytest.mark.parametrize("read", [timedelta(days=90), timedelta()])
def test_a_past_that_was_read_afterwards_is_older_than_the_news(tmp_path, read):
    core = open_core(tmp_path / "paperround.db", lambda: invented.NOW)
    core.learn_catalogue(list(invented.TOPICS))
    day = invented.NOW - timedelta(days=90)
    found = [
        paper(f"2610.{n:05}", "Reinforcement", submitted_at=day - timedelta(days=n))
        for n in range(60)
    ]
    core.house.store.papers.add([Sighting(p) for p in found], invented.NOW - read, backfilled=True)
    page = TestClient(web.create(core))

    [first, *_] = feedparser.parse(page.get("/search.atom?q=reinforcement").content).entries
    assert first.id.endswith("2610.00000")
    assert "2610.00000" in page.get("/search?q=reinforcement").text
    assert "2610.00059" not in page.get("/search?q=reinforcement").text
    core.house.store.close()


def test_the_authors_of_a_collaboration_fit_into_a_cell():
    names = [f"Lovelace-Hopper {n}" for n in range(3_303)]
    [row] = csv.DictReader(StringIO(export.table([paper(authors=names)]).lstrip("\ufeff")))
    *shown, last = row["authors"].split("; ")

    assert 31_900 < len(row["authors"]) <= 32_000
    assert shown == names[: len(shown)]
    assert last == f"and {3_303 - len(shown)} others"
