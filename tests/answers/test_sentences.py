"""Cutting an abstract into its sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.sentences import sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("   ", 0),
        ("One sentence without an end", 1),
        ("We train an agent. It learns quickly.", 2),
        ("It reaches 98.4 % on a maze, i.e. More than before, cf. Smith et al. 2024.", 1),
        ("Shown by J. Doe in Fig. 3 of that work. We agree with it.", 2),
        ("Does it work at all? Yes, it does so always! Nobody knows why.", 3),
        ("It costs $x$ per step. $x$ is small in practice.", 2),
        ("A line\nbroken in two. And\nanother one here.", 2),
        ("He said “it works.” Then he left the room.", 2),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text, count):
    assert len(sentences(text)) == count


@given(st.text(alphabet="ab .!?A\n1e.g(“”$", max_size=200))
def test_every_sentence_stands_in_the_text(text):
    found = sentences(text)

    assert all(sentence in text and sentence.strip() == sentence != "" for sentence in found)
    assert "".join("".join(found).split()) == "".join(text.split())
