"""When and where digests come."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.core.reply import Actor
from bot.model import DestinationState, Identity
from tests.core.commands.digests.conftest import SLACK, destinations
from tests.core.conftest import BEA, MONDAY, said
from tests.houses import ADA


def test_the_default_is_monday_nine_in_the_persons_zone(world):
    world.core.execute(Actor(ADA, zone="America/New_York"), "follow tides")

    (destination,) = destinations(world)
    assert destination.cadence == "weekly mon 09:00"
    assert destination.next_due_at == datetime(2026, 11, 30, 14, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "said_"),
    [
        ("digest daily 8:30", "every day 08:30 (UTC) here, next Tue 24 Nov 08:30"),
        ("digest daily", "every day 09:00 (UTC) here, next Tue 24 Nov 09:00"),
        ("digest weekly fri at 17", "Friday 17:00 (UTC) here, next Fri 27 Nov 17:00"),
        ("digest weekdays 7", "weekdays 07:00 (UTC) here, next Wed 25 Nov 07:00"),
        ("digest 9am tz Europe/Kyiv", "Monday 09:00 (Europe/Kyiv) here, next Mon 30 Nov 09:00"),
        ("digest tz europe/berlin", "Monday 09:00 (Europe/Berlin) here, next Mon 30 Nov 09:00"),
        ("digest tz New York", "Monday 09:00 (America/New_York) here, next Mon 30 Nov 09:00"),
        (
            "digest daily at 8 tz new york",
            "every day 08:00 (America/New_York) here, next Tue 24 Nov 08:00",
        ),
        (
            "digest tz new york daily 8",
            "every day 08:00 (America/New_York) here, next Tue 24 Nov 08:00",
        ),
        ("digest America/New_York", "Monday 09:00 (America/New_York) here, next Mon 30 Nov 09:00"),
        ("digest UTC", "Monday 09:00 (UTC) here, next Mon 30 Nov 09:00"),
        ("digest fri 8 asia/tokyo", "Friday 08:00 (Asia/Tokyo) here, next Fri 27 Nov 08:00"),
        ("digest fri 8 Tokyo time", "Friday 08:00 (Asia/Tokyo) here, next Fri 27 Nov 08:00"),
        ("digest tue/thu 8", "Tuesday and Thursday 08:00 (UTC) here, next Tue 24 Nov 08:00"),
        (
            "digest mon and thu 8 tz Europe/Kyiv",
            "Monday and Thursday 08:00 (Europe/Kyiv) here, next Thu 26 Nov 08:00",
        ),
        ("monthly", "the first Monday of the month 09:00 (UTC) here, next Mon 7 Dec 09:00"),
        ("digest every morning, please", "every day 09:00 (UTC) here, next Tue 24 Nov 09:00"),
    ],
)
def test_digest_changes_the_door_it_is_typed_in(world, typed, said_):
    assert world.asks(typed) == f"The digest comes {said_}."


def test_undo_puts_the_old_time_back(world):
    world.say("digest fri 17 tz Europe/Berlin")
    world.press(world.say("digest daily 8 tz UTC"), "Undo")

    (destination,) = destinations(world)
    assert (destination.cadence, destination.zone) == ("weekly fri 17:00", "Europe/Berlin")


def test_a_digest_of_two_days_a_week_is_due_on_each_of_them(world):
    world.say("follow tides")
    world.say("digest twice a week at 8")
    (before,) = destinations(world)
    world.clock.set(before.next_due_at)
    world.core.prepare()

    (after,) = destinations(world)
    assert f"{before.next_due_at:%a} {after.next_due_at:%a}" == "Thu Mon"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("digest tz Nowhere/Land", "“Nowhere/Land” is not a time zone"),
        ("digest tz CET+1", "is not a time zone"),
        ("digest tz New Yrok", "“New Yrok” is not a time zone; did you mean America/New_York"),
        ("digest daily 8 Nowhere/Land", "“Nowhere/Land” is not a time zone"),
        ("digest tz", "“tz” is not a time for digests"),
        ("digest sometimes", "“sometimes” is not a time for digests"),
        ("digest daily 25:00", "has no time of day"),
        ("digest 9am EST", "“EST” is not a time zone; write America/New_York"),
        ("digest quarterly", "a digest comes on one or several weekdays, every week"),
        ("digest by email", "You have no digest by email; make one with email a@b.org."),
    ],
)
def test_what_is_no_time_or_place_is_refused(world, typed, complaint):
    world.say("follow tides")
    reply = world.say(typed)

    assert reply.status == 400
    assert complaint in said(reply)
    assert destinations(world)[0].cadence == "weekly mon 09:00"


def test_by_email_chooses_the_other_destination(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.say("digest daily 7 by email")

    assert [(d.channel, d.cadence) for d in destinations(world)] == [
        ("console", "weekly mon 09:00"),
        ("email", "daily 07:00"),
    ]


def test_told_is_per_destination(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    tide = world.announce("The tide")
    world.morning()

    assert world.got() == tide
    assert world.got(Identity("email", "", "ada@example.org")) == tide


def test_digest_in_a_conversation_that_has_one_means_that_one(world):
    there = Identity("slack", "T1", "C1")
    world.say("follow tides in <#C1>", SLACK)
    world.core.execute(Actor(SLACK, conversation=there), "digest daily 8")

    assert destinations(world, there)[0].cadence == "daily 08:00"
    assert world.store.people.find(SLACK) is None


def test_the_next_digest_is_shown_in_the_zone_it_comes_by(world):
    world.say("digest daily 8 tz Europe/Berlin")
    world.say("email ada@example.org", operator=True)
    world.say("digest daily 8 tz Asia/Tokyo by email")

    assert world.asks("digest").endswith("08:00 (Europe/Berlin) here, next Wed 25 Nov 08:00.")
    assert "08:00 (Asia/Tokyo) to ada@example.org, next Wed 25 Nov 08:00." in world.asks("status")
    assert "The next digest comes Wed 25 Nov 08:00." in world.asks("mute all for 1d")


def test_a_conversation_has_a_zone_for_all_it_is_told(world):
    world.core.execute(Actor(SLACK, zone="Europe/Berlin"), "follow tides in <#C1>")
    changed = world.say("digest tz Asia/Tokyo in <#C1>", SLACK)
    muted = world.say("mute tides until 2026-12-14 in <#C1>", SLACK)

    assert "next Mon 30 Nov 09:00." in said(changed)
    assert muted.zone == "Asia/Tokyo"


# -------------------------------------------------------------- changed too late


@pytest.mark.parametrize("typed", ["digest tz Europe/Kyiv", "digest 8:30", "digest on"])
def test_an_overdue_digest_still_comes_whatever_is_changed_meanwhile(world, typed):
    """The service was down on Monday, and Tuesday's first words come before its first look."""
    world.say("follow tides")
    tide = world.announce("The tide")
    world.clock.set(MONDAY + timedelta(days=1))
    reply = world.say(typed)
    world.morning(MONDAY + timedelta(days=1))

    assert "next Mon 30 Nov" in said(reply)
    assert "late" in said(reply)
    assert world.got() == tide
    assert destinations(world)[0].next_due_at > MONDAY + timedelta(days=6)


