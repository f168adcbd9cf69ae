"""The judged topics are whole, and their figures mean what they say."""

import json
import re

import pytest

from tests.bench.judged import JUDGED, LISTS, SETS, Judged, Pool, bm25, figures, judged
from tests.makers import paper

EVERY = [topic for kind in SETS for topic in judged(kind)]
LISTED = [topic for kind in LISTS for topic in judged(kind)]


@pytest.mark.parametrize(("kind", "count"), [("by_name", 20), ("by_curator", 24), ("unseen", 12)])
def test_topics_of_three_kinds_are_judged(kind, count):
    assert len(judged(kind)) == count


@pytest.mark.parametrize("topic", EVERY, ids=lambda t: t.slug)
def test_a_topic_has_papers_on_and_off_topic(topic):
    values = list(topic.judgements.values())

    assert len(values) >= 60
    assert set(values) <= {0, 0.5, 1}
    assert len(topic.on_topic) >= 10
    assert values.count(0) >= 8
    assert all(re.fullmatch(r"\d{4}\.\d{5}", arxiv_id) for arxiv_id in topic.judgements)


@pytest.mark.parametrize("topic", LISTED, ids=lambda t: t.slug)
def test_a_list_has_several_papers_or_as_many_judgements_as_a_name(topic):
    values = list(topic.judgements.values())

    assert len(topic.on_topic) >= 8
    assert len(topic.on_topic) == len(values) or len(values) >= 50
    assert set(values) <= {0, 0.5, 1}
    assert all(re.fullmatch(r"\d{4}\.\d{5}", arxiv_id) for arxiv_id in topic.judgements)


def test_only_names_ids_and_judgements_are_kept():
    kept = [set(json.loads(path.read_text("utf-8"))) for path in JUDGED.rglob("*.json")]

    assert len(kept) == len(EVERY) + len(LISTED)
    assert all(keys == {"name", "judgements"} for keys in kept)


def test_none_of_them_is_a_topic_of_the_shown_benchmark(shared):
    paths = (shared / "data" / "topics").glob("*.json")
    names = {json.loads(path.read_text("utf-8"))["name"].lower() for path in paths}

    assert [t.name for t in EVERY + LISTED if t.name.lower() in names] == []


@pytest.fixture
def topic() -> Judged:
    return Judged("owls", "Owls", {"2611.00001": 1, "2611.00002": 1, "2611.00003": 0})


def test_recall_counts_what_scores_above_the_best_hundredth_of_random_papers(topic):
    crowd = {f"2610.{n:05d}": 0.6 for n in range(30)}

    given = figures(topic, {**crowd, "2611.00001": 0.9, "2611.00002": 0.6}, crowd, 0.5)

    assert given.recall == 0.5


def test_a_random_paper_that_is_on_topic_takes_nobodys_place(topic):
    crowd = [f"2610.{n:05d}" for n in range(99)]

    given = figures(topic, {"2611.00001": 0.9, "2611.00002": 0.8}, [*crowd, "2611.00001"], 0.5)

    assert given.recall == 1.0


def test_precision_is_the_mean_judgement_of_what_matched(topic):
    chance = [f"2610.{n:05d}" for n in range(100)]
    scores = dict.fromkeys(("2611.00001", "2611.00003", "2610.00001"), 0.5)

    given = figures(topic, scores, chance, 0.5)

    assert (given.found, given.precision, given.volume) == (0.5, 0.5, 0.01)


def test_bm25_finds_the_word_of_the_name(topic):
    others = [paper(f"2610.{n:05d}", "Of sparrows") for n in range(200)]
    owls = [paper("2611.00001", "Of owls"), paper("2611.00002", "Of an owl")]
    known = Pool([*others, *owls], frozenset(each.arxiv_id for each in others))

    (found,) = bm25([topic], known)

    assert (found.recall, found.found, found.volume) == (1.0, 1.0, 0.0)
