"""Two subscribers who confirm one mailbox become one, and nothing that either silenced comes."""

from datetime import timedelta

import pytest

from bot.model import DestinationState, Identity
from tests.core.commands.links.letters import MAIL, join, link
from tests.core.conftest import MONDAY, NEXT_MONDAY, TUESDAY, said
from tests.houses import ADA


def test_a_confirmed_address_makes_two_subscribers_one(world):
    world.say("follow tides", MAIL, operator=True)
    world.say("follow gulls")
    world.say("email ada@example.org")
    waiting = world.store.people.destinations(world.store.people.find(ADA))[1]
    world.core.redeem(link(world, "confirm", waiting.id), act=True)
    one = world.store.people.find(ADA)

    assert world.store.people.find(MAIL) == one
    assert world.store.people.everyone() == [one]
    assert {f.topic.name for f in world.store.people.follows(one)} == {"Tides", "Gulls"}
    assert [(d.channel, d.state) for d in world.store.people.destinations(one)] == [
        ("email", "active"),
        ("console", "active"),
    ]


def test_what_either_was_told_stays_told_and_what_waits_is_not_lost(world):
    """The mailbox had its own digests before; joining neither repeats nor drops one."""
    world.say("follow tides", MAIL, operator=True)
    first = world.announce("The tide")
    world.morning()
    second = world.announce("Another tide")
    world.say("follow tides")
    world.say("email ada@example.org")
    waiting = world.store.people.destinations(world.store.people.find(ADA))[1]
    third = world.announce("A third tide")
    world.prepare(NEXT_MONDAY)  # composed for both, sent to neither
    world.core.redeem(link(world, "confirm", waiting.id), act=True)
    world.deliver()
    fourth = world.announce("A fourth tide")
    world.morning(NEXT_MONDAY + timedelta(days=7))

    assert sorted(world.got(MAIL)) == [*first, *second, *third, *fourth]


def test_an_address_in_another_case_is_the_same_mailbox(world):
    world.say("follow tides", MAIL, operator=True)
    world.say("follow gulls")
    world.say("email Ada@Example.org")
    waiting = world.store.people.destinations(world.store.people.find(ADA))[1]
    world.core.redeem(link(world, "confirm", waiting.id), act=True)
    tide = world.announce("The tide")
    world.morning()

    assert [address for address, papers, _ in world.inboxes["email"].arrived if papers] == [
        "ada@example.org"
    ]
    assert world.got(MAIL) == tide


def test_links_of_mail_sent_before_still_stop_it(world):
    world.say("follow tides", MAIL, operator=True)
    old = world.store.people.destinations(1)[0]
    world.say("email ada@example.org")
    world.say("email ada@example.org", operator=True)
    world.core.redeem(link(world, "leave", old.id), act=True)

    (mail,) = world.store.people.at("email", "ada@example.org")
    assert mail.state is DestinationState.OFF


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_so_do_those_of_the_letter_that_asked_whose_mailbox_it_was(world, purpose):
    world.say("follow tides", MAIL, operator=True)
    world.say("email ada@example.org")
    (asked,) = world.store.people.destinations(world.store.people.find(ADA))
    for _ in range(2):
        confirmed = world.core.redeem(link(world, "confirm", asked.id), act=True)
    world.core.redeem(link(world, purpose, asked.id), act=True)

    (mail,) = world.store.people.at("email", "ada@example.org")
    assert confirmed.ok
    assert mail.id != asked.id
    assert mail.state is DestinationState.OFF


def test_of_two_silences_the_longer_one_holds(world):
    for who, until in ((MAIL, "2027-03-01"), (ADA, "2026-12-01")):
        world.say("follow tides", who, operator=True)
        world.say(f"mute tides until {until}", who, operator=True)
        world.say(f'mute "ebb" until {until}', who, operator=True)
    world.say("email ada@example.org", operator=True)

    one = world.store.people.find(ADA)
    (follow,), (mute,) = world.store.people.follows(one), world.store.people.mutes(one)
    assert (f"{follow.muted_until:%Y-%m}", f"{mute.until:%Y-%m}") == ("2027-03", "2027-03")


def joined(world):
    """Ada, who typed her address first, says yes in the first mail."""
    mail = next(
        d for d in world.store.people.destinations(world.store.people.find(ADA)) if
        d.channel == "email"
    )  # fmt: skip
    return world.core.redeem(link(world, "confirm", mail.id), act=True)


def test_whoever_reads_a_mailbox_already_keeps_its_hour(world):
    world.say("email ada@example.org")
    world.say("follow tides", MAIL, operator=True)
    world.say("digest daily 7 tz Europe/Berlin", MAIL, operator=True)
    reply = joined(world)
    tide = world.announce("The tide")
    world.morning(TUESDAY + timedelta(days=1))

    assert "The digest comes every day 07:00 (Europe/Berlin) to ada@example.org" in said(reply)
    assert world.got(MAIL) == tide


@pytest.mark.parametrize("one", [ADA, MAIL])
def test_what_either_left_out_stays_left_out_and_is_said(world, one):
    other = MAIL if one is ADA else ADA
    world.say("follow tides without survey, focused", one, operator=True)
    world.say("follow tides without author:Ada Lovelace", other, operator=True)
    world.say("follow gulls", one, operator=True)
    world.say("email ada@example.org")
    reply = joined(world)
    world.announce("A survey of the tide", authors=("Jun Li",))
    world.announce("The tide", authors=("Ada Lovelace",))
    heard = world.announce("A gull", authors=("Ada Lovelace",))
    world.morning()

    assert said(reply).splitlines()[2] == (
        "You followed Tides on both sides; what either left out stays out: "
        'follow tides without "survey", author:"Ada Lovelace", focused.'
    )
    assert world.got() == world.got(MAIL) == heard


