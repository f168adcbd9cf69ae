"""Whatever somebody types is answered in words, and never ends in an exception."""

from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.commands.requests import plain
from bot.core.commands.verbs import ALIASES, VERBS
from bot.core.reply import Reply
from bot.model import Identity
from tests.core.conftest import TUESDAY, World, said
from tests.fakes import FrozenClock
from tests.houses import ADA

VERB = st.sampled_from([*VERBS, *ALIASES])
PIECES = st.sampled_from(
    [
        "tides",
        "gulls",
        "for",
        "until",
        "7d",
        "0d",
        "²",
        "٣",
        "without",
        "author:",
        '"',
        "(",
        ")",
        "AND",
        "OR",
        "NOT",
        "-x",
        "*",
        "all",
        "off",
        "now",
        "tz",
        "Europe/Berlin",
        "in <#C1>",
        "by email",
        "a@b.org",
        "2611.00001",
        "cat:cs.LG",
        ":",
        ",",
        "focused",
        "unfollow",
        "99999999999999999999",
        "\x00",
        "\ud800",
        "\u202e",
        "🌊",
        "%s",
        "{x}",
        "<b>",
        "'; DROP TABLE papers; --",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(verb=VERB, rest=st.lists(PIECES | st.text(max_size=6), max_size=6))
def test_any_verb_with_any_words_is_answered(verb, rest):
    reply = TYPIST.say(f"{verb} {' '.join(rest)}")

    assert isinstance(reply, Reply)
    assert reply.lines
    said(reply).encode()  # nothing in it that could not be shown


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=60))
def test_any_text_is_answered(text):
    assert TYPIST.say(text).lines


TYPIST = World(FrozenClock(TUESDAY))


@pytest.mark.parametrize("who", [Identity("slack", "T1", "U1"), Identity("email", "", "a@b.org")])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_alone_is_answered_by_every_door(world, verb, who):
    assert world.say(verb, who).lines


@pytest.mark.parametrize(
    "typed", ["erase", "Delete my data", "forget me!", "delete all my data.", "Remove my account"]
)
def test_who_wants_to_be_forgotten_hears_who_does_it(world, typed):
    ada = Identity("slack", "T1", "U1")
    assert "Nothing is kept about you here." in said(world.say(typed, ada))
    world.say("follow tides", ada)

    answer = said(world.say(typed, ada))
    assert "ask them for paperround person erase slack:T1:U1" in answer
    assert "digest off" in answer
    assert world.say("list", ada).overview.follows  # asking forgets nothing


def test_a_topic_may_still_be_about_forgetting(world):
    assert "Did you mean" in said(world.say("forget gradients"))
    assert world.say("follow forget me").ok


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("folow kv tides", "follow Tides"),
        ("folow tids", "follow Tides"),
        ("mut gulls", "mute Gulls"),
        ("liste", "list"),
        ("lighthouse", "follow Lighthouses"),
        ("xyzzy", "help"),
    ],
)
def test_an_unknown_verb_gets_the_nearest_one_with_its_topic(world, typed, offered):
    reply = world.say(typed)

    assert reply.status == 404
    assert f"Did you mean {offered}?" in said(reply)
    assert world.say(reply.buttons[0].command).ok or offered.startswith("mute")


@pytest.mark.parametrize(
    ("pasted", "named"),
    [
        ("https://arxiv.org/abs/{0}v2", 1),
        ("{0}", 1),
        ("arXiv:{0}, https://arxiv.org/pdf/{1}.pdf", 2),
    ],
)
def test_papers_without_a_verb_are_shown_with_what_can_be_done_with_them(world, pasted, named):
    ids = world.announce("The tide", "The ebb")
    reply = world.say(pasted.format(*ids))
    papers = " ".join(ids[:named])

    assert [each.paper.title for each in reply.papers] == ["The tide", "The ebb"][:named]
    offered = [each.command for each in reply.buttons]
    assert offered == [f"save {papers}", f"why {ids[0]}", f"like {papers}"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mutte all for 2w", "mute all for 2w"),
        ("mutte tids until 14 Dec", "mute Tides until 14 Dec"),
        ('mutte author:"Jun Li" for 1w', 'mute author:"Jun Li" for 1w'),
        ("folow lighthuses without survey, focused", "follow Lighthouses without survey, focused"),
        ('folow "ebb tide" AND moon', 'follow "ebb tide" AND moon'),
        ("digst daily 8:30 tz Europe/Kyiv", "digest daily 8:30 tz Europe/Kyiv"),
        ("asl lighthuses: do they blink?", "ask Lighthouses: do they blink?"),
        ("unfolow all", "unfollow all"),
        ("puase for 2 weeks", "mute all for 2 weeks"),
        ("what’s new?", "digest now"),
        ("What is new", "digest now"),
    ],
)
def test_only_what_is_wrong_in_a_request_is_exchanged(world, typed, meant):
    reply = world.say(typed)

    assert f"Did you mean {meant}?" in said(reply)
    assert [button.command for button in reply.buttons] == [meant]


