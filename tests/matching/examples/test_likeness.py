"""Which names are offered for a text: those that share a telling word with it."""

import pytest

from bot.matching.examples.likeness import likest, misspelt

NAMES = [
    "KV-Cache Compression", "Diffusion Transformers and Their Acceleration", "Market Power",
    "Multi-Armed Bandits", "Large Language Models", "Education with Language Models",
    "Over-the-Air Computation", "Image Editing", "Experiments in Economics", "Tides",
]  # fmt: skip
DULL = frozenset(("model", "large", "learning"))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("what is new in KV cache compression?", "KV-Cache Compression"),
        ("kv cach comprssion", "KV-Cache Compression"),
        ("larg langauge modles", "Large Language Models"),
        ("bandits with knapsacks", "Multi-Armed Bandits"),
        ("diffus", "Diffusion Transformers and Their Acceleration"),
        ("tids", "Tides"),
    ],
)
def test_a_name_that_shares_a_telling_word_comes_first(typed, offered):
    assert NAMES[likest(typed, NAMES, DULL)[0]] == offered


@pytest.mark.parametrize(
    "typed", ["", "R", "λ-calculus", "large learning models", "poker", "auditing", "in over", "7"]
)
def test_what_shares_none_is_offered_nothing(typed):
    assert likest(typed, NAMES, DULL) == []


def test_letters_that_changed_places_are_nearer_than_one_left_out():
    assert misspelt("modle", ["mode", "model"]) == ["model", "mode"]


def test_the_nearest_spelling_comes_first():
    assert misspelt("compresion", ["comprehension", "compression", "recompression"]) == [
        "compression"
    ]
