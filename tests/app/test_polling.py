"""The first window of a category is the past: whoever follows hears of what comes after."""

from collections.abc import Iterator

import pytest

from bot.app.polling import Polling, new_categories
from bot.core import Core
from bot.model import Announced
from bot.sources import Page, SourceError
from tests.fakes import ArxivByHand, FrozenClock
from tests.houses import house, say
from tests.makers import paper


class Api(ArxivByHand):
    """Shows everything it has each time, as overlapping windows do."""

    def pages(self, watermark: str | None) -> Iterator[Page]:
        if self.error:
            error, self.error = self.error, None
            raise error
        yield Page(tuple(self.sightings), str(len(self.sightings)))


@pytest.fixture
def core(clock: FrozenClock) -> Iterator[Core]:
    made = house(clock)
    yield made
    made.house.store.close()


def due(core: Core, clock: FrozenClock) -> int:
    clock.forward(days=8)
    return core.prepare().queued


def poll(core: Core, api: Api, *categories: str):
    return core.ingest(Polling(core, lambda _: api, categories))  # type: ignore[arg-type]


def about_tides(number: int, clock: FrozenClock):
    return paper(f"2611.{number:05}", "On the tide", submitted_at=clock(), updated_at=clock())


def test_what_was_there_before_anybody_asked_is_told_to_nobody(core, clock) -> None:
    api = Api()
    api.announce(about_tides(1, clock), kind=None)
    say(core, "follow tides")

    poll(core, api, "cs.LG")
    assert core.house.store.papers.get("2611.00001") is not None
    assert due(core, clock) == 0

    api.announce(about_tides(2, clock), kind=Announced.NEW)
    poll(core, api, "cs.LG")
    assert due(core, clock) == 1


def test_a_category_that_comes_later_has_a_past_of_its_own(core, clock) -> None:
    poll(core, Api(), "cs.LG")
    assert new_categories(core, ("cs.LG", "hep-th")) == {"hep-th"}

    api = Api()
    api.announce(about_tides(3, clock), kind=None)
    say(core, "follow tides")
    poll(core, api, "cs.LG", "hep-th")

    assert due(core, clock) == 0
    assert new_categories(core, ("cs.LG", "hep-th")) == set()


def test_a_past_that_could_not_be_read_is_tried_again(core) -> None:
    api = Api()
    api.error = SourceError("cut off")

    assert poll(core, api, "cs.LG").fault is not None
    assert new_categories(core, ("cs.LG",)) == {"cs.LG"}
    assert poll(core, api, "cs.LG").fault is None
    assert new_categories(core, ()) == {"all"}
