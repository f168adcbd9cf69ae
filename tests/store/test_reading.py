"""What pages read."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.model import Author, Sighting, Topic
from bot.store import Fed, Scored, Sought, TooBroad
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.papers import reading
from tests.makers import MONDAY, paper

LEAST = 0.3


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "paperround.db")
    yield opened
    opened.close()


@pytest.fixture
def caches(store) -> Topic:
    """A topic with forty papers, one an hour, every second one about eviction."""
    papers = [
        paper(
            f"2611.{n:05}",
            f"Caches {'evict' if n % 2 else 'share'} number {n}",
            categories=("cs.LG", "cs.DB") if n % 4 == 0 else ("cs.CL",),
            submitted_at=MONDAY + timedelta(hours=n),
        )
        for n in range(40)
    ]
    store.papers.add([Sighting(p) for p in papers], MONDAY)
    topic = store.topics.put(Topic(0, "caches", "Caches", "cache"), {}, MONDAY)
    store.topics.add_matches(
        [
            Scored(topic.id, seq, 0.2 if seq > 38 else 0.5 + seq / 100, "why", 1)
            for seq in range(1, 41)
        ],
        live=True,
    )
    return topic


def found(store, topic, **more):
    return store.reading.find(Sought(topic.id, LEAST, **more))


def test_newest_first_thirty_a_page(store, caches):
    first, second = found(store, caches), found(store, caches, offset=30)

    assert first.total == second.total == 38
    assert [p.arxiv_id for p in first.papers[:2]] == ["2611.00037", "2611.00036"]
    assert len(first.papers) == 30
    assert second.papers[-1].arxiv_id == "2611.00000"


def test_by_score_the_closest_paper_comes_first(store, caches):
    assert found(store, caches, by_score=True).papers[0].seq == 38


@pytest.mark.parametrize(
    ("filters", "total"),
    [
        ({"category": "cs.CL"}, 28),
        ({"category": "cs.DB"}, 10),
        ({"category": "math.CO"}, 0),
        ({"words": "evict"}, 19),
        ({"words": "evic"}, 19),
        ({"words": "EVICT number 7"}, 1),
        ({"words": "invented"}, 38),
        ({"words": "invented", "title_only": True}, 0),
        ({"words": "evict share"}, 0),
    ],
)
def test_filters(store, caches, filters, total):
    assert found(store, caches, **filters).total == total


@pytest.mark.parametrize(
    "words",
    ['"', "AND", "NEAR(", "a* OR b*", "secret:k", "((((", "C++", "-x", "\x00", "🙂", "'; DROP--"],
)
def test_nothing_typed_is_an_operator(store, caches, words):
    assert found(store, caches, words=words).total in (0, 38)


def test_a_search_that_reads_too_much_is_given_up(store, caches, monkeypatch):
    monkeypatch.setattr(reading, "DEADLINE_S", -1)
    papers = [paper(f"2612.{n:05}", f"Caches share number {n}") for n in range(5000)]
    seqs = store.papers.add([Sighting(p) for p in papers], MONDAY).fresh
    store.topics.add_matches([Scored(caches.id, p.seq, 0.5, "", 1) for p in seqs], live=True)

    with pytest.raises(TooBroad, match="too many papers"):
        found(store, caches, words="caches share number invented")
    assert found(store, caches).total == 5038


def test_a_list_follows_new_scores_and_forgotten_matches(store, caches):
    store.topics.add_matches([Scored(caches.id, 40, 0.9, "why", 2)], live=False)

    assert found(store, caches).papers[0].seq == 40
    newer = store.topics.put(Topic(0, "caches", "Caches", "cache OR caches"), {}, MONDAY)
    store.topics.add_matches([Scored(caches.id, 7, 0.9, "why", newer.version)], live=False)
    store.topics.rematched(newer, None)

    assert {p.seq for p in found(store, caches).papers} <= {7, 40}


def test_the_categories_of_a_topic_are_counted(store, caches):
    assert store.reading.categories(caches.id, LEAST) == {"cs.CL": 28, "cs.LG": 10}


def test_a_feed_is_in_the_order_of_matching(store, caches):
    late = paper("2610.00001", "Announced late", submitted_at=MONDAY - timedelta(days=20))
    seq = store.papers.add([Sighting(late)], MONDAY).fresh[0].seq
    store.topics.add_matches([Scored(caches.id, seq, 0.8, "", 1)], live=True)

    fed = store.reading.latest(caches.id, LEAST, Fed(MONDAY + timedelta(days=1), 5, 100))
    assert fed[0].arxiv_id == "2610.00001"
    assert len(fed) == 5


def test_a_feed_holds_all_of_a_busy_day(store, caches):
    fed = store.reading.latest(caches.id, LEAST, Fed(MONDAY, 5, 100))
    cut_off = store.reading.latest(caches.id, LEAST, Fed(MONDAY, 5, 20))

    assert len(fed) == 38
    assert len(cut_off) == 20


def test_beside_are_papers_that_share_topics(store, caches):
    other = store.topics.put(Topic(0, "eviction", "Eviction", "evict"), {}, MONDAY)
    store.topics.add_matches([Scored(other.id, seq, 0.9, "", 1) for seq in (3, 9)], live=True)

    assert store.reading.beside(3, LEAST, 3)[0].seq == 9


def test_named_keeps_the_order_and_leaves_out_strangers(store, caches):
    wanted = ["2611.00005", "nowhere", "2611.00001", "2611.00005"]

    assert [p.arxiv_id for p in store.reading.named(wanted)] == ["2611.00005", "2611.00001"]


def test_an_author_is_proposed_however_the_name_is_printed(store):
    printed = ("Zachary Kenton", "Jun Li", "Émilie du Châtelet", r"M\"uller, J.", "Nalin De Silva")
    papers = [
        paper(f"2611.{n:05}", f"Paper {n}", authors=[Author(name)])
        for n, name in enumerate(printed)
    ]
    store.papers.add([Sighting(p) for p in papers], MONDAY)

    assert "Zachary Kenton" in store.reading.authors(["zac", "ken"])
    assert "Jun Li" not in store.reading.authors(["zac", "ken"])
    assert "Nalin De Silva" in store.reading.authors(["nal", "des"])
    odd = {"Émilie du Châtelet", r"M\"uller, J."}
    assert odd <= set(store.reading.authors(["zac"])), "matching alone can say"


def test_papers_by_author_or_category_come_newest_first(store, caches):
    by_category = [p.seq for batch in store.reading.by([], ["cs.DB"], 3) for p in batch]

    assert by_category == [37, 33, 29]


def test_what_is_read_of_the_past_afterwards_is_no_news(store, caches):
    """A backfill reads the newest day first, so that what it brings last is the oldest."""
    past = [
        paper(
            f"2609.{n:05}", "Caches of old", categories=("cs.DB",),
            submitted_at=MONDAY - timedelta(days=n),
        )
        for n in range(60)
    ]  # fmt: skip
    added = store.papers.add([Sighting(p) for p in past], MONDAY, backfilled=True).fresh
    store.topics.add_matches([Scored(caches.id, p.seq, 0.8, "", 1) for p in added], live=False)
    by_category = [p.seq for batch in store.reading.by([], ["cs.DB"], 3) for p in batch]
    fed = store.reading.latest(caches.id, LEAST, Fed(MONDAY, 50, 100))
    quiet = store.reading.latest(caches.id, LEAST, Fed(MONDAY + timedelta(days=1), 50, 100))

    assert by_category == [37, 33, 29]
    assert [p.arxiv_id for p in fed[36:40]] == [
        "2611.00001", "2611.00000", "2609.00000", "2609.00001",
    ]  # fmt: skip
    assert fed == quiet
