"""Names of fields in other languages lead to what they are called in English."""

from itertools import chain

import pytest

from bot.matching.concepts.english import English
from tests.matching.conftest import packaged

TABLE = packaged("languages.toml")["english"]


@pytest.mark.parametrize(
    "typed",
    ["bestärkendes Lernen", "Verstärkungslernen", "apprentissage par renforcement",
     "l'apprentissage par renforcement", "L’apprentissage par renforcement",
     "aprendizaje por refuerzo", "强化学习", "強化學習", "強化学習", "обучение с подкреплением",
     "BESTARKENDES LERNEN"],
)  # fmt: skip
def test_a_name_of_another_language_is_read_as_the_english_one(language, typed):
    assert language.derive(typed) == language.derive("reinforcement learning")
    assert language.knows(typed)


def test_a_name_is_read_by_its_own_words_where_no_language_of_the_table_has_it(language):
    assert language.derive("maschinelles Träumen") == "maschinelles AND Träumen"
    assert language.derive("le chatelier") == "le AND chatelier"


def test_no_name_leads_to_two_things():
    names = English(TABLE)

    assert [
        each for name, others in TABLE.items() for each in others if names.of(each) != name
    ] == []


def test_every_english_name_stands_as_it_is(language):
    names = English(TABLE)

    assert [name for name in TABLE if names.of(name) != name] == []
    assert all(map(language.derive, TABLE))
    assert len(set(chain.from_iterable(TABLE.values()))) > 900
