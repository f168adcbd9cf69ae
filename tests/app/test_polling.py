"""The first window of a category is the past: whoever follows hears of what comes after."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.app.polling import FirstLook, Past, Polling, new_categories
from bot.core import Core
from bot.core.pipeline.papers.news import being_read
from bot.model import Announced, DeliveryState
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
    return core.ingest(Polling(core, lambda *_: api, categories))  # type: ignore[arg-type]


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
    assert being_read(core.house) == {}


def test_a_category_that_comes_later_is_read_as_far_back_as_the_others(core, clock) -> None:
    """Else its topics would seem to emerge on the day on which somebody follows one."""
    asked: list[tuple[tuple[str, ...], int]] = []

    def api(categories: tuple[str, ...], days: int) -> Api:
        asked.append((categories, days))
        return Api()

    poll(core, Api(), "cs.LG")
    clock.forward(days=30)
    core.ingest(Past(core, api, ("cs.LG", "hep-th")))  # type: ignore[arg-type]
    core.ingest(Past(core, api, ("cs.LG", "hep-th")))  # type: ignore[arg-type]

    assert asked == [(("hep-th",), 37)]


def test_a_category_that_is_asked_for_again_has_a_past_again(core, clock) -> None:
    poll(core, Api(), "cs.LG", "hep-th")
    poll(core, Api(), "cs.LG")
    assert new_categories(core, ("cs.LG", "hep-th")) == {"hep-th"}

    api = Api()
    api.announce(replace(about_tides(3, clock), categories=("hep-th",)), kind=None)
    say(core, "follow tides")
    poll(core, api, "cs.LG", "hep-th")

    assert due(core, clock) == 0


def test_whoever_narrows_what_is_asked_for_loses_nothing(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)))
    poll(core, other("arxiv", about_tides(501, clock)), "cs.LG")

    assert due(core, clock) == 1


def test_a_past_that_could_not_be_read_is_tried_again(core) -> None:
    api = Api()
    api.error = SourceError("cut off")

    assert poll(core, api, "cs.LG").fault is not None
    assert new_categories(core, ("cs.LG",)) == {"cs.LG"}
    assert poll(core, api, "cs.LG").fault is None
    assert new_categories(core, ()) == {"all"}


# ------------------------------------------------- a first look that takes days


class Killed(BaseException):
    """The process ends here."""


class CutShort(Api):
    """Ends the process after its first page, until it `may_end`."""

    may_end = False

    def pages(self, watermark: str | None) -> Iterator[Page]:
        yield from super().pages(watermark)
        if not self.may_end:
            raise Killed


def killed(core: Core, api: CutShort, *categories: str) -> None:
    with pytest.raises(Killed):
        poll(core, api, *categories)


def told_papers(core: Core, clock: FrozenClock) -> list[str]:
    due(core, clock)
    told = newest_told(core) if core.house.store.outbox.queue([DeliveryState.PENDING]) else []
    return sorted(each.arxiv_id for each in told)


def test_what_is_announced_while_the_first_look_is_killed_day_by_day_is_told(core, clock) -> None:
    """Else whoever follows hears of nothing, however long arXiv or the machine fails."""
    say(core, "follow tides")
    api = CutShort()
    api.announce(about_tides(1, clock), kind=None)
    killed(core, api, "cs.LG")
    for number in (2, 3):
        clock.forward(days=1)
        api.announce(about_tides(number, clock), kind=None)
        clock.forward(days=1)
        killed(core, api, "cs.LG")
    held = replace(about_tides(4, clock), submitted_at=clock() - timedelta(days=9))
    api.announce(held, kind=None)
    api.may_end = True
    poll(core, api, "cs.LG")

    assert told_papers(core, clock) == ["2611.00002", "2611.00003", "2611.00004"]


def test_a_late_end_of_the_first_look_does_not_make_history_of_what_came_meanwhile(
    core, clock
) -> None:
    """What it did not show itself is known by its number when another source does."""
    say(core, "follow tides")
    api = CutShort()
    api.announce(about_tides(100, clock), kind=None)
    killed(core, api, "cs.LG")
    clock.forward(days=2)
    api.announce(about_tides(200, clock), about_tides(300, clock), kind=None)
    clock.forward(days=2)
    api.may_end = True
    poll(core, api, "cs.LG")
    before, since = (
        replace(about_tides(n, clock), submitted_at=clock() - timedelta(days=20)) for n in (99, 250)
    )
    look(core, other("oai", before, since), "cs.LG")

    assert told_papers(core, clock) == ["2611.00200", "2611.00250", "2611.00300"]


def test_a_source_that_fails_for_days_before_its_first_answer_hides_nothing(core, clock) -> None:
    say(core, "follow tides")
    api = Api()
    two_days = timedelta(days=2)
    api.announce(replace(about_tides(1, clock), submitted_at=clock() - two_days), kind=None)
    for _ in range(3):
        api.error = SourceError("down")
        poll(core, api, "cs.LG")
        clock.forward(days=1)
    api.announce(replace(about_tides(2, clock), submitted_at=clock() - two_days), kind=None)
    poll(core, api, "cs.LG")

    assert told_papers(core, clock) == ["2611.00002"]


def test_the_past_of_a_new_category_swallows_no_news_of_the_others(core, clock) -> None:
    """A night's batch that comes with the past of another category is a night's batch."""
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    clock.forward(days=1)
    both = replace(about_tides(501, clock), categories=("hep-th", "cs.LG"))
    poll(core, other("arxiv", both), "cs.LG", "hep-th")

    assert told_papers(core, clock) == ["2611.00501"]


def test_whoever_widens_what_is_asked_for_loses_nothing(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    clock.forward(days=1)
    elsewhere = replace(about_tides(502, clock), categories=("hep-th",))
    poll(core, other("arxiv", about_tides(501, clock), elsewhere))

    assert told_papers(core, clock) == ["2611.00501"]


# ------------------------------------------------------------------ other sources


def look(core: Core, source: Api, *categories: str):
    return core.ingest(FirstLook(core, source, categories))  # type: ignore[arg-type]


def other(name: str, *papers, kind: Announced | None = None) -> Api:
    source = Api()
    source.name = name
    source.announce(*papers, kind=kind)
    return source


def test_what_another_source_knows_of_the_past_is_told_to_nobody(core, clock) -> None:
    """The API holds a week; the first look at OAI-PMH goes back further."""
    say(core, "follow tides")
    api = other("arxiv", about_tides(500, clock))
    poll(core, api, "cs.LG")
    eight_days = clock() - timedelta(days=8)
    older = replace(about_tides(400, clock), submitted_at=eight_days)
    look(core, other("oai", older), "cs.LG")

    assert core.house.store.papers.get("2611.00400") is not None
    assert due(core, clock) == 0


def test_a_paper_that_was_held_is_known_by_its_late_number(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    held = replace(about_tides(501, clock), submitted_at=clock() - timedelta(days=50))
    look(core, other("oai", held), "cs.LG")

    assert due(core, clock) == 1


@pytest.mark.parametrize(("day", "told"), [(24, 0), (25, 1)])
def test_a_listing_is_news_where_it_was_mailed_after_the_first_look(core, clock, day, told) -> None:
    """Tuesday's was mailed on Monday evening, and it is Tuesday morning."""
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    clock.forward(days=day - 24)
    listed = replace(about_tides(400, clock), announced_on=date(2026, 11, day))
    look(core, other("rss", listed, kind=Announced.NEW), "cs.LG")

    assert due(core, clock) == told


