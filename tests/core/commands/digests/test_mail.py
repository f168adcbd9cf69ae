"""Digests by mail: nobody gets one who has not said yes."""

import json

import pytest

from bot.channels import ChannelError, Fault
from bot.core.reply import Actor
from bot.model import DestinationState, Identity
from tests.core.commands.digests.conftest import SLACK, destinations
from tests.core.conftest import MONDAY, said


@pytest.mark.parametrize("typed", ["email me at {}", "email to {}", "email my address is {}"])
def test_an_address_in_a_sentence_is_read(world, typed):
    assert "on its way to ada@example.org" in world.asks(typed.format("ada@example.org"))


@pytest.mark.parametrize(
    "address", ["ada@xn--mller-kva.de", "ada--l@example.org", "a$b$c@example.org", "{a}@x.org"]
)
def test_an_address_is_never_read_as_latex(world, address):
    world.say("follow tides")

    assert f" to {address}" in world.asks(f"email {address}", operator=True)
    assert destinations(world)[-1].address == address


def test_whoever_stops_mails_stops_no_other_digest(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)

    assert world.asks("stop the emails") == "No more mail to ada@example.org."
    assert [d.state for d in destinations(world)] == ["active", "off"]


def test_email_asks_the_owner_first(world):
    world.say("follow tides")
    reply = world.say("email ada@example.org")
    tide = world.announce("The tide")
    world.morning()

    assert said(reply).startswith("A mail is on its way to ada@example.org.")
    assert world.got() == tide
    arrived = world.inboxes["email"].arrived
    assert [(address, papers) for address, papers, _ in arrived] == [("ada@example.org", ())]


def test_nobody_has_mails_sent_to_everybody(world):
    replies = [world.say(f"email reader{n}@example.org") for n in range(25)]

    assert [reply.status for reply in replies] == [200] * 20 + [429] * 5
    assert "named enough addresses for today" in said(replies[-1])
    assert len(world.store.people.destinations(1)) == 20


def test_what_the_operator_says_counts_as_confirmed(world):
    assert world.asks("email ada@example.org", operator=True) == (
        "The digest comes Monday 09:00 (UTC) to ada@example.org, next Mon 30 Nov 09:00."
    )


@pytest.mark.parametrize("typed", ["email not an address", "email a@b@c", "email a@b.org, c@d.org"])
def test_what_is_not_one_address_is_refused(world, typed):
    reply = world.say(typed)

    assert reply.status == 400
    assert "is not one mail address" in said(reply)
    assert world.store.people.everyone() == []


def test_email_alone_says_how_it_stands(world):
    assert world.asks("email") == "Which address? email reader@example.org"
    world.say("email ada@example.org", operator=True)
    assert world.asks("email").startswith("The digest comes Monday 09:00 (UTC) to ada@example.org")


