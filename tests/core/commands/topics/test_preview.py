"""What the reply to a follow promises: figures that are still true when all is counted."""

from datetime import timedelta
from functools import cache

import pytest

from bot.core.commands.topics import outlook
from bot.momentum import sentence
from bot.store.sqlite import SqliteStore
from tests.core.conftest import TUESDAY, World
from tests.databases import copy_into
from tests.fakes import FrozenClock
from tests.houses import ADA

WEEKS = 10
A_DAY = 16  # papers


@pytest.fixture
def past(world, monkeypatch):
    """Ten weeks of tides, read as a backfill reads them: the newest day first."""
    monkeypatch.setattr(outlook, "AT_ONCE", 150)
    monkeypatch.setattr("bot.store.sqlite.papers.BATCH", 50)
    copy_into(world.store, read_before())
    world.count = world.store.papers.count()
    return world


@cache
def read_before() -> SqliteStore:
    world = World(FrozenClock(TUESDAY))
    for back in range(7 * WEEKS):
        at = TUESDAY - timedelta(days=2 + back)
        tides = (world.paper(f"Tide {back}.{n}", submitted_at=at) for n in range(A_DAY // 2))
        others = (world.paper(f"Gull {back}.{n}", submitted_at=at) for n in range(A_DAY // 2))
        world.backfill(*tides, *others)
    return world.store


def figures(world, slug):
    return world.core.house.heat.of_one(world.store.topics.by_slug(slug))


@pytest.mark.parametrize("query", ['"tide"', "cat:cs.LG", 'author:"Ada Lovelace"'])
def test_a_topic_too_broad_to_be_counted_at_once_says_how_far_it_was(past, query):
    reply = past.asks(f"follow {query}")

    assert "Quiet" not in reply
    assert "the weeks before are still being counted." in reply


def test_what_is_said_so_far_is_what_is_said_of_those_weeks_when_all_is_counted(past):
    past.say('follow "tide"')
    early = figures(past, "tide-2")
    past.core.catch_up(ADA)
    late = figures(past, "tide-2")

    seen = {week.monday: week.papers for week in early.weeks if week.observed}
    assert 0 < len(seen) < len([week for week in late.weeks if week.observed])
    assert seen == {week.monday: week.papers for week in late.weeks if week.monday in seen}
    assert early.change is None
    assert "as many as in the four weeks before" in sentence(late)


def test_the_newest_papers_are_shown_first_though_they_were_stored_first(past):
    reply = past.say('follow "tide"')

    newest = max(p.submitted_at for p in past.store.papers.some(range(1, 20)))
    assert {entry.paper.submitted_at for entry in reply.papers} == {newest}


def test_a_topic_that_brings_too_much_says_so_before_it_is_counted(past):
    assert "That is 50 % of all new papers, which is a lot." in past.asks('follow "tide"')


# -------------------------------------------------------------- breadth, exclusions


def test_what_is_left_out_is_neither_counted_nor_shown(world):
    at = TUESDAY - timedelta(days=10)
    kept = [world.paper(f"Tide {n}", submitted_at=at) for n in range(7)]
    world.backfill(
        *kept, *(world.paper(f"Tide and surveys {n}", submitted_at=at) for n in range(9))
    )
    reply = world.say("follow tides without survey")

    assert reply.card.momentum.current == 7
    assert {e.paper.title for e in reply.papers} <= {each.title for each in kept}
    assert world.say("topic tides").card.momentum.current == 16


def test_a_focused_follow_counts_only_the_closest(world):
    at = TUESDAY - timedelta(days=10)
    close = [world.paper("Rock pools and rock pools", abstract="Rock pools.", submitted_at=at)]
    far = [world.paper(f"Rocks {n}", abstract="A pool by a rock.", submitted_at=at)
           for n in range(4)]  # fmt: skip
    world.backfill(*close, *far)
    broad = world.say("follow rock pools, broad")
    focused = world.say("follow rock pools, focused")

    assert focused.card.momentum.current == 1
    assert broad.card.momentum.current == 5
    assert len(focused.papers) == 1


def test_where_broad_adds_nothing_the_reply_says_so(world):
    world.announce("The tide")

    assert "broad brings what balanced does" in world.asks("follow tides, broad")
    assert "broad brings" not in world.asks("follow tides, balanced")


# ------------------------------------------------------ arXiv silent for weeks


def test_a_topic_is_not_called_quiet_because_arxiv_was_not_read_for_weeks(world):
    for back in range(1, 7 * WEEKS):
        at = TUESDAY - timedelta(days=back)
        world.backfill(world.paper(f"Tide of {at:%d %b}", submitted_at=at))
    world.announce("The tide today")
    whole = figures(world, "tides")
    world.clock.set(TUESDAY + timedelta(weeks=7))
    late = figures(world, "tides")

    assert (late.current, late.previous) == (whole.current, whole.previous) == (28, 28)
    assert late.read_to == (TUESDAY - timedelta(days=2)).date()
    assert sentence(late).startswith("28 papers in the four weeks to 22 November, about as many")
    assert [w for w in late.weeks if w.complete] == [w for w in whole.weeks if w.complete]
