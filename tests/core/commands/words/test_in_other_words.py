"""What people ask for in words that are no request: an answer, and what to type or press."""

import pytest

from bot.core.commands.words.subject import placed
from tests.core.conftest import BEA, said


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("how many papers came yesterday?", ["digest now", "status"]),
        ("today", ["digest now", "status"]),
        ("recommend a paper", ["digest now", "topics heating"]),
        ("every hour", ["digest daily", "digest now"]),
        ("what time zone am I in?", ["settings", "digest tz Europe/Berlin"]),
        ("delete my emails", ["email off"]),
        ("remove gull@example.org", ["email off"]),
        ("email me instead", ["email off", "digest off"]),
        ("import my topics", ["list"]),
        ("add to Zotero", ["export"]),
        ("are you alive?", ["status"]),
        ("it is a bug", ["status"]),
        ("who follows tides?", []),
        ("your API", []),
        ("speak French", []),
        ("the PDF of 2 please", ["why 2"]),
        ("it comes a bit too early", ["digest 14:00", "digest mon and thu 9"]),
        ("tides only on Fridays please", ["digest mon and thu 9"]),
        ("share tides with Bob", ["follow tides"]),
    ],
)
def test_what_people_often_ask_for_is_answered_with_what_to_type(world, typed, offered):
    world.say("follow tides")
    reply = world.say(typed)

    assert reply.status == 400
    assert [button.command for button in reply.buttons] == offered


@pytest.mark.parametrize("typed", ["feed lighthouses", "russian lighthouses"])
def test_a_topic_is_no_question_for_a_word_that_is_in_it(world, typed):
    assert [button.label for button in world.say(typed).buttons] == ["Follow it"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("resend my digest", "digest last"),
        ("show me last week’s digest", "digest last"),
        ("mute weekends", "digest weekdays"),
        ("no digests on weekends", "digest weekdays"),
        ("move my digest to ada@example.org", "email ada@example.org instead"),
        ("papers on tides this week", "topic tides"),
        ("latest news about tides", "topic tides"),
        ("what is the tides?", "topic Tides"),
        ("Ada’s new papers", "follow Ada's new papers"),
        ("add tides to my topics", "follow tides"),
        ("new topic: tides", "follow tides"),
        ("start following tides", "follow tides"),
        ("sign me up for tides", "follow tides"),
        ("I want my digest on Tuesday afternoon", "digest Tuesday afternoon"),
        ("could you send it on Fridays instead?", "digest Fridays"),
        ("what's hot in oceanography?", "topics heating"),
        ("which topics are there?", "topics"),
        ("out of office until Monday", "mute all until Monday"),
        ("is arXiv down?", "status"),
        ("what is cs.LG?", "follow cat:cs.LG"),
        ("cs.LG", "follow cat:cs.LG"),
        ("how high are they in tides?", "ask tides: how high are they in tides?"),
        ("what do we follow?", "list"),
    ],
)
def test_what_is_meant_is_offered(world, typed, meant):
    assert [button.command for button in world.say(typed).buttons] == [meant]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Dear bot, please let me know about the newest papers on tides", "follow tides"),
        ("I am a doctoral student working on tides", "follow tides"),
        ("we’re tired of tides", "unfollow tides"),
        ("What have you got on tides lately?", "topic tides"),
        ("tides is really way too broad", "follow tides, focused"),
        ("we all live in Tokyo", "digest tz Tokyo"),
        (
            "could you schedule it for Tuesdays and Fridays at 7am?",
            "digest Tuesdays and Fridays at 7am",
        ),
        ("I am out of the office until Friday", "mute all until Friday"),
        ("nothing has come this week", "status"),
        ("How many topics am I following?", "list"),
        ("where can I see my saved papers?", "saved"),
        ("please delete everything you know about us", "erase"),
        ("my digest is very late today", "status"),
        ("tides no more please", "unfollow tides"),
        ("we would rather have it on Tuesdays", "digest Tuesdays"),
        ("any recommendations for papers on tides?", "topic tides"),
    ],
)
def test_what_is_like_an_example_means_the_same(world, typed, meant):
    assert [button.command for button in world.say(typed).buttons] == [meant]


def test_a_sentence_that_nothing_reads_is_answered_about_the_topic_in_it(world):
    typed = "gulls and me were once the best of friends"

    assert "I don’t understand “gulls and me" in world.asks(typed)
    assert [each.label for each in world.say(typed).buttons] == ["Help"]
    world.say("follow gulls")
    assert "About Gulls: topic Gulls shows it" in world.asks(typed)
    assert [each.command for each in world.say(typed).buttons] == [
        "topic gulls", "mute Gulls for 2w", "unfollow Gulls",
    ]  # fmt: skip


def test_a_name_of_several_words_is_heard_in_a_sentence_though_nobody_follows_it(world):
    typed = "the ebb and flow outside my window is nice"

    assert [each.command for each in world.say(typed).buttons] == ["topic tides", "follow Tides"]


