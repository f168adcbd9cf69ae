"""A topic that somebody follows learns the words of its own papers, and tells nobody of it."""

import pytest

from bot.core import Core
from bot.store.sqlite import SqliteStore
from tests.fakes import ArxivByHand, FrozenClock
from tests.houses import house, say
from tests.makers import paper


@pytest.fixture
def store():
    kept = SqliteStore()
    yield kept
    kept.close()


@pytest.fixture
def core(clock: FrozenClock, store: SqliteStore) -> Core:
    return house(clock, store=store)


def announce(core: Core, clock: FrozenClock, title: str, count: int, first: int = 0) -> None:
    arxiv = ArxivByHand()
    abstract = "The keeper trims the lamp by night." if "lighthouse" in title else "Of something."
    arxiv.announce(
        *(
            paper(f"2611.{first + n:05}", f"{title} {n}", abstract=abstract,
                  submitted_at=clock(), updated_at=clock())
            for n in range(count)
        )
    )  # fmt: skip
    arxiv.name = title
    core.ingest(arxiv)


def test_a_followed_topic_learns_once_in_four_weeks(core, clock, store) -> None:
    say(core, "follow lighthouses")
    announce(core, clock, "On a lighthouse", 50)
    announce(core, clock, "On bread", 60, 100)

    assert core.learn().slug == "lighthouses"
    learned = store.topics.by_slug("lighthouses")
    assert learned.version == 2
    assert "keeper" in learned.weights
    assert core.learn() is None

    clock.forward(weeks=5)
    while core.rematch():
        pass
    assert core.learn().slug == "lighthouses"


def test_what_is_learned_tells_nobody_of_old_papers(core, clock, store) -> None:
    announce(core, clock, "On a lighthouse", 50)
    say(core, "follow lighthouses")
    core.learn()
    while core.rematch():
        pass
    clock.forward(days=8)

    assert core.prepare().queued == 0


def test_a_small_topic_waits_and_one_nobody_follows_is_left_alone(core, clock, store) -> None:
    announce(core, clock, "On a lighthouse", 12)
    assert core.learn() is None

    say(core, "follow lighthouses")
    assert core.learn().version == 1
    assert store.topics.by_slug("lighthouses").version == 1
