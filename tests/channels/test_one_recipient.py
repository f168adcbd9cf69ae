"""One recipient whom the server will not have, among many: nobody else's mail waits for it."""

import asyncio
import contextlib
from functools import cache

import pytest

from bot.core import Core
from bot.model import DeliveryState
from bot.store.sqlite import SqliteStore
from tests.channels import days
from tests.channels.postman import fill_outbox, open_post_office
from tests.channels.smtp_server import CLOSE, RESET, SILENCE, SmtpServer
from tests.databases import copy_into

READERS = 10
POISON = "reader0@example.org"  # first in line

ANSWERS = [
    "421 4.7.0 try again later!",
    "450 4.2.0 greylisted",
    "451 4.3.0 local error",
    "452 4.2.2 mailbox full",
    "500 what?",
    "503 5.5.1 bad sequence",
    f"550 5.1.1 <{POISON}>: Recipient address rejected: User unknown in relay recipient table",
    "550 5.1.8 sender domain not found",
    "550 5.2.1 mailbox disabled",
    "550 5.7.1 Unable to relay",
    "550 no",
    "552 5.2.2 mailbox full",
    "554 5.7.1 Relay access denied",
    "nonsense",
    CLOSE,
    RESET,
    SILENCE,
]


class Poisoned(SmtpServer):
    """Answers as usual, but to some verb where it is about one of `whom`."""

    def __init__(self, verb: str, answer: str, whom: tuple[str, ...] = (POISON,)) -> None:
        super().__init__()
        self.verb, self.poison, self.whom = verb, answer, whom
        self.took: list[str] = []

    async def _answer(self, verb, writer, said=""):
        task = asyncio.current_task()
        if verb == "RCPT":
            task.recipient = said[said.index("<") + 1 : said.index(">")]
        about = said if verb == "MAIL" else getattr(task, "recipient", "")
        poisoned = verb == self.verb and any(each in about for each in self.whom)
        self.script = {verb: self.poison} if poisoned else {}
        if verb == "DOT" and not poisoned:
            self.took.append(task.recipient)
        return await super()._answer(verb, writer, said)


@cache
def due(readers: int, also: tuple[str, ...]) -> SqliteStore:
    core = open_post_office(None, 0, lambda: days.DUE)
    fill_outbox(core, readers, also=also)
    return core.house.store


@contextlib.asynccontextmanager
async def office(server: SmtpServer, clock, readers: int = READERS, also: tuple[str, ...] = ()):
    """A core with so many mails due."""
    clock.set(days.DUE)
    patience = 0.3 if getattr(server, "poison", "") == SILENCE else 10
    core = open_post_office(None, server.port, clock, patience)
    copy_into(core.house.store, due(readers, also))
    try:
        yield core
    finally:
        await core.house.channels["email"].close()
        core.house.store.close()


def others(*poisoned: int, readers: int = READERS) -> list[str]:
    return [f"reader{n}@example.org" for n in range(readers) if n not in poisoned]


def waiting(core: Core) -> list:
    return [line.delivery for line in core.house.store.outbox.queue([DeliveryState.PENDING])]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("verb", ["RCPT", "DATA", "DOT"])
async def test_everyone_else_has_the_mail_in_the_first_round(clock, verb, answer):
    async with Poisoned(verb, answer) as server, office(server, clock) as core:
        await core.deliver("email")

    assert sorted(server.took) == others(0)


@pytest.mark.parametrize("answer", ["421 busy!", "550 5.7.60 not your sender", CLOSE, "nonsense"])
async def test_one_who_spoils_what_is_said_before_holds_the_others_up_once(clock, answer):
    async with Poisoned("MAIL", answer, ("+1.",)) as server, office(server, clock) as core:
        for _ in range(2):
            await core.deliver("email")
            clock.forward(minutes=1)

    assert sorted(server.took) == others(0)


async def test_a_relay_that_serves_others_only_is_asked_less_and_less_and_then_no_more(clock):
    server = Poisoned("RCPT", "554 5.7.1 Relay access denied")
    async with server, office(server, clock) as core:
        await core.deliver("email")
        [refused] = waiting(core)
        for _ in range(30):
            clock.forward(hours=5)
            await core.deliver("email")
        states = {
            line.delivery.state for line in core.house.store.outbox.queue([DeliveryState.FAILED])
        }

    assert (refused.address, refused.attempts) == (POISON, 1)
    assert states == {DeliveryState.FAILED}
    assert sum(POISON in said for said in server.said) < 20


async def test_a_relay_that_serves_nobody_is_left_alone_after_a_few(clock):
    async with Poisoned("RCPT", "421 busy!", ("@",)) as server, office(server, clock) as core:
        await core.deliver("email", slots=1)
        asked = len(server.said)
        await core.deliver("email", slots=1)

        assert len(server.said) == asked
        assert sorted(delivery.attempts for delivery in waiting(core)) == [0] * 7 + [1] * 3

        server.whom = ()
        clock.forward(minutes=10)
        await core.deliver("email")

    assert sorted(server.took) == others()


async def test_those_refused_alike_make_way_for_the_others(clock):
    """More of them in a row than it takes to blame the channel: a minute, and never again."""
    whom = tuple(f"reader{n}@" for n in range(4))
    server = Poisoned("RCPT", "550 5.7.1 Unable to relay", whom)
    async with server, office(server, clock) as core:
        for _ in range(2):
            await core.deliver("email", slots=1)
            clock.forward(minutes=1)

    assert sorted(server.took) == others(0, 1, 2, 3)


async def test_a_provider_that_blocks_us_is_asked_now_and_then_until_it_lets_us_in(clock):
    """Everyone there waits, everyone elsewhere has the mail, and no hand is needed."""
    server = Poisoned("RCPT", "550 5.7.606 Access denied, banned sending IP", ("@example.org",))
    there, elsewhere = others(readers=30), [f"reader{n}@elsewhere.example" for n in range(30)]
    mixed = tuple(address for pair in zip(there, elsewhere, strict=True) for address in pair)
    hours = 5 * 24  # longer than one is tried by itself
    async with server, office(server, clock, readers=0, also=mixed) as core:
        await core.deliver("email", slots=1)
        assert sorted(server.took) == sorted(elsewhere)
        assert asked(server, "@example.org") == 3

        await hourly(core, clock, hours)
        [waiting] = core.standing().waiting
        assert "blocked at example.org" in waiting.error
        assert core.standing().held + core.standing().failed == 0
        assert asked(server, "@example.org") < 4 * hours

        server.whom = ()
        await hourly(core, clock, 6)

    assert sorted(server.took) == sorted(mixed)


@pytest.mark.parametrize("verb", ["CONNECT", "MAIL"])
async def test_a_relay_that_blocks_us_is_asked_every_hour_until_it_lets_us_in(clock, verb):
    server = SmtpServer({verb: "554 5.7.1 Client host [192.0.2.1] blocked using zen"})
    async with server, office(server, clock) as core:
        for _ in range(12 * 10):
            await core.deliver("email", slots=1)
            clock.forward(minutes=5)
        tried = max(server.connections, sum(said.startswith("MAIL") for said in server.said))
        assert core.standing().held + core.standing().failed == 0

        server.script = {}
        clock.forward(hours=1)
        await core.deliver("email")

    assert 9 <= tried <= 11
    assert len(server.bodies) == READERS


def asked(server: SmtpServer, whom: str) -> int:
    return sum(said.startswith("RCPT") and whom in said for said in server.said)


async def hourly(core: Core, clock, hours: int) -> None:
    for _ in range(hours):
        clock.forward(hours=1)
        await core.deliver("email", slots=1)
