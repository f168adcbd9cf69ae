"""Strangers and holders of links: joining, confirming, leaving, being forgotten."""

from datetime import timedelta

import pytest

from bot.channels import ChannelError, Fault
from bot.core.naming import known
from bot.core.pipeline.deliveries.deliver import claim
from bot.core.pipeline.deliveries.letters import STOPPED_ALL
from bot.core.pipeline.deliveries.refusing import Closed, write_down
from bot.links import BadLink
from bot.model import DestinationState, Identity
from bot.store.sqlite import open_store
from tests.core.conftest import BEA, MONDAY, NEXT_MONDAY, TUESDAY, World, said
from tests.houses import ADA

MAIL = Identity("email", "", "ada@example.org")


def link(world, purpose, destination, command="", epoch=0):
    url = world.core.house.links.url(purpose, destination, epoch, command)
    return url.rpartition("/")[2]


def join(world, address="ada@example.org", topic="tides", where="192.0.2.1", zone="Europe/Berlin"):
    return world.core.join(address, topic, zone, where)


def letters(world):
    return [address for address, papers, _ in world.inboxes["email"].arrived if not papers]


# -------------------------------------------------------------- joining


def test_whoever_types_an_address_sends_its_owner_one_question(world):
    reply = join(world)
    world.deliver()
    tide = world.announce("The tide")
    world.morning()

    assert said(reply).startswith(
        "A mail is on its way to ada@example.org. Press the button in it."
    )
    assert "no more than one goes out a day" in said(reply), "or it would promise a second one"
    assert letters(world) == ["ada@example.org"]
    assert world.got(MAIL) == []
    confirmed = world.core.redeem(link(world, "confirm", 1), act=True)
    world.morning(NEXT_MONDAY)
    assert said(confirmed).startswith("Confirmed. \nThe digest comes Monday 09:00 (Europe/Berlin)")
    assert world.got(MAIL) == tide


def test_the_reply_is_the_same_whether_the_address_is_known(world):
    world.say("email ada@example.org", operator=True)

    known, new = said(join(world)), said(join(world, "new@example.org"))

    assert known.replace("ada@", "new@") == new


def test_a_zone_that_no_browser_should_send_is_passed_over(world):
    assert join(world, zone="../../etc/passwd").ok
    assert world.store.people.destination(1).zone == "UTC"


def test_an_address_that_never_answers_is_asked_once_a_day_and_three_times_in_all(world):
    for _ in range(10):
        for _ in range(3):
            join(world)
        world.deliver()
        world.clock.forward(days=2)

    assert len(letters(world)) == 3


def test_plus_tags_are_one_mailbox_for_that(world):
    for n in range(5):
        join(world, f"ada+{n}@example.org", where=f"192.0.2.{n}")
    world.deliver()

    assert len(letters(world)) == 1


def test_one_place_and_one_house_have_caps(clock):
    world = World(clock, joins_a_day=30)
    for n in range(25):
        join(world, f"reader{n}@example.org")
    from_one = join(world, "more@example.org")
    for n in range(25, 65):
        last = join(world, f"reader{n}@example.org", where=f"192.0.2.{n}")

    assert (from_one.status, last.status) == (429, 429)
    assert not from_one.ok
    assert "tomorrow" in said(from_one)
    assert "tomorrow" in said(last)
    assert world.core.standing().joins.startswith("30 addresses were asked")
    world.deliver()
    assert len(letters(world)) == 30
    world.clock.forward(days=1, minutes=1)
    assert world.core.standing().troubles == ()


def test_a_few_places_never_use_up_the_day_of_all_others(clock):
    world = World(clock)
    for place in range(12):
        for n in range(21):
            join(world, f"reader{n}.{place}@example.org", where=f"192.0.2.{place}")

    day_ago = clock() - timedelta(days=1)
    assert len(world.store.ledger.around("join", "192.0.2.0", day_ago, clock())) == 20
    assert join(world, "late@example.org", where="198.51.100.1").ok


def test_what_is_no_address_or_no_topic_is_refused_and_nobody_is_written_down(world):
    assert join(world, "not an address").status == 400
    assert join(world, topic="(tide AND").status == 400
    world.deliver()

    assert letters(world) == []
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("listed", [False, True])
def test_a_reader_is_asked_before_a_topic_is_added_and_told_our_words_only(clock, listed):
    world = World(clock, own_topics=listed)
    world.say("follow tides", MAIL, operator=True)
    if listed:
        world.say("follow buy cheap watches")
    for topic in ("buy-cheap-watches", "gulls"):
        join(world, topic=topic)
    world.deliver()

    assert letters(world) == ["ada@example.org"], "once a day"
    assert [f.topic.name for f in world.store.people.follows(1)] == ["Tides"]
    assert bool(known(world.core.house, "buy-cheap-watches")) is listed
    content = world.store.engine.value("SELECT content FROM delivery_parts").decode()
    assert "watches" not in content


