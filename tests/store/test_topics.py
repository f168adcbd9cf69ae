"""Topics, their versions, names and matches, whatever the engine."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest

from bot.model import Follow, Identity, Origin, Sighting, Topic
from bot.store import Scored
from bot.store.sqlite import SqliteStore
from tests.makers import MONDAY, paper
from tests.store.conftest import effort


@pytest.fixture
def papers(engine):
    found = [paper(f"2611.{n:05}", submitted_at=MONDAY - timedelta(days=n)) for n in range(6)]
    engine.papers.add([Sighting(each) for each in found], MONDAY)


def put(store, slug="tides", query="tide", names=(), origin=Origin.CATALOGUE, **more):
    topic = Topic(0, slug, slug.title(), query, origin=origin, **more)
    return store.topics.put(topic, {slug: slug.title()} | dict(names), MONDAY)


def test_putting_the_same_again_makes_no_new_version(engine):
    first, again = put(engine), put(engine)
    newer = put(engine, query="tide OR ebb")

    assert (first.version, again.version, newer.version) == (1, 1, 2)
    assert first.id == newer.id
    assert engine.topics.get(first.id) == newer


def test_names_lead_to_a_topic_and_stay_with_the_first(engine):
    first = put(engine, names=[("ebb", "Ebb")])
    put(engine, "ebbs", "ebb", names=[("ebb", "Ebb")])

    assert engine.topics.by_name("ebb").id == first.id
    assert engine.topics.get(first.id).aliases == ("Ebb",)
    assert engine.topics.by_name("nothing") is None
    assert engine.topics.by_slug("ebbs").slug == "ebbs"


def test_a_topic_is_read_without_passing_the_names_of_all_others(engine):
    first = put(engine)
    alone = effort(engine, lambda: engine.topics.get(first.id))
    for n in range(50):
        put(engine, f"topic-{n}")

    assert effort(engine, lambda: engine.topics.get(first.id)) <= alone + 5


def test_a_retired_topic_leaves_its_names_and_comes_back_whole(engine):
    old = put(engine)
    engine.topics.retire([], MONDAY)
    assert engine.topics.all() == []
    assert engine.topics.by_slug("tides") is engine.topics.by_name("tides") is None
    heir = put(engine, "seas", "sea", names=[("tides", "Tides")])
    assert engine.topics.by_name("tides").id == heir.id
    back = put(engine)

    assert back.id == old.id
    assert {t.slug for t in engine.topics.all()} == {"seas", "tides"}


def test_own_and_followed_topics_are_not_retired(engine):
    own, followed = put(engine, "own", origin=Origin.OWN), put(engine, "followed")
    subscriber = engine.people.enrol(Identity("console", "", "ada"), "", MONDAY)
    engine.people.follow(Follow(0, subscriber, followed, 0), MONDAY)
    engine.topics.retire([], MONDAY)

    assert {t.id for t in engine.topics.all()} == {own.id, followed.id}
    assert [t.id for t in engine.topics.followed()] == [followed.id]
    assert engine.topics.all(own=False) == [followed]


def test_the_stamp_changes_whenever_a_compiled_set_would(engine):
    stamps = [engine.topics.stamp()]
    for change in (
        lambda: put(engine),
        lambda: put(engine, query="tide OR ebb"),
        lambda: put(engine, "gulls", "gull"),
        lambda: engine.topics.learn(1, '{"words": {}}', MONDAY),
        lambda: engine.topics.retire(["tides"], MONDAY),
        lambda: put(engine, "gulls", "gull"),
    ):
        change()
        stamps.append(engine.topics.stamp())

    assert all(a != b for a, b in pairwise(stamps))


# -------------------------------------------------------------- matches


def match(store, topic, *seqs, score=0.5, live=True, version=None):
    version = version or topic.version
    return store.topics.add_matches(
        [Scored(topic.id, seq, score, f"why {seq}", version) for seq in seqs], live=live
    )


def test_numbers_rise_and_a_known_match_keeps_its_own(engine, papers):
    topic = put(engine)
    assert match(engine, topic, 1, 2) == 2
    assert match(engine, topic, 2, 3, score=0.9, live=False) == 1
    found = {m.seq: m for m in engine.topics.best(topic.id, 0, 9)}

    assert {seq: (m.number, m.live, m.score) for seq, m in found.items()} == {
        1: (1, True, 0.5), 2: (2, True, 0.9), 3: (engine.topics.last_number(), False, 0.9),
    }  # fmt: skip


def test_numbers_are_never_used_again(engine, papers):
    topic = put(engine)
    match(engine, topic, 1, 2, 3)
    last = engine.topics.last_number()
    newer = put(engine, query="tide OR ebb")
    engine.topics.rematched(newer, None)
    match(engine, newer, 1)

    assert engine.topics.best(topic.id, 0, 9)[0].number > last


def test_what_turns_live_comes_as_if_it_were_new_and_what_was_live_stays_as_it_is(engine, papers):
    topic, other = put(engine), put(engine, "gulls")
    match(engine, topic, 1, live=True)
    match(engine, topic, 2, live=False)
    match(engine, other, 2, score=0.7, live=False)
    engine.topics.leave_unmatched([3], live=False)
    engine.topics.turn_live([1, 2, 3])

    found = engine.topics.of_papers([1, 2])
    assert [(m.number, m.live, m.score) for m in found[1]] == [(1, True, 0.5)]
    assert [(m.number > 3, m.live, m.score) for m in found[2]] == [
        (True, True, 0.7), (True, True, 0.5)
    ]  # fmt: skip
    assert engine.topics.unmatched() == {3: True}


def test_a_new_version_waits_to_be_matched_with_the_past(engine, papers):
    topic = put(engine)
    assert [t.slug for t in engine.topics.stale()] == ["tides"]
    match(engine, topic, 1, 2)
    engine.topics.rematched(topic, None)
    assert engine.topics.stale() == []
    newer = put(engine, query="ebb")
    match(engine, newer, 2)
    engine.topics.rematched(topic, None)  # the old version is finished too late
    assert len(engine.topics.stale()) == 1
    engine.topics.rematched(newer, None)

    assert [m.seq for m in engine.topics.best(topic.id, 0, 9)] == [2]


def test_a_past_that_was_matched_in_part_says_how_far_back(engine, papers):
    older = put(engine)
    match(engine, older, 1, 2, 3)
    engine.topics.rematched(older, None)
    newer = put(engine, query="ebb")
    third = engine.papers.some([3])[0].submitted_at
    assert engine.topics.matched_after()[newer.id] > third

    match(engine, newer, 2)
    engine.topics.rematched(newer, third - timedelta(seconds=1))
    assert engine.topics.matched_after() == {newer.id: third - timedelta(seconds=1)}
    assert engine.topics.stale() == [newer]
    engine.topics.learn(newer.id, "words", MONDAY)
    engine.topics.rematched(engine.topics.get(newer.id), None)
    engine.topics.learn(newer.id, "other words", MONDAY)
    assert engine.topics.matched_after() == {}


def test_a_turn_comes_sooner_for_the_topics_of_a_paper_and_never_later(engine, papers):
    brought, another = put(engine, "brought"), put(engine, "another")
    match(engine, brought, 1)
    ada = engine.people.enrol(Identity("console", "", "ada"), "", MONDAY)
    for topic in (brought, another):
        engine.people.follow(Follow(0, ada, topic, 0), MONDAY)
        engine.topics.rematched(topic, None)
        engine.topics.learn(topic.id, "", MONDAY)

    engine.topics.turn_by(ada, [1, 2], MONDAY - timedelta(days=9))
    engine.topics.turn_by(ada, [1], MONDAY)
    assert [t.id for t in engine.topics.to_learn(MONDAY)] == [brought.id]


def test_a_paper_that_was_news_when_it_could_not_be_matched_stays_news(engine, papers):
    for live in (False, True, False):
        engine.topics.leave_unmatched([1], live=live)
    engine.topics.leave_unmatched([2], live=False)

    assert engine.topics.unmatched() == {1: True, 2: False}
    engine.topics.matched([1])
    assert engine.topics.unmatched() == {2: False}


def test_best_is_newest_or_closest_from_a_score_up(engine, papers):
    topic = put(engine)
    for seq, score in ((1, 0.2), (2, 0.5), (3, 0.9)):
        match(engine, topic, seq, score=score)

    assert [m.seq for m in engine.topics.best(topic.id, 0.3, 9)] == [2, 3]
    assert [m.seq for m in engine.topics.best(topic.id, 0.3, 9, by_score=True)] == [3, 2]
    assert [m.seq for m in engine.topics.best(topic.id, 0, 1)] == [1]
    assert engine.topics.count(topic.id, 0.3) == 2


def test_matches_of_papers_and_counts_by_week(engine, papers):
    tides, gulls = put(engine), put(engine, "gulls")
    match(engine, tides, 1, 2)
    match(engine, gulls, 2, score=0.9)

    assert [m.topic_id for m in engine.topics.of_papers([2])[2]] == [gulls.id, tides.id]
    assert engine.topics.of_papers([5]) == {}
    assert engine.topics.weekly(tides.id, 0.3, date(2026, 11, 9)) == {
        date(2026, 11, 16): 1, date(2026, 11, 23): 1,
    }  # fmt: skip
    assert set(engine.topics.weekly_of_all(0.3, date(2026, 11, 9))) == {tides.id, gulls.id}


def test_related_topics_share_papers_for_their_size(engine, papers):
    tides, close, huge = put(engine), put(engine, "close"), put(engine, "huge")
    match(engine, tides, 1, 2, 3)
    match(engine, close, 1, 2, 3)
    match(engine, huge, 1, 2, 3, 4, 5, 6)
    match(engine, put(engine, "by chance"), 1)

    assert engine.topics.related(tides.id, 0.3, 9) == [close.id, huge.id]


def test_how_large_a_related_topic_is_goes_by_its_last_sixteen_weeks(engine, papers):
    past = [paper(f"2602.{n:05}", submitted_at=MONDAY - timedelta(days=300)) for n in range(6)]
    engine.papers.add([Sighting(each) for each in past], MONDAY)
    tides, steady, quieter = put(engine), put(engine, "steady"), put(engine, "quieter")
    match(engine, tides, 1, 2, 3)
    match(engine, steady, 1, 2, 3, 4)
    match(engine, quieter, 1, 2, 3, *range(7, 13))

    assert engine.topics.related(tides.id, 0.3, 9) == [quieter.id, steady.id]


OWN_BEFORE_THE_MARK = (
    ("sea ice", "sea AND ice", True),
    ("tides", "tides", True),
    ("World Models (mine)", "world AND ice", False),
    ("a name too long to be kept…", "name AND long", False),
)


@pytest.mark.parametrize(("name", "query", "derived"), OWN_BEFORE_THE_MARK)
def test_own_topics_of_an_older_database_are_told_apart(tmp_path, name, query, derived):
    older = SqliteStore(tmp_path / "paperround.db")
    older.topics.put(Topic(0, "own", name, query), {}, MONDAY)
    edited = older.topics.put(Topic(0, "edited", "Drift", "drift"), {}, MONDAY)
    older.topics.put(replace(edited, query="drift AND ice"), {}, MONDAY)
    older.topics.put(Topic(0, "listed", "Ice", "ice", origin=Origin.CATALOGUE), {}, MONDAY)
    older.engine.run("ALTER TABLE topics DROP COLUMN derived")
    older.engine.run("DELETE FROM _sqlite_migrations WHERE name = 'm003_derived'")
    older.close()

    newer = SqliteStore(tmp_path / "paperround.db")
    assert {t.slug for t in newer.topics.all() if t.derived} == ({"own"} if derived else set())
    newer.close()
