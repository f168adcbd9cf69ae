"""What people say in words of their own, by example."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import config
from bot.app.wiring import catalogue, sayings
from bot.core.commands.requests import KNOWN
from bot.core.sayings import LONGEST, SAME, Sayings

TABLE = config.toml("sayings.toml")
MEANT = [each for each in TABLE["saying"] if "means" in each]
ANSWERED = [each for each in TABLE["saying"] if "answer" in each]
FILLED = {
    "topic": "coral reefs",
    "known": "coral reefs",
    "when": "friday",
    "until": "until friday",
    "zone": "Tokyo",
    "address": "ada@example.org",
}
KINDS = {name: lambda text: text for name in FILLED} | {"when": lambda text: ""}
SMALL = {
    "alike": ["paper papers", "on about"],
    "small": "please the me",
    "speaking": "me you",
    "short": {"i'm": "i am"},
    "saying": [
        {"means": "follow {topic}", "said": ["send me papers on {topic}"]},
        {"means": "digest now", "label": "Now", "said": ["send me everything now"]},
    ],
}
WORDS = ["send", "me", "papers", "on", "about", "the", "now", "tides", ",", "?", "i'm"]
_FILL = {name: (lambda text: text) for name in FILLED} | {
    "address": lambda text: text if "@" in text else ""
}


def filled(example: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: FILLED[slot[1]], example)


def request(text: str, table: dict = SMALL, **more) -> str:
    found = Sayings(table).meant(text, _FILL, **more)
    return found.meaning.request if found else ""


@pytest.mark.parametrize("saying", TABLE["saying"], ids=lambda each: each["said"][0])
def test_every_example_means_what_it_is_an_example_of(saying):
    table = {**TABLE, "saying": [saying]}
    for example in saying["said"]:
        found = Sayings(table).meant(filled(example), _FILL, least=SAME)

        assert found is not None, example
        assert found.likeness == pytest.approx(1)
        assert found.meaning.answer == saying.get("answer", "")


def test_no_sentence_is_an_example_of_two_meanings():
    known = sayings()
    meant: dict[str, set[str]] = {}
    for saying in TABLE["saying"]:
        for example in saying["said"]:
            words = " ".join(word.name for word in known._words(example))
            meant.setdefault(words, set()).add(saying.get("means") or saying["answer"])

    assert {words for words, meanings in meant.items() if len(meanings) > 1} == set()


@pytest.mark.parametrize("saying", MEANT, ids=lambda each: each["means"])
def test_what_is_meant_begins_with_a_verb(saying):
    assert saying["means"].partition(" ")[0] in KNOWN


@pytest.mark.parametrize("saying", ANSWERED, ids=lambda each: each["said"][0])
def test_an_answer_says_what_to_type(saying):
    typed = re.findall(r"`([^`]+)`", saying["answer"])
    verbs = {each.removeprefix("/papers ").partition(" ")[0] for each in typed}

    assert verbs - {"paperround", "/papers"} <= set(KNOWN)
    assert typed or "English" in saying["answer"]


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_names_of_topics_are_no_sayings(every):
    named = [topic.name for topic in catalogue()][::every]
    meant = [name for name in named if sayings().meant(name, _FILL)]

    assert meant == []


def test_words_count_by_how_telling_they_are():
    assert request("please send me the papers about tides") == "follow tides"
    assert request("send me tides") == ""


def test_what_stands_in_a_slot_is_kept_as_it_was_typed():
    assert request("send me papers on Gaussian SPLATTING?") == "follow Gaussian SPLATTING"


def test_a_slot_takes_only_what_can_stand_in_it():
    table = {**SMALL, "saying": [{"means": "digest {when}", "said": ["send me papers {when}"]}]}

    assert Sayings(table).meant("send me papers today", KINDS) is None


def test_words_that_speak_to_nobody_have_to_be_an_examples():
    assert request("everything now") == ""
    assert request("send me now everything") == "digest now"


def test_very_long_texts_are_no_sayings():
    assert request("send me papers on " + "tides " * LONGEST) == ""


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_any_words_in_any_order_are_read(words):
    text = " ".join(words)
    found = Sayings(SMALL).meant(text, _FILL)

    assert found is None or 0 < found.likeness <= 1.0001
