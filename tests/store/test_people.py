"""Subscribers, whatever the engine: what they follow, mute and keep, where they are reached."""

from datetime import timedelta

import pytest

from bot.model import (
    FOREVER,
    Breadth,
    Destination,
    DestinationState,
    Follow,
    Identity,
    MuteKind,
    Page,
    Sighting,
    Topic,
)
from bot.store import Scored
from bot.store.sqlite import SqliteStore
from tests.makers import MONDAY, paper

ADA, BEA = Identity("console", "", "ada"), Identity("email", "", "Bea@example.org")


@pytest.fixture
def topic(engine):
    return engine.topics.put(Topic(0, "tides", "Tides", "tide"), {}, MONDAY)


@pytest.fixture
def ada(engine):
    return engine.people.enrol(ADA, "Europe/Berlin", MONDAY)


def destination(subscriber, channel="console", address="ada", **more):
    fields = {"cadence": "weekly mon 09:00", "zone": "UTC", "next_due_at": MONDAY, **more}
    return Destination(0, subscriber, channel, address, **fields)


def test_enrolling_twice_is_one_subscriber(engine, ada):
    assert engine.people.enrol(ADA, "UTC", MONDAY) == ada
    assert engine.people.find(ADA) == ada
    assert engine.people.find(BEA) is None
    assert engine.people.zone(ada) == "Europe/Berlin"
    assert engine.people.everyone() == [ada]


def test_an_identity_that_is_somebodys_stays_theirs(engine, ada):
    bea = engine.people.enrol(BEA, "", MONDAY)
    engine.people.identify(ada, BEA)

    assert engine.people.find(BEA) == bea
    assert engine.people.identities(ada) == [ADA]


def test_an_address_is_known_in_any_case(engine):
    bea = engine.people.enrol(BEA, "", MONDAY)

    assert engine.people.find(Identity("email", "", "bea@EXAMPLE.org")) == bea


# -------------------------------------------------------------- follows


def test_a_follow_comes_back_as_it_was_wished(engine, ada, topic):
    wish = Follow(0, ada, topic, 7, Breadth.FOCUSED, MONDAY, ("survey", "a, b"), ("Jun Li",))
    stands = engine.people.follow(wish, MONDAY)

    assert engine.people.follows(ada) == [stands]
    assert (stands.since, stands.breadth, stands.muted_until) == (7, Breadth.FOCUSED, MONDAY)
    assert (stands.without_words, stands.without_authors) == (("survey", "a, b"), ("Jun Li",))


def test_following_again_keeps_the_beginning_and_takes_the_wishes(engine, ada, topic):
    engine.people.follow(Follow(0, ada, topic, 7), MONDAY)
    again = engine.people.follow(Follow(0, ada, topic, 99, Breadth.BROAD), MONDAY)

    assert (again.since, again.breadth) == (7, Breadth.BROAD)
    assert engine.people.followers(topic.id) == 1


def test_a_follow_that_ended_is_resumed_whole_and_by_its_own_follower(engine, ada, topic):
    follow = engine.people.follow(Follow(0, ada, topic, 7), MONDAY)
    engine.people.end_follow(follow.id, MONDAY)
    assert engine.people.follows(ada) == []
    assert engine.people.following(ada, topic.id) is None
    assert engine.people.resume_follow(follow.id, ada + 1) is None

    assert engine.people.resume_follow(follow.id, ada) == follow
    assert engine.people.resume_follow(follow.id, ada) == follow  # harmless


def test_a_new_follow_after_an_ended_one_begins_anew(engine, ada, topic):
    old = engine.people.follow(Follow(0, ada, topic, 7), MONDAY)
    engine.people.end_follow(old.id, MONDAY)
    new = engine.people.follow(Follow(0, ada, topic, 99), MONDAY)

    assert (new.since, new.id == old.id) == (99, False)
    assert engine.people.resume_follow(old.id, ada).id == new.id  # the standing one stays


def test_follows_are_listed_the_oldest_first(engine, ada, topic):
    gulls = engine.topics.put(Topic(0, "gulls", "Gulls", "gull"), {}, MONDAY)
    for each in (topic, gulls):
        engine.people.follow(Follow(0, ada, each, 0), MONDAY)

    assert [f.topic.name for f in engine.people.follows(ada)] == ["Tides", "Gulls"]


# -------------------------------------------------------------- mutes


def test_a_later_mute_replaces_the_end(engine, ada):
    for until in (MONDAY, FOREVER):
        engine.people.mute(ada, MuteKind.AUTHOR, "Jun Li", until)
    (mute,) = engine.people.mutes(ada)

    assert (mute.kind, mute.value, mute.until) == (MuteKind.AUTHOR, "Jun Li", FOREVER)
    assert engine.people.unmute(ada, MuteKind.AUTHOR, "Jun Li")
    assert not engine.people.unmute(ada, MuteKind.AUTHOR, "Jun Li")


