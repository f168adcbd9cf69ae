"""All topics compiled: those that stay are compiled once."""

import pytest

from bot.core.compendium import Compendium
from bot.matching import Language
from bot.model import Topic
from bot.store.sqlite import SqliteStore
from tests.fakes import FrozenClock


class Counting(Language):
    """Remembers what it compiled."""

    def __init__(self) -> None:
        super().__init__({})
        self.compiled: list[str] = []

    def compile(self, query: str, *, name: str = "", weights: str = ""):
        self.compiled.append(query)
        return super().compile(query, name=name, weights=weights)


@pytest.fixture
def store():
    opened = SqliteStore()
    yield opened
    opened.close()


@pytest.fixture
def language() -> Counting:
    return Counting()


@pytest.fixture
def compendium(store, language) -> Compendium:
    for name in ("attention", "diffusion", "robots"):
        store.topics.put(Topic(0, name, name, name), {name: name}, FrozenClock()())
    return Compendium(store, language)


def test_looking_topics_up_compiles_nothing(compendium, language):
    assert [topic.slug for topic in compendium.topics().values()] == [
        "attention", "diffusion", "robots",
    ]  # fmt: skip
    assert language.compiled == []


def test_a_new_topic_is_compiled_alone(compendium, language, store):
    compendium.current()
    language.compiled.clear()
    store.topics.put(Topic(0, "worlds", "worlds", "world models"), {}, FrozenClock()())
    _, topics, _ = compendium.current()

    assert language.compiled == ["world models"]
    assert len(topics) == 4


def test_a_changed_query_is_compiled_anew(compendium, language, store):
    compendium.current()
    language.compiled.clear()
    store.topics.put(Topic(0, "robots", "robots", "robot arms"), {}, FrozenClock()())
    compendium.current()
    compendium.current()

    assert language.compiled == ["robot arms"]