def test_undo_pressed_twice_swallows_no_overdue_digest(world):
    world.say("follow tides")
    stopped = world.say("digest off")
    world.press(stopped, "Undo")
    tide = world.announce("The tide")
    world.clock.set(MONDAY + timedelta(hours=1))
    world.press(stopped, "Undo")
    world.morning(MONDAY + timedelta(hours=1))

    assert world.got() == tide


@pytest.mark.parametrize("typed", ["digest at most 3", "digest 8:30", "resume"])
def test_what_became_of_a_paused_digest_is_written_down_though_it_was_changed_when_due(
    world, typed
):
    world.say("follow tides")
    (destination,) = destinations(world)
    world.store.people.set_state(destination.id, DestinationState.PAUSED, "away")
    world.clock.set(MONDAY)
    world.say(typed)
    world.core.prepare()

    noted = world.store.ledger.last("prepare", f"d{destination.id}")
    assert (noted.outcome, noted.reason) == ("paused", "away")
    assert destinations(world)[0].next_due_at > MONDAY + timedelta(days=6)


# -------------------------------------------------------------- changed while it is off


@pytest.mark.parametrize(("text", "state"), [("", "turned off"), (" by email", "paused: away")])
def test_a_change_of_a_digest_that_does_not_come_says_both(world, text, state):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    here, mail = destinations(world)
    world.store.people.set_state(here.id, DestinationState.OFF, "turned off")
    world.store.people.set_state(mail.id, DestinationState.PAUSED, "away")
    reply = world.say(f"digest daily 8:30{text}")
    world.press(reply, "Turn on")

    first, second = said(reply).splitlines()
    assert first == "Changed to every day 08:30 (UTC)."
    assert second.endswith(f" is {state}.")
    assert destinations(world)[bool(text)].state is DestinationState.ACTIVE
    assert destinations(world)[not text].state is not DestinationState.ACTIVE


