"""The invented papers: whatever a visitor without a network types, something of it is there."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli.trying import HELD, USUAL_TOPIC
from bot.matching import cut
from bot.model import Breadth
from bot.sources.replay import Replay
from tests.fakes import FrozenClock
from tests.houses import known_language

SAMPLE = Path(__file__).parents[1] / "config" / "sample_papers.jsonl"
LEAST = cut(Breadth.BALANCED)

TYPED = """
LLM agents; LLM reasoning; RAG; RLHF; AI safety; LLM evaluation; multimodal LLMs; coding agents;
vision-language models; long context; KV cache; quantization; mixture of experts; tokenization;
hallucination; mechanistic interpretability; jailbreaks; prompt injection; in-context learning;
scaling laws; machine translation; diffusion models; image generation; flow matching; SLAM;
graph neural networks; offline reinforcement learning; world models; robot manipulation; drones;
robot learning; agent memory; tool use; code generation; program repair; privacy; climate;
vision-language-action models; autonomous driving; human-robot interaction; gaussian splatting;
video generation; object detection; image segmentation; medical imaging; electronic health records;
speech recognition; text-to-speech; music generation; time series; anomaly detection; fairness;
recommender systems; causal inference; federated learning; differential privacy; AutoML;
continual learning; self-supervised learning; Bayesian optimization; tabular data; databases;
knowledge graphs; information retrieval; compilers; theorem proving; software engineering;
education; malware; cryptography; wireless communications; quantum computing; dark matter;
quantum error correction; superconductivity; density functional theory; materials discovery;
black holes; gravitational waves; neutron stars; exoplanets; galaxies; cosmology; string theory;
neutrinos; turbulence; climate models; weather forecasting; drug discovery; protein design;
single-cell; neuroscience; brain-computer interfaces; epidemiology; economics; finance; auctions;
game theory; statistics; number theory; algebraic geometry; combinatorics; probability;
partial differential equations; optimal control; signal processing; information theory
"""
NAMES = [" ".join(name.split()) for name in TYPED.split(";")]


CLOCK = FrozenClock()


@pytest.fixture(scope="module")
def papers():
    pages = Replay(SAMPLE, CLOCK).pages(None)
    return [sighting.paper for page in pages for sighting in page.sightings]


@pytest.mark.parametrize("name", NAMES)
def test_a_topic_that_many_care_about_has_papers_in_the_sample(name, papers):
    language = known_language()
    topic = language.compile(language.derive(name), name=name)

    found = [paper for paper in papers if (hit := topic.judge(paper)) and hit.score >= LEAST]

    assert 3 <= len(found) < len(papers) / 10
    assert any(CLOCK.now - paper.submitted_at < timedelta(days=7) for paper in found)


@pytest.mark.parametrize("name", HELD)
def test_what_a_visitor_is_led_to_is_in_the_sample(name):
    assert name in [USUAL_TOPIC, *NAMES]


def test_every_week_has_some(papers):
    weeks = [(CLOCK.now - paper.submitted_at).days // 7 for paper in papers]

    assert all(weeks.count(n) >= 8 for n in range(12))


def test_no_two_invented_papers_say_the_same():
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]

    assert len({row["title"].casefold() for row in rows}) == len(rows)
    assert len({row["abstract"] for row in rows}) == len(rows)
    assert len({row["id"] for row in rows}) == len(rows)
