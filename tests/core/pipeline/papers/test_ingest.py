"""From a source into the store: what is told, what is only stored, what is set aside."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.pipeline.papers import ingest
from bot.model import Announced, Paper, Rejected
from bot.sources import Completeness, Page, SourceError, SourceFault
from tests.core.conftest import MONDAY, NEXT_MONDAY
from tests.fakes import ArxivByHand
from tests.makers import paper


@pytest.fixture
def reader(world):
    world.say("follow tides")
    return world


def seen(world, arxiv_id: str) -> Paper:
    found = world.store.papers.get(arxiv_id)
    assert found is not None
    return found


# -------------------------------------------------------------- who is told


def test_every_paper_comes_once(reader):
    ids = reader.announce("The tide", "Another tide")
    reader.morning()
    reader.announce(*(seen(reader, each) for each in ids))  # the overlap of the next poll
    reader.morning(NEXT_MONDAY)

    assert sorted(reader.got()) == ids


def test_a_second_version_is_never_new(reader):
    (number,) = reader.announce("The tide")
    reader.morning()
    reader.announce(replace(seen(reader, number), version=2, title="The tide, revised"), kind=None)
    reader.morning(NEXT_MONDAY)

    assert reader.got() == [number]
    assert seen(reader, number).title == "The tide, revised"


def test_a_version_that_is_older_than_the_known_one_changes_nothing(reader):
    (number,) = reader.announce("The tide")
    first = seen(reader, number)
    reader.announce(replace(first, version=3, title="Third"), kind=None)
    reader.announce(replace(first, version=2, title="Second"), kind=None)

    assert (seen(reader, number).version, seen(reader, number).title) == (3, "Third")


def test_a_category_added_later_is_told_once(world):
    world.say("follow cat:eess.IV")
    (number,) = world.announce("The tide")
    world.morning()
    crossed = replace(seen(world, number), categories=("cs.LG", "eess.IV"))
    for _ in range(2):
        world.announce(crossed, kind=Announced.CROSS)
    world.morning(NEXT_MONDAY)

    assert world.got() == [number]


def test_a_category_that_comes_with_a_new_version_is_told_as_well(world):
    world.say("follow cat:eess.IV")
    (number,) = world.announce("The tide")
    world.announce(
        replace(seen(world, number), version=2, categories=("cs.LG", "eess.IV")), kind=None
    )
    world.morning()

    assert world.got() == [number]


def test_a_cross_list_of_a_paper_that_was_told_is_not_told_again(reader):
    (number,) = reader.announce("The tide")
    reader.morning()
    reader.say("follow cat:eess.IV")
    reader.announce(
        replace(seen(reader, number), categories=("cs.LG", "eess.IV")), kind=Announced.CROSS
    )
    reader.morning(NEXT_MONDAY)

    assert reader.got() == [number]


@pytest.mark.parametrize("days", [24, 59, 200])
def test_a_paper_that_was_held_reaches_the_next_digest(reader, days):
    at = reader.clock() - timedelta(days=days)
    ids = reader.announce("The tide", submitted_at=at)
    reader.morning()

    assert reader.got() == ids


def test_a_bulk_stamp_on_old_papers_tells_nobody(reader):
    """Old records come up again without an announcement: stored, matched, not told."""
    at = reader.clock() - timedelta(days=2000)
    ids = reader.announce("The tide", "Another tide", kind=None, submitted_at=at)
    reader.morning()

    assert reader.got() == []
    assert {e.paper.arxiv_id for e in reader.say("topic tides").papers} == set(ids)


def test_a_paper_withdrawn_before_the_digest_is_left_out_and_stays_stored(reader):
    kept, gone = reader.announce("The tide", "A tide that never was")
    reader.announce(replace(seen(reader, gone), version=2, withdrawn=True), kind=None)
    reader.morning()

    assert reader.got() == [kept]
    assert seen(reader, gone).withdrawn


def test_a_withdrawn_paper_that_stands_again_is_told(reader):
    """A digest passed over it meanwhile, and to nobody was it told before."""
    (gone,) = reader.announce("A tide that never was")
    reader.announce(replace(seen(reader, gone), version=2, withdrawn=True), kind=None)
    reader.morning()
    reader.announce(replace(seen(reader, gone), version=3, withdrawn=False), kind=None)
    reader.morning(MONDAY + timedelta(days=7))
    assert reader.got() == [gone]

    reader.announce(replace(seen(reader, gone), version=4, withdrawn=True), kind=None)
    reader.announce(replace(seen(reader, gone), version=5, withdrawn=False), kind=None)
    reader.morning(MONDAY + timedelta(days=14))
    assert reader.got() == [gone], "once"


def test_one_that_was_muted_while_it_stood_comes_no_more_when_it_stands_again(reader):
    reader.say("mute tides for 2w")
    (gone,) = reader.announce("A tide that never was")
    reader.morning()
    reader.announce(replace(seen(reader, gone), version=2, withdrawn=True), kind=None)
    reader.announce(replace(seen(reader, gone), version=3, withdrawn=False), kind=None)
    reader.say("unmute tides")
    reader.morning(MONDAY + timedelta(days=7))

    assert reader.got() == []


def test_an_old_paper_that_stands_again_after_years_is_told_to_nobody(reader):
    (gone,) = reader.announce("A tide that never was")
    reader.announce(replace(seen(reader, gone), version=2, withdrawn=True), kind=None)
    reader.morning()
    reader.clock.forward(days=400)
    reader.announce(replace(seen(reader, gone), version=3, withdrawn=False), kind=None)
    reader.morning(reader.clock() + timedelta(days=7))

    assert reader.got() == []


# -------------------------------------------------------------- the past


def test_backfill_tells_nobody_and_shows_in_the_topic(reader):
    old = reader.paper("The tide", submitted_at=reader.clock() - timedelta(days=30))
    reader.backfill(old)
    reader.morning()

    assert reader.got() == []
    assert [e.paper.arxiv_id for e in reader.say("topic tides").papers] == [old.arxiv_id]


def test_backfill_leaves_to_the_live_source_what_it_has_still_to_tell(reader):
    reader.store.ledger.set_watermark("arxiv", "2026-11-23", reader.clock())
    days = reader.core.days_to_backfill("arxiv", 4)

    assert max(days).isoformat() == "2026-11-15"
    assert min(days).weekday() == 0


@pytest.mark.parametrize("days", range(1, 8))
def test_twelve_weeks_of_the_past_fill_twelve_bars_on_any_day(reader, days):
    """Until its last mailing is read, the week that just ended is not one of the twelve."""
    reader.clock.forward(days=days)
    for day in reader.core.days_to_backfill("arxiv", 12):
        reader.core.backfill(ArxivByHand(), day)
    weeks = reader.say("topic tides").card.momentum.weeks

    assert [week.observed for week in weeks if week.complete] == [True] * 12


def test_the_past_that_is_read_after_a_first_look_joins_it_without_a_gap(reader):
    reader.arxiv.announce(reader.paper("The tide"))
    reader.morning()
    reader.store.ledger.set_watermark("arxiv", "2026-11-23", reader.clock())
    for day in reader.core.days_to_backfill("arxiv", 12):
        reader.core.backfill(ArxivByHand(), day)
    weeks = reader.say("topic tides").card.momentum.weeks

    assert all(week.observed for week in weeks)


def test_a_week_is_whole_also_for_whoever_looked_while_its_last_papers_were_read(reader):
    """The look is written down behind its papers: until then the week may lack some."""

    def weeks(*_: object) -> list[bool]:
        return [week.complete for week in reader.say("topic tides").card.momentum.weeks]

    reader.announce("The tide")
    reader.clock.set(MONDAY + timedelta(days=1))
    reader.arxiv.announce(reader.paper("The tide turns"))
    reader.core.ingest(reader.arxiv, weeks)
    seen_meanwhile = weeks()
    reader.announce("The tide rises")

    assert seen_meanwhile == weeks()


def test_a_day_that_was_read_in_part_is_read_again(world):
    class Broken(ArxivByHand):
        def slice(self, day):
            yield Page(())
            raise SourceError("cut off", SourceFault.TRANSIENT)

    day = world.core.days_to_backfill("arxiv", 2)[3]
    assert world.core.backfill(Broken(), day).fault is SourceFault.TRANSIENT
    assert day in world.core.days_to_backfill("arxiv", 2)
    world.core.backfill(ArxivByHand(), day)
    assert day in world.core.days_to_backfill("arxiv", 2)  # too young: held papers may come
    world.clock.forward(days=9)
    world.core.backfill(ArxivByHand(), day)
    assert day not in world.core.days_to_backfill("arxiv", 2)


# -------------------------------------------------------------- trouble


def test_what_was_read_before_the_source_broke_off_stays_and_the_rest_comes_next(reader):
    ids = [reader.paper(f"The tide {n}") for n in range(4)]
    reader.arxiv.announce(*ids)
    pages = reader.arxiv.pages(None)
    first = next(pages)

    class OnePage(ArxivByHand):
        def pages(self, watermark):
            yield first
            raise SourceError("cut off", SourceFault.TRANSIENT)

    broken = reader.core.ingest(OnePage())
    assert (broken.papers, broken.fault) == (2, SourceFault.TRANSIENT)
    assert reader.store.ledger.watermark("arxiv") == "2"
    assert reader.store.ledger.runs("poll")[0].outcome == "transient"
    reader.ingest()
    reader.morning()
    assert sorted(reader.got()) == [each.arxiv_id for each in ids]


def test_the_watermark_moves_only_with_what_was_stored(reader, monkeypatch):
    """The process dies between two papers of a page: the mark stays, all come again."""
    papers = [reader.paper(f"The tide {n}") for n in range(2)]
    reader.arxiv.announce(*papers)
    real = reader.store.ledger.set_watermark

    def killed(*_):
        raise KeyboardInterrupt

    reader.store.ledger.set_watermark = killed
    with pytest.raises(KeyboardInterrupt):
        reader.ingest()
    assert reader.store.papers.count() == 0
    reader.store.ledger.set_watermark = real
    reader.ingest()
    reader.morning()

    assert sorted(reader.got()) == [each.arxiv_id for each in papers]


def test_a_page_that_is_stored_in_parts_moves_the_watermark_with_its_last(reader, monkeypatch):
    """The process dies between two transactions of a page: the mark stays, all come again."""
    monkeypatch.setattr(ingest, "AT_ONCE", 1)
    papers = [reader.paper(f"The tide {n}") for n in range(2)]
    reader.arxiv.announce(*papers)
    real = reader.store.papers.add

    def killed_at_the_second(some, *rest, **more):
        if some[0].paper == papers[1]:
            raise KeyboardInterrupt
        return real(some, *rest, **more)

    reader.store.papers.add = killed_at_the_second
    with pytest.raises(KeyboardInterrupt):
        reader.ingest()
    assert reader.store.papers.count() == 1
    assert reader.store.ledger.watermark("arxiv") is None
    reader.store.papers.add = real
    reader.ingest()
    reader.morning()

    assert sorted(reader.got()) == [each.arxiv_id for each in papers]


def test_a_bad_entry_is_set_aside_once_and_the_others_go_on(reader):
    reader.arxiv.rejected = (Rejected("<entry>", "no title"),)
    ids = reader.announce("The tide")
    reader.arxiv.announce(reader.paper("A gull"))
    assert reader.ingest().rejected == 1
    reader.morning()

    assert reader.got() == ids
    assert reader.store.ledger.quarantined() == 1


def test_a_topic_whose_query_cannot_be_read_any_more_fails_alone(reader):
    reader.say("follow gulls")
    gulls = reader.store.topics.by_slug("gulls")
    reader.store.engine.run(
        "UPDATE topic_versions SET query = '((' WHERE topic_id = ?", (gulls.id,)
    )
    reader.store.engine.run("UPDATE topics SET version = version + 0")
    ids = reader.announce("The tide", "A gull")
    reader.morning()

    assert ids[0] in reader.got()


def test_a_topic_made_while_papers_are_matched_misses_none(world):
    """Its stamp is checked again in the transaction that stores the papers."""
    world.say("follow tides")
    unknown = world.store.papers.unknown

    def somebody_follows_meanwhile(papers):
        world.store.papers.unknown = unknown
        world.say("follow crab*")
        return unknown(papers)

    world.store.papers.unknown = somebody_follows_meanwhile
    ids = world.announce("A crab at low water")
    world.morning()

    assert world.got() == ids


def test_thousands_of_authors_and_odd_characters_are_stored_as_they_are(reader):
    crowd = paper(
        "2611.77777",
        "The tide {of} 100 % <b>bold</b> & “quotes”",
        authors=[f"Author Number {n}" for n in range(3303)],
        submitted_at=reader.clock(),
    )
    reader.announce(crowd)
    reader.morning()

    assert len(seen(reader, "2611.77777").authors) == 3303
    assert reader.got() == ["2611.77777"]


def test_every_poll_leaves_a_line_in_the_ledger(world):
    world.announce("The tide")
    world.ingest()

    lines = [(run.outcome, run.papers) for run in world.store.ledger.runs("poll")]
    assert lines == [("nothing new", 0), ("new", 1)]


def test_a_look_is_as_complete_as_the_answer_that_lacks_most(world):
    class InParts:
        name = "arxiv"

        def pages(self, watermark):
            yield Page((), remark="incomplete: 1 of 2", completeness=Completeness.PART)
            yield Page((), remark="illegal characters were taken out")

    world.core.ingest(InParts())

    assert world.store.ledger.runs("poll")[0].completeness is Completeness.PART