def test_consent_rises_with_every_silence(engine, ada, topic):
    place = engine.people.reach(destination(ada), 0)
    follow = engine.people.follow(Follow(0, ada, topic, 0), MONDAY)
    seen = [engine.outbox.consent(place.id)]
    for silence in (
        lambda: engine.people.mute_follow(follow.id, MONDAY),
        lambda: engine.people.mute(ada, MuteKind.ALL, "", MONDAY),
        lambda: engine.people.end_follow(follow.id, MONDAY),
        lambda: engine.people.set_state(place.id, DestinationState.OFF, "off"),
    ):
        silence()
        seen.append(engine.outbox.consent(place.id))

    assert seen == sorted(set(seen))


# -------------------------------------------------------------- destinations


def test_reaching_a_known_place_changes_nothing(engine, ada):
    first = engine.people.reach(destination(ada), 5)
    again = engine.people.reach(destination(ada, cadence="daily 08:00"), 99)

    assert again == first
    assert engine.people.destinations(ada) == engine.people.at("console", "ada") == [first]
    assert engine.people.destination(first.id) == first
    assert engine.people.destination(99) is None


def test_the_first_yes_to_an_address_stays(engine, ada):
    place = engine.people.reach(destination(ada, "email", "ada@example.org"), 0)
    for days in (0, 1):
        engine.people.confirm(place.id, MONDAY + timedelta(days))

    assert place.unconfirmed
    assert engine.people.destination(place.id).confirmed_at == MONDAY
    assert not engine.people.reach(destination(ada), 0).unconfirmed  # only mail is asked


def test_what_is_due_comes_the_longest_waiting_first_and_what_comes_the_soonest_first(engine, ada):
    places = [
        engine.people.reach(
            destination(ada, address=f"a{n}", next_due_at=MONDAY + timedelta(hours=n)), 0
        )
        for n in (3, 1, 2)
    ]
    off = engine.people.reach(destination(ada, address="a0"), 0)
    engine.people.set_state(off.id, DestinationState.OFF, "off")
    engine.people.set_state(places[2].id, DestinationState.PAUSED, "away")
    now = MONDAY + timedelta(hours=2)

    assert [d.address for d in engine.people.due(now)] == ["a1", "a2"]  # the ledger says why
    assert [d.address for d in engine.people.coming(now)] == ["a3"]
    silent = [(d.address, d.reason) for d in engine.people.silent()]
    assert silent == [("a2", "away"), ("a0", "off")]
    engine.people.schedule(places[1].id, MONDAY + timedelta(days=1), zone="Asia/Tokyo")
    moved = engine.people.destination(places[1].id)
    assert (moved.cadence, moved.zone) == ("weekly mon 09:00", "Asia/Tokyo")
    assert [d.address for d in engine.people.due(now)] == ["a2"]


def test_due_takes_the_longest_waiting_first(engine, ada):
    for n in (3, 1, 2):
        engine.people.reach(destination(ada, address=f"a{n}", next_due_at=MONDAY + timedelta(n)), 0)

    assert [d.address for d in engine.people.due(MONDAY + timedelta(9), limit=2)] == ["a1", "a2"]


def test_a_mailbox_is_one_in_any_case_and_a_conversation_is_not(engine, ada):
    mail = engine.people.reach(destination(ada, "email", "Ada@example.org"), 0)
    slack = engine.people.reach(destination(ada, "slack", "T1:C1"), 0)

    assert engine.people.at("email", "ada@Example.org") == [mail]
    assert engine.people.at("slack", "T1:C1") == [slack]
    assert engine.people.at("slack", "t1:c1") == []


def test_suppressions_are_by_address_in_any_case(engine):
    engine.people.suppress("Ada@Example.org", "gone", MONDAY)
    engine.people.suppress("ada@example.org", "gone for good", MONDAY)

    assert engine.people.suppressed("ADA@example.org") == "gone for good"
    engine.people.release("ada@EXAMPLE.org")
    assert engine.people.suppressed("ada@example.org") == ""


# -------------------------------------------------------------- saves, feedback


def test_what_is_saved_and_judged_is_remembered_and_can_be_taken_back(engine, ada):
    engine.papers.add([Sighting(paper(f"2611.{n:05}")) for n in range(3)], MONDAY)
    engine.people.save(ada, [1], MONDAY)
    engine.people.save(ada, [1, 3, 2], MONDAY + timedelta(hours=1))
    engine.people.unsave(ada, [3])
    assert engine.people.saved(ada) == [2, 1]
    for liked in (True, False):
        engine.people.judge(ada, 2, MONDAY, liked=liked)
    assert engine.people.judged(ada) == {2: False}
    engine.people.judge(ada, 2, MONDAY, liked=None)

    assert engine.people.judged(ada) == {}


