"""`paperround send-test`: what it says is what became of the test, over a real mail server."""

import asyncio

import pytest

from tests.channels.smtp_server import SmtpServer
from tests.cli.typed import Said, typed

pytestmark = pytest.mark.usefixtures("here")

JO = "email:jörg@example.org"


@pytest.fixture
def reader(monkeypatch):
    """Two readers, the first with a digest that waits already."""
    monkeypatch.setenv("PAPERROUND_MAIL__SENDER", "Papers <digest@exämple.org>")
    monkeypatch.setenv("PAPERROUND_MAIL__TLS", "none")
    for who in (JO, "email:bea@example.org"):
        assert typed(f"do --as {who} follow tides").code == 0


async def sent(server: SmtpServer, monkeypatch, who: str) -> Said:
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "127.0.0.1")
    monkeypatch.setenv("PAPERROUND_MAIL__PORT", str(server.port))
    return await asyncio.to_thread(typed, f"send-test {who}")


async def test_a_test_that_arrived_is_sent_from_a_sender_of_any_domain(reader, monkeypatch):
    async with SmtpServer() as server:
        said = await sent(server, monkeypatch, "email:bea@example.org")

    assert (said.code, said.out) == (0, "Sent to bea@example.org.\n")
    assert server.recipients == ["bea@example.org"]
    assert any(each.startswith("EHLO xn--exmple-cua.org") for each in server.said)


async def test_another_mail_that_went_is_not_the_test(reader, monkeypatch):
    async with SmtpServer({"RCPT": "450 later"}) as server:
        await sent(server, monkeypatch, "email:bea@example.org")
    typed("queue retry")
    async with SmtpServer(extensions=("8BITMIME",)) as server:
        said = await sent(server, monkeypatch, JO)

    assert server.recipients == ["bea@example.org"]
    assert said.code == 1
    assert said.out == ""
    assert "not sent to jörg@example.org, failed: " in said.err
    assert "it lacks SMTPUTF8" in said.err


async def test_whoever_has_left_is_not_sent_one(reader, monkeypatch):
    typed("do --as email:bea@example.org digest off")
    async with SmtpServer() as server:
        said = await sent(server, monkeypatch, "email:bea@example.org")

    assert "email:bea@example.org has stopped the digest; see paperround people ls" in said.err
    assert server.recipients == []
