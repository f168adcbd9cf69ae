"""Addresses: one at a time, nothing hidden in them, ready to send to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.addresses import AddressError, identity_of, mailbox_of, masked, normalise_address


@pytest.mark.parametrize(
    ("typed", "sent_to"),
    [
        pytest.param("ada@example.org", "ada@example.org", id="plain"),
        pytest.param("  ada@example.org\n", "ada@example.org", id="pasted with blanks around"),
        pytest.param("Ada.L@Example.ORG", "Ada.L@example.org", id="case kept before the @"),
        pytest.param("ada+papers@example.org", "ada+papers@example.org", id="plus"),
        pytest.param("ada@bücher.example", "ada@xn--bcher-kva.example", id="IDN"),
        pytest.param("ada@faß.example", "ada@xn--fa-hia.example", id="IDNA 2008, not 2003"),
        pytest.param("ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah", id="IDN all through"),
        pytest.param("ádá@example.org", "ádá@example.org", id="SMTPUTF8"),
        pytest.param("a\u0301da@example.org", "áda@example.org", id="composed"),
        pytest.param("o'brien@example.org", "o'brien@example.org", id="apostrophe"),
        pytest.param("o’brien@example.org", "o'brien@example.org", id="pasted from a text"),
        pytest.param("ａｄａ＠ｅxample.org", "ada@example.org", id="typed in double width"),
        pytest.param("root@localhost", "root@localhost", id="this machine"),
    ],
)
def test_an_address_as_it_is_sent_to(typed, sent_to):
    assert normalise_address(typed) == sent_to


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ada",
        "@example.org",
        "ada@",
        "ada@example",
        "ada@@example.org",
        "a@x.org\r\nRCPT TO:<v@x.org>",
        "a@x.org\r\nBcc: v@x.org",
        "a@x.org\x00",
        "a@x.org, b@y.org",
        "a@x.org;b@y.org",
        "a@x.org b@y.org",
        '"a b"@x.org',
        "Ada <ada@x.org>",
        "<ada@x.org>",
        "mailto:ada@x.org?bcc=v@x.org",
        "a@[127.0.0.1]",
        "a@127.0.0.1",
        ".ada@x.org",
        "ada.@x.org",
        "a..da@x.org",
        "ada(x)@x.org",
        "a@-x.org",
        "a@x-.org",
        "a@x..org",
        "a@x.org.",
        "a@x_y.org",
        "a" * 65 + "@x.org",
        "x" * 500 + "@x.org",
        "a@" + "x" * 64 + ".org",
        "a@" + ".".join(["x" * 60] * 5) + ".org",
        "a\u202eda@x.org",
        "a\u200bda@x.org",
        "a\u2028da@x.org",
        "a\ud800@x.org",
        "a@x\u0085.org",
        "a@x%0d%0a.org",
    ],
)
def test_what_is_not_one_address_is_refused_with_what_to_write(typed):
    with pytest.raises(AddressError, match="write it like reader@") as refused:
        normalise_address(typed)

    assert len(str(refused.value)) < 130
    assert str(refused.value).isprintable()


@given(st.text(max_size=80))
def test_anything_else_is_an_address_or_a_sentence(text):
    try:
        address = normalise_address(f"{text}@example.org")
    except AddressError:
        return

    assert normalise_address(address) == address
    assert not set(address) & set(' \r\n\t\x00<>,;:"()[]\\')


def test_identity_folds_case_and_keeps_the_tag():
    assert identity_of("Ada+X@example.org") == "ada+x@example.org"


def test_a_mailbox_is_one_whatever_its_tags():
    assert mailbox_of("Ada+x@example.org") == mailbox_of("ada+y@example.org") == "ada@example.org"


def test_the_dots_of_gmail_are_none():
    assert mailbox_of("a.d.a+x@googlemail.com") == mailbox_of("ada@gmail.com") == "ada@gmail.com"
    assert mailbox_of("a.da@example.org") == "a.da@example.org"


def test_a_page_shows_only_the_first_letter():
    assert masked("reader@example.org") == "r…@example.org"
