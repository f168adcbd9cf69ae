"""Papers are stored once each and never downgraded, whatever the engine."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model import Author, Sighting, Topic
from bot.store import Scored, Store
from bot.store.sqlite import SqliteStore
from bot.text.names import latin
from tests.makers import MONDAY, paper


def add(store: Store, *papers, now=MONDAY, **more):
    return store.papers.add([Sighting(each) for each in papers], now, **more)


def test_a_paper_comes_back_as_it_was_put(engine):
    whole = paper(
        "math/0611800", "On <b>tides</b> & “gulls”\u2009{x}", version=2,
        abstract="Ünïcode, 🌊 and \U0001d538.",
        authors=[Author("Ada Lovelace", ("London", "Paris")), Author("Gröbner")],
        categories=("math.AG", "cs.LG"), submitted_at=MONDAY, updated_at=MONDAY,
        announced_on=date(2026, 11, 24), comment="9 pages", doi="10.1/x", journal_ref="J. 7",
        code_url="https://github.com/a/b",
    )  # fmt: skip
    add(engine, whole)

    assert engine.papers.get("math/0611800") == replace(whole, seq=1, first_seen_at=MONDAY)
    assert engine.papers.get("math/0611801") is None


def test_the_nearest_papers_hold_most_of_what_is_asked_for_and_name_it_in_the_title(engine):
    add(
        engine,
        paper("2611.00001", "A hat", abstract="A tide."),
        paper("2611.00002", "The tide", abstract="A hat."),
        paper("2611.00003", "The tide and the gull", abstract="A harbour."),
        paper("2611.00004", "A cat", abstract="A dog."),
    )

    assert engine.papers.nearest('"tide" OR "gull" OR "harbour"', 10) == [3, 2, 1]
    assert engine.papers.nearest('"tide"', 1) == [2]


def test_adding_says_what_changed(engine):
    first = paper("2611.00001")
    assert [p.seq for p in add(engine, first).fresh] == [1]
    again = add(engine, first)
    newer = add(engine, replace(first, version=2, title="Revised"))
    wider = add(engine, replace(first, version=2, title="Revised", categories=("cs.LG", "cs.CV")))
    both = add(engine, replace(first, version=3, categories=("cs.LG", "cs.CV", "stat.ML")))

    assert (again.fresh, again.changed, again.crossed) == ((), (), ())
    assert [p.title for p in newer.changed] == ["Revised"]
    assert [p.categories for p in wider.crossed] == [("cs.LG", "cs.CV")]
    assert (both.changed, len(both.crossed)) == ((), 1)


def test_a_new_version_brings_its_own_authors_and_the_link_to_its_code(engine):
    first = paper("2611.00001", code_url="https://github.com/a/b")
    second = replace(first, version=2, code_url="", authors=(Author("Mary Somerville"),))
    third = replace(second, version=3, code_url="https://github.com/c/d")

    add(engine, first)
    add(engine, second)
    known = engine.papers.get("2611.00001")
    assert (known.authors, known.code_url) == (second.authors, first.code_url)
    add(engine, third)
    assert engine.papers.get("2611.00001").code_url == third.code_url


def test_a_new_version_keeps_the_institutes_that_it_does_not_name(engine):
    ada, mary = Author("Ada Lovelace"), Author("Mary Somerville")
    first = paper("2611.00001", authors=(ada, mary))
    add(engine, first)
    looked_up = (replace(ada, affiliations=("Paris",)), replace(mary, affiliations=("Bath",)))
    engine.places.put(1, looked_up, MONDAY)
    moved = replace(ada, affiliations=("London",))

    add(engine, replace(first, version=2, authors=(mary, moved, Author("Jun Li"))))
    kept = engine.papers.get("2611.00001").authors
    assert [each.affiliations for each in kept] == [("Bath",), ("London",), ()]


def test_the_day_of_its_first_announcement_stays_with_a_paper(engine):
    first = paper("2611.00001")
    for day in (None, date(2026, 11, 24), date(2026, 11, 30)):
        add(engine, replace(first, announced_on=day))

    assert engine.papers.get("2611.00001").announced_on == date(2026, 11, 24)


def test_the_highest_number_may_be_asked_for_below_another_one(engine):
    add(engine, paper("2611.00001"), paper("2611.00002"), paper("math/0611800"))

    assert engine.papers.highest_number() == "2611.00002"
    assert engine.papers.highest_number(below="2611.00002") == "2611.00001"
    assert engine.papers.highest_number(below="2611.00001") == ""


def test_unknown_says_beforehand_what_would_change(engine):
    first = paper("2611.00001")
    add(engine, first)
    same, newer = first, replace(first, version=2)
    crossed = replace(first, categories=("cs.LG", "cs.CV"))
    withdrawn = replace(first, withdrawn=True)
    new = paper("2611.00002")

    asked = [same, newer, crossed, withdrawn, new]
    assert engine.papers.unknown(asked) == [newer, crossed, withdrawn, new]


def test_a_category_once_listed_stays_listed(engine):
    first = paper("2611.00001", categories=("cs.LG", "cs.CV"))
    add(engine, first)
    add(engine, replace(first, version=2, categories=("cs.LG", "stat.ML")))

    assert engine.papers.get("2611.00001").categories == ("cs.LG", "stat.ML", "cs.CV")


def test_what_is_said_of_a_version_later_is_filled_in_and_no_news(engine):
    listed = paper("2611.00001")
    whole = replace(listed, comment="9 pages", doi="10.1/x", code_url="https://github.com/a/b")
    add(engine, listed)
    silent = [add(engine, whole), add(engine, listed), add(engine, replace(whole, comment="10"))]
    published = replace(whole, journal_ref="J. 7")
    silent.append(add(engine, published))

    assert [(each.fresh, each.changed, each.crossed) for each in silent] == [((), (), ())] * 4
    assert engine.papers.get("2611.00001") == replace(published, seq=1, first_seen_at=MONDAY)


@pytest.mark.parametrize("more", [(), ("math.ST",)])
def test_the_category_that_comes_first_in_a_new_version_is_its_primary_one(engine, more):
    first = paper("2611.00001", categories=("cs.LG", "stat.ML"))
    add(engine, first)
    add(engine, replace(first, version=2, categories=()))
    assert engine.papers.get("2611.00001").categories == ("cs.LG", "stat.ML")
    add(engine, replace(first, version=3, categories=("stat.ML", *more, "cs.LG")))
    topic = engine.topics.put(Topic(0, "tides", "Tides", "tide"), {}, MONDAY)
    engine.topics.add_matches([Scored(topic.id, 1, 0.5, "", 1)], live=True)

    assert engine.papers.get("2611.00001").categories == ("stat.ML", *more, "cs.LG")
    assert engine.reading.categories(topic.id, 0) == {"stat.ML": 1}


def test_of_two_sightings_in_one_batch_the_newer_version_counts(engine):
    first = paper("2611.00001")
    added = add(engine, replace(first, version=2, title="Second"), first)

    assert [p.title for p in added.fresh] == ["Second"]
    assert engine.papers.count() == 1


def test_a_withdrawn_paper_is_marked_and_can_come_back(engine):
    first = paper("2611.00001")
    add(engine, first)
    add(engine, replace(first, withdrawn=True))
    assert engine.papers.get("2611.00001").withdrawn
    add(engine, replace(first, version=2))

    assert not engine.papers.get("2611.00001").withdrawn


def test_three_thousand_authors_in_their_order(engine):
    crowd = paper("2611.00001", authors=[f"Author {n}" for n in range(3303)])
    add(engine, crowd)

    assert engine.papers.get("2611.00001").authors == crowd.authors


def test_papers_are_asked_for_by_number_and_come_in_its_order(engine):
    add(engine, *(paper(f"2611.{n:05}") for n in range(25)))

    assert [p.seq for p in engine.papers.some([9, 3, 99, 3])] == [3, 9]


def test_full_text_proposes_the_newest_first(engine):
    add(engine, paper("2611.00001", "The tide"), paper("2611.00002", "A gull"),
        paper("2611.00003", "Tides and tide"))  # fmt: skip
    found = [p.arxiv_id for batch in engine.papers.candidates("tide*") for p in batch]

    assert found == ["2611.00003", "2611.00001"]
    add(engine, replace(engine.papers.get("2611.00001"), version=2, title="A lighthouse"))
    found = [p.arxiv_id for batch in engine.papers.candidates("tide*") for p in batch]
    assert found == ["2611.00003"]


LETTERS = "łŁøØđĐðÐħĦıßẞæÆœŒþÞ"


@pytest.mark.parametrize("letter", LETTERS)
def test_full_text_holds_letters_of_their_own_as_they_are_typed_without(engine, letter):
    assert latin(letter) != letter
    first = paper("2611.00001", f"Wa{letter}e")
    add(engine, first)
    add(engine, replace(first, version=2, title=f"Wi{letter}e"))

    assert list(engine.papers.candidates(latin(f"Wi{letter}e")))
    assert not list(engine.papers.candidates("wa*"))


def test_the_last_submitted_come_first_in_whatever_order_they_were_stored(engine, monkeypatch):
    monkeypatch.setattr("bot.store.sqlite.papers.BATCH", 2)
    days = (MONDAY - timedelta(days=n) for n in (0, 2, 1, 2, 3))
    add(engine, *(paper(f"2611.{n:05d}", "The tide", submitted_at=at) for n, at in enumerate(days)))
    found = [[p.seq for p in batch] for batch in engine.papers.newest_first()]

    assert found == [[1, 3], [4, 2], [5]]
    assert [[p.seq for p in batch] for batch in engine.papers.candidates("tide*")] == found
    assert engine.papers.count_after(MONDAY - timedelta(days=2)) == 2


def test_papers_by_week_start_on_monday_utc(engine):
    monday = datetime(2026, 11, 23, tzinfo=UTC)
    add(
        engine,
        paper("1", submitted_at=monday - timedelta(seconds=1)),
        paper("2", submitted_at=monday),
        paper("3", submitted_at=monday + timedelta(days=7, seconds=-1), categories=("cs.CV",)),
        paper("4", submitted_at=monday + timedelta(days=7)),
    )

    assert engine.papers.weekly(date(2026, 11, 16)) == {
        date(2026, 11, 16): 1, date(2026, 11, 23): 2, date(2026, 11, 30): 1,
    }  # fmt: skip
    assert engine.papers.categories() == sorted({"cs.CV", *paper("0").categories})
    assert engine.papers.weekly(date(2026, 11, 23), ["cs.CV"]) == {date(2026, 11, 23): 1}


def test_an_empty_store_has_nothing_to_say(engine):
    assert engine.papers.count() == 0
    assert engine.papers.random(9) == engine.papers.categories() == []
    assert engine.papers.some(range(9)) == []


def test_a_batch_that_fails_stores_nothing(engine):
    bad = paper("2611.00002", version=2**64)  # more than a column holds
    with pytest.raises(OverflowError):
        add(engine, paper("2611.00001"), bad)

    assert engine.papers.count() == 0


VERSIONS = st.lists(
    st.tuples(
        st.sampled_from(["2611.00001", "2611.00002"]),
        st.integers(1, 4),
        st.sets(st.sampled_from(["cs.LG", "cs.CV", "stat.ML"]), min_size=1),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seen=VERSIONS, batch=st.integers(1, 4))
def test_versions_never_go_back_in_whatever_order_they_are_seen(seen, batch):
    store = SqliteStore()
    sightings = [
        Sighting(paper(i, f"{i} as of {v}", version=v, categories=tuple(sorted(c))))
        for i, v, c in seen
    ]
    highest: dict[str, int] = {}
    fresh = 0
    for at in range(0, len(sightings), batch):
        some = sightings[at : at + batch]
        unknown = {(p.arxiv_id, p.version) for p in store.papers.unknown([s.paper for s in some])}
        added = store.papers.add(some, MONDAY)
        fresh += len(added.fresh)
        changed = (*added.fresh, *added.changed, *added.crossed)
        assert {(p.arxiv_id, p.version) for p in changed} <= unknown
        for each in some:
            known = highest.get(each.paper.arxiv_id, 0)
            highest[each.paper.arxiv_id] = max(known, each.paper.version)
            stored = store.papers.get(each.paper.arxiv_id)
            assert stored.version >= known
    for arxiv_id, version in highest.items():
        stored = store.papers.get(arxiv_id)
        assert (stored.version, stored.title) == (version, f"{arxiv_id} as of {version}")
    assert fresh == store.papers.count() == len(highest)
    store.close()