@pytest.mark.parametrize(
    ("typed", "done"),
    [("list my topics", "You follow nothing yet."), ("back from vacation", "Nothing is paused")],
)
def test_words_that_add_nothing_to_a_request_are_no_question(world, typed, done):
    assert said(world.say(typed)).startswith(done)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("show me papers on tides", "topic tides"),
        ("find papers about tides", "topic tides"),
        ("show all topics", "topics"),
        ("show topics about the sea", "topics the sea"),
        ("show settings", "settings"),
        ("why is it so quiet?", "status"),
        ("why no digest today?", "status"),
    ],
)
def test_what_only_looks_is_done_at_once(world, typed, meant):
    world.say("follow tides")

    assert world.asks(typed) == world.asks(meant)


def test_who_finds_it_so_quiet_silences_nothing(world):
    assert [button.command for button in world.say("so quiet").buttons] == ["status"]


def test_until_the_weekend_is_an_end_and_no_question(world):
    world.say("follow tides")

    assert said(world.say("mute all until the weekend")).startswith("Everything is muted until")


def test_mail_to_an_old_address_is_ended(world):
    world.say("follow tides", BEA)
    world.morning()

    assert said(world.say("stop sending to my old address", BEA)).startswith("No more mail to")


def test_a_paper_to_share_is_given_by_its_link(world):
    reply = world.say("share 2611.00001 with bea@example.org")

    assert "https://arxiv.org/abs/2611.00001" in said(reply)


@pytest.mark.parametrize("typed", ["digest last", "digest again"])
def test_the_last_digest_is_shown_again_and_told_to_nobody(world, typed):
    world.say("follow tides")
    assert said(world.say(typed)) == "No digest has been sent yet."

    told = world.announce("The tide", "Tides at night")
    world.morning()
    world.announce("A later tide")
    reply = world.say(typed)

    assert said(reply).startswith("The digest of Mon 30 Nov 09:00 brought 2 papers")
    assert {each.paper.arxiv_id for each in reply.papers} == {*told}
    assert world.got() == told


@pytest.mark.parametrize(
    "typed", ["subscribe me to tides", "watch for papers about tides", "follow papers on tides"]
)
def test_words_around_a_topic_are_no_part_of_its_name(world, typed):
    assert said(world.say(typed)).startswith("Following Tides.")


def test_one_topic_is_followed_in_a_category_alone(world):
    assert said(world.say("follow tides only in cs.RO")).startswith("Following tides in cs.RO.")


@pytest.mark.parametrize("typed", ["follow tides for 2 weeks", "follow tides since 2025"])
def test_a_follow_has_neither_beginning_nor_end(world, typed):
    assert [each.command for each in world.say(typed).buttons] == ["follow tides"]


@pytest.mark.parametrize(
    "typed",
    ["follow https://arxiv.org/a/lovelace_a_1", "follow @ada", "follow https://example.org/x"],
)
def test_an_address_is_no_topic(world, typed):
    reply = world.say(typed)

    assert reply.status == 400
    assert not reply.buttons


@pytest.mark.parametrize("verb", ["unfollow", "mute"])
def test_a_word_of_what_is_followed_leads_to_it(world, verb):
    world.say('follow "tides" AND moon')

    labels = [each.command for each in world.say(f"{verb} tides").buttons]
    assert f'{verb} "tides" AND moon' in labels


@pytest.mark.parametrize("typed", ["unfollow topic tides", "no more tides papers"])
def test_a_topic_is_ended_by_its_name_among_other_words(world, typed):
    world.say("follow tides")
    reply = world.say(typed)

    assert "No longer following Tides" in said(
        reply if reply.ok else world.say(reply.buttons[0].command)
    )


@pytest.mark.parametrize(
    "typed", ["follow tides for the team", "follow tides for <@U1>", "follow tides for everyone"]
)
def test_others_follow_for_themselves(world, typed):
    assert [each.command for each in world.say(typed).buttons] == ["follow tides"]


def test_a_question_without_a_colon_is_asked_of_the_topic_at_its_end(world):
    world.announce("The tide")

    assert world.say("ask how high is the tide in tides?").ok


def test_what_slack_writes_for_bold_is_no_part_of_a_name(world):
    assert said(world.say("follow *tides*")).startswith("Following Tides.")


@pytest.mark.parametrize("typed", ["follow this channel", "follow in our group"])
def test_a_place_is_no_topic(world, typed):
    assert "follow TOPIC in this channel" in said(world.say(typed))


@pytest.mark.parametrize("typed", ["follow the same as @bea", "follow all topics of @bea"])
def test_what_others_follow_is_told_to_nobody(world, typed):
    world.say("follow tides", BEA)

    assert "Nobody is told what others follow" in said(world.say(typed))


@pytest.mark.parametrize("typed", ["follow my own papers", "follow papers by my colleagues"])
def test_people_are_followed_by_their_names(world, typed):
    assert said(world.say(typed)).startswith("Say who it is: ")


@pytest.mark.parametrize(
    "typed",
    ["mute tides here for 2w", "mute tides in this channel for 2w", "mute tides for 2w here"],
)
def test_here_is_the_conversation_wherever_it_stands(typed):
    assert placed(typed, "C1").replace(" for 2w", "") == "mute tides in <#C1>"