def test_email_off_and_undo(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    stopped = world.say("email off")
    assert said(stopped) == "No more mail to ada@example.org."
    world.press(stopped, "Undo")

    assert [d.state for d in destinations(world)] == ["active", "active"]


@pytest.mark.parametrize("typed", ["email on", "mail on", "email start"])
def test_email_comes_again_by_a_word(world, typed):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.say("email off")
    world.say(typed)

    assert [d.state for d in destinations(world)] == ["active", "active"]


@pytest.mark.parametrize("typed", ["email daily 8", "mail every morning at 8"])
def test_when_a_mail_comes_is_said_beside_it(world, typed):
    world.say("email ada@example.org", operator=True)
    world.say(typed)

    assert "daily 08:00" in {d.cadence for d in destinations(world)}


def test_an_address_that_refused_mail_is_released_by_the_operator_alone(world):
    world.say("follow tides")
    world.store.people.suppress("ada@example.org", "no such mailbox", world.clock())
    refused = world.say("email ada@example.org")
    released = world.say("email ada@example.org", operator=True)

    assert "refused mail before (no such mailbox)" in said(refused)
    assert released.ok
    assert world.store.people.suppressed("ada@example.org") == ""


def test_a_conversation_has_no_mailbox(world):
    """Else whoever reads that mail and everyone in the conversation became one person."""
    reply = world.say("email ada@example.org in <#C1>", SLACK, operator=True)

    assert not reply.ok
    assert "mail is for people" in said(reply)
    assert world.store.people.everyone() == []


def test_unconfirmed_mail_is_not_resumed_by_typing(world):
    world.say("email ada@example.org")
    (destination,) = destinations(world)

    assert "has not been confirmed yet" in world.asks(f"resume {destination.id}")
    assert "has not been confirmed yet" in world.asks("digest on by email")


STOPS = ("email off", "digest off by email")


STARTS = (
    "digest on by email",
    "Undo",
    "resume",
    "digest daily 8 by email",
    "email ada@example.org",
)


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("start", STARTS)
def test_nobody_gets_digests_whose_address_was_only_typed(world, stop, start):
    world.say("follow tides")
    world.say("email ada@example.org")
    mail = destinations(world)[1]
    stopped = world.say(stop)
    assert [b.label for b in stopped.buttons] == []
    world.say(f"resume {mail.id}" if start == "Undo" else start)
    world.announce("The tide")
    world.morning()

    assert world.got(Identity("email", "", "ada@example.org")) == []
    assert world.store.people.destination(mail.id).state is not DestinationState.ACTIVE


def test_a_refused_question_is_no_yes(world):
    """The letter that asks came back, and its reason stands where “unconfirmed” stood."""
    world.say("email ada@example.org")
    (mail,) = destinations(world)
    world.store.people.set_state(mail.id, DestinationState.PAUSED, "550 no such user")

    assert "has not been confirmed yet" in world.asks(f"resume {mail.id}")
    assert "has not been confirmed yet" in world.asks("digest on by email")


@pytest.mark.parametrize("typed", ["digest on by email", "resume 2", "email ada@example.org"])
def test_an_address_that_refused_mail_is_not_turned_on_by_typing(world, typed):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.store.people.set_state(2, DestinationState.PAUSED, "550 no such user")
    world.store.people.suppress("ada@example.org", "550 no such user", world.clock())

    assert "refused mail before (550 no such user)" in world.asks(typed)
    assert world.store.people.destination(2).state is DestinationState.PAUSED
    assert world.say(typed, operator=True).ok
    assert world.store.people.suppressed("ada@example.org") == ""


@pytest.mark.parametrize("why", ["suppressed", "unconfirmed"])
def test_a_digest_on_its_way_is_kept_back_where_the_address_objects_meanwhile(world, why):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.announce("The tide")
    world.prepare(MONDAY)
    if why == "suppressed":
        world.store.people.suppress("ada@example.org", "550 no such user", world.clock())
    else:
        world.store.engine.run("UPDATE destinations SET confirmed_at = NULL")
    world.deliver()

    assert world.got(Identity("email", "", "ada@example.org")) == []
    assert destinations(world)[1].state is DestinationState.PAUSED
    assert len(world.got()) == 1


def test_whoever_stopped_mail_comes_back_by_typing_the_address_again(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.say("email off")
    reply = world.say("email ada@example.org")

    assert said(reply) == "Digests come again to ada@example.org, next Mon 30 Nov 09:00."
    assert destinations(world)[1].state is DestinationState.ACTIVE


def test_whoever_stopped_before_confirming_is_asked_again(world):
    world.say("email ada@example.org")
    world.say("email off")
    world.clock.forward(days=2)
    reply = world.say("email ada@example.org")
    world.deliver()

    assert said(reply).startswith("A mail is on its way to ada@example.org.")
    assert len(world.inboxes["email"].arrived) == 2
    assert world.asks("email") == (
        "The digest to ada@example.org is paused: waiting for its owner to confirm."
    )


@pytest.mark.parametrize("typed", ["follow tides", "digest", "digest daily 9"])
def test_a_place_that_was_only_for_notices_begins_like_a_new_one(world, typed):
    """Whoever set up a conversation's digest was told there that it is paused."""
    world.say("follow tides in <#C1>", SLACK)
    world.say("digest daily 8 tz Asia/Tokyo in <#C1>", SLACK)
    world.store.slack.keep("T1", "C1", "U1", world.clock())
    world.announce("The tide")
    world.inboxes["slack"].refusals = [ChannelError("it is archived", Fault.ADDRESS)]
    world.morning()
    (told,) = destinations(world, SLACK)
    assert (told.state, told.reason) == (DestinationState.OFF, "only for notices")
    reply = world.core.execute(Actor(SLACK, zone="Europe/Berlin"), typed)

    (own,) = destinations(world, SLACK)
    assert "comes" in said(reply)
    assert (own.state, own.zone) == (DestinationState.ACTIVE, "Europe/Berlin")
    assert own.cadence == ("daily 09:00" if "daily" in typed else "weekly mon 09:00")
    assert own.next_due_at > world.clock()


@pytest.mark.parametrize(
    ("channel", "buttons", "until"),
    [
        ("slack", ["Resume"], "once it works again"),
        ("email", [], "once the operator has released the address"),
    ],
)
def test_a_pause_is_told_by_the_other_way_and_offers_only_what_can_work(
    world, channel, buttons, until
):
    world.say("follow tides", SLACK)
    world.say("email ada@example.org", SLACK, operator=True)
    world.announce("The tide")
    is_mail = channel == "email"
    refusal = ChannelError("gone", Fault.ADDRESS, suppress=is_mail)
    world.inboxes[channel].refusals = [refusal]
    world.morning()

    letters = [
        json.loads(row["content"])
        for row in world.store.engine.rows("SELECT content FROM delivery_parts")
    ]
    (letter,) = [each for each in letters if "lines" in each]
    assert letter["buttons"] == buttons
    assert until in letter["lines"][1]


def test_a_digest_asked_for_early_gives_up_nothing_that_is_muted(world):
    world.say("follow tides")
    world.say("mute tides for 1d")
    tide = world.announce("The tide")
    early = world.asks("digest now")
    world.morning()

    assert early.splitlines()[:2] == [
        "Nothing new for you yet.",
        "1 paper is kept back: Tides was muted until Wed 25 Nov 07:00.",
    ]
    assert world.got() == tide
