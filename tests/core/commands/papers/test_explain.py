"""Why a paper came, or did not: told from what was written down."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.model import Identity
from tests.core.conftest import BEA, MONDAY, said
from tests.houses import ADA


def explained(world, arxiv_id: str, who: Identity = ADA) -> str:
    return said(world.core.explain(who, arxiv_id))


@pytest.fixture
def reader(world):
    world.say("follow tides")
    return world


def test_a_paper_that_came_is_explained_by_its_match_and_its_digest(reader):
    (number,) = reader.announce("The tide")
    assert "it comes with the next digest, Mon 30 Nov 09:00." in explained(reader, number)
    reader.morning()

    text = explained(reader, number)
    assert text.startswith("Stored Tue 24 Nov 07:00, submitted Tue 24 Nov.")
    assert "Matches Tides (" in text
    assert "console ada: in the digest of Mon 30 Nov 09:00, sent Mon 30 Nov 09:00." in text


def test_when_a_paper_was_sent_is_known_long_after_its_bytes_are_forgotten(reader):
    (number,) = reader.announce("The tide")
    reader.morning()
    reader.clock.forward(days=40)
    reader.store.tidy(reader.clock())

    assert "in the digest of Mon 30 Nov 09:00, sent Mon 30 Nov 09:00." in explained(reader, number)


@pytest.mark.parametrize("form", ["{}", "{}v2", "arXiv:{}", "https://arxiv.org/abs/{}v1"])
def test_a_paper_is_named_in_any_form(reader, form):
    (number,) = reader.announce("The tide")

    assert explained(reader, form.format(number)).startswith("Stored")


def test_it_was_muted_then(reader):
    reader.say("mute tides until 2026-12-15")
    (number,) = reader.announce("The tide")
    reader.morning()
    reader.clock.forward(days=60)

    assert (
        "console ada: not in the digest of Mon 30 Nov: Tides was muted until Tue 15 Dec."
        in explained(reader, number)
    )


def test_it_matched_nothing_that_is_followed(reader):
    (number,) = reader.announce("A lighthouse")

    assert "It matches none of the followed topics." in explained(reader, number)


def test_it_was_there_before_the_follow(world):
    (number,) = world.announce("The tide")
    world.say("follow tides")

    assert "It matched before the follow began." in explained(world, number)


def test_it_was_found_in_the_past(reader):
    old = reader.paper("The tide", submitted_at=reader.clock() - timedelta(days=20))
    reader.backfill(old)

    assert "the past is told to nobody" in explained(reader, old.arxiv_id)


def test_the_follow_leaves_it_out(world):
    world.say("follow tides without survey")
    (number,) = world.announce("A survey of the tide")

    assert "The follow excludes a word or an author of it." in explained(world, number)


def test_the_digest_is_off(reader):
    (number,) = reader.announce("The tide")
    reader.say("digest off")

    assert "console ada: off: turned off." in explained(reader, number)


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("mute tides until 2026-12-15", "Tides was muted until Tue 15 Dec."),
        ("mute all until 2026-12-15", "everything was muted until Tue 15 Dec."),
        ("mute cat:cs", "the category cs was muted without an end."),
        ("not-for-me 2611.00001", "it was marked as not for you."),
    ],
)
def test_what_is_silent_now_is_the_reason_before_any_digest_is_made(reader, deed, why):
    (number,) = reader.announce("The tide")
    reader.say(deed)

    assert f"console ada: not to come with the next digest, Mon 30 Nov 09:00: {why}" in explained(
        reader, number
    )


def test_a_mute_that_ends_before_the_next_digest_keeps_nothing_from_it(reader):
    reader.say("mute tides for 2d")
    (number,) = reader.announce("The tide")

    assert "it comes with the next digest, Mon 30 Nov 09:00." in explained(reader, number)


def test_it_matched_while_the_digest_was_off(reader):
    reader.say("digest off")
    (number,) = reader.announce("The tide")
    reader.say("digest on")
    reader.morning()

    assert explained(reader, number).endswith(
        "console ada: not told: it matched before the digest here was turned on."
    )


def test_it_was_left_out_by_what_was_excluded_then(world):
    world.say("follow tides without survey")
    (number,) = world.announce("A survey of the tide")
    world.morning()
    world.say("follow tides without nothing")

    assert explained(world, number).endswith(
        "console ada: not told: the digest of Mon 30 Nov 09:00 was decided without it, "
        "by what was followed and left out then."
    )


def test_where_no_follow_wants_it_the_silence_of_arxiv_is_no_reason(world):
    world.say("follow tides without survey")
    (number,) = world.announce("A survey of the tide")
    world.morning()

    assert explained(world, number).endswith("console ada: not told.")


def test_a_page_that_came_was_sent_whatever_becomes_of_the_next_one(reader, half):
    numbers = reader.announce("The tide", "Another tide", "One tide", "The tide again")
    reader.morning()
    (came, waits) = reader.got()[0], (set(numbers) - set(reader.got())).pop()
    in_it = "console ada: in the digest of Mon 30 Nov 09:00, "

    assert f"{in_it}sent Mon 30 Nov 09:00." in explained(reader, came)
    assert f"{in_it}pending: too many requests." in explained(reader, waits)
    reader.say("mute all for 3w")
    reader.clock.forward(hours=1)
    reader.deliver()
    assert f"{in_it}sent Mon 30 Nov 09:00." in explained(reader, came)


def test_a_paper_that_is_not_stored(reader):
    reply = reader.core.explain(ADA, "9999.99999")

    assert reply.status == 404
    assert said(reply) == "9999.99999 is not stored: arXiv has not been read yet."
    reader.ingest()
    assert "the last look was Tue 24 Nov 07:00 (nothing new)." in explained(reader, "9999.99999")


def test_a_reader_who_is_not_known(world):
    assert "email:bea@example.org is not known here" in explained(world, "2611.00001", BEA)


def test_it_was_withdrawn(reader):
    (number,) = reader.announce("The tide")
    known = reader.store.papers.get(number)
    reader.announce(replace(known, version=2, withdrawn=True), kind=None)
    reader.morning(MONDAY)

    assert "It was withdrawn." in explained(reader, number)
    assert explained(reader, number).endswith("console ada: not told: it was withdrawn before.")


def test_where_only_the_past_was_read_it_says_so(world):
    world.say("follow tides")
    world.backfill(world.paper("The tide"))

    assert "only the past was read so far" in said(world.core.explain(ADA, "2501.12345"))
