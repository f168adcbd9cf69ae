"""The row is the queue: what may be told, what was, and what is given back.  For any engine."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.model import (
    DeliveryState,
    Destination,
    Follow,
    Identity,
    Match,
    Page,
    Sighting,
    Topic,
    Verdict,
)
from bot.store import GiveBack, Scored, Told
from bot.store.sqlite import SqliteStore
from bot.store.telling import Withheld
from tests.makers import MONDAY, paper

LATER = MONDAY + timedelta(hours=1)


def reader(store, name="ada", channel="console"):
    subscriber = store.people.enrol(Identity("console", "", name), "", MONDAY)
    return store.people.reach(
        Destination(0, subscriber, channel, name, "daily 08:00", "UTC", MONDAY), 0
    )


@pytest.fixture
def ada(engine):
    place = reader(engine)
    topic = engine.topics.put(Topic(0, "tides", "Tides", "tide"), {}, MONDAY)
    engine.people.follow(Follow(0, place.subscriber_id, topic, 0), MONDAY)
    engine.papers.add([Sighting(paper(f"2611.{n:05}")) for n in range(6)], MONDAY)
    engine.topics.add_matches([Scored(topic.id, n, 0.5, "", 1) for n in range(1, 7)], live=True)
    return place


def put(store, place, told=(), *, pages=1, period="2026-11-30", offered=0, now=MONDAY, **more):
    edition = store.outbox.next_edition(place.id, period)
    contents = [Page(f"page {n}".encode(), offered=n >= pages) for n in range(pages + offered)]
    return store.outbox.put(
        place.id, f"d{place.id}.{period}.{edition}", contents, now, period=period, edition=edition,
        due_at=now, stale_at=now + timedelta(hours=48), topics=[1],
        told=[Told(*each) for each in told], **more,
    )  # fmt: skip


def claim(store, channel="console", now=LATER, lapse_s=60):
    with store.write():
        return store.outbox.claim(channel, now, lapse_s)


def seqs(store, place):
    return [candidate.paper.seq for candidate in store.outbox.candidates(place)]


# -------------------------------------------------------------- told


def test_what_is_put_is_told_and_no_candidate_any_more(engine, ada):
    delivery = put(engine, ada, [(1, 0), (2, 0)])

    assert seqs(engine, ada) == [3, 4, 5, 6]
    assert engine.outbox.told_by(ada.id, 1).id == delivery
    assert engine.outbox.told_by(ada.id, 3) is None


def test_telling_twice_is_a_fault_and_nothing_is_half_written(engine, ada):
    put(engine, ada, [(1, 0)])
    with pytest.raises(Exception, match="UNIQUE"):
        put(engine, ada, [(2, 0), (1, 0)], period="2026-12-01")

    assert seqs(engine, ada) == [2, 3, 4, 5, 6]
    assert engine.outbox.next_edition(ada.id, "2026-12-01") == 0


def test_what_was_withheld_is_no_candidate_and_counted_until_it_is_said(engine, ada):
    matches = [Match(n, n, 1, 0.5, "") for n in (1, 2)]
    engine.outbox.withhold(ada.id, matches, "muted", MONDAY)
    engine.outbox.withhold(ada.id, [Match(3, 3, 1, 0.5, "")], "by him", MONDAY, to_be_said=False)

    assert seqs(engine, ada) == [4, 5, 6]
    assert [(p.topic_id, p.papers) for p in engine.outbox.passed(ada.id)] == [(1, 2)]
    assert engine.outbox.withheld(ada.subscriber_id, 1) == [2, 1]
    assert engine.outbox.withheld_why(ada.id, 3) == [Withheld(1, "by him", MONDAY)]
    delivery = put(engine, ada, [(4, 0)])
    engine.outbox.said(ada.id, [1], delivery)
    assert engine.outbox.passed(ada.id) == []
    key = engine.outbox.line(delivery).key
    engine.outbox.withhold(ada.id, [Match(5, 5, 1, 0.5, "")], "muted", MONDAY)
    counted = [engine.outbox.withheld(ada.subscriber_id, 1, by=by) for by in (None, key, "")]
    assert counted == [[5, 2, 1], [2, 1], [5]]


@pytest.mark.parametrize(("sent", "again"), [(False, 2), (True, 0)])
def test_what_a_delivery_would_have_said_is_said_again_if_it_never_went(engine, ada, sent, again):
    engine.outbox.withhold(ada.id, [Match(n, n, 1, 0.5, "") for n in (1, 2)], "muted", MONDAY)
    delivery = engine.outbox.delivery(put(engine, ada, [(3, 0)], pages=2))
    engine.outbox.said(ada.id, [1], delivery.id)
    if sent:
        engine.outbox.accepted(delivery, 0, "r", LATER)
    engine.outbox.finish(delivery, DeliveryState.FAILED, "gone", GiveBack.UNSENT)

    assert sum(p.papers for p in engine.outbox.passed(ada.id)) == again


def test_only_pages_that_were_not_sent_are_given_back(engine, ada):
    told = [(1, 0), (2, 0), (3, 1), (4, 2)]
    delivery = engine.outbox.delivery(put(engine, ada, told, pages=2, offered=1))
    engine.outbox.accepted(delivery, 0, "r", LATER)
    engine.outbox.finish(delivery, DeliveryState.FAILED, "gone", GiveBack.UNSENT)

    assert seqs(engine, ada) == [3, 5, 6]  # the offered page can still be asked for


def test_of_a_delivery_that_never_began_everything_is_given_back(engine, ada):
    before = engine.outbox.delivery(put(engine, ada, [(6, 0)], period="2026-11-23"))
    engine.outbox.accepted(before, 0, "r", LATER)
    told = [(1, 0), (3, 1)]
    delivery = engine.outbox.delivery(put(engine, ada, told, pages=1, offered=1))
    engine.outbox.considered(ada.id, 6)
    assert seqs(engine, ada) == []
    assert engine.outbox.unsent(delivery) == [1, 3]
    engine.outbox.finish(delivery, DeliveryState.SKIPPED, "superseded", GiveBack.UNSENT)

    assert seqs(engine, ada) == [1, 3]
    engine.outbox.considered(ada.id, 6)
    assert seqs(engine, ada) == []


# -------------------------------------------------------------- claims


def test_a_claim_is_for_one_and_lapses(engine, ada):
    put(engine, ada, [(1, 0)])
    first = claim(engine)
    assert (first.state, first.unknown, len(first.parts)) == (DeliveryState.SENDING, 0, 1)
    assert claim(engine) is None
    lapsed = claim(engine, now=LATER + timedelta(seconds=60))

    assert (lapsed.id, lapsed.unknown) == (first.id, 1)
    assert [part.key for part in lapsed.parts] == [part.key for part in first.parts]


def test_each_channel_has_its_own_queue_the_longest_waiting_first(engine):
    places = [reader(engine, name, channel) for name, channel in
              (("a", "email"), ("b", "console"), ("c", "console"))]  # fmt: skip
    for minutes, place in enumerate(reversed(places)):
        put(engine, place, now=MONDAY + timedelta(minutes=minutes))

    assert [claim(engine).address for _ in range(2)] == ["c", "b"]
    assert claim(engine, "email").address == "a"
    assert claim(engine, "slack") is None


def test_a_retry_waits_and_only_answered_attempts_count(engine, ada):
    put(engine, ada)
    engine.outbox.retry(claim(engine), "busy", LATER + timedelta(hours=1), answered=True)
    assert claim(engine) is None
    again = claim(engine, now=LATER + timedelta(hours=1))
    engine.outbox.retry(again, "lost", LATER, answered=False, unknown=True)
    last = claim(engine, now=LATER + timedelta(hours=2))

    assert (last.attempts, last.unknown, last.error) == (1, 1, "lost")


def test_accepting_the_last_part_sends_it(engine, ada):
    put(engine, ada, [(1, 0)], pages=2)
    delivery = claim(engine)
    engine.outbox.accepted(delivery, 0, "first", LATER)
    rest = engine.outbox.delivery(delivery.id)
    assert [(p.page, p.parent) for p in rest.parts] == [(1, "first")]
    engine.outbox.accepted(delivery, 1, "second", LATER)

    assert engine.outbox.last(ada.id).sent_at == LATER
    assert engine.people.destination(ada.id).last_sent_at == LATER
    assert claim(engine, now=LATER + timedelta(days=9)) is None


def test_every_delivery_that_a_destination_had_is_counted(engine, ada):
    assert engine.outbox.count(ada.id) == 0
    put(engine, ada)
    put(engine, reader(engine, "bea"))
    engine.outbox.accepted(claim(engine), 0, "", LATER)
    put(engine, ada, kind="letter", period="test")

    assert engine.outbox.count(ada.id) == len(engine.outbox.history(ada.id)) == 2


def test_of_what_is_sent_the_bytes_are_not_read_again(engine, ada):
    put(engine, ada, pages=1, offered=1)
    delivery = claim(engine)
    assert [part.content for part in delivery.parts] == [b"page 0"]
    engine.outbox.accepted(delivery, 0, "r", LATER)

    assert engine.outbox.delivery(delivery.id).parts == ()


def test_stale_is_what_waited_too_long_before_it_began(engine, ada):
    put(engine, ada, pages=2)
    delivery = claim(engine)
    late = MONDAY + timedelta(hours=48)
    assert not engine.outbox.is_stale(delivery, late - timedelta(seconds=1))
    assert engine.outbox.is_stale(delivery, late)
    engine.outbox.accepted(delivery, 0, "r", LATER)

    assert not engine.outbox.is_stale(delivery, late)


def test_what_a_dead_process_had_in_the_air_has_an_unknown_outcome(engine, ada):
    put(engine, ada)
    assert claim(engine).unknown == 0
    assert engine.outbox.recover(LATER, "it ended") == 1
    assert claim(engine).unknown == 1


def test_only_whoever_holds_a_claim_writes_its_answer_down(engine, ada):
    put(engine, ada, [(1, 0)])
    first = claim(engine)
    second = claim(engine, now=LATER + timedelta(seconds=60))
    assert [engine.outbox.holds(each) for each in (first, second)] == [False, True]
    engine.outbox.retry(first, "busy", LATER, answered=True)
    engine.outbox.finish(first, DeliveryState.FAILED, "gone", GiveBack.UNTOLD)
    assert engine.outbox.delivery(first.id).state is DeliveryState.SENDING
    assert engine.outbox.told_by(ada.id, 1).id == first.id
    engine.outbox.retry(second, "busy", LATER, answered=True)

    assert engine.outbox.delivery(first.id).state is DeliveryState.PENDING


def test_what_arrived_is_sent_whoever_holds_the_claim(engine, ada):
    put(engine, ada, [(1, 0)])
    first = claim(engine)
    claim(engine, now=LATER + timedelta(seconds=60))
    engine.outbox.accepted(first, 0, "r", LATER)

    assert engine.outbox.last(ada.id).sent_at == LATER


def test_what_arrived_whole_is_sent_for_good_whatever_is_then_found_of_the_attempts_before(
    engine, ada
):
    put(engine, ada, [(1, 0), (2, 1)], pages=2)
    sent = claim(engine)
    engine.outbox.accepted(sent, 0, "r", LATER)
    engine.outbox.settled(sent, LATER)
    assert engine.outbox.delivery(sent.id).state is DeliveryState.PENDING

    sent = claim(engine)
    engine.outbox.accepted(sent, 1, "r", LATER)
    engine.outbox.settled(sent, LATER)
    assert engine.outbox.delivery(sent.id).state is DeliveryState.SENT


def test_what_is_being_sent_is_not_held_but_under_a_verdict(engine, ada):
    put(engine, ada)
    put(engine, ada)
    sending = claim(engine)
    assert engine.outbox.hold("by hand") == 1
    assert engine.outbox.unless_it_arrives(Verdict.HELD, "by hand") == 1
    standing = engine.outbox.delivery(sending.id)
    assert (standing.state, standing.verdict) == (DeliveryState.SENDING, Verdict.HELD)
    assert engine.outbox.reopen(LATER, "again", 2, [sending.id]) == 1

    assert engine.outbox.delivery(sending.id).verdict is Verdict.NONE


def test_of_all_deliveries_only_those_that_wait_are_opened_again(engine, ada):
    ended = {"sent": DeliveryState.SENT, "held": DeliveryState.HELD, "waits": DeliveryState.PENDING}
    ids = {}
    for number, period in enumerate(ended, start=1):
        ids[period] = put(engine, ada, [(number, 0)], period=period)
    engine.outbox.accepted(claim(engine), 0, "r", LATER)
    engine.outbox.hold("by hand", [ids["held"]])

    assert engine.outbox.reopen(LATER, "again", 2) == 1
    assert {period: engine.outbox.delivery(each).state for period, each in ids.items()} == ended


def test_a_closed_way_holds_back_whom_it_leads_to(engine):
    for name in ("T1:a", "T1:b", "T2:c"):
        put(engine, reader(engine, name, "slack"))
    engine.outbox.postpone("slack", "T1:", LATER + timedelta(hours=1), "down", LATER)

    assert claim(engine, "slack").address == "T2:c"
    assert claim(engine, "slack") is None
    waiting = engine.outbox.waiting(LATER)
    assert [(w.channel, w.deliveries, w.error) for w in waiting] == [("slack", 3, "down")]


def test_an_offered_page_is_kept_for_its_reader(engine, ada):
    put(engine, ada, offered=1)
    other = reader(engine, "bea")

    assert engine.outbox.page("d1.2026-11-30.0", 1, ada.subscriber_id) == b"page 1"
    assert engine.outbox.page("d1.2026-11-30.0", 1, other.subscriber_id) is None
    assert engine.outbox.page("d1.2026-11-30.0", 9, ada.subscriber_id) is None


def test_what_a_topic_lets_go_and_finds_again_is_the_news_or_the_past_that_it_was(engine, ada):
    engine.papers.add([Sighting(paper("2611.00006"))], MONDAY, backfilled=True)
    engine.topics.add_matches([Scored(1, 7, 0.5, "", 1)], live=False)
    topic = engine.topics.get(1)
    narrow = engine.topics.put(replace(topic, query="ebb"), {}, MONDAY)
    engine.topics.rematched(narrow, None)
    assert seqs(engine, ada) == []
    other = engine.topics.put(Topic(0, "gulls", "Gulls", "gull"), {}, MONDAY)
    engine.topics.add_matches([Scored(other.id, 1, 0.5, "", 1)], live=True)

    wide = engine.topics.put(topic, {}, MONDAY)
    found = [Scored(1, seq, 0.5, "", wide.version) for seq in range(1, 8)]
    engine.topics.add_matches(found, live=False)
    assert seqs(engine, ada) == [1, 2, 3, 4, 5, 6]


def test_two_at_one_address_were_told_what_either_was(engine, ada):
    """Of a paper that both were told the older one's delivery counts."""
    twin = engine.people.enrol(Identity("email", "", "twin"), "", MONDAY)
    copy = engine.people.reach(replace(ada, id=0, subscriber_id=twin), 0)
    first, second = put(engine, ada, [(1, 0), (2, 0)]), put(engine, copy, [(2, 0), (3, 0)])
    engine.people.join(ada.subscriber_id, twin)

    assert seqs(engine, ada) == [4, 5, 6]
    by = [engine.outbox.told_by(ada.id, seq).id for seq in (1, 2, 3)]
    assert by == [first, first, second]