@pytest.mark.parametrize(
    "typed",
    ["hey, follow tides!", "Please follow tides, thanks!", "- follow tides", "1. follow tides",
     "> follow tides please", "follow tides, thank you so much", "track tides"],
)  # fmt: skip
def test_courtesy_and_the_sign_of_a_list_around_a_request_say_nothing(world, typed):
    assert world.asks(typed).startswith("Following Tides.")


def test_whoever_asks_for_less_in_a_sentence_that_begins_with_stop_gets_less(world):
    world.say("follow tides")
    world.say("follow gulls")
    world.say("stop following tides")
    assert world.asks("stop sending me papers about gulls").startswith("No longer following Gulls")

    assert world.asks("please stop").startswith("Stopped. No more digests")


@pytest.mark.parametrize(
    "typed", ["star formation", "block diffusion", "atom interferometry", "track reconstruction"]
)
def test_another_word_for_a_verb_may_begin_the_name_of_a_topic(world, typed):
    assert f"Did you mean follow {typed}?" in world.asks(typed)
    assert world.store.people.everyone() == []


def test_a_stop_is_no_answer_to_a_question(world):
    world.say("follow tides")
    world.say("gulls")

    assert world.asks("stop").startswith("Stopped. No more digests")


@pytest.mark.parametrize(
    "typed",
    ["follow tides for @bea", "share tides with @bea", "send tides to my colleague",
     "forward papers on tides to bea@example.org", "subscribe bea@example.org to tides"],
)  # fmt: skip
def test_what_somebody_else_gets_they_ask_for_themselves(world, typed):
    reply = world.say(typed)

    assert "themselves; tell them to type follow tides, or to sign up on this page" in said(reply)
    assert [button.command for button in reply.buttons] == ["follow tides"]
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mute lighthuses for 2w", "mute lighthouses for 2w"),
        ("ask lighthuses: do they blink?", "ask lighthouses: do they blink?"),
        ("edit lighthuses: lamp", "edit lighthouses: lamp"),
        ("unmute lighthuses", "unmute lighthouses"),
    ],
)
def test_a_misspelt_topic_leaves_the_rest_of_the_request_as_it_was(world, typed, meant):
    reply = world.say(typed)

    assert reply.status == 404
    assert [button.command for button in reply.buttons] == [meant]


@pytest.mark.parametrize(
    "typed", ["deep learning", "safe reinforcement learning", "last mile delivery", "MoE routing"]
)
def test_a_name_is_taken_as_it_is_though_its_first_word_is_near_a_verb(world, typed):
    assert [each.command for each in world.say(typed).buttons] == [f"follow {typed}"]


@pytest.mark.parametrize("typed", ["follows gulls", "subscribes gulls"])
def test_another_form_of_a_verb_is_that_verb(world, typed):
    assert [each.command for each in world.say(typed).buttons] == ["follow Gulls"]


@pytest.mark.parametrize("typed", ["my", "it", "hm", "go", "til"])
def test_no_topic_is_guessed_from_a_very_short_word(world, typed):
    assert "Did you mean help?" in world.asks(typed)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hi", "help"),
        ("stop", "digest off"),
        ("STOP", "digest off"),
        ("stop tides", "unfollow tides"),
        ("stop my digests", "digest off"),
        ("unsubscribe from this digest", "digest off"),
        ("pause this week", "mute all this week"),
        ("pause my digest for 2w", "mute all for 2w"),
        ("not for me 2611.00001", "not-for-me 2611.00001"),
        ("daily 8:30", "digest daily 8:30"),
        ("weekly", "digest weekly"),
        ("explain 2611.00001", "why 2611.00001"),
    ],
)
def test_the_words_that_people_use_first(typed, meant):
    def read(text):
        world = World(FrozenClock(TUESDAY))
        world.say("follow tides")
        world.announce("The tide")
        return world.asks(text)

    assert read(typed) == read(meant)


