"""The rows of the list of arXiv's faults that are about what is kept, by their numbers."""

from dataclasses import replace

import pytest

from bot.model import Announced
from bot.sources import Page, SourceError
from tests.fakes import ArxivByHand, FrozenClock
from tests.houses import house, say
from tests.makers import paper


@pytest.fixture
def arxiv() -> ArxivByHand:
    return ArxivByHand()


@pytest.fixture
def core(clock: FrozenClock):
    made = house(clock)
    say(made, "follow tides")
    yield made
    made.house.store.close()


def tide(clock: FrozenClock, **more):
    return paper("2611.00001", "On the tide", submitted_at=clock(), updated_at=clock(), **more)


def due(core, clock: FrozenClock) -> int:
    clock.forward(days=8)
    return core.prepare().queued


def test_row_39_a_second_version_is_kept_and_is_no_news(core, clock, arxiv) -> None:
    arxiv.announce(tide(clock))
    core.ingest(arxiv)
    assert due(core, clock) == 1

    arxiv.announce(replace(tide(clock), version=2, title="On the tide, revised"), kind=None)
    core.ingest(arxiv)

    assert core.house.store.papers.get("2611.00001").title == "On the tide, revised"
    assert due(core, clock) == 0


def test_row_40_an_older_version_that_is_read_again_changes_nothing(core, clock, arxiv) -> None:
    arxiv.announce(replace(tide(clock), version=2, title="On the tide, revised"))
    arxiv.announce(tide(clock), kind=None)
    core.ingest(arxiv)

    kept = core.house.store.papers.get("2611.00001")
    assert (kept.version, kept.title) == (2, "On the tide, revised")


def test_row_43_a_late_cross_list_is_matched_once(core, clock, arxiv) -> None:
    say(core, "follow cat:physics.ao-ph AND tide")
    say(core, "unfollow tides")
    arxiv.announce(tide(clock))
    core.ingest(arxiv)
    assert due(core, clock) == 0

    crossed = replace(tide(clock), categories=("cs.LG", "physics.ao-ph"))
    for _ in range(2):
        arxiv.announce(crossed, kind=Announced.CROSS)
        core.ingest(arxiv)

    assert due(core, clock) == 1
    assert due(core, clock) == 0


def test_row_54_a_crash_between_a_page_and_its_watermark_repeats_nothing(
    core, clock, arxiv
) -> None:
    class Crashing(ArxivByHand):
        def pages(self, watermark):
            yield Page(tuple(self.sightings))  # stored; the watermark's page never comes
            raise SourceError("the machine went down")

    dying = Crashing()
    dying.announce(tide(clock))
    core.ingest(dying)
    assert core.house.store.ledger.watermark("arxiv") is None

    arxiv.announce(tide(clock))
    core.ingest(arxiv)
    assert core.house.store.papers.count() == 1
    assert due(core, clock) == 1
