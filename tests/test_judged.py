"""The judged topics are whole, and their figures mean what they say."""

import json
import re

import pytest

from tests.bench.judged import JUDGED, Judged, bm25, figures, judged
from tests.makers import paper


def test_twenty_topics_are_judged():
    assert len(judged()) == 20


@pytest.mark.parametrize("topic", judged(), ids=lambda t: t.slug)
def test_a_topic_has_papers_on_and_off_topic(topic):
    values = list(topic.judgements.values())

    assert len(values) == 60
    assert set(values) <= {0, 0.5, 1}
    assert len(topic.on_topic) >= 10
    assert values.count(0) >= 8
    assert all(re.fullmatch(r"\d{4}\.\d{5}", arxiv_id) for arxiv_id in topic.judgements)


def test_only_names_ids_and_judgements_are_kept():
    kept = [set(json.loads(path.read_text("utf-8"))) for path in JUDGED.glob("*.json")]

    assert all(keys == {"name", "judgements"} for keys in kept)


def test_none_of_them_is_a_topic_of_the_shown_benchmark(shared):
    paths = (shared / "data" / "topics").glob("*.json")
    names = {json.loads(path.read_text("utf-8"))["name"].lower() for path in paths}

    assert [t.name for t in judged() if t.name.lower() in names] == []


@pytest.fixture
def topic() -> Judged:
    return Judged("owls", "Owls", {"2611.00001": 1, "2611.00002": 1, "2611.00003": 0})


def test_recall_counts_what_scores_above_the_best_hundredth(topic):
    crowd = {f"2610.{n:05d}": 0.6 for n in range(30)}

    given = figures(topic, {**crowd, "2611.00001": 0.9, "2611.00002": 0.6}, 1000, set())

    assert given.recall == 0.5


def test_precision_is_the_mean_judgement_of_what_matched(topic):
    given = figures(topic, {}, 1000, {"2611.00001", "2611.00003", "2610.00001"})

    assert (given.found, given.precision, given.volume) == (0.5, 0.5, 0.003)


def test_bm25_finds_the_word_of_the_name(topic):
    others = [paper(f"2610.{n:05d}", "Of sparrows") for n in range(200)]
    owls = [paper("2611.00001", "Of owls"), paper("2611.00002", "Of an owl")]

    (found,) = bm25([topic], [*others, *owls])

    assert found.recall == 1.0