def test_tidying_forgets_bytes_and_never_what_was_told(engine, ada):
    put(engine, ada, [(1, 0)])
    engine.outbox.accepted(claim(engine), 0, "r", LATER)
    engine.tidy(LATER + timedelta(days=31))

    assert engine.outbox.page("d1.2026-11-30.0", 0, ada.subscriber_id) is None
    assert seqs(engine, ada) == [2, 3, 4, 5, 6]


def test_a_follow_that_ended_in_an_older_database_is_looked_at_as_a_whole(tmp_path):
    older = SqliteStore(tmp_path / "paperround.db")
    place = reader(older)
    topic = older.topics.put(Topic(0, "tides", "Tides", "tide"), {}, MONDAY)
    follow = older.people.follow(Follow(0, place.subscriber_id, topic, 0), MONDAY)
    older.papers.add([Sighting(paper("2611.00001"))], MONDAY)
    older.topics.add_matches([Scored(topic.id, 1, 0.5, "", 1)], live=True)
    older.people.end_follow(follow.id, MONDAY)
    older.outbox.considered(place.id, 1)
    for statement in (
        "DROP TABLE given_back",
        "DROP TABLE left_off",
        "ALTER TABLE told ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
        "DELETE FROM _sqlite_migrations WHERE name = 'm003_looked_at_again'",
    ):
        older.engine.run(statement)
    older.close()

    newer = SqliteStore(tmp_path / "paperround.db")
    newer.people.resume_follow(follow.id, place.subscriber_id)
    assert seqs(newer, place) == [1]
    newer.close()