@pytest.mark.parametrize("mutes", [1, 2, 3])
def test_what_waits_for_either_is_checked_by_what_both_silenced(world, mutes):
    """However often each has silenced something: their counts say nothing of each other."""
    world.say("follow tides", MAIL, operator=True)
    world.say("follow tides")
    world.say('mute "survey"')
    for n in range(mutes):
        world.say(f'mute "nothing of that kind {n}"', MAIL, operator=True)
    world.announce("A survey of the tide")
    world.prepare(MONDAY)
    world.say("email ada@example.org", operator=True)
    world.deliver()

    assert world.got(MAIL) == []


def test_what_one_of_the_two_did_not_like_comes_to_neither(world):
    for who in (ADA, MAIL):
        world.say("follow tides", who, operator=True)
    (tide,) = world.announce("The tide")
    world.say(f"not-for-me {tide}", MAIL, operator=True)
    world.store.people.judge(world.store.people.find(ADA), 1, world.clock(), liked=True)
    world.say("email ada@example.org", operator=True)
    world.morning()

    assert world.got() == world.got(MAIL) == []


def test_confirming_twice_is_harmless(world):
    world.say("email ada@example.org")
    token = link(world, "confirm", world.store.people.destinations(1)[0].id)
    replies = [world.core.redeem(token, act=True) for _ in range(2)]

    assert all(reply.ok for reply in replies)
    assert len(world.store.ledger.runs("consent")) == 1


@pytest.mark.parametrize("word", ["email off", "leave", "paused"])
def test_confirming_is_a_yes_whatever_was_before(world, word):
    """Stopped by typing or by link, or refused by the mailbox: its owner says yes anew."""
    world.say("follow tides")
    world.say("email ada@example.org")
    mail = world.store.people.destinations(world.store.people.find(ADA))[1]
    token = link(world, "confirm", mail.id)
    world.core.redeem(token, act=True)
    if word == "paused":
        world.store.people.set_state(mail.id, DestinationState.PAUSED, "550 no such user")
        world.store.people.suppress("ada@example.org", "550 no such user", world.clock())
    elif word == "leave":
        world.core.redeem(link(world, "leave", mail.id), act=True)
    else:
        world.say(word)
    reply = world.core.redeem(token, act=True)

    assert said(reply).startswith("Confirmed. \nThe digest comes Monday 09:00 (UTC) to ada@")
    assert world.store.people.suppressed("ada@example.org") == ""


def test_two_people_of_slack_who_confirm_one_mailbox_stay_two(world):
    one, two = (Identity("slack", "T1", user) for user in ("U1", "U2"))
    for who, topic in ((one, "tides"), (two, "gulls")):
        world.say(f"follow {topic}", who)
        world.say("email lab@example.org", who)
        world.clock.forward(days=2)
        mail = world.store.people.destinations(world.store.people.find(who))[1]
        reply = world.core.redeem(link(world, "confirm", mail.id), act=True)
    tide, _gull = world.announce("The tide", "The gull")
    world.say("mute all for 3w", two)
    world.morning()

    first, second = (world.store.people.find(who) for who in (one, two))
    assert first != second
    assert [f.topic.name for f in world.store.people.follows(first)] == ["Tides"]
    assert "Someone else in Slack has a digest there too" in said(reply)
    assert world.got(Identity("email", "", "lab@example.org")) == [tide]
    holder = world.core.holder(link(world, "person", mail.id))
    world.core.execute(holder, "digest daily 8")
    assert [d.cadence for d in world.store.people.destinations(second)] == [
        "weekly mon 09:00", "daily 08:00",
    ]  # fmt: skip


def test_whoever_is_asked_for_somebody_in_slack_is_told_what_a_yes_means(world):
    mallory = Identity("slack", "T1", "U1")
    join(world, "bea@example.org")
    world.say("follow gulls", mallory)
    world.say("email ada@example.org", mallory)
    waiting = world.store.people.destinations(world.store.people.find(mallory))[1]
    asked = said(world.core.redeem(link(world, "confirm", waiting.id), act=False))
    rows = world.store.engine.rows("SELECT content FROM delivery_parts ORDER BY delivery_id")
    to_bea, to_ada = (row["content"].decode() for row in rows)

    assert "Confirm only if that was you: whoever asked then sees and changes" in asked
    assert asked.splitlines()[1] in to_ada
    assert "Slack" not in to_bea
    assert "Slack" not in said(world.core.redeem(link(world, "confirm", 1), act=False))


def test_a_link_adds_no_address_for_whoever_found_it(world):
    world.say("follow tides", MAIL, operator=True)
    finder = world.core.holder(link(world, "person", 1))
    for words in ("email mallory@example.org", "email me at mallory@example.org"):
        reply = world.core.execute(finder, words)
        by_act = world.core.redeem(link(world, "act", 1, words), act=True)

        assert reply.status == by_act.status == 403
        assert "may have been passed on" in said(reply)
    assert [d.address for d in world.store.people.destinations(1)] == ["ada@example.org"]
    assert world.core.execute(finder, "email off").ok
    assert world.core.execute(finder, "email Ada@example.org").ok
    assert world.store.people.destination(1).state is DestinationState.ACTIVE