# -------------------------------------------------------------- now, off, on


def test_digest_now_brings_it_at_once_and_the_next_one_comes_as_ever(world):
    world.say("follow tides")
    first = world.announce("The tide")
    reply = world.say("digest now")
    world.deliver()
    second = world.announce("Another tide")

    assert said(reply).splitlines() == [
        "A digest is on its way here.",
        "The next digest comes Mon 30 Nov 09:00.",
    ]
    assert world.got() == first
    world.morning()
    assert world.got() == [*first, *second]


def test_digest_now_with_nothing_new_says_so(world):
    world.say("follow tides")

    assert world.asks("digest now").splitlines() == [
        "Nothing new for you yet.",
        "No papers have been read yet. The newest papers so far: topic Tides.",
        "The next digest comes Mon 30 Nov 09:00.",
    ]
    assert world.states() == []


def test_digest_now_after_another_says_since_when_nothing_came(world):
    world.say("follow tides")
    world.announce("The tide")
    world.say("digest now")
    world.deliver()

    assert world.asks("digest now").startswith("Nothing new for you since the last one.")


def test_digest_now_for_whoever_follows_nothing_says_how_to_begin(world):
    assert "You follow nothing yet. Begin with" in world.asks("digest now")


@pytest.mark.parametrize(
    ("muted", "told"),
    [("all for 1w", "Everything is muted until "), ("tides", "Muted now: Tides.\n"),
     ("author:\"Jun Li\"", "Muted now: the author Jun Li.\n")],
)  # fmt: skip
def test_a_digest_at_once_that_brings_nothing_tells_what_is_muted(world, muted, told):
    world.say("follow tides")
    world.say("follow gulls")
    world.say(f"mute {muted}")

    assert f"Nothing new for you yet.\n{told}" in world.asks("digest now")


def test_digest_now_twice_on_a_day_is_two_editions(world):
    world.say("follow tides")
    for _ in range(2):
        world.announce("The tide")
        world.say("digest now")
    world.deliver()

    assert len(world.got()) == 2


def test_digest_off_stops_it_and_undo_loses_nothing(world):
    world.say("follow tides")
    before = world.announce("The tide")
    stopped = world.say("digest off")
    during = world.announce("Another tide")
    world.morning()
    assert world.got() == []
    undone = world.press(stopped, "Undo")
    world.morning(MONDAY + timedelta(days=7))

    assert "Nothing was lost meanwhile." in said(undone)
    assert sorted(world.got()) == [*before, *during]


def test_undo_after_weeks_waits_for_the_next_due_day(world):
    world.say("follow tides")
    stopped = world.say("digest off")
    world.clock.set(MONDAY + timedelta(days=40))
    world.press(stopped, "Undo")

    (destination,) = destinations(world)
    assert destination.next_due_at > world.clock()


def test_digest_on_begins_afresh(world):
    world.say("follow tides")
    world.say("digest off")
    world.announce("The tide")
    reply = world.say("digest on")
    after = world.announce("Another tide")
    world.morning()

    assert said(reply) == "Digests come again here, next Mon 30 Nov 09:00."
    assert world.got() == after


def test_digest_now_while_it_is_off_says_that_it_is_off(world):
    world.say("follow tides")
    world.say("digest off")
    reply = world.say("digest now")

    assert said(reply) == "The digest here is turned off."
    assert [b.label for b in reply.buttons] == ["Turn on"]


def test_nobody_resumes_what_is_not_theirs(world):
    world.say("follow tides")
    stopped = world.say("digest off")

    assert not world.press(stopped, "Undo", BEA).ok
    assert destinations(world)[0].state is DestinationState.OFF


