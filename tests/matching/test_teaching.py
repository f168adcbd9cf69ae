"""Names that learn their words from the papers at hand."""

from dataclasses import replace

import pytest

from bot.matching import Language, taught, untaught
from bot.matching.examples.learning import BACKGROUND, FEW
from tests.matching.examples.test_learning import OTHERS as GARDENS
from tests.matching.examples.test_learning import TEAPOTS, UNNAMED

MANY = [replace(GARDENS[n % 60], arxiv_id=f"2610.{n:05}") for n in range(BACKGROUND)]
NAMES = ("Teapots", "teapot AND porcelain", "Umbrellas")
RARE = "Teapots for Robots"
FITTING = [
    replace(each, arxiv_id=f"2612.{n:05}", abstract=f"{each.abstract} A robot lifts it.")
    for n, each in enumerate(TEAPOTS[:FEW])
]
CLOSE = [replace(each, arxiv_id=f"2613.{n:05}") for n, each in enumerate(TEAPOTS)]


@pytest.fixture(scope="module")
def topics(language: Language):
    plain = {name: untaught(language, name) for name in NAMES}
    return plain, taught(language, plain, [*MANY, *TEAPOTS, UNNAMED])


def test_a_name_learns_what_its_papers_share_and_ranks_by_it(topics):
    plain, learned = (each["Teapots"] for each in topics)

    assert plain.rank(UNNAMED) is None
    assert learned.rank(UNNAMED) is not None
    assert learned.rank(MANY[0]) is None


def test_a_paper_without_the_words_of_the_name_is_ranked_and_not_brought(topics):
    assert topics[1]["Teapots"].judge(UNNAMED) is None


def test_a_query_and_a_name_without_papers_stay_as_they_are(topics):
    for name in NAMES[1:]:
        plain, learned = (each[name] for each in topics)
        assert [learned.rank(p) for p in TEAPOTS] == [plain.rank(p) for p in TEAPOTS]


def test_fewer_than_a_thousand_papers_teach_nothing(language):
    plain = {"Teapots": untaught(language, "Teapots")}

    assert taught(language, plain, [*TEAPOTS, *GARDENS]) == plain


def test_a_name_of_which_few_papers_match_learns_from_those_that_come_close(language):
    topics = {RARE: untaught(language, RARE)}
    learned = taught(language, topics, [*MANY, *FITTING, *CLOSE])[RARE]

    assert all(topics[RARE].judge(each) for each in FITTING)
    assert not any(topics[RARE].judge(each) for each in CLOSE)
    assert learned.rank(CLOSE[0]).score > topics[RARE].rank(CLOSE[0]).score


def test_what_comes_close_teaches_nothing_where_hardly_a_paper_matches(language):
    topics = {RARE: untaught(language, RARE)}
    learned = taught(language, topics, [*MANY, *FITTING[1:], *CLOSE])[RARE]

    assert learned.rank(CLOSE[0]) == topics[RARE].rank(CLOSE[0])