# -------------------------------------------------------------- candidates, exactly


class Candidates(RuleBasedStateMachine):
    """The statement that finds candidates against a model in plain Python."""

    def __init__(self) -> None:
        super().__init__()
        self.store = SqliteStore()
        self.place = reader(self.store)
        self.topics = [
            self.store.topics.put(Topic(0, f"t{n}", f"T{n}", "x"), {}, MONDAY) for n in range(3)
        ]
        self.matches: dict[tuple[int, int], tuple[int, bool]] = {}  # topic, paper: number, live
        self.follows: dict[int, int] = {}  # topic: since
        self.told: set[int] = set()
        self.withheld: set[int] = set()
        self.withdrawn: set[int] = set()
        self.considered: dict[int, int] = {}  # topic: of its standing, or latest, follow
        self.given_back: set[int] = set()
        self.ended: dict[int, tuple[int, int]] = {}  # topic: follow, since
        self.papers = self.put = 0
        for n in range(2):
            self.follow(n)
        for live in (True, True, False):
            self.a_paper_matches(live, {0, 1})

    @rule(live=st.booleans(), topics=st.sets(st.integers(0, 2), min_size=1))
    def a_paper_matches(self, live, topics):
        self.papers += 1
        self.store.papers.add([Sighting(paper(f"2611.{self.papers:05}"))], MONDAY)
        for n in sorted(topics):
            topic = self.topics[n]
            self.store.topics.add_matches([Scored(topic.id, self.papers, 0.5, "", 1)], live=live)
            self.matches[topic.id, self.papers] = (self.store.topics.last_number(), live)

    @rule(n=st.integers(0, 2))
    def follow(self, n):
        topic = self.topics[n]
        since = self.store.topics.last_number()
        self.store.people.follow(Follow(0, self.place.subscriber_id, topic, since), MONDAY)
        if topic.id not in self.follows:
            self.follows[topic.id] = since
            self.considered[topic.id] = 0

    @precondition(lambda self: self.follows)
    @rule(n=st.integers(0, 2))
    def unfollow(self, n):
        topic = self.topics[n]
        if topic.id in self.follows:
            standing = self.store.people.following(self.place.subscriber_id, topic.id)
            self.store.people.end_follow(standing.id, MONDAY)
            self.ended[topic.id] = (standing.id, self.follows.pop(topic.id))

    @precondition(lambda self: self.ended)
    @rule(n=st.integers(0, 2))
    def resume(self, n):
        topic = self.topics[n]
        if topic.id in self.ended and topic.id not in self.follows:
            follow_id, since = self.ended.pop(topic.id)
            self.store.people.resume_follow(follow_id, self.place.subscriber_id)
            self.follows[topic.id] = since

    @precondition(lambda self: self.expected())
    @rule(n=st.integers(0, 20))
    def one_is_told(self, n):
        found = sorted(self.expected())
        seq = found[n % len(found)]
        self.put += 1
        put(self.store, self.place, [(seq, 0)], period=f"p{self.put}")
        self.told.add(seq)

    @precondition(lambda self: self.told)
    @rule(n=st.integers(0, 20))
    def one_that_was_told_is_given_back(self, n):
        seq = sorted(self.told)[n % len(self.told)]
        waiting = self.store.outbox.told_by(self.place.id, seq)
        self.store.outbox.finish(waiting, DeliveryState.FAILED, "gone", GiveBack.UNSENT)
        self.told.remove(seq)
        self.given_back |= {n for n, _ in self.live(seq).values()}

    @precondition(lambda self: self.expected())
    @rule(n=st.integers(0, 20))
    def one_match_is_withheld(self, n):
        found = sorted(self.expected().items())
        seq, numbers = found[n % len(found)]
        match = Match(min(numbers), seq, 1, 0.5, "")
        self.store.outbox.withhold(self.place.id, [match], "muted", MONDAY)
        self.withheld.add(min(numbers))

    @rule(n=st.integers(1, 20))
    def one_is_withdrawn(self, n):
        if n <= self.papers:
            known = self.store.papers.some([n])[0]
            gone = paper(known.arxiv_id, version=known.version, withdrawn=True)
            self.store.papers.add([Sighting(gone)], MONDAY)
            self.withdrawn.add(n)

    @rule()
    def all_so_far_is_decided(self):
        last = self.store.topics.last_number()
        self.store.outbox.considered(self.place.id, last)
        self.considered |= dict.fromkeys(self.follows, last)
        decided = {n for (topic, _), (n, _) in self.matches.items() if topic in self.follows}
        self.given_back -= decided

    def live(self, paper: int) -> dict[int, tuple[int, bool]]:
        """By topic the live matches of a paper."""
        return {t: m for (t, seq), m in self.matches.items() if seq == paper and m[1]}

    def expected(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for (topic, seq), (number, live) in self.matches.items():
            since = self.follows.get(topic)
            if (
                since is not None
                and live
                and number > since
                and (number > self.considered[topic] or number in self.given_back)
                and seq not in self.told | self.withdrawn
                and number not in self.withheld
            ):
                found.setdefault(seq, set()).add(number)
        return found

    @invariant()
    def candidates_are_exactly_these(self):
        found = self.store.outbox.candidates(self.place)
        assert {c.paper.seq: {m.number for m in c.matches} for c in found} == self.expected()

    def teardown(self) -> None:
        self.store.close()


TestCandidates = Candidates.TestCase
TestCandidates.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
