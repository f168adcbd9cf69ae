"""Unmute: what passed is said and shown, and every other silence stays."""

import pytest

from bot.core.filtering import is_by, mentions
from bot.model import Identity
from tests.core.commands.topics.conftest import Keeper
from tests.core.conftest import BEA, TUESDAY, said
from tests.makers import paper


def test_unmute_says_what_passed_and_shows_it(follower):
    follower.say("mute tides")
    follower.announce("The tide", "Another tide")
    follower.morning()
    reply = follower.say("unmute tides")

    assert said(reply).startswith(
        "Tides is heard again from now on. 2 papers passed while it was muted."
    )
    shown = follower.press(reply, "Show")
    assert said(shown) == "2 papers of Tides passed while it was muted."
    assert [e.paper.title for e in shown.papers] == ["Another tide", "The tide"]


def test_what_other_silences_kept_back_did_not_pass_while_the_topic_was_muted(follower):
    follower.say('mute author:"Jun Li"')
    follower.announce("The tide", authors=("Jun Li",))
    (disliked,) = follower.announce("Another tide")
    follower.say(f"not-for-me {disliked}")
    follower.morning()

    assert follower.asks("passed tides") == "Nothing of Tides passed while it was muted."


def test_each_digest_shows_what_it_counted_and_no_silence_before(follower):
    follower.say("digest daily 9")
    kept = follower.inboxes["console"] = follower.core.house.channels["console"] = Keeper()
    for day in (24, 26):
        follower.clock.set(TUESDAY.replace(day=day))
        follower.say("mute tides for 3h")
        follower.announce(f"The tide of the {day}th", "A gull")
        follower.morning(TUESDAY.replace(day=day, hour=9))
        follower.announce("A lighthouse")
        follower.morning(TUESDAY.replace(day=day + 1, hour=9))

    back = [digest for digest in kept.digests if digest.notes]
    assert [each.notes for each in back] == [("Tides is back. 1 passed while it was muted.",)] * 2
    shown = [follower.say(each.asides[0].command) for each in back]
    assert [[e.paper.title for e in each.papers] for each in shown] == [
        ["The tide of the 24th"],
        ["The tide of the 26th"],
    ]
    assert said(shown[1]) == "1 paper of Tides passed while it was muted."
    assert follower.asks("passed tides") == "In all, 2 papers of Tides passed while it was muted."


@pytest.mark.parametrize("clause", ["", " for 3h", " for 12d", " until 2026-12-24"])
def test_undoing_an_unmute_mutes_until_the_same_instant(follower, clause):
    follower.say(f"mute tides{clause}")
    before = follower.store.people.follows(1)[0].muted_until
    follower.press(follower.say("unmute tides"), "Undo")

    assert follower.store.people.follows(1)[0].muted_until == before


SILENCES = ("tides", 'author:"Jun Li"', "cat:cs.CV for 3h")


def silences(world):
    """Everything that is muted, each with its end."""
    people = world.store.people
    return (
        {f.topic.name: f.muted_until for f in people.follows(1) if f.muted_until},
        {m.value: m.until for m in people.mutes(1)},
    )


APART = (
    'author:"Jun Li"',
    'author:"Ada Lovelace"',
    '"jun li"',
    '"neap tide"',
    "cat:cs.LG",
    "cat:cs",
)


@pytest.mark.parametrize("heard", APART)
def test_one_silence_ends_and_every_other_stays(follower, heard):
    for each in APART:
        follower.say(f"mute {each}")
    follower.say(f"unmute {heard}")
    buttons = follower.say("unmute").buttons

    assert {b.command.casefold() for b in buttons} == {
        f"unmute {each}".casefold() for each in APART if each != heard
    }


def test_unmute_all_ends_the_mute_of_everything_and_says_what_stays_silent(follower):
    for what in SILENCES:
        follower.say(f"mute {what}")
    before = silences(follower)
    ended = follower.press(follower.say("mute all for 2w"), "Unmute")

    assert said(ended).splitlines()[:2] == [
        "Everything is heard again from now on.",
        "Still muted: Tides, The author Jun Li, The category cs.CV. unmute offers them.",
    ]
    assert silences(follower) == before


