"""What arXiv does not say of its papers is no topic: who asks for it hears what to do instead."""

import pytest

from tests.core.conftest import said


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("Google DeepMind", ['follow "Google DeepMind"']),
        ("OpenAI papers", ['follow "OpenAI"']),
        ("new papers from MIT", ['follow "MIT"']),
        ("everything from Tsinghua University", ['follow "Tsinghua University"']),
        ("the University of Toronto", ['follow "the University of Toronto"']),
        ("Max Planck Institute for Software Systems", None),
        ("papers from Apple", ['follow "Apple"']),
        ("Apple's papers", ['follow "Apple"']),
        ("OpenAI, Anthropic and DeepMind", ['follow "OpenAI" OR "Anthropic" OR "DeepMind"']),
        ("tides from DeepMind", ["follow tides", 'follow tides AND "DeepMind"']),
        ("tides papers by ETH Zurich without survey",
         ["follow tides without survey", 'follow tides AND "ETH Zurich" without survey']),
        ("papers from my group", []),
    ],
)  # fmt: skip
def test_where_authors_work_is_not_known(world, typed, commands):
    reply = world.say(f"follow {typed}")

    assert "arXiv does not say where authors work" in said(reply)
    assert commands is None or [b.command for b in reply.buttons] == commands
    assert world.store.people.everyone() == []
    assert all(world.say(b.command).ok for b in reply.buttons)


def test_papers_that_a_company_signs_are_offered(world):
    world.announce(world.paper("A model card", authors=("NVIDIA", "Jun Li")))

    assert 'signs itself: follow author:"NVIDIA".' in world.asks("follow nvidia papers")
    assert world.say('follow author:"NVIDIA"').papers


@pytest.mark.parametrize(
    "typed",
    ["Apple", "apple scab", "learning from Amazon reviews", "student dropout at university",
     "meta-learning", "Rust", "federated learning at the edge", "university rankings",
     "papers from satellites", "MITM attacks", "DeepSeek"],
)  # fmt: skip
def test_words_of_other_things_are_no_institutes(world, typed):
    assert "where authors work" not in world.asks(f"follow {typed}")


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("NeurIPS 2026", ['follow "NeurIPS 2026"']),
        ("ICLR papers", ['follow "ICLR"']),
        ("CVPR 2026 accepted papers", ['follow "CVPR 2026"']),
        ("papers accepted at ICLR", ['follow "ICLR"']),
        ("tides papers accepted at ICML 2026", ["follow tides", 'follow tides AND "ICML 2026"']),
        ("tides published in Nature", ["follow tides", 'follow tides AND "Nature"']),
    ],
)
def test_where_a_paper_is_accepted_is_not_searched(world, typed, commands):
    reply = world.say(f"follow {typed}")

    assert "seldom say where a paper was accepted" in said(reply)
    assert [b.command for b in reply.buttons] == commands


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("highly cited papers on tides", ["follow tides"]),
        ("tides papers with more than 100 citations", ["follow tides"]),
        ("most popular papers", ["topics heating"]),
        ("papers citing The Tide of Old", ['follow "The Tide of Old"']),
    ],
)
def test_citations_are_not_known(world, typed, commands):
    reply = world.say(f"follow {typed}")

    assert not reply.ok
    assert [b.command for b in reply.buttons] == commands
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    "typed", ["citation recommendation", "popular science", "cited text spans"]
)
def test_topics_about_citing_are_topics(world, typed):
    assert world.say(f"follow {typed}").ok


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("bioRxiv papers on tides", ["follow tides"]),
        ("tides papers from medRxiv", ["follow tides"]),
        ("OpenReview submissions", []),
        ("Nature Machine Intelligence", []),
    ],
)
def test_papers_of_elsewhere_are_not_read(world, typed, commands):
    reply = world.say(f"follow {typed}")

    assert said(reply).startswith("Only arXiv is read here, and not")
    assert [b.command for b in reply.buttons] == commands


@pytest.mark.parametrize(
    ("typed", "category"),
    [("14J28", "math.AG"), ("MSC 11F80", "math.NT"), ("MSC2020: 60Hxx", "math.PR")],
)
def test_a_class_of_msc_leads_to_the_category_near_it(world, typed, category):
    reply = world.say(f"follow {typed}")

    assert "is a class of MSC" in said(reply)
    assert reply.buttons[0].command == f"follow cat:{category}"


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("astro-ph", "follow cat:astro-ph"),
        ("new cond-mat papers", "follow cat:cond-mat"),
        ("AI", "follow cat:cs.AI"),
        ("cs", "follow cat:cs"),
    ],
)
def test_an_archive_or_a_class_by_itself_is_offered_as_one(world, typed, better):
    reply = world.say(f"follow {typed}")

    assert better in [b.command for b in reply.buttons]
    assert better in said(reply)
    assert world.store.people.everyone() == []
