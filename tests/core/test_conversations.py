"""Whose settings a request means, wherever it is typed or pressed."""

import json
from dataclasses import replace

import pytest

from bot.core.reply import Actor, Reply
from bot.model import Identity
from tests.core.conftest import World, said

ADA = Identity("slack", "T1", "U1")
COAST = Identity("slack", "T1", "C1")
ELSEWHERE = Identity("slack", "T1", "C2")
PLACES = (None, COAST, ELSEWHERE)


@pytest.fixture
def coast(world):
    """Ada and #coast follow tides; #elsewhere has no digest."""
    for where in ("", " in <#C1>"):
        world.say(f"follow tides{where}", ADA)
    return world


def say(world: World, text: str, where: Identity | None = None) -> Reply:
    return world.core.execute(Actor(ADA, conversation=where), text)


def cadences(world: World) -> list[str]:
    """When Ada's digest and that of #coast come."""
    people = world.store.people
    return [
        people.destinations(people.find(who) or 0)[0].cadence.partition(" ")[0]
        for who in (ADA, COAST)
    ]


# -------------------------------------------------------------- buttons


@pytest.mark.parametrize("typed_in", PLACES)
@pytest.mark.parametrize("named", ["", " in <#C1>"])
@pytest.mark.parametrize(
    "text",
    ["follow gulls", "follow tides, focused", "follow gulls daily", "unfollow tides",
     "unfollow lighthuses", "unfolow tides", "mute tides", "mute tides for 1d", "mute all",
     "unmute tides", "unmute all", "unmute", "digest", "digest daily 8", "digest off", "digest on",
     "digst daily 8", "daily", "stop", "pause for 1w", "topic tides", "edit tides: tide",
     "digest daily by slack", "digest by email", "digest daily 8 by email"],
)  # fmt: skip
def test_every_button_means_the_subject_of_the_reply_that_offered_it(coast, text, named, typed_in):
    reply = say(coast, f"{text}{named}", typed_in)

    for button in reply.buttons:
        for pressed_in in PLACES:
            pressed = say(coast, button.command, pressed_in)
            assert pressed.conversation == reply.conversation, (button, pressed_in)


def test_a_personal_button_pressed_in_a_conversation_with_a_digest_stays_personal(coast):
    reply = say(coast, "follow gulls", COAST)
    (daily,) = [b for b in reply.buttons if b.label == "Daily instead"]
    pressed = say(coast, daily.command, COAST)

    assert cadences(coast) == ["daily", "weekly"]
    assert pressed.notice is None


def test_by_slack_typed_in_a_conversation_means_ones_own_digest(coast):
    say(coast, "digest daily 8 by slack", COAST)

    assert cadences(coast) == ["daily", "weekly"]


def test_by_email_typed_in_a_conversation_means_ones_own_digest(coast):
    coast.say("email ada@example.org", ADA, operator=True)

    assert "to ada@example.org" in said(say(coast, "digest daily 8 by email", COAST))


def test_a_button_about_mail_stays_about_mail(coast):
    coast.say("email ada@example.org", ADA, operator=True)
    reply = say(coast, "digest by email", COAST)
    pressed = [said(say(coast, button.command, COAST)) for button in reply.buttons]

    assert cadences(coast) == ["weekly", "weekly"]
    assert all("to ada@example.org" in each for each in pressed)


def test_a_command_in_a_reply_about_a_conversation_names_it(coast):
    reply = say(coast, "follow tides without survey in <#C1>")

    assert "follow tides without nothing in <#C1> clears that." in said(reply)


# -------------------------------------------------------------- clauses


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        ("follow gulls in <#C1>, focused", "the end"),
        ("follow gulls, focused in <#C1>", "before"),
        ("follow gulls for <#C1|coast>, focused", "for"),
        ("follow gulls to <#C1> breadth focused", "to"),
        ("follow gulls from <#C1>, focused", "from"),
        ("follow gulls, in <#C1>, focused", "commas"),
    ],
)
def test_a_conversation_may_be_named_among_other_clauses(world, typed, where):
    reply = say(world, typed)

    (follow,) = world.store.people.follows(world.store.people.find(COAST))
    assert reply.conversation == COAST
    assert (follow.topic.name, follow.breadth) == ("Gulls", "focused"), where