def test_why_tells_the_way_of_a_paper_to_whoever_asks(world):
    assert "You follow nothing yet" in world.asks("why 2611.00001")
    world.say("follow tides")
    (tide,) = world.announce("The tide")

    assert f"{ADA.external_id}: it comes with the next digest" in world.asks(f"why {tide}")
    assert "Which paper?" in world.asks("why")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("what did I miss?", "digest now"),
        ("latest papers", "digest now"),
        ("trending", "topics heating"),
        ("what’s hot right now?", "topics heating"),
        ("no papers today?", "status"),
        ("goodbye", "digest off"),
        ("quit", "digest off"),
        ("I’m back!", "resume"),
        ("timezone PST", "digest tz PST"),
        ("my timezone is Europe/Kyiv", "digest tz Europe/Kyiv"),
        ("change time to 10", "digest 10"),
        ("I’m on vacation until 27 Nov", "mute all until 27 Nov"),
        ("I am going on holiday for 2 weeks", "mute all for 2 weeks"),
    ],
)
def test_what_people_say_is_offered_as_the_request_it_means(world, typed, meant):
    reply = world.say(typed)

    assert [button.command for button in reply.buttons] == [meant]
    assert reply.status == 404


@pytest.mark.parametrize(
    "typed",
    [
        "too many papers",
        "only 5 papers per digest",
        "That’s too much!",
        "fewer please",
        "less of this",
    ],
)
def test_too_much_is_answered_with_what_brings_less(world, typed):
    world.say("follow tides")
    reply = world.say(typed)

    assert "follow TOPIC, focused" in said(reply)
    assert said(world.press(reply, "Closest of Tides")).startswith("Following Tides.")


@pytest.mark.parametrize("typed", ["too few papers", "I get too little", "more papers please"])
def test_too_little_is_answered_with_what_brings_more(world, typed):
    world.say("follow tides")

    assert [b.command for b in world.say(typed).buttons] == ["follow tides, broad"]


@pytest.mark.parametrize("typed", ["summarize {}", "similar to {}", "more like {}", "tl;dr {}"])
def test_what_can_be_done_with_a_paper_is_told_to_whoever_asks_for_something_else(world, typed):
    (tide,) = world.announce("The tide")
    reply = world.say(typed.format(tide))

    assert said(reply).startswith("What about it? ")
    assert [b.command for b in reply.buttons] == [f"save {tide}", f"why {tide}", f"like {tide}"]


@pytest.mark.parametrize("typed", ["how do I export my saved papers?", "citations"])
def test_how_papers_are_taken_along_is_told(world, typed):
    assert world.asks(typed) == "Did you mean export?"


def test_help_on_a_verb_tells_of_that_alone(world):
    assert world.asks("help mute").startswith("mute TOPIC for 2w  silence with an end")
    assert len(world.say("help digest").lines) == 3
    assert world.asks("help me") == world.asks("help")


@pytest.mark.parametrize("asked", ["help", "--help", "-h", "?"])
def test_a_verb_asked_for_help_is_explained(world, asked):
    assert world.asks(f"follow {asked}") == world.asks("help follow")
    assert world.store.people.everyone() == []


def test_trending_topics_are_those_that_heat_up(world):
    assert world.asks("topics trending") == world.asks("topics heating")


@pytest.mark.parametrize("typed", ["xyzzy and plugh", "on the weekend we eat gullash somewhere"])
def test_a_sentence_that_hardly_names_a_topic_is_answered_with_help(world, typed):
    assert [button.command for button in world.say(typed).buttons] == ["help"]


@pytest.mark.parametrize(
    "typed", ["show me the latest papers on tides", "show us tides", "topic papers about tides"]
)
def test_papers_on_a_topic_are_shown_with_it(world, typed):
    assert world.asks(typed).startswith("Tides")


@pytest.mark.parametrize("typed", ["unsnooze all", "unpause", "resume", "back"])
def test_what_was_paused_for_a_while_is_heard_again(world, typed):
    world.say("follow tides")
    world.say("pause for 2w")

    assert world.asks(typed).startswith("Everything is heard again from now on.")


