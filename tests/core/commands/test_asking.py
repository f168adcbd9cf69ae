"""Questions and what is kept: list, topic, topics, ask, status, save."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.answers.extractive import Extractive
from bot.core.commands.executing import execute
from bot.core.reply import Actor
from bot.model import Identity
from tests.core.conftest import BEA, MONDAY, said
from tests.houses import ADA


def test_list_says_what_is_followed_muted_and_when_it_comes(world):
    assert "You follow nothing yet." in world.asks("list")
    world.say("follow tides without survey, focused")
    world.say("follow gulls")
    world.say("mute gulls until 14 Dec")
    world.say('mute author:"Jun Li"')

    assert world.asks("list").splitlines() == [
        "Tides  0 papers so far, focused, without survey",
        "Gulls  0 papers so far, muted until Mon 14 Dec",
        "Muted without an end: the author Jun Li",
        "The digest comes Monday 09:00 (UTC) here, next Mon 30 Nov 09:00.",
    ]


def test_a_paper_is_shown_to_whoever_asks_for_it(world):
    (number,) = world.announce("The tide")
    reply = world.say(f"show https://arxiv.org/abs/{number}")

    assert [entry.paper.title for entry in reply.papers] == ["The tide"]
    assert f"save {number}" in [button.command for button in reply.buttons]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("star", "Saved"), ("keep", "Saved"), ("dislike", "Noted"), ("irrelevant", "Noted")],
)
def test_other_words_for_what_is_done_with_a_paper(world, typed, answer):
    (number,) = world.announce("The tide")

    assert world.asks(f"{typed} {number}").startswith(answer)


@pytest.mark.parametrize("verb", ["mute", "unfollow"])
def test_a_paper_where_a_topic_is_asked_for_is_known_as_one(world, verb):
    (number,) = world.announce("The tide")
    reply = world.say(f"{verb} https://arxiv.org/abs/{number}v1")

    assert said(reply).startswith("That is a paper, not a topic.")
    assert f"save {number}" in [button.command for button in reply.buttons]


@pytest.mark.parametrize("verb", ["save", "like", "not-for-me", "why"])
@pytest.mark.parametrize("ending", ["", "…", " at night"])
def test_a_paper_is_found_by_its_title(world, verb, ending):
    world.say("follow tides")
    world.announce("Low Tide: A Study of the Tides at Night", "The tide")
    title = f"“Low tide: a study of the tides{ending}”"

    reply = world.say(f"{verb} {title}")

    assert reply.ok, said(reply)


def test_words_that_begin_the_titles_of_several_papers_or_of_any_name_none(world):
    world.announce("The tide of old: a study, part one", "The tide of old: a study, part two")

    assert "Which paper?" in world.asks("save The tide of old")
    assert "Which paper?" in world.asks("save the tide")
    assert world.asks("save The tide of old: a study, part two").startswith("Saved")


def test_a_question_needs_no_colon_behind_a_known_name(world):
    (number,) = world.announce(world.paper("The tide", abstract="The tide comes from the moon."))

    for typed in ("ask tides where does the tide come from?", f"ask {number} what is it about?"):
        assert world.say(typed).quotes
    assert "Write ask TOPIC: QUESTION" in world.asks("ask whatever it is")


def test_a_mute_that_has_ended_is_not_listed(world):
    world.say("follow tides")
    world.say('mute "ebb" for 1d')
    world.clock.forward(days=2)

    assert "ebb" not in world.asks("list")


def test_a_topic_whose_mute_has_ended_is_shown_as_heard(world):
    world.say("follow tides")
    world.say("mute tides for 1w")
    assert world.say("topic tides").card.muted_until
    world.clock.forward(days=10)

    assert world.say("topic tides").card.muted_until is None
    assert world.say("list").overview.follows[0].muted_until is None
    assert "muted" not in world.asks("list")


def test_a_topic_shows_its_papers_newest_first_and_offers_to_follow(world):
    ids = world.announce(
        world.paper("The tide of old", submitted_at=world.clock() - timedelta(days=2)),
        world.paper("The tide of today"),
    )
    reply = world.say("topic tides")

    assert [e.paper.arxiv_id for e in reply.papers] == ids[::-1]
    assert [b.command for b in reply.buttons] == ["follow tides"]
    assert reply.card is not None
    world.say("follow tides")
    assert [b.label for b in world.say("topic tides").buttons] == ["Unfollow", "Mute for 2 weeks"]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("", "3 topics, the largest first. Also topics heating, topics emerging, topics cooling, "),
        ("largest", "3 topics, the largest first. Also topics heating, "),
        ("heating", "3 topics. Also topics emerging, topics cooling, topics WORDS"),
        ("emerging", "3 topics. Also topics heating, topics cooling, topics WORDS"),
        ("cooling", "3 topics. Also topics heating, topics emerging, topics WORDS"),
        ("lighthuse", "3 topics, the nearest names first. Also topics heating, "),
    ],
)
def test_topics_say_in_which_order_they_stand_and_in_which_they_can(world, order, said):
    world.announce("The tide")

    assert world.asks(f"topics {order}").startswith(said)


def test_categories_have_a_momentum_too(world):
    world.announce(*(world.paper(f"Tide {n}", categories=("cs.RO",)) for n in range(3)))
    asked = world.asks("topics cat:CS.RO")

    assert asked.startswith("cs.RO\n")
    assert "4 weeks" in asked or "four weeks" in asked
    assert world.asks("topics cat:cs.RO, cs.XX") == (
        "No stored paper is listed in cs.XX. topics cat:cs.RO cs.AI"
    )


def test_status_says_what_was_read_and_what_comes(world):
    assert world.asks("status") == "arXiv has not been read yet."
    world.say("follow tides")
    world.announce("A gull")
    assert "wait" not in world.asks("status")
    world.morning()
    lines = world.asks("status").splitlines()

    assert lines[0].startswith("Last look at arXiv Tue 24 Nov 07:00, 1 new paper. ")
    assert lines[1] == "The digest comes Monday 09:00 (UTC) here, next Mon 7 Dec 09:00."
    assert lines[2].startswith(
        "The last one, Mon 30 Nov 09:00, brought nothing: no new paper matched."
    )


def test_status_counts_what_waits(world):
    world.say("follow tides")
    for count, said_ in ((1, "1 paper waits for it."), (2, "2 papers wait for it.")):
        world.announce(f"The tide {count}")
        assert said_ in world.asks("status")


def test_ask_quotes_what_the_papers_say(world):
    (number,) = world.announce(
        world.paper("The A* tide", abstract="The tide rises twice a day. Gulls do not care.")
    )
    world.say("follow A* tide")
    for subject in ("tides", number, f"arXiv:{number}", "A* tide"):
        reply = world.say(f"ask {subject}: how often does the tide rise?")
        assert any("rises twice a day" in s for quote in reply.quotes for s in quote.sentences)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("ask tides", "Write ask TOPIC: QUESTION"),
        ("ask 2501.99999: why?", "2501.99999 is not stored here"),
        ("ask lighthuses: why?", "Did you mean ask Lighthouses: why?"),
    ],
)
def test_a_question_that_cannot_be_asked(world, typed, answer):
    assert answer in world.asks(typed)


# -------------------------------------------------------------- keeping


def test_save_unsave_and_saved(world):
    first, second = world.announce("The tide", "A gull")
    reply = world.say(f"save https://arxiv.org/pdf/{first}v2 {second}")
    assert said(reply) == "Saved 2 papers. All of them: saved"
    assert [e.paper.title for e in world.say("saved").papers] == ["A gull", "The tide"]
    assert [e.paper.title for e in world.say("saved gull").papers] == ["A gull"]
    world.press(reply, "Undo")

    assert "No saved papers." in world.asks("saved")


def test_saving_twice_is_harmless_and_ones_own(world):
    (number,) = world.announce("The tide")
    for _ in range(2):
        world.say(f"save {number}")

    assert len(world.say("saved").papers) == 1
    assert world.say("saved", BEA).papers == ()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("save", "Which paper? Give its arXiv number or link: save 2501.01234"),
        ("save the tide", "Which paper?"),
        ("save 2501.99999", "2501.99999 is not stored here; nothing changed."),
        ("not-for-me", "Which paper? Give its arXiv number or link: not-for-me 2501.01234"),
        ("unsave all", "Which paper? Give its arXiv number or link: unsave 2501.01234"),
        ("like tides", "Which paper? Give its arXiv number or link: like 2501.01234"),
        ("more d1.20261130.0 ²", "That page is not kept any more."),
        ("undo unfollow ²", "There is nothing to undo here."),
    ],
)
def test_what_names_no_stored_paper_is_refused(world, typed, answer):
    assert world.asks(typed).startswith(answer)


def test_old_identifiers_are_read(world):
    world.announce(replace(world.paper("The tide"), arxiv_id="math/0611800"))

    assert world.say("save math.GT/0611800v3").ok


def test_a_number_of_the_old_four_digits_is_one_where_nothing_else_is_said(world):
    world.announce(replace(world.paper("The tide"), arxiv_id="0704.0001"))

    assert world.say("save 0704.0001").ok
    assert world.say("save the one of 0704.0001").status == 400


def test_not_for_me_can_be_undone(world):
    (number,) = world.announce("The tide")
    world.say("follow tides")
    judged = world.say(f"not-for-me {number}")
    assert said(judged) == "Noted: “The tide” was not for you."
    world.press(judged, "Undo")

    assert world.store.people.judged(1) == {}


def test_an_offered_page_is_for_its_reader_alone(world):
    world.say("follow tides")
    world.announce("The tide")
    world.prepare(MONDAY)
    key = world.store.outbox.last(1).key

    assert world.say(f"more {key} 0").data["page"]
    assert world.say(f"more {key} 0", BEA).status == 404


def test_whoever_reads_a_public_page_asks_as_a_stranger(world):
    asked: list[bool] = []

    class Heard(Extractive):
        def answer(self, question, papers, *, of_a_stranger=False):
            asked.append(of_a_stranger)
            return super().answer(question, papers)

    world.announce("The tide")
    house = replace(world.core.house, answerer=Heard())
    for who in (ADA, Identity("web", "", "")):
        execute(house, Actor(who), "ask tides: what is a tide?")

    assert asked == [False, True]


def test_a_page_shows_its_papers_also_once_its_bytes_are_forgotten(world):
    """A link in an old mail never ends, and its papers count as told: nothing else shows them."""
    world.say("follow tides")
    numbers = world.announce(*(f"A tide {n}" for n in range(5)))
    world.morning()
    key = world.store.outbox.last(1).key
    world.store.tidy(world.clock() + timedelta(days=31))

    shown = [world.say(f"more {key} {page}").papers for page in (0, 1)]
    assert [len(papers) for papers in shown] == [3, 2]
    assert {each.paper.arxiv_id for papers in shown for each in papers} == {*numbers}
    assert world.say(f"more {key} 1", BEA).status == 404
    assert world.say(f"more {key} 2").status == 404


@pytest.mark.parametrize(
    "named",
    [
        "2611.00001",
        "arXiv:2611.00001",
        "arXiv: 2611.00001",
        "https://arxiv.org/abs/2611.00001",
        "tides",
    ],
)
def test_a_colon_within_a_name_does_not_end_it(world, named):
    world.announce("The tide")

    for colon in (":", " :"):
        assert world.say(f"ask {named}{colon} what of the tide?").ok


@pytest.mark.parametrize(("order", "weeks"), [("heating", 8), ("emerging", 12), ("cooling", 8)])
def test_a_list_that_is_empty_says_why(world, order, weeks):
    assert f"Nothing can be said of that yet: {weeks} whole weeks" in world.asks(f"topics {order}")
