"""A digest as Slack messages: within every limit, complete, and literal."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.block_kit.shapes import message_faults
from bot.channels import Page
from bot.channels.slack import pages as slack_pages
from bot.digest import Action, Digest, Entry, Notice, Section, Tag, shortened
from tests.makers import MONDAY, digest, entry, paper

AGENTS = Tag("RL for LLM Agents", "rl-for-llm-agents")
CACHE = Tag("KV-Cache Compression", "kv-cache-compression")


def found(n: int, tag: Tag = AGENTS, *also: Tag, **more) -> Entry:
    number = f"2611.{n:05d}"
    title = more.pop("title", f"Credit for what an agent did an hour ago, part {n}")
    return Entry(
        paper(number, title, submitted_at=MONDAY - timedelta(hours=n), **more),
        (tag, *also),
        "title: “credit”; LLM agents ×4",
        0.9 - n / 1000,
        (Action("Save", f"save {number}"), Action("Not for me", f"not-for-me {number}")),
    )


def section(tag: Tag, count: int, first: int = 1, **more) -> Section:
    mute = (Action("Mute 2 weeks", f"mute {tag.slug} for 2w"), Action("Open", f"topic {tag.slug}"))
    papers = tuple(found(n, tag, **more) for n in range(first, first + count))
    return Section(tag, papers, actions=mute)


def slack_digest(*sections: Section, address: str = "T1:D1", **more) -> Digest:
    return digest(
        *sections,
        channel="slack",
        address=address,
        title="12 new: RL for LLM Agents, KV-Cache Compression",
        actions=(Action("Change", "settings"), Action("Mute all", "mute all for 1w")),
        **more,
    )


def read(page: Page) -> dict:
    return json.loads(page.content)


def titles(page: Page) -> list[str]:
    return [
        leaf["text"]
        for block in read(page)["blocks"]
        if block["type"] == "rich_text"
        for leaf in block["elements"][0]["elements"]
        if leaf["type"] == "link"
    ]


MONDAYS = slack_digest(
    Section(
        AGENTS,
        (
            found(1, AGENTS, CACHE, title="Segments < & > *stars* :smile: <!channel> <@U1>"),
            found(2, authors=("Ada", "Bea", "Cid", "Dot", "Eve")),
            *(found(n) for n in range(3, 8)),
        ),
        actions=(Action("Mute 2 weeks", "mute rl-for-llm-agents for 2w"),),
    ),
    section(CACHE, 5, first=20),
    notes=("World Models is back. 31 passed while it was muted.",),
    asides=(Action("Show World Models", "passed world-models"),),
    muted=("muted until 14 Dec: Diffusion Models",),
)


def test_a_direct_message_offers_the_rest_behind_a_button(golden):
    pages = slack_pages.pages(MONDAYS, conversation=False)

    assert [page.offered for page in pages] == [False, True]
    golden("slack/digest_direct.json", pretty(pages))


def test_a_conversation_gets_the_rest_in_a_thread(golden):
    pages = slack_pages.pages(MONDAYS, conversation=True)

    assert not any(page.offered for page in pages)
    golden("slack/digest_conversation.json", pretty(pages))


@pytest.mark.parametrize(("papers", "label"), [(30, "Next 10"), (7, "Next 2"), (6, "The last one")])
def test_a_button_says_how_many_come_next_and_which_page_of_which_digest(papers, label):
    first = read(slack_pages.pages(slack_digest(section(AGENTS, papers)), conversation=False)[0])
    row = [b for b in first["blocks"] if b["type"] == "actions"][-1]["elements"]

    assert (row[0]["text"]["text"], row[0]["value"]) == (label, "more d1.20261130.0 1")


def test_a_title_is_literal():
    page = slack_pages.pages(MONDAYS, conversation=False)[0]

    assert titles(page)[0] == "Segments < & > *stars* :smile: <!channel> <@U1>"
    assert "&lt;!channel&gt;" in read(page)["text"]


@pytest.mark.parametrize("conversation", [True, False])
def test_fifty_papers_are_all_there_once_within_the_limits(conversation):
    pages = slack_pages.pages(
        slack_digest(section(AGENTS, 25), section(CACHE, 25, first=100)), conversation=conversation
    )

    shown = [title for page in pages for title in titles(page)]
    assert len(shown) == len(set(shown)) == 50
    assert [len(titles(page)) for page in pages] == [5, 10, 10, 10, 10, 5]
    assert [message_faults(read(page)) for page in pages] == [()] * len(pages)


def test_the_plain_reading_holds_every_paper_of_its_page():
    for page in slack_pages.pages(slack_digest(section(AGENTS, 30)), conversation=True):
        message = read(page)
        assert all(title in message["text"] for title in titles(page))


def test_the_same_digest_gives_the_same_bytes():
    assert slack_pages.pages(MONDAYS, conversation=True) == slack_pages.pages(
        MONDAYS, conversation=True
    )


def test_a_sample_says_so():
    page = slack_pages.pages(slack_digest(section(AGENTS, 1), sample=True), conversation=False)[0]

    assert "these papers are invented" in page.content.decode()


def test_a_long_page_moves_papers_on_instead_of_dropping_them():
    wordy = section(AGENTS, 30, title="word " * 60, authors=("N" * 80,) * 9)
    pages = slack_pages.pages(slack_digest(wordy), conversation=True)

    assert sum(len(titles(page)) for page in pages) == 30
    assert [message_faults(read(page)) for page in pages] == [()] * len(pages)


def test_a_notice_is_one_message(golden):
    notice = Notice(
        "n1",
        "#old-lab gets no digests for now",
        "slack",
        "T1:U1",
        datetime(2026, 11, 30, 8, tzinfo=UTC),
        ("The conversation is archived. Nothing was deleted.", "", "It goes on once it is not."),
        (Action("Status", "status"),),
    )

    page = slack_pages.letter(notice)

    assert message_faults(read(page)) == ()
    golden("slack/notice.json", pretty([page]))


@settings(max_examples=60, deadline=None)
@given(
    titles_=st.lists(st.text(max_size=400), min_size=1, max_size=25),
    name=st.text(max_size=300),
    author=st.text(max_size=120),
    note=st.text(max_size=500),
    conversation=st.booleans(),
)
def test_whatever_authors_and_people_write_slack_takes_it(
    titles_, name, author, note, conversation
):
    tag = Tag(name, "t")
    papers = tuple(
        entry(paper(f"2611.{n:05d}", title, authors=(author,) * 5), name, reason=note)
        for n, title in enumerate(titles_)
    )
    hostile = slack_digest(Section(tag, papers), notes=(note,), muted=(name,), cadence=name or "x")
    pages = slack_pages.pages(hostile, conversation=conversation)

    assert [message_faults(read(page)) for page in pages] == [()] * len(pages)
    assert "<!" not in "".join(read(page)["text"] for page in pages)


def test_real_papers_fit(shared):
    import gzip

    with gzip.open(shared / "data" / "odd_papers.jsonl.gz", "rt") as lines:
        raw = [json.loads(line) for line in lines]
    papers = tuple(
        entry(paper(each.get("id", f"2611.{n:05d}"), str(each.get("title") or "")))
        for n, each in enumerate(raw)
    )
    pages = slack_pages.pages(slack_digest(Section(AGENTS, papers)), conversation=True)

    assert all(message_faults(read(page)) == () for page in pages)


def pretty(pages) -> str:
    return "\n".join(json.dumps(read(p), ensure_ascii=False, indent=1) for p in pages) + "\n"


def test_a_letter_names_a_conversation_and_calls_nobody():
    notice = Notice("l1.x", "Paused", "slack", "T1:U1", MONDAY, ("It went to <#C1>, not <@U2>.",))
    letter = json.loads(slack_pages.letter(notice).content)
    (section,) = letter["blocks"][1]["elements"]

    assert letter["text"] == "Paused\nIt went to <#C1>, not &lt;@U2&gt;."
    assert [each["type"] for each in section["elements"]] == ["text", "channel", "text"]


def test_however_many_messages_a_digest_fills_each_paper_is_drawn_once():
    drawn = []

    class Reason(str):
        __slots__ = ()

        def strip(self, *chars: str) -> str:
            drawn.append(self)
            return super().strip(*chars)

    entries = tuple(replace(found(n), reason=Reason(f"title: credit {n}")) for n in range(300))
    pages = slack_pages.pages(slack_digest(Section(AGENTS, entries)), conversation=True)

    assert len(pages) > 25
    assert len(drawn) <= 300 + len(pages)  # one that no longer fits is the first of the next


def few(most: int, **more) -> Digest:
    sections = section(AGENTS, 12), section(CACHE, 12, first=20)
    return slack_digest(
        *shortened(sections, most, lambda number, papers: Action("more", "")), **more
    )


def test_a_conversation_that_wants_few_has_the_rest_behind_a_button():
    pages = slack_pages.pages(few(8, address="T1:C1"), conversation=True)
    first, thread, *behind = pages
    labels = [
        each["text"]["text"]
        for block in read(thread)["blocks"]
        if block["type"] == "actions"
        for each in block["elements"]
    ]

    assert read(first)["blocks"][0]["text"]["text"] == "24 new papers"
    assert (len(titles(first)), len(titles(thread))) == (5, 3)
    assert "3 more in the thread." in json.dumps(read(first))
    assert labels[-1] == "Next 10"
    assert [page.offered for page in pages] == [False, False, *([True] * len(behind))]
    assert sum(len(page.papers) for page in pages) == 24
    assert all(message_faults(read(page)) == () for page in pages)


@pytest.mark.parametrize(("most", "first"), [(2, 2), (8, 5)])
def test_a_direct_message_shows_no_more_than_wanted_at_first(most, first):
    pages = slack_pages.pages(few(most), conversation=False)

    assert [page.offered for page in pages] == [False, *([True] * (len(pages) - 1))]
    assert len(titles(pages[0])) == first
    assert sum(len(page.papers) for page in pages) == 24