def test_whoever_left_is_asked_three_times_at_most_and_comes_back_by_two_buttons(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    for _ in range(9):
        join(world, topic="gulls")
        world.deliver()
        world.clock.forward(days=2)
    assert len(letters(world)) == 3
    followed = world.core.redeem(link(world, "act", 1, "follow gulls"), act=True)
    assert "is off: stopped by its reader." in said(followed)
    world.press(followed, "Turn it on", MAIL)

    assert world.store.people.destination(1).state is DestinationState.ACTIVE


def test_whoever_left_before_saying_yes_is_asked_as_if_new(world):
    join(world)
    world.core.redeem(link(world, "leave", 1), act=True)
    world.announce("The tide")
    world.clock.forward(days=2)
    join(world)
    world.deliver()
    assert letters(world) == ["ada@example.org"] * 2
    world.core.redeem(link(world, "confirm", 1), act=True)
    after = world.announce("Another tide")
    world.morning()

    assert world.got(MAIL) == after


# -------------------------------------------------------------- two become one


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


# -------------------------------------------------------------- leaving


def test_whoever_presses_leave_in_the_question_was_never_a_reader(world):
    world.say("follow tides")
    world.say("email ada@example.org")
    mail = world.store.people.destinations(world.store.people.find(ADA))[1]
    left = world.core.redeem(link(world, "leave", mail.id), act=True)

    assert left.buttons == ()
    assert "has not been confirmed yet" in world.asks("digest on by email")
    assert "has not been confirmed yet" in world.asks(f"resume {mail.id}")


def test_looking_at_a_link_does_nothing(world):
    world.say("follow tides", MAIL, operator=True)
    asked = world.core.redeem(link(world, "leave", 1), act=False)

    assert said(asked) == "Stop the digest to a…@example.org?"
    assert world.store.people.destination(1).state is DestinationState.ACTIVE


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_leaving_works_for_ever_and_undo_restores_it(world, purpose):
    world.say("follow tides", MAIL, operator=True)
    tide = world.announce("The tide")
    token = link(world, purpose, 1)
    world.store.people.void_links(1)
    left = world.core.redeem(token, act=True)
    world.morning()
    assert said(left).startswith("Stopped. No more mail")
    assert world.got(MAIL) == []
    world.press(left, "Undo", MAIL)
    world.morning(NEXT_MONDAY)

    assert world.got(MAIL) == tide


@pytest.mark.parametrize("purpose", ["leave", "one-click", "stop-all"])
def test_a_letter_that_waits_does_not_come_once_its_reader_has_left(world, purpose):
    world.say("follow tides", MAIL, operator=True)
    join(world, topic="gulls")
    world.core.redeem(link(world, purpose, 1), act=True)
    world.deliver()

    assert letters(world) == []
    assert world.states() == ["skipped"]


@pytest.mark.parametrize("typed", ["ada@example.org", "Ada@example.org"])
def test_after_all_mail_was_stopped_nobody_else_has_a_letter_sent_there(world, typed):
    world.say("follow tides", MAIL, operator=True)
    known = said(join(world, "bea@example.org", topic="gulls"))
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        assert said(join(world, topic="gulls")) == known.replace("bea@", "ada@")
        world.say(f"email {typed}")
        world.deliver()
    assert typed not in letters(world)

    world.press(stopped, "Undo", MAIL)
    join(world, topic="gulls")
    world.deliver()
    assert letters(world).count("ada@example.org") == 1


def test_whoever_left_and_then_stops_everything_is_not_asked_either(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    join(world, topic="gulls")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    world.deliver()

    assert letters(world) == []


def test_whoever_never_asked_can_say_so_for_good(world):
    join(world)
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        join(world)
        world.deliver()

    assert letters(world) == []
    assert stopped.buttons == ()  # there is nothing to undo: it was never on


def test_nor_does_somebody_in_a_chat_wake_an_address_that_stopped_all_mail(world):
    world.say("email ada@example.org")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    for _ in range(4):
        world.clock.forward(days=2)
        world.say("email ada@example.org")
        world.deliver()

    assert letters(world) == []
    assert {d.state for d in world.store.people.at("email", "ada@example.org")} == {
        DestinationState.OFF
    }


def test_undo_after_all_mail_was_stopped_turns_on_what_was_on_and_nothing_else(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.redeem(link(world, "leave", 1), act=True)
    stopped = world.core.redeem(link(world, "stop-all", 1), act=True)

    assert [button.label for button in stopped.buttons] == []


def test_every_letter_by_mail_has_a_way_to_stop(world):
    notices = []
    box = world.inboxes["email"]
    box.letter = lambda notice, write=box.letter: notices.append(notice) or write(notice)
    join(world)
    world.say("follow tides", BEA, operator=True)
    join(world, "bea@example.org", topic="gulls")
    for notice in notices:
        world.core.redeem(notice.stop_url.rpartition("/")[2], act=True)

    assert [notice.address for notice in notices] == ["ada@example.org", "bea@example.org"]
    assert {d.reason for n in (1, 2) if (d := world.store.people.destination(n))} == {STOPPED_ALL}


def test_a_mail_refused_after_its_reader_left_does_not_speak_for_them(world):
    world.say("follow tides", MAIL, operator=True)
    world.announce("The tide")
    world.prepare(MONDAY)
    delivery = claim(world.core.house, "email")
    world.core.redeem(link(world, "stop-all", 1), act=True)
    write_down(world.core.house, Closed(), delivery, ChannelError("gone", Fault.ADDRESS))

    assert world.store.people.destination(1).reason == STOPPED_ALL


def test_a_voided_link_does_nothing_else(world):
    world.say("follow tides", MAIL, operator=True)
    token = link(world, "act", 1, "unfollow tides")
    world.store.people.void_links(1)

    with pytest.raises(BadLink):
        world.core.redeem(token, act=True)


def test_leaving_after_being_forgotten_is_answered_as_done(world):
    world.say("follow tides", MAIL, operator=True)
    world.core.erase(MAIL)

    assert said(world.core.redeem(link(world, "leave", 1), act=True)) == "Stopped. No more mail."
    with pytest.raises(BadLink):
        world.core.redeem(link(world, "person", 1), act=True)


# -------------------------------------------------------------- export, erase


def test_an_export_holds_everything_that_was_set(world):
    world.announce("The tide")
    for text in ("follow tides without survey", "mute gull*", 'mute author:"Jun Li"',
                 "save 2611.00001", "not-for-me 2611.00001"):  # fmt: skip
        world.say(text, MAIL, operator=True)
    export = world.core.export(MAIL)

    assert export["identities"] == ["email:ada@example.org"]
    assert export["follows"][0]["without"] == ["survey"]
    assert export["saved"] == ["https://arxiv.org/abs/2611.00001"]
    assert export["judged"] == {"https://arxiv.org/abs/2611.00001": False}
    assert world.core.export(Identity("email", "", "nobody@example.org")) == {}


def test_an_export_holds_what_was_given_up_made_and_decided_too(world):
    mallory = Identity("slack", "T1", "U1")
    world.say("follow tides", mallory)
    world.say("follow moonlit tides", mallory)
    world.say("email ada@example.org", mallory, operator=True)
    world.store.people.suppress("ada@example.org", "550 unknown", world.clock())
    world.store.slack.keep("T1", "C1", "U1", world.clock())
    for topic in ("tides", "moonlit tides"):
        world.say(f"unfollow {topic}", mallory)
    world.morning()
    export = world.core.export(mallory)

    assert [each["topic"] for each in export["unfollowed"]] == ["Tides", "moonlit tides"]
    assert all(each["ended_at"] for each in export["unfollowed"])
    assert list(export["topics"]) == ["moonlit tides"]
    assert export["refused"] == {"ada@example.org": "550 unknown"}
    assert export["set_up_for"] == ["T1:C1"]
    assert "consent" in {each["what"] for each in export["ledger"]}
    bea = world.core.export(BEA)
    assert not any(bea.get(key) for key in ("unfollowed", "topics", "refused", "set_up_for"))


def test_the_forgotten_leave_no_trace_in_any_file_and_others_stay(clock, tmp_path):
    world = World(clock, store=open_store(tmp_path))
    for who in (MAIL, BEA):
        world.say("follow tides", who, operator=True)
    world.say("follow secret moonlit project", MAIL, operator=True)
    world.announce("The tide")
    world.morning()
    before = world.core.export(BEA)
    world.core.erase(MAIL)
    everything = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())

    assert b"bea@example.org" in everything
    assert b"ada@example.org" not in everything
    assert b"moonlit" not in everything
    assert world.core.export(BEA) == before
    assert not world.core.erase(MAIL)
    world.store.close()


def test_nor_is_it_kept_how_often_the_forgotten_were_asked(world):
    for who in ("ada", "bea"):
        join(world, f"{who}@example.org")
    world.core.erase(MAIL)

    assert len(world.store.ledger.runs("ask")) == 1


def test_where_somebody_signed_up_from_is_forgotten_within_days(world):
    join(world, where="192.0.2.1")
    world.clock.forward(days=3)
    world.store.tidy(world.clock())

    assert world.store.ledger.runs("join") == []
    assert len(world.store.ledger.runs("ask")) == 1, "asked at most three times a year"
