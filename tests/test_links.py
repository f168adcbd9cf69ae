"""Links: what they carry, and that nothing else opens them."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import Signer

from bot.links import PURPOSES, BadLink, Claim, Links

KEY = b"an invented key of enough bytes"
links = Links("https://digest.example.org/", KEY)


def token_of(url: str) -> str:
    return url.rpartition("/")[2]


@given(
    st.sampled_from(PURPOSES),
    st.integers(0, 10**12),
    st.integers(0, 10**6),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
)
def test_a_link_says_what_it_was_made_to_say(purpose, destination, epoch, command):
    url = links.url(purpose, destination, epoch, command)

    assert links.read(token_of(url)) == Claim(purpose, destination, epoch, command)


def test_a_link_is_short_plain_and_always_the_same():
    url = links.url("act", 42, 3, "mute rl-for-llm-agents for 1w")

    assert url == links.url("act", 42, 3, "mute rl-for-llm-agents for 1w")
    assert url.startswith("https://digest.example.org/l/")
    assert len(token_of(url)) <= 80
    assert set(token_of(url)) <= set(string.ascii_letters + string.digits + "-_.")


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_token_is_what_itsdangerous_signs(purpose):
    key = Signer(KEY, salt=f"paperround.links.{purpose}", key_derivation="hmac").derive_key()
    token = token_of(links.url(purpose, 42, 3, "save 2611.00001"))
    said = token[1:].rpartition(".")[0]

    assert token[1:] == Signer(key, key_derivation="none").sign(said).decode()


def test_no_single_changed_character_opens_a_link():
    token = token_of(links.url("leave", 7, 0))
    for place in range(len(token)):
        for other in "aZ0-_.":
            if token[place] != other:
                with pytest.raises(BadLink):
                    links.read(token[:place] + other + token[place + 1 :])


@pytest.mark.parametrize("made_for", PURPOSES)
def test_a_link_for_one_purpose_opens_no_other(made_for):
    token = token_of(links.url(made_for, 7, 0))
    for letter in "alospc":
        if letter != token[0]:
            with pytest.raises(BadLink):
                links.read(letter + token[1:])


@pytest.mark.parametrize(
    "token",
    ["", "a", ".", "a.b", "x" * 5000, "a\n", "é", "a" + "=" * 30, "l\x00.", "aMS4wLg." + "A" * 27],
)
def test_what_was_not_made_here_is_a_bad_link(token):
    with pytest.raises(BadLink):
        links.read(token)


@given(st.text(max_size=120))
def test_nothing_typed_at_random_opens_anything(text):
    with pytest.raises(BadLink):
        links.read(text)


def test_another_installations_link_opens_nothing():
    other = Links("https://digest.example.org", b"a different key of enough bytes")
    with pytest.raises(BadLink):
        links.read(token_of(other.url("leave", 7, 0)))


def test_without_a_web_address_there_are_no_links():
    assert Links("", KEY).url("leave", 7, 0) == ""


def test_a_short_key_is_refused():
    with pytest.raises(ValueError, match="16 bytes"):
        Links("https://digest.example.org", KEY[:15])
    assert Links("https://digest.example.org", KEY[:16]).url("leave", 7, 0)