def test_undoing_unmute_all_mutes_everything_until_the_same_instant(follower):
    follower.say("mute all until 14 Dec")
    before = silences(follower)
    follower.press(follower.say("unmute all"), "Undo")

    assert silences(follower) == before


def test_where_not_everything_is_muted_unmute_all_ends_each_silence_and_has_one_undo(follower):
    for what in SILENCES:
        follower.say(f"mute {what}")
    before = silences(follower)
    ended = follower.say("unmute all")

    assert silences(follower) == ({}, {})
    follower.press(ended, "Undo")
    assert silences(follower) == before


def test_the_end_of_any_mute_can_be_undone(follower):
    follower.say('mute "neap, tide" for 3h')
    before = silences(follower)
    follower.press(follower.say('unmute "neap, tide"'), "Undo")

    assert silences(follower) == before


def test_unmute_alone_offers_what_is_muted(follower):
    assert "Nothing is muted" in follower.asks("unmute")
    follower.say("mute tides")
    follower.say('mute author:"Jun Li"')
    reply = follower.say("unmute")

    assert [b.command for b in reply.buttons] == ["unmute tides", 'unmute author:"Jun Li"']
    for button in reply.buttons:
        assert follower.say(button.command).ok


@pytest.mark.parametrize("text", ["unmute tides", "unmute all", 'unmute author:"Jun Li"'])
def test_unmuting_what_is_not_muted_is_harmless(follower, text):
    reply = follower.say(text)

    assert "not muted; nothing changed" in said(reply) or "Nothing was muted" in said(reply)
    assert reply.status == 200


def test_a_followed_query_in_quotes_is_muted_as_a_topic(world):
    world.say('follow "spring tide"')
    world.say('mute "spring tide" for 2w')

    assert world.store.people.follows(1)[0].muted_until is not None
    assert world.store.people.mutes(1) == []


def test_a_mute_is_for_one_person(follower):
    follower.say("follow tides", BEA, operator=True)
    follower.say("mute tides")
    tide = follower.announce("The tide")
    follower.morning()

    assert (follower.got(), follower.got(BEA)) == ([], tide)


def test_a_conversation_sees_who_muted_what(world):
    who = Identity("slack", "T1", "U1")
    world.say("follow tides in <#C1>", who)
    reply = world.say("mute tides for 2w in <#C1>", who)

    assert said(reply).startswith("Tides is muted until")
    assert reply.notice[:3] == ("<@U1> muted ", reply.notice[1], " here ")


@pytest.mark.parametrize(
    ("phrase", "holds"),
    [("tide", True), ("tides", True), ("tid", False), ("!!!", False), ("", False)],
)
def test_what_a_phrase_means(phrase, holds):
    assert mentions(paper(title="A tide", abstract=""), phrase) is holds


@pytest.mark.parametrize(
    ("name", "is_theirs"),
    [("jun li", True), ("Li", False), ("Jun Lin", False), ("Michal Nielsen", True)],
)
def test_a_name_is_a_whole_name(name, is_theirs):
    assert is_by(paper(authors=("Jun Li", "Michał Nielsen")), name) is is_theirs


@pytest.mark.parametrize(
    ("muted", "heard"),
    [
        ('author:"Yann LeCun"', 'author:"yann lecun"'),
        ('author:"Yann LeCun"', 'author:"LeCun, Yann"'),
        ('author:"Jürgen Müller"', 'author:"Juergen Mueller"'),
        ('"Survey"', '"surveys"'),
        ("cat:cs.CV", "cat:CS.cv"),
    ],
)
def test_a_mute_ends_by_whatever_spelling_it_silences_by(world, muted, heard):
    world.say(f"mute {muted}")

    assert "is heard again" in world.asks(f"unmute {heard}")
    assert world.store.people.mutes(1) == []


def test_a_name_with_its_family_name_first_is_silent_as_well(world):
    world.say("follow tides")
    world.say('mute author:"Li, Jun"')
    world.announce("The tide", authors=("Jun Li",))
    world.morning()

    assert world.got() == []
