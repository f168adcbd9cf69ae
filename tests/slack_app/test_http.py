"""Signed requests over real HTTP: the same listeners, another way in."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import aiohttp
import pytest
import uvicorn
from starlette.applications import Starlette
from structlog.testing import capture_logs

from bot.slack_app import Workspaces, build
from tests.slack_app.conftest import form, signed, words

NOTHING = {"Content-Type": "application/x-www-form-urlencoded"}


@asynccontextmanager
async def serving(web: Starlette) -> AsyncIterator[str]:
    """Pages behind uvicorn on a free port."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(web, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        await task


@pytest.fixture
async def address(app):
    async with serving(Starlette(routes=app.routes())) as running:
        yield f"{running}/slack/events"


async def post(address: str, body: str, headers: dict[str, str]) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=body, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


async def test_a_signed_command_is_carried_out(address, ada, server):
    body = form(ada.command_body("list"))

    assert await post(address, body, signed(body)) == (200, "")
    await ada.settle()
    assert "You follow nothing yet" in words(server.answers[-1])


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(lambda body: NOTHING, id="unsigned"),
        pytest.param(lambda body: signed(body, "another secret"), id="another secret"),
        pytest.param(lambda body: signed(body + "x"), id="another body"),
        pytest.param(lambda body: signed(body, at=time.time() - 301), id="five minutes old"),
        # Some seconds pass until it is read, on a busy machine.
        pytest.param(lambda body: signed(body, at=time.time() + 360), id="of the future"),
    ],
)
async def test_nobody_else_is_believed(address, ada, server, headers):
    body = form(ada.command_body("list"))
    status, _ = await post(address, body, headers(body))
    await ada.settle()

    assert status == 401
    assert server.answers == []


async def test_of_strangers_one_line_is_written_and_none_of_their_words(address, caplog):
    caplog.set_level("INFO")
    now = str(int(time.time()))
    odd = [("0", ""), ("noon", "v0=00"), ("9" * 400, "v0=00"), (now, "v0=é"), (now, "v0=00")]
    with capture_logs() as lines:
        for stamp, signature in odd:
            for kind, body in (("form-urlencoded", "payload=%7Bsecretly"), ("json", '["secretly"')):
                headers = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature,
                           "Content-Type": f"application/{kind}"}  # fmt: skip
                assert (await post(address, body, headers))[0] == 401

    assert [each["event"] for each in lines] == ["slack_request_unsigned"]
    assert "secretly" not in f"{lines}{caplog.text}"


async def test_who_only_looks_at_our_certificate_is_answered(address, caplog):
    caplog.set_level("INFO")

    assert await post(address, "ssl_check=1&token=x", NOTHING) == (200, "")
    assert caplog.text == ""


@pytest.mark.parametrize("secret", ["none", "None"])
async def test_without_a_secret_nobody_is_believed(core, store, clock, ada, server, secret):
    workspaces = Workspaces(store.slack, clock, token="xoxb-1", base_url=server.url)
    app = build(core, store, workspaces, clock)
    body = form(ada.command_body("list"))
    async with serving(Starlette(routes=app.routes())) as running:
        status, _ = await post(f"{running}/slack/events", body, signed(body, secret))

    assert status == 401
    await app.finish()


async def test_the_same_signed_request_is_carried_out_once(address, ada, server):
    body = form(ada.command_body("follow world models"))
    headers = signed(body)
    for _ in range(3):
        assert (await post(address, body, headers))[0] == 200
    await ada.settle()

    assert len(server.answers) == 1


async def test_a_press_and_an_event_come_the_same_way(address, ada, server):
    body = form(ada.press_body("save 2611.00001"))
    assert (await post(address, body, signed(body)))[0] == 200
    event = json.dumps(
        {"type": "event_callback", "team_id": "T1", "event_id": "Ev1",
         "event": {"type": "reaction_added", "user": "U1"}}
    )  # fmt: skip
    headers = {**signed(event), "Content-Type": "application/json"}
    assert (await post(address, event, headers))[0] == 200
    await ada.settle()
    assert "Saved" in words(server.answers[-1])


async def test_the_address_is_verified(address):
    body = json.dumps({"type": "url_verification", "challenge": "abc", "token": "x"})
    headers = {**signed(body), "Content-Type": "application/json"}
    status, answer = await post(address, body, headers)

    assert (status, "abc" in answer) == (200, True)


async def test_what_cannot_be_read_is_refused_without_a_traceback(address):
    for body in ("payload=%7Bnot", "", "x" * 1_000_001):
        status, answer = await post(address, body, signed(body))
        assert 400 <= status < 500
        assert "Traceback" not in answer


async def test_a_body_that_does_not_end_is_refused_before_it_ends(address):
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    head = f"POST {parts.path} HTTP/1.1\r\nHost: us\r\nTransfer-Encoding: chunked\r\n\r\n"
    writer.write(head.encode() + b"100000\r\n" + b"a" * 0x100000 + b"\r\n")
    try:
        answer = await asyncio.wait_for(reader.readline(), 10)
    finally:
        writer.close()

    assert answer.split()[1] == b"413"


async def test_the_acknowledgement_does_not_wait_for_the_core(
    address, ada, core, server, monkeypatch
):
    gate = threading.Event()
    execute = core.execute

    def held(actor, text):
        gate.wait(60)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", held)
    body = form(ada.command_body("list"))
    assert (await post(address, body, signed(body)))[0] == 200
    assert server.answers == []
    gate.set()
    await ada.settle()

    assert "You follow nothing yet" in words(server.answers[-1])