def test_a_mute_may_end_after_the_conversation_was_named(coast):
    assert said(say(coast, "mute tides in <#C1> for 2w")).startswith("Tides is muted until Tue 8")
    assert said(say(coast, "digest in <#C1> daily 9")).startswith("The digest comes every day")
    assert coast.store.people.follows(1)[0].muted_until is None


@pytest.mark.parametrize(
    "typed",
    ["follow gulls <#C1>", "follow gulls in <#C1> in <#C2>", "follow gulls in this channel",
     "follow all of <#C1> and gulls", "edit tides: <#C1>", "follow gulls in #coast, focused",
     "follow gulls for #coast"],
)  # fmt: skip
def test_a_conversation_never_becomes_part_of_a_topic(coast, typed):
    before = len(coast.store.topics.all(own=True))
    reply = say(coast, typed, COAST)

    assert reply.status == 400
    assert "in #channel" in said(reply)
    assert len(coast.store.topics.all(own=True)) == before


# -------------------------------------------------------------- what everyone sees


@pytest.mark.parametrize(
    ("before", "typed"),
    [
        ("mute all", "unmute all"),
        ('mute "neap tide"', 'unmute "neap tide"'),
        ('mute author:"Jun Li"', 'unmute author:"Jun Li"'),
        ("mute tides", "unmute tides"),
        ("list", "mute tides"),
        ("list", "follow gulls"),
        ("list", "unfollow tides"),
        ("list", "unfollow all"),
        ("list", "edit tides: tide"),
        ("list", "digest daily"),
        ("list", "digest off"),
        ("digest off", "digest on"),
    ],
)
def test_every_change_of_a_conversation_and_its_undo_have_a_visible_line(coast, before, typed):
    say(coast, f"{before} in <#C1>")
    reply = say(coast, f"{typed} in <#C1>")

    assert reply.notice
    assert reply.notice[0].startswith("<@U1>")
    for button in reply.buttons:
        if button.label == "Undo":
            assert say(coast, button.command).notice


@pytest.mark.parametrize("typed", ["list", "settings", "unmute tides", "topic tides", "mute x"])
def test_what_changes_nothing_is_seen_by_nobody(coast, typed):
    assert say(coast, f"{typed} in <#C1>").notice is None


@pytest.mark.parametrize(
    ("who", "where"),
    [
        (ADA, "here"),
        (COAST, "in this conversation"),
        (Identity("slack", "T1", "G1"), "in this conversation"),
        (Identity("console", "", "Cleo"), "here"),
        (Identity("console", "", "C1"), "here"),
        (Identity("email", "", "c@example.org"), "to c@example.org"),
    ],
    ids=str,
)
def test_where_a_digest_comes_is_said_as_it_is(world, who, where):
    world.say("follow tides", who, operator=True)

    assert f"Monday 09:00 (UTC) {where}, next" in world.asks("digest", who, operator=True)


def test_whoever_is_there_sees_what_a_conversations_digest_does_not_show(coast):
    """A guest as well; who is elsewhere does not."""
    coast.say("unfollow tides", ADA)
    coast.announce(*(f"A tide {n}" for n in range(5)))
    coast.morning()
    sent = coast.store.outbox.last(coast.store.people.at("slack", "T1:C1")[0].id)
    guest = Actor(Identity("slack", "T1", "U9"), conversation=COAST, may_configure=False)
    there, elsewhere = (
        coast.core.execute(replace(guest, conversation=where), f"more {sent.key} 1")
        for where in (COAST, ELSEWHERE)
    )

    assert len(json.loads(there.data["page"])["papers"]) == 2
    assert said(elsewhere) == "That page is not kept any more."