def test_resume_alone_takes_up_what_is_paused_and_only_that(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    world.say("email other@example.org")
    here, mail, _asked = destinations(world)
    world.store.people.set_state(here.id, DestinationState.OFF, "turned off")
    world.store.people.set_state(mail.id, DestinationState.PAUSED, "550 no such user")

    assert world.asks("resume", operator=True).startswith("Digests come again to ada@example.org.")
    assert [d.state for d in destinations(world)] == ["off", "active", "paused"]
    assert world.asks("resume", operator=True).startswith("Nothing is paused here")


def test_resume_where_nothing_is_paused_says_how_what_was_turned_off_comes_again(world):
    world.say("follow tides")
    assert world.asks("resume") == "Nothing is paused here; nothing changed."

    world.say("digest off")
    reply = world.say("resume")

    assert "the digest here is turned off. To have it again: digest on" in said(reply)
    assert [button.command for button in reply.buttons] == ["digest on"]


def test_settings_say_in_a_sentence_what_became_of_the_last_digest(world):
    world.say("follow tides")

    assert "(nothing" not in world.asks("settings")
    assert ". Nothing sent yet.\n" in world.asks("settings")


@pytest.mark.parametrize(
    "typed", ["mon 9", "every monday at 9", "every morning at 8", "mon 9 in Berlin", "at 8"]
)
def test_a_time_by_itself_is_offered_as_a_schedule(world, typed):
    world.say("follow tides")
    reply = world.say(typed)

    assert [button.command for button in reply.buttons] == [f"digest {typed}"]
    assert world.press(reply, "Change it").ok


@pytest.mark.parametrize("typed", ["sun", "9", "New York"])
def test_what_may_be_a_name_is_no_schedule(world, typed):
    assert "digest" not in world.asks(typed)


def test_resume_leaves_an_address_that_refused_mail_to_the_operator(world):
    world.say("follow tides")
    world.say("email ada@example.org", operator=True)
    here, mail = destinations(world)
    world.store.people.suppress("ada@example.org", "no such mailbox", world.clock())
    for each in (here, mail):
        world.store.people.set_state(each.id, DestinationState.PAUSED, "away")

    assert world.say("resume").ok
    assert "refused mail before (no such mailbox)" in world.asks("resume")
    assert [d.state for d in destinations(world)] == ["active", "paused"]
    assert world.say("resume", operator=True).ok
    assert world.store.people.suppressed("ada@example.org") == ""
    assert [d.state for d in destinations(world)] == ["active", "active"]


# -------------------------------------------------------------- how many papers


@pytest.mark.parametrize(
    ("typed", "most"),
    [
        ("digest at most 20", 20),
        ("digest mon 9, at most 12 papers", 12),
        ("digest daily 8 top 5 tz Europe/Berlin", 5),
        ("digest with only the best 15 papers", 15),
        ("digest 30 papers", 30),
        ("daily up to 7", 7),
        ("digest max. 8 papers a digest", 8),
        ("digest no limit", 0),
        ("digest all papers", 0),
        ("digest daily 8:30", 0),
    ],
)
def test_how_many_papers_it_shows_is_said_in_words(world, typed, most):
    world.say("follow tides")
    world.say(typed)

    assert world.store.people.destinations(1)[0].most == most


def test_a_limit_stands_until_it_is_changed_and_undo_restores_it(world):
    world.say("follow tides")
    world.say("digest at most 20")
    daily = world.say("digest daily 8")
    none = world.say("digest no limit")

    assert "The digest comes every day 08:00 (UTC) here, at most 20 papers" in said(daily)
    assert "at most" not in said(none)
    assert "at most 20 papers" in said(world.press(none, "Undo"))


def test_a_limit_is_said_also_where_the_digest_is_turned_off(world):
    world.say("follow tides")
    world.say("digest off")

    assert "Changed to Monday 09:00 (UTC), at most 20 papers." in said(
        world.say("digest at most 20")
    )


def test_a_limit_of_none_is_no_limit_but_a_stop(world):
    world.say("follow tides")

    assert world.asks("digest at most 0") == "Write at least 1, or digest off for none."


@pytest.mark.parametrize(
    ("typed", "most"), [("max 12 papers", 12), ("too many papers", 20), ("limit 10", 10)]
)
def test_whoever_finds_them_too_many_is_offered_a_limit(world, typed, most):
    world.say("follow tides")
    world.press(world.say(typed), f"At most {most}")

    assert world.store.people.destinations(1)[0].most == most


def test_what_a_short_digest_does_not_show_is_told_and_comes_no_more(world):
    world.say("follow tides")
    world.say("digest at most 1")
    world.announce(*(f"A tide {n}" for n in range(3)))
    world.morning()
    world.morning(MONDAY + timedelta(days=7))

    assert [len(papers) for _, papers, _ in world.inboxes["console"].arrived] == [1]
    last = world.store.outbox.last(1)
    assert len(world.store.outbox.contents(last.delivery).papers) == 3


def test_a_short_digest_that_is_composed_anew_loses_nothing(world):
    """Unfollowed before it went: what it would have shown later comes by the other topic."""
    for topic in ("tides", "gulls"):
        world.say(f"follow {topic}")
    world.say("digest at most 1")
    world.announce("A tide", "A gull", "Another gull")
    world.prepare(MONDAY)
    world.say("unfollow tides")
    world.deliver()

    last = world.store.outbox.last(1)
    assert len(world.store.outbox.contents(last.delivery).papers) == 2
