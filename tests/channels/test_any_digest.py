"""Whatever a digest holds, its mail keeps its form."""

import unicodedata
from datetime import UTC, datetime
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.email.message import quoted_printable
from bot.digest import Action, Digest, Entry, Section, Tag
from bot.digest.reading import as_text
from bot.model import Author, Paper
from tests.channels import days
from tests.channels.decoded import digest_html
from tests.channels.test_email_bytes import raw, read

anything = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["", "\r\n.\r\n", "<script>", "{{ 7*7 }}", "\ud800", "\x00\x1b[31m", "a" * 900, "=?utf-8?q?x?="]
)
links = st.sampled_from(["", "https://d.example/l/x", "javascript:alert(1)", 'https://d.example/"'])
instants = st.integers(680_000_000, 4_000_000_000).map(lambda s: datetime.fromtimestamp(s, UTC))
actions = st.builds(Action, anything, anything, links)
tags = st.builds(Tag, anything, anything, links)
papers = st.builds(
    Paper,
    arxiv_id=st.sampled_from(["2611.00001", "math/0611800", "sample/1"]),
    version=st.integers(1, 40),
    title=anything,
    abstract=anything,
    authors=st.lists(
        st.builds(Author, anything, st.lists(anything, max_size=3).map(tuple)), max_size=3
    ).map(tuple),
    categories=st.lists(anything, max_size=3).map(tuple),
    submitted_at=instants,
    updated_at=instants,
    withdrawn=st.booleans(),
)
entries = st.builds(
    Entry,
    papers,
    st.lists(tags, min_size=1, max_size=3).map(tuple),
    anything,
    st.floats(0, 1),
    st.lists(actions, max_size=2).map(tuple),
)
sections = st.builds(
    Section,
    tags,
    st.lists(entries, min_size=1, max_size=2).map(tuple),
    st.sampled_from([None, days.momentum(), days.momentum(0, 0), days.momentum(5, 0)]),
    st.lists(actions, max_size=2).map(tuple),
)
digests = st.builds(
    Digest,
    key=st.just("d1.20261130.0"),
    title=anything,
    preheader=anything,
    channel=st.just("email"),
    address=st.just("ada@example.org"),
    due_at=instants,
    zone=st.sampled_from(["UTC", "Pacific/Kiritimati", "Europe/Berlin"]),
    cadence=anything,
    sections=st.lists(sections, min_size=1, max_size=2).map(tuple),
    notes=st.lists(anything, max_size=3).map(tuple),
    muted=st.lists(anything, max_size=3).map(tuple),
    actions=st.lists(actions, max_size=4).map(tuple),
    list_id=st.sampled_from(["", "d1"]),
    sample=st.booleans(),
)


class Tags(HTMLParser):
    """What a browser would act on: elements and where links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.leads_to: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.leads_to |= {value or "" for name, value in attrs if name == "href"}
        assert not any(name.startswith("on") for name, _ in attrs)


@settings(max_examples=25, deadline=None)
@given(digests)
def test_its_mail_is_well_formed_short_lined_and_harmless(digest):
    content = raw(digest)
    message = read(content)
    text, html = message.iter_parts()
    page = Tags(html.get_content())

    assert message.defects == text.defects == html.defects == []
    assert content.isascii()
    assert all(len(line) <= 76 for line in content.split(b"\r\n") if not line.startswith(b"List-"))
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert message["Bcc"] is message["Cc"] is None
    assert not page.seen & {"script", "img", "iframe", "form", "object", "link", "base"}
    assert all(link.startswith(("https://", "http://")) for link in page.leads_to)


@settings(max_examples=15, deadline=None)
@given(digests, st.integers(9_000, 40_000))
def test_it_never_outgrows_a_limit_that_one_section_fits_in(digest, limit):
    html = digest_html(digest, limit)
    least = digest_html(digest, 0)

    assert len(quoted_printable(html)) <= max(limit, len(quoted_printable(least)))


@settings(max_examples=15, deadline=None)
@given(digests)
def test_its_text_names_every_paper_and_nothing_invisible(digest):
    text = as_text(digest)

    assert all(entry.paper.url in text for entry in digest.entries)
    assert {unicodedata.category(c) for c in text.replace("\n", "")} & {"Cc", "Cs"} == set()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(40_000, 80_000))
def test_something_of_every_topic_is_shown_and_what_is_left_is_counted(sizes, limit):
    papers = iter(range(10_000))
    sections_ = [
        days.section(f"Topic {n}", [days.invented(next(papers)) for _ in range(size)])
        for n, size in enumerate(sizes)
    ]
    html = digest_html(days.day(*sections_), limit)

    assert len(quoted_printable(html)) <= limit
    for each in sections_:
        shown = sum(f'"{entry.paper.url}"' in html for entry in each.entries)
        left = len(each.entries) - shown
        assert shown
        assert f'href="{each.tag.url}"' in html
        assert not left or f">{left} more on its page<" in html