def test_a_topic_hears_what_those_who_follow_it_think_of_its_papers(engine, ada, topic):
    engine.papers.add([Sighting(paper(f"2611.{n:05}")) for n in range(3)], MONDAY)
    engine.topics.add_matches([Scored(topic.id, seq, 0.5, "", 1) for seq in (1, 2)], live=True)
    follow = engine.people.follow(Follow(0, ada, topic, 0), MONDAY)
    engine.people.save(ada, [1, 3], MONDAY)
    engine.people.judge(ada, 2, MONDAY, liked=False)
    engine.people.save(engine.people.enrol(BEA, "UTC", MONDAY), [2], MONDAY)
    assert engine.people.opinions(topic.id) == {1: True, 2: False}

    engine.people.end_follow(follow.id, MONDAY)
    assert engine.people.opinions(topic.id) == {}


# -------------------------------------------------------------- two become one


def test_joining_unites_everything(engine, ada, topic):
    bea = engine.people.enrol(BEA, "UTC", MONDAY)
    gulls = engine.topics.put(Topic(0, "gulls", "Gulls", "gull"), {}, MONDAY)
    engine.papers.add([Sighting(paper())], MONDAY)
    engine.people.follow(Follow(0, ada, topic, 50, muted_until=MONDAY), MONDAY)
    engine.people.follow(Follow(0, bea, topic, 20, muted_until=FOREVER), MONDAY)
    engine.people.follow(Follow(0, bea, gulls, 30), MONDAY)
    engine.people.mute(bea, MuteKind.ALL, "", FOREVER)
    third = engine.people.enrol(Identity("console", "", "cyd"), "UTC", MONDAY)
    engine.people.follow(Follow(0, third, topic, 90, muted_until=MONDAY), MONDAY)
    for who, until in ((ada, MONDAY), (bea, FOREVER), (third, MONDAY)):
        engine.people.mute(who, MuteKind.PHRASE, "eel", until)
        engine.people.judge(who, 1, MONDAY, liked=who != bea)
    engine.people.reach(destination(bea, "email", "bea@example.org"), 3)
    engine.people.save(bea, [1], MONDAY)
    engine.people.join(ada, bea)

    assert engine.people.everyone() == [ada, third]
    assert engine.people.identities(ada) == [ADA, Identity("email", "", "bea@example.org")]
    assert [(f.topic.slug, f.since, f.muted_until) for f in engine.people.follows(ada)] == [
        ("tides", 20, FOREVER), ("gulls", 30, None),
    ]  # fmt: skip
    silences = [[(m.kind, m.until) for m in engine.people.mutes(who)] for who in (ada, third)]
    assert sorted(silences[0]) == [(MuteKind.ALL, FOREVER), (MuteKind.PHRASE, FOREVER)]
    assert silences[1] == [(MuteKind.PHRASE, MONDAY)]
    assert [engine.people.judged(who) for who in (ada, third)] == [{1: False}, {1: True}]
    assert [(f.since, f.muted_until) for f in engine.people.follows(third)] == [(90, MONDAY)]
    assert [d.address for d in engine.people.destinations(ada)] == ["bea@example.org"]
    assert engine.people.saved(ada) == [1]
    engine.people.join(ada, ada)
    assert engine.people.everyone() == [ada, third]


def test_an_offer_lasts_for_a_while_and_goes_with_whom_it_was_made_to_or_names(engine):
    bea, later = engine.people.enrol(BEA, "UTC", MONDAY), MONDAY + timedelta(hours=1)
    after = later + timedelta(seconds=1)
    offers = {(str(BEA), ""): "a", ("U2", ""): "email bea@example.org", ("U2", "C1"): "b"}
    for (asker, place), text in offers.items():
        engine.people.offer(asker, place, text, MONDAY, later)
    engine.people.offer("U3", "", "c", MONDAY, later)
    engine.people.offer("U3", "", "", MONDAY, later)

    assert {key: engine.people.offered(*key, later) for key in offers} == offers
    assert engine.people.offered("U2", "C1", after) == ""
    assert engine.people.offered("U3", "", MONDAY) == ""
    engine.people.erase(bea)
    left = {key: engine.people.offered(*key, MONDAY) for key in offers}
    assert list(left.values()) == ["", "", "b"]
    engine.tidy(after)
    assert engine.people.offered("U2", "C1", MONDAY) == ""


def test_erasing_one_leaves_the_others(engine, ada, topic):
    bea = engine.people.enrol(BEA, "UTC", MONDAY)
    for who in (ada, bea):
        engine.people.follow(Follow(0, who, topic, 0), MONDAY)
        engine.people.reach(destination(who, "email", f"{who}@example.org"), 0)
    engine.people.erase(ada)

    assert engine.people.everyone() == [bea]
    assert engine.people.find(ADA) is None
    assert len(engine.people.follows(bea)) == len(engine.people.destinations(bea)) == 1
    assert engine.topics.get(topic.id) is not None


