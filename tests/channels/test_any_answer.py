"""A mail server may answer in any bytes: what it means is judged, what it says can be written."""

import asyncio

import aiosmtplib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels import ChannelError, Fault
from bot.channels.email.smtp_errors import Phase, judge
from bot.core.pipeline.deliveries import refusing
from bot.model import DeliveryState, DestinationState, Identity
from bot.store import StoreFull
from tests.channels.smtp_server import CLOSE, SmtpServer
from tests.channels.test_one_recipient import POISON, Poisoned, office, others
from tests.channels.test_smtp import accepted, closing, refusal, smtp

EVERY_BYTE = bytes(range(0x80, 0x100)).decode("utf-8", "surrogateescape")
"""As a script for our server says it: each of them goes over the wire as that one byte."""


def over_the_wire(words: str, charset: str) -> str:
    """Words of a charset, as a script for our server says them."""
    return words.encode(charset).decode("utf-8", "surrogateescape")


LATIN = over_the_wire("boîte supprimée", "latin-1")
ODD_WORDS = {
    "every byte": EVERY_BYTE,
    "latin-1": LATIN,
    "gbk": over_the_wire("邮箱不存在", "gbk"),
    "shift_jis": over_the_wire("宛先がありません", "shift_jis"),
}
in_odd_words = pytest.mark.parametrize("words", ODD_WORDS.values(), ids=ODD_WORDS)
READER = Identity("email", "", POISON)


def is_written(text: str) -> bool:
    """Whether a text can be stored and printed, on one line."""
    return "\0" not in text and text.encode() == " ".join(text.split()).encode()


@in_odd_words
@pytest.mark.parametrize("code", ["", "199", "421", "451 4.3.0", "550 5.1.1", "550 5.7.1"])
@pytest.mark.parametrize("verb", ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "DOT"])
async def test_a_refusal_in_any_bytes_can_be_written_and_the_next_mail_goes(verb, code, words):
    script = {verb: [f"{code} {words}!", f"{code} {words}!"], "HELO": [f"{code} {words}!"]}
    async with (
        SmtpServer(script, extensions=("AUTH PLAIN",)) as server,
        closing(smtp(server, username="bot", password="right")) as transport,
    ):
        error = await refusal(transport)
        server.script = {}
        receipt = await accepted(transport)

    assert is_written(str(error))
    assert is_written(error.reported)
    assert error.reported.startswith(code) or not code
    assert receipt == "2.0.0 Ok: queued as 4X"


async def test_who_refuses_the_greeting_and_hangs_up_is_heard_though_helo_was_tried():
    async with (
        SmtpServer({"EHLO": "550 5.7.1 blocked", "HELO": CLOSE}) as server,
        closing(smtp(server)) as transport,
    ):
        error = await refusal(transport)

    assert error.reported.startswith("550 5.7.1")


async def test_words_of_an_old_server_are_read_as_it_wrote_them():
    async with (
        SmtpServer({"RCPT": f"550 5.1.1 {LATIN}", "DOT": f"250 {LATIN}"}) as server,
        closing(smtp(server)) as transport,
    ):
        error = await refusal(transport)
        server.script.pop("RCPT")
        receipt = await accepted(transport)

    assert str(error).endswith("does not know the address: 550 5.1.1 boîte supprimée")
    assert receipt == "boîte supprimée"


USUAL = {"CONNECT": 220, "EHLO": 250, "MAIL": 250, "RCPT": 250, "DATA": 354, "DOT": 250}
LONG = "250-" + "\r\n250-".join(["far too long"] * 700) + "\r\n250 taken"
YES = {
    **{n: {v: f"{c} {words}" for v, c in USUAL.items()} for n, words in ODD_WORDS.items()},
    "bare": {"DOT": "250"},
    "NUL": {"DOT": "250 \0"},
    "long": {"DOT": LONG},
}


@pytest.mark.parametrize("yes", [*ODD_WORDS, "bare", "NUL", "long"])
async def test_a_yes_in_any_bytes_is_a_yes_and_nobody_is_told_twice(clock, yes):
    async with SmtpServer(YES[yes]) as server, office(server, clock) as core:
        for _ in range(4):
            await core.deliver("email")
            clock.forward(hours=1)
        queue = core.house.store.outbox.queue(DeliveryState)

    assert sorted(server.recipients) == others()
    assert {line.delivery.state for line in queue} == {DeliveryState.SENT}


@in_odd_words
async def test_a_dead_address_is_paused_whatever_bytes_say_so(clock, words):
    async with Poisoned("RCPT", f"550 5.1.1 {words}") as server, office(server, clock) as core:
        await core.deliver("email")
        people = core.house.store.people
        [own] = people.destinations(people.find(READER))
        [failed] = core.house.store.outbox.queue([DeliveryState.FAILED])
        suppressed = people.suppressed(POISON)

    assert sorted(server.took) == others(0)
    assert own.state is DestinationState.PAUSED
    assert suppressed
    assert "does not know the address: 550 5.1.1" in failed.delivery.error


# ------------------------------------------------------------------ what cannot be written


async def test_a_refusal_that_cannot_be_written_down_counts_and_harms_nobody_else(
    clock, monkeypatch
):
    async with Poisoned("RCPT", "451 4.3.0 later") as server, office(server, clock) as core:
        write_down = refusing.write_down

        def faulty(house, closed, delivery, error):
            if "4.3.0" in str(error):
                raise KeyError("a fault of ours")
            write_down(house, closed, delivery, error)

        monkeypatch.setattr(refusing, "write_down", faulty)
        await core.deliver("email")
        [waiting] = core.house.store.outbox.queue([DeliveryState.PENDING])

    assert sorted(server.took) == others(0)
    assert waiting.delivery.attempts == 1
    assert "could not be written down (KeyError)" in waiting.delivery.error


async def test_what_is_in_the_air_is_finished_before_a_full_disk_is_reported(clock, monkeypatch):
    class Slow(Poisoned):
        async def _answer(self, verb, writer, said=""):
            answered = super()._answer
            if verb == "DOT":
                await asyncio.sleep(0.2)
            return await answered(verb, writer, said)

    def full(house, closed, delivery, error):
        raise StoreFull("no space left")

    async with Slow("RCPT", "451 4.3.0 later") as server, office(server, clock) as core:
        monkeypatch.setattr(refusing, "write_down", full)
        with pytest.raises(StoreFull):
            await core.deliver("email")
        sent = core.house.store.outbox.queue([DeliveryState.SENT])

    assert sorted(line.delivery.address for line in sent) == sorted(server.took) == others(0)


# ------------------------------------------------------------------ property

words = st.text(st.characters(), max_size=60)
answers = st.one_of(
    st.builds(aiosmtplib.SMTPResponseException, st.integers(-9, 999), words),
    st.builds(aiosmtplib.SMTPAuthenticationError, st.integers(400, 599), words),
    st.builds(aiosmtplib.SMTPServerDisconnected, words),
    st.builds(OSError, words),
    st.builds(ValueError, words),
)


@given(answers, st.sampled_from(Phase))
def test_whatever_a_server_says_the_verdict_can_be_written(wrong, phase):
    error = judge(wrong, phase, "mail.example.org:587")

    assert is_written(str(error))
    assert is_written(error.reported)


@given(words, words)
def test_whoever_refuses_the_words_can_be_written(message, reported):
    error = ChannelError(message, Fault.RETRY, reported=reported)

    assert is_written(str(error))
    assert is_written(error.reported)
