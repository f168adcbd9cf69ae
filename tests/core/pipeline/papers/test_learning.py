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


@pytest.mark.parametrize(
    "said",
    ["save {id}", "not-for-me {id}", "unsave {id}", "undo not-for-me {id}"],
)
def test_what_a_reader_says_of_a_paper_is_learned_the_next_day(core, clock, said) -> None:
    say(core, "follow lighthouses")
    say(core, "follow bread")
    announce(core, clock, "On a lighthouse", 50)
    announce(core, clock, "On bread", 60, 100)
    while core.learn() or core.rematch():
        pass

    clock.forward(days=2)
    assert core.learn() is None
    say(core, said.format(id="2611.00007"))
    assert core.learn() is None
    clock.forward(days=1, seconds=1)
    assert core.learn().slug == "lighthouses"
    assert core.learn() is None, "the paper was none of bread"


def test_a_topic_that_was_too_small_is_looked_at_again_in_a_week(core, clock, store) -> None:
    say(core, "follow lighthouses")
    announce(core, clock, "On bread", 60, 100)
    announce(core, clock, "On a lighthouse", 5)
    core.learn()
    announce(core, clock, "On a lighthouse again", 50, 200)
    clock.forward(weeks=1, seconds=1)

    assert core.learn().slug == "lighthouses"
    assert "keeper" in store.topics.by_slug("lighthouses").weights


def test_a_topic_that_few_papers_match_learns_from_close_ones_and_again_in_a_week(
    core, clock, store
) -> None:
    say(core, "follow lighthouses for robots")
    announce(core, clock, "On a lighthouse for robots", 3)
    announce(core, clock, "On a lighthouse", 20, 50)
    announce(core, clock, "On bread", 60, 100)

    learned = core.learn()
    assert learned.slug == "lighthouses-for-robots"
    assert "keeper" in store.topics.by_slug(learned.slug).weights

    while core.rematch():
        pass
    assert core.learn() is None
    clock.forward(weeks=1, seconds=1)
    assert core.learn().slug == learned.slug


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