def test_whoever_is_erased_leaves_no_refusal_of_an_address_in_whatever_case_it_was_typed(engine):
    someone = engine.people.enrol(Identity("slack", "T1", "U1"), "UTC", MONDAY)
    engine.people.reach(destination(someone, "email", "Bea@Example.org"), 0)
    engine.people.suppress("Bea@Example.org", "550 no such user", MONDAY)
    engine.people.erase(someone)

    assert engine.people.suppressions() == 0


def test_of_the_ledger_only_what_names_whoever_is_erased_is_forgotten(engine):
    bea = engine.people.enrol(BEA, "UTC", MONDAY)
    for reason in (f"550 no such user {BEA.external_id.upper()}", "550 no such user"):
        engine.ledger.record("deliver", "", MONDAY, "address", reason)
    engine.people.erase(bea)

    assert [run.reason for run in engine.ledger.runs("deliver")] == ["550 no such user"]


def test_the_ledger_keeps_what_only_holds_the_letters_of_whoever_is_erased(engine):
    told = [
        "arXiv answered 503",
        f"550 no such user hada.{BEA.external_id}",
        "a word of a sentence",
    ]
    for who in (Identity("console", "", "a"), BEA):
        for reason in told:
            engine.ledger.record("deliver", "", MONDAY, "address", reason)
        engine.people.erase(engine.people.enrol(who, "UTC", MONDAY))

    assert {run.reason for run in engine.ledger.runs("deliver")} == set(told)


@pytest.mark.parametrize("around", ["<{}>: unknown", "to {}.", "({})", "mailto:{}", "“{}”"])
def test_the_ledger_forgets_a_name_whatever_stands_around_it(engine, around):
    engine.ledger.record("deliver", "", MONDAY, "address", around.format(BEA.external_id))
    engine.people.erase(engine.people.enrol(BEA, "UTC", MONDAY))

    assert not engine.ledger.runs("deliver")


def test_a_number_is_forgotten_with_whom_it_reached_and_not_before_it_was_given(engine, ada):
    kept, gone = (
        engine.people.reach(destination(who, "email", f"{who}@example.org"), 0).id
        for who in (ada, engine.people.enrol(BEA, "UTC", MONDAY))
    )
    engine.people.erase(engine.people.find(BEA) or 0)

    assert engine.people.forgotten([kept, gone, gone + 1]) == {gone}


WAITS = "waiting for its owner to confirm"
MAIL_BEFORE_THE_MARK = (
    ("active", "", (), True),
    ("off", "only for notices", (), True),
    ("off", "turned off", ("consent",), True),
    ("off", "turned off", ("digest",), True),  # the operator's word
    ("off", "turned off", (), False),
    ("off", "turned off", ("asked",), False),
    ("off", "turned off", ("asked", "digest"), False),
    ("paused", "550 no such user", ("asked",), False),
    ("paused", "550 no such user", ("asked", "consent"), True),
    ("paused", WAITS, ("digest",), False),
)


@pytest.mark.parametrize(("state", "reason", "past", "confirmed"), MAIL_BEFORE_THE_MARK)
def test_who_said_yes_to_mail_in_an_older_database(tmp_path, state, reason, past, confirmed):
    older = SqliteStore(tmp_path / "paperround.db")
    person = older.people.enrol(ADA, "", MONDAY)
    place = older.people.reach(destination(person, "email", "ada@example.org"), 0)
    older.people.set_state(place.id, DestinationState(state), reason)
    if "consent" in past:
        older.ledger.record("consent", f"d{place.id}", MONDAY, "confirmed", "by link")
    for kind, period in (("digest", "2026-11-30"), ("letter", "letter confirm.20261124")):
        if {"digest": "digest", "letter": "asked"}[kind] in past:
            sent(older, place, kind, period)
    older.engine.run("ALTER TABLE destinations DROP COLUMN confirmed_at")
    older.engine.run(
        "DELETE FROM _sqlite_migrations WHERE name IN ('m003_confirmed', 'm002_confirmed_before')"
    )
    older.close()

    newer = SqliteStore(tmp_path / "paperround.db")
    assert newer.people.destination(place.id).unconfirmed is not confirmed
    newer.close()


def sent(store, place, kind, period):
    delivery = store.outbox.put(
        place.id, period, [Page(b"")], MONDAY, kind=kind, period=period, due_at=MONDAY,
        stale_at=MONDAY,
    )  # fmt: skip
    store.outbox.accepted(store.outbox.delivery(delivery), 0, "250", MONDAY)