@pytest.mark.parametrize("first", ["arxiv", "oai"])
def test_a_paper_of_before_that_is_listed_here_later_is_told_whoever_shows_it_first(
    core, clock, first
) -> None:
    """The listing alone says that it is news, and is often read last."""
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    clock.forward(days=2)
    three_days = clock() - timedelta(days=3)
    crossed = replace(about_tides(400, clock), submitted_at=three_days)
    look(core, other(first, crossed), "cs.LG")
    listed = replace(crossed, announced_on=date(2026, 11, 26))
    for _ in range(2):
        look(core, other("rss", listed, kind=Announced.CROSS), "cs.LG")

    assert told_papers(core, clock) == ["2611.00400"]
    assert due(core, clock) == 0, "and once"


def test_a_listing_makes_no_news_of_what_was_known_before_it_was_mailed(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    clock.forward(days=2)
    listed = replace(about_tides(500, clock), announced_on=date(2026, 11, 26))
    look(core, other("rss", listed, kind=Announced.CROSS), "cs.LG")

    assert due(core, clock) == 0


@pytest.mark.parametrize("name", ["arxiv", "oai"])
def test_a_category_that_a_paper_of_before_gets_later_is_told_whoever_shows_it(
    core, clock, name
) -> None:
    say(core, "follow cat:hep-th")
    known = about_tides(500, clock)
    poll(core, other("arxiv", known), "cs.LG", "hep-th")
    clock.forward(days=2)
    crossed = replace(known, categories=("cs.LG", "hep-th"))
    look(core, other(name, crossed), "cs.LG", "hep-th")

    assert told_papers(core, clock) == ["2611.00500"]


def test_where_the_api_fails_the_first_look_at_another_source_is_the_past(core, clock) -> None:
    say(core, "follow tides")
    api = other("arxiv", *(about_tides(n, clock) for n in (399, 400, 401)))
    api.error = SourceError("down")
    poll(core, api, "cs.LG")
    look(core, other("oai", about_tides(400, clock)), "cs.LG")
    assert being_read(core.house) == {}
    assert due(core, clock) == 0

    poll(core, api, "cs.LG")  # 399 was announced before, 401 since
    assert due(core, clock) == 1
    assert [p.arxiv_id for p in newest_told(core)] == ["2611.00401"]


def test_a_category_that_comes_later_has_a_last_number_of_its_own(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG")
    physics = [replace(about_tides(n, clock), categories=("hep-th",)) for n in (600, 700, 800)]
    poll(core, other("arxiv", physics[1]), "cs.LG", "hep-th")
    look(core, other("oai", *physics), "cs.LG", "hep-th")

    assert due(core, clock) == 1
    assert [p.arxiv_id for p in newest_told(core)] == ["2611.00800"]


def test_a_category_without_a_paper_begins_where_all_of_arxiv_stands(core, clock) -> None:
    say(core, "follow tides")
    poll(core, other("arxiv", about_tides(500, clock)), "cs.LG", "hep-th")
    old, new = (replace(about_tides(n, clock), categories=("hep-th",)) for n in (499, 501))
    look(core, other("oai", old, new), "cs.LG", "hep-th")

    assert due(core, clock) == 1
    assert [p.arxiv_id for p in newest_told(core)] == ["2611.00501"]


def newest_told(core: Core):
    """The papers of what waits to be sent."""
    lines = core.house.store.outbox.queue([DeliveryState.PENDING])
    return core.house.store.papers.some(core.house.store.outbox.contents(lines[0].delivery).papers)