@pytest.mark.parametrize("typed", ["follow tides\nmute gulls", "follow tides; mute gulls"])
def test_several_requests_are_offered_one_by_one(world, typed):
    reply = world.say(typed)

    assert said(reply) == "These are 2 requests; press them, or send them one by one."
    assert [button.command for button in reply.buttons] == ["follow tides", "mute gulls"]
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    "typed", ["follow - tides\n- gulls", "follow tides\ngulls", "follow\n1. tides\n2) gulls\n"]
)
def test_a_list_of_topics_is_offered_one_by_one(world, typed):
    reply = world.say(typed)

    assert [button.command for button in reply.buttons] == ["follow tides", "follow gulls"]
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("typed", ["follow (tides AND\nmoon)", "follow tides\nOR gulls"])
def test_a_query_of_several_lines_is_one(world, typed):
    assert world.say(typed).ok


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("could you please mute tides for 2w?", "mute tides for 2w"),
        ("I would like to unfollow tides", "unfollow tides"),
        ("hi! could you mute tides for 2w?", "mute tides for 2w"),
        ("I'm interested in tides", "follow tides"),
        ("can you send me new papers about tides please", "follow tides"),
        ("Find me papers on tides", "follow tides"),
        ("keep us posted on tides", "follow tides"),
        ("notify me when there are new papers on tides.", "follow tides"),
        ("don’t follow tides any more", "unfollow tides"),
        ("no more papers about tides", "unfollow tides"),
        ("I no longer want tides", "unfollow tides"),
        ("I don't want any more emails", "email off"),
        ("what's new in tides?", "topic tides"),
        ("what is muted?", "list"),
        ("when is my next digest?", "digest"),
        ("my reading list", "saved"),
        ("what should I follow?", "topics"),
        ("2611.00001 is not relevant", "not-for-me 2611.00001"),
        ("thumbs down 2611.00001", "not-for-me 2611.00001"),
        ("move it to Fridays", "digest Fridays"),
        ("send at 8 instead", "digest 8"),
        ("change it to mon and thu 9", "digest mon and thu 9"),
        ("what data do you keep about me?", "erase"),
        ("who are you?", "help"),
        ("my email is ada@example.org.", "email ada@example.org"),
        ("change my email to ada@example.org", "email ada@example.org instead"),
        ("my new address is ada@example.org", "email ada@example.org instead"),
        ("I've moved to ada@example.org!", "email ada@example.org instead"),
        ("move my digest to ada@example.org", "email ada@example.org instead"),
        ("how can I change my e-mail address?", "email"),
        ("change of address", "email"),
        ("what do I follow?", "list"),
        ("my topics", "list"),
        ("how do I mute something", "help"),
    ],
)
def test_a_sentence_is_answered_with_the_request_in_it(world, typed, meant):
    reply = world.say(typed)

    assert said(reply) == f"Did you mean {meant}?"
    assert [button.command for button in reply.buttons] == [meant]


def test_a_request_may_be_broken_into_lines(world):
    world.say("follow tides\nwithout survey;\nfocused")
    world.say("ask tides: what holds;\nfollow the moon?")

    assert [f.topic.query for f in world.store.people.follows(1)] != []


def test_help_shows_every_verb_that_people_type(world):
    text = world.asks("help")
    assert world.asks("") == text

    for verb in ("follow", "unfollow", "mute", "unmute", "list", "topic", "topics", "ask", "save",
                 "saved", "not-for-me", "digest", "email", "status"):  # fmt: skip
        assert verb in text


def test_ten_thousand_characters_are_refused_in_a_sentence(world):
    reply = world.say("follow " + "tide " * 2000)

    assert reply.status == 400
    assert said(reply) == (
        "That is 10,006 characters, and 8,000 are read; keep the words that decide."
    )
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("text", ["," * 7_900, "; " * 3_900, "\n;" * 3_900, " in <#" * 1_300,
                                  "! " * 3_900, " not" * 1_900])  # fmt: skip
def test_nothing_that_can_be_typed_takes_long(world, text):
    began = process_time()
    world.say(f"follow tides{text}x")

    assert process_time() - began < 5


@pytest.mark.parametrize(
    "row", ["mute 1 to", "mute mon", "follow and send it", "follow and Ada Lovelace", "edit tides:",
            "unfollow all but", "digest mon", "`follow", "follow w/o", "email from"],
)  # fmt: skip
def test_no_row_of_words_takes_long(world, row):
    verb, _, words = row.partition(" ")
    began = process_time()
    world.say(f"{verb} {f'{words} ' * 7_900}"[:7_900])

    assert process_time() - began < 5


def test_what_fits_and_is_too_long_for_a_query_is_refused_with_an_example(world):
    reply = world.say("follow " + " ".join(f"word{n}" for n in range(900)))

    assert reply.status == 400
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("follow\u00a0tides\n", "follow tides"),
        ("fol\u200blow ti\u00addes", "follow tides"),
        ("mute “neap tide”", 'mute "neap tide"'),
        ("mute ‘x’", "mute 'x'"),
        ("follow \x00tides\x07", "follow tides"),
        ("follow tides\ud800", "follow tides?"),
        ("follow e\u0301bb", "follow ébb"),
        ("  ", ""),
    ],
)
def test_text_is_read_as_it_was_meant(typed, meant):
    assert plain(typed) == meant


def test_nobody_is_written_down_for_asking(world):
    for text in (
        "list",
        "status",
        "help",
        "topics",
        "topic tides",
        "saved",
        "settings",
        "ask tides: x",
    ):
        world.say(text)

    assert world.store.people.everyone() == []


@pytest.mark.parametrize("name", ["/papers", "@Papers", "@papers,"])
def test_what_the_app_is_called_by_is_no_part_of_a_request(world, name):
    assert "Following Tides." in world.asks(f"{name} follow tides")
