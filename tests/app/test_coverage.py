"""Whatever is followed is read, in whatever field it lies."""

import pytest

from bot.app.coverage import USUAL, meant, polled
from bot.app.wiring import language
from bot.model import Topic


def topic(name: str, query: str, field: str = "") -> Topic:
    return Topic(0, "x", name, query, field=field)


def asked(*topics: Topic, wanted: tuple[str, ...] = ()) -> set[str]:
    return set(polled(wanted, topics, language()))


def test_where_nothing_is_said_it_is_computer_science_and_what_is_near():
    assert asked() == set(USUAL)
    assert asked(wanted=("hep-th",)) == {"hep-th"}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (("cs.lg", "QUANT-PH"), {"cs.LG", "quant-ph"}),
        (("stat.*",), {"stat.AP", "stat.CO", "stat.ME", "stat.ML", "stat.OT", "stat.TH"}),
        (("econ", "hep-th"), {"econ.EM", "econ.GN", "econ.TH", "hep-th"}),
        (("ALL", "cs.LG"), set()),
    ],
)
def test_categories_are_read_as_people_write_them(written, read):
    """arXiv's API finds nothing in "cs.*" or "cs", and says so by an empty answer."""
    assert asked(wanted=written) == read


@pytest.mark.parametrize(
    ("written", "near"), [("cs.LGG", "cs.LG"), ("LG", "cs.LG"), ("astroph.CO", "astro-ph.CO")]
)
def test_a_category_that_arxiv_does_not_know_is_refused_with_the_nearest(written, near):
    with pytest.raises(ValueError, match=f"“{written}” is not a category.*did you mean {near}"):
        meant([written])


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("cat:math.NT", {"math.NT"}),
        ("primes AND (cat:cond-mat.supr-con OR cat:hep-th)", {"cond-mat.supr-con", "hep-th"}),
        ("cat:q-fin.EC OR risk", {"q-fin.EC"}),
        ("primes NOT cat:math.GM", set()),
    ],
)
def test_a_category_that_a_followed_query_names_is_read(query, more):
    assert asked(topic(query, query), wanted=("cs.LG",)) == {"cs.LG"} | more


@pytest.mark.parametrize(
    ("name", "category"),
    [("Hubble tension", "astro-ph.CO"), ("Ricci flow", "math.DG"), ("string theory", "hep-th")],
)
def test_a_name_of_another_field_is_read_where_that_field_is_listed(name, category):
    derived = language().derive(name)

    assert category in asked(topic(name, derived), wanted=("cs.LG",))


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("quantum error correction decoders", "quant-ph"),
        ("surface codes for beginners", "quant-ph"),
        ("protein folding dynamics", "q-bio.BM"),
        ("molecular dynamics of water", "physics.chem-ph"),
        ("causal inference in economics", "stat.ME"),
        ("quantum machine learning on photons", "quant-ph"),
    ],
)
def test_a_name_with_the_subject_of_another_field_in_it_is_read_there(name, category):
    derived = language().derive(name)

    assert category in asked(topic(name, derived), wanted=("cs.LG",))


def test_a_name_of_computer_science_asks_for_nothing_else():
    derived = language().derive("LLM agents")

    assert asked(topic("LLM agents", derived)) == set(USUAL)


def test_an_archive_is_read_with_all_its_classes():
    read = asked(topic("cat:physics", "cat:physics"), wanted=("cs.LG",))

    assert {"physics.optics", "physics.flu-dyn"} <= read
    assert "physics" not in read


def test_a_field_of_the_catalogue_is_read():
    assert "hep-ph" in asked(topic("Dark Matter", "dark matter", "High-energy physics"))


def test_who_reads_all_of_arxiv_names_nothing():
    assert asked(topic("cat:math.NT", "cat:math.NT"), wanted=("all",)) == set()


def test_a_query_of_an_older_version_that_cannot_be_read_holds_up_nothing():
    assert asked(topic("x", "title:(", ""), wanted=("cs.LG",)) == {"cs.LG"}
