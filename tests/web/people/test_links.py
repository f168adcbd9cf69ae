"""Pages behind the links in mail: they ask on GET, act on POST, and everything can be undone."""

import re
from datetime import timedelta

import pytest

from bot.core.reply import Actor, Code, Strong, line, text_of
from bot.links import PURPOSES
from bot.web.people import spoken
from tests.web.people.reader import ADA, text

COMMANDS = ("mute rl-for-llm-agents for 2w", "unfollow rl-for-llm-agents", "mute all for 2w")


@pytest.mark.parametrize(("method", "times"), [("GET", 20), ("HEAD", 5)])
def test_opening_every_link_again_and_again_changes_nothing(desk, method, times):
    links = [desk.link(purpose) for purpose in PURPOSES if purpose != "act"]
    links += [desk.link("act", command) for command in COMMANDS]
    before = desk.everything()
    for link in links:
        for _ in range(times):
            assert desk.client.request(method, link).status_code == 200

    assert desk.everything() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_no_other_method_does_anything(desk, method):
    before = desk.everything()

    assert desk.client.request(method, desk.link("leave")).status_code == 405
    assert desk.everything() == before


def test_pages_are_private_and_need_no_script(desk):
    answer = desk.client.get(desk.link("person"))

    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(("label", "days"), [("Mute", 14), ("For 1 week", 7), ("For 1 month", 31)])
def test_a_topic_is_muted_for_as_long_as_pressed(desk, label, days):
    asked = desk.client.get(desk.link("act", "mute rl-for-llm-agents for 2w")).text
    assert "Mute RL for LLM Agents until Thu 22 Oct?" in text(asked)

    muted = desk.press(asked, label)
    until = desk.follows["rl-for-llm-agents"].muted_until
    assert abs(until - desk.clock() - timedelta(days=days)) < timedelta(days=1)
    assert "The other topic goes on." in text(muted)

    desk.press(muted, "Unmute")
    assert desk.follows["rl-for-llm-agents"].muted_until is None


def test_everything_can_be_muted(desk):
    asked = desk.client.get(desk.link("act", "mute all for 2w")).text
    assert "Mute everything until" in text(asked)
    desk.press(asked, "Mute")

    assert len(desk.store.people.mutes(desk.subscriber)) == 1


def test_the_personal_page_links_no_topic_that_the_web_refuses(desk):
    desk.core.execute(Actor(ADA), "follow harbour lamps")
    page = desk.client.get(desk.link("person")).text
    topics = re.findall(r'href="(/topics/[^"]+)"', page)

    assert "harbour lamps" in page
    assert len(topics) == 2
    assert all(desk.client.get(topic).status_code == 200 for topic in topics)


def test_unfollowing_asks_acts_and_can_be_undone(desk):
    asked = desk.client.get(desk.link("act", "unfollow kv-cache-compression")).text
    assert "Unfollow KV-Cache Compression?" in text(asked)
    ended = desk.press(asked, "Unfollow")
    assert "kv-cache-compression" not in desk.follows

    desk.press(ended, "Undo")
    assert "kv-cache-compression" in desk.follows


def test_saving_names_the_paper_and_can_be_undone(desk):
    paper = next(iter(desk.store.papers.some([1])))
    asked = desk.client.get(desk.link("act", f"save {paper.arxiv_id}")).text
    assert paper.title in text(asked)
    saved = desk.press(asked, "Save")
    assert desk.store.people.saved(desk.subscriber) == [paper.seq]

    desk.press(saved, "Undo")
    assert desk.store.people.saved(desk.subscriber) == []


def test_a_page_asks_nobody_to_type_commands(desk):
    paper = next(iter(desk.store.papers.some([1])))
    saved = desk.press(desk.client.get(desk.link("act", f"save {paper.arxiv_id}")).text, "Save")

    assert f"Saved “{paper.title}”." in text(saved)
    assert "All of them" not in saved


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (line("Saved “A. B”. All of them: ", Code("saved")), "Saved “A. B”."),
        (line("Which paper? Give its number: ", Code("save 1")), "Which paper?"),
        (line("Write ", Code("ask TOPIC: QUESTION"), "."), "Write ask TOPIC: QUESTION."),
        (line("Until ", Strong("Mon"), ". Change it: ", Code("digest")), "Until Mon."),
        (line("Nothing to type."), "Nothing to type."),
    ],
)
def test_what_would_be_typed_is_left_out_where_the_rest_stands_alone(words, said):
    assert text_of(spoken.said(words), "UTC") == said


def test_what_passed_is_asked_for_by_its_topic_alone(desk):
    asked = desk.client.get(desk.link("act", "passed kv-cache-compression d1.20261123.0")).text

    assert "Show what passed of KV-Cache Compression?" in text(asked)
    assert "d1.20261123.0?" not in text(asked)


def test_an_undo_opened_anew_asks_in_words(desk):
    asked = desk.client.get(desk.link("act", "undo unfollow 1")).text

    assert "Take that back?" in text(asked)
    assert "Do this" not in asked


def test_not_for_me_can_be_taken_back(desk):
    paper = next(iter(desk.store.papers.some([1])))
    judged = desk.press(
        desk.client.get(desk.link("act", f"not-for-me {paper.arxiv_id}")).text, "Not for me"
    )
    assert desk.store.people.judged(desk.subscriber) == {paper.seq: False}

    desk.press(judged, "Undo")
    assert desk.store.people.judged(desk.subscriber) == {}


def test_pressing_twice_is_pressing_once(desk):
    link = desk.link("act", "unfollow kv-cache-compression")
    first, second = desk.client.post(link), desk.client.post(link)

    assert (first.status_code, second.status_code < 500) == (200, True)
    assert list(desk.follows) == ["rl-for-llm-agents"]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "token", ["x", "a.b", "lMS4wLg.AAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "é", "p" * 3000]
)
def test_a_forged_link_gets_a_page_and_nothing_else(desk, method, token):
    before = desk.everything()
    answer = desk.client.request(method, f"/l/{token}")

    assert answer.status_code in (400, 404)
    assert "open it again from the mail" in answer.text or answer.status_code == 404
    assert desk.everything() == before


def test_a_voided_link_acts_no_more(desk):
    link = desk.link("act", "unfollow kv-cache-compression")
    desk.store.people.void_links(desk.destination.id)

    assert desk.client.post(link).status_code == 400
    assert "kv-cache-compression" in desk.follows


def test_a_link_to_one_s_settings_is_not_any_other_link(desk):
    other = desk.link("leave").removeprefix("/l/")

    assert desk.client.get(f"/l/{other}/export").status_code == 400
    assert desk.client.post(f"/l/{other}", data={"do": "erase for good"}).status_code == 200
    assert desk.subscriber  # it left, as its link says; nothing was erased


def test_a_huge_form_is_refused(desk):
    answer = desk.client.post(desk.link("person"), data={"topic": "x" * 100_000})

    assert answer.status_code == 413


def test_what_was_typed_is_never_markup(desk):
    answer = desk.client.post(desk.link("person"), data={"topic": "<script>alert(1)</script>"})

    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("mark", [".", ",", ")", ">", "%3E", "%20", "%0D%0A", ".)"])
def test_a_mark_that_a_mail_program_took_for_a_part_of_the_link_does_no_harm(desk, mark):
    assert desk.client.get(desk.link("leave") + mark).status_code == 200
