"""A digest in plain words."""

from dataclasses import replace

import pytest

from bot.digest import Action, Section, Tag, preheader, shortened, title
from bot.digest.reading import (
    as_text,
    authors_line,
    due_line,
    facts,
    letter_as_text,
    muted_line,
    places_line,
    reason_line,
)
from bot.model import Author
from tests.channels import days
from tests.channels.decoded import digest_html
from tests.makers import entry, notice, paper

DAYS = {
    "ordinary": days.ordinary(),
    "ugly": days.ugly(),
    "flood": days.flood(),
    "single": days.single(),
}


@pytest.mark.parametrize("name", DAYS)
def test_every_paper_is_there_once(name):
    text = as_text(DAYS[name])

    for each in DAYS[name].entries:
        assert text.count(f"{each.paper.url}\n") == 1


@pytest.mark.parametrize("name", DAYS)
def test_no_line_is_too_long_unless_it_cannot_be_broken(name):
    long = [line for line in as_text(DAYS[name]).splitlines() if len(line) > 72]

    assert all("http" in line or len(line.split()) <= 2 for line in long)


@pytest.mark.parametrize("name", DAYS)
def test_nothing_invisible_is_in_it(name):
    text = as_text(DAYS[name])

    assert all(c.isprintable() or c == "\n" for c in text)
    assert "\u202e" not in text


@pytest.mark.parametrize("name", ["ordinary", "ugly", "single"])
def test_it_reads_as_accepted(name, golden):
    golden(f"mail/{name}.txt", as_text(DAYS[name]))


def test_past_fifty_papers_come_as_titles():
    text = as_text(DAYS["flood"])
    first, _, rest = text.partition("\n51  ")

    assert "Why:" in first
    assert "Why:" not in rest
    assert len([line for line in rest.splitlines() if "arxiv.org/abs" in line]) == 150


def test_numbers_and_their_signs_stay_together():
    for line in as_text(DAYS["ordinary"]).splitlines():
        assert not line.startswith("%")


def test_the_program_s_own_link_is_not_for_reading():
    one_click = DAYS["ordinary"].actions[3].url

    assert one_click not in as_text(DAYS["ordinary"])


def test_without_links_the_words_to_type_are_given():
    typed = replace(DAYS["single"], channel="console", actions=(Action("Stop", "digest off"),))

    assert "Stop  digest off\n" in as_text(typed)


def test_a_mail_without_links_says_how_to_leave():
    words, link = (
        Action("Stop", "digest off"),
        Action("Settings", "", "https://digest.example.org/"),
    )
    alone, partly = (replace(DAYS["single"], actions=each) for each in ((words,), (words, link)))

    assert "To change it or to leave, answer this mail." in reason_line(DAYS["single"])
    assert "answer this mail" in reason_line(alone)
    assert "answer this mail" not in reason_line(partly)
    assert "answer this mail" not in reason_line(replace(alone, channel="console"))
    assert "Leave" not in as_text(DAYS["single"])


def test_what_is_silent_is_one_sentence():
    assert muted_line(DAYS["ordinary"]) == "Muted until Mon 14 Dec: Diffusion Language Models."
    assert muted_line(DAYS["ugly"]).endswith("Topic 7; and 22 more.")


def test_the_promised_hour_is_the_readers():
    assert due_line(days.DUE, "Europe/Berlin") == "Monday 30 November 2026, 09:00 Europe/Berlin"
    assert due_line(days.DUE, "Pacific/Kiritimati").startswith("Monday 30 November 2026, 22:00")
    assert due_line(days.DUE, "Pacific/Honolulu").startswith("Sunday 29 November 2026, 22:00")


def test_why_it_came_names_topics_time_and_address():
    assert reason_line(DAYS["ordinary"]) == (
        "You get this because you follow RL for LLM Agents and KV-Cache Compression. "
        "It comes Monday 09:00 (Europe/Berlin) to ada@example.org."
    )
    assert "Topic Number 5 and 3 more." in reason_line(DAYS["flood"])


def test_a_digest_of_nothing_still_reads_well():
    nothing = replace(DAYS["ordinary"], sections=(), title="Test: Nothing new", notes=(), muted=())

    assert reason_line(nothing).startswith("It comes Monday 09:00")
    assert as_text(nothing).startswith("Test: Nothing new\nMonday 30 November 2026")
    assert "<h1" in digest_html(nothing)
    assert "Nothing new</h1>" in digest_html(nothing)


def test_the_line_beside_the_subject_is_the_first_title_and_how_many_follow():
    first, second, third = (entry(paper(title=title)) for title in ("First", "Second", "Third"))
    sections = Section(Tag("A", "a"), (first, second)), Section(Tag("B", "b"), (third,))

    assert preheader(sections) == "First, and 2 more"
    assert preheader(sections[1:]) == "Third"


def test_authors_and_places_are_cut_to_a_line():
    crowd = paper(authors=tuple(Author(f"Name {n}", ("Here", f"Place {n % 5}")) for n in range(9)))

    assert authors_line(crowd) == "Name 0, Name 1, Name 2 +6"
    assert places_line(crowd) == "Here; Place 0; Place 1 +3"
    assert places_line(paper()) == ""


def test_an_old_paper_shows_its_year_and_a_withdrawn_one_says_so():
    old = replace(paper(), submitted_at=days.DUE.replace(year=2024), withdrawn=True)

    assert facts(old, days.DUE.date()) == ("30 Nov 2024", "cs.LG", "withdrawn")


def test_a_letter_says_what_it_has_to_and_how_to_act():
    assert letter_as_text(notice()) == (
        "Confirm your digest\n\n"
        "Somebody, hopefully you, asked for papers at this address.\n\n"
        "Yes, send it:\nhttps://digest.example.org/l/x\n"
    )


# ------------------------------------------------------------------ few papers


def test_few_papers_are_shared_evenly_among_topics_and_counted_whole():
    many = tuple(entry(paper(f"2611.{n:05d}")) for n in range(9))
    sections = Section(Tag("A", "a"), many[:6]), Section(Tag("B", "b"), many[6:])
    few = shortened(
        sections, 4, lambda number, papers: Action(f"{papers} more", f"more k {number}")
    )

    assert [(len(s.entries), len(s.rest)) for s in few] == [(2, 4), (2, 1)]
    assert [s.behind.command for s in few] == ["more k 1", "more k 2"]
    assert title(few) == "9 new: A, B"
    assert preheader(few).endswith(", and 8 more")
    assert shortened(sections, 0, None) == shortened(sections, 9, None) == sections


def test_papers_that_no_link_leads_to_are_read_by_title():
    (section,) = DAYS["single"].sections[:1]
    shown, rest = entry(paper("2611.00001")), entry(paper("2611.00002", "The one behind"))
    behind = Action("1 more", "more k 1")
    short = replace(section, entries=(shown,), rest=(rest,), behind=behind)
    unlinked = as_text(replace(DAYS["single"], sections=(short,)))
    linked = replace(short, behind=replace(behind, url="https://papers.example.org/l/x"))

    assert "1 more, by title" in unlinked
    assert "The one behind" in unlinked
    text = as_text(replace(DAYS["single"], sections=(linked,)))
    assert "https://papers.example.org/l/x" in text
    assert "The one behind" not in text
