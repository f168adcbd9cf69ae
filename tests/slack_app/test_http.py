"""Signed requests over real HTTP: the same listeners, another way in."""

import json
import time

import aiohttp
import pytest
import uvicorn
from starlette.applications import Starlette

from tests.slack_app.conftest import form, signed, words

NOTHING = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def address(app):
    """The app behind uvicorn on a free port."""
    import asyncio
    import socket

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(Starlette(routes=app.routes()), log_level="error", lifespan="off")
        serving = uvicorn.Server(config)
        task = asyncio.create_task(serving.serve(sockets=[listening]))
        while not serving.started:
            await asyncio.sleep(0)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/slack/events"
        serving.should_exit = True
        await task


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
        pytest.param(lambda body: signed(body, at=time.time() + 301), id="of the future"),
    ],
)
async def test_nobody_else_is_believed(address, ada, server, headers):
    body = form(ada.command_body("list"))
    status, _ = await post(address, body, headers(body))
    await ada.settle()

    assert status == 401
    assert server.answers == []


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


async def test_an_answer_is_acknowledged_at_once_whatever_the_core_does(
    address, ada, core, monkeypatch
):
    import threading

    gate = threading.Event()
    monkeypatch.setattr(core, "execute", lambda actor, text: gate.wait(5))
    body = form(ada.command_body("list"))
    began = time.monotonic()
    assert (await post(address, body, signed(body)))[0] == 200
    gate.set()
    await ada.settle()

    assert time.monotonic() - began < 2.5  # Slack waits 3 s; the core was held for 5
