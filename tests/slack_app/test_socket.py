"""Socket Mode against a server that disconnects, forgets and breaks."""

import asyncio
from datetime import timedelta

import pytest

from bot.slack_app import Socket
from tests.slack_app.conftest import words


@pytest.fixture
async def socket(app, clock, server):
    made = Socket(app.bolt, "xapp-1", clock, ping_s=0.2)
    await made.look()
    await server.wait(lambda: server.sockets)
    yield made
    await made.close()


def command(ada, text, **more):
    body = ada.command_body(text)
    return {
        "envelope_id": f"env-{body['trigger_id']}",
        "type": "slash_commands",
        "payload": body,
        "accepts_response_payload": True,
        **more,
    }


async def test_a_command_is_acknowledged_and_answered(socket, ada, server):
    envelope = command(ada, "list")
    await server.push(envelope)
    await server.wait(lambda: server.answers and envelope["envelope_id"] in server.acks)

    assert "You follow nothing yet" in words(server.answers[-1])


@pytest.fixture
def proxied(server, monkeypatch):
    """The way to Slack leads through a proxy, which is Slack's stand-in itself."""
    monkeypatch.setenv("HTTPS_PROXY", server.url.split("/")[2])


async def test_a_proxy_that_is_named_without_its_scheme_leads_to_slack(
    proxied, socket, ada, server
):
    await server.push(command(ada, "list"))
    await server.wait(lambda: server.answers)

    assert "You follow nothing yet" in words(server.answers[-1])


async def test_the_acknowledgement_does_not_wait_for_the_work(
    socket, ada, core, server, monkeypatch
):
    import threading

    gate = threading.Event()
    execute = core.execute

    def held(actor, text):
        gate.wait(60)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", held)
    envelope = command(ada, "list")
    await server.push(envelope)
    await server.wait(lambda: envelope["envelope_id"] in server.acks)
    assert server.answers == []
    gate.set()
    await server.wait(lambda: server.answers)


async def test_work_that_fails_was_acknowledged_all_the_same(
    socket, ada, core, server, monkeypatch
):
    def fails(actor, text):
        raise RuntimeError("at once")

    monkeypatch.setattr(core, "execute", fails)
    envelopes = [command(ada, "list") for _ in range(3)]
    for envelope in envelopes:
        await server.push(envelope)
    await server.wait(lambda: len(server.answers) == len(server.acks) == 3)


async def test_a_missed_acknowledgement_makes_slack_repeat_and_us_do_it_once(socket, ada, server):
    envelope = command(ada, "follow world models")
    await server.push(envelope)
    await server.push({**envelope, "envelope_id": "again", "retry_attempt": 1})
    await server.wait(lambda: "again" in server.acks and server.answers)
    await ada.settle()

    assert len(server.answers) == 1


@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_slack_asks_for_a_new_connection_and_nothing_is_lost(socket, ada, server, reason):
    before = len(server.sockets)
    await server.push({"type": "disconnect", "reason": reason, "debug_info": {"host": "h"}})
    await server.wait(lambda: len(server.sockets) > before)
    await server.push(command(ada, "list"))
    await server.wait(lambda: server.answers)


async def test_a_broken_connection_is_replaced(socket, ada, server):
    before = len(server.sockets)
    server.sockets[-1]._req.transport.abort()
    await server.wait(lambda: len(server.sockets) > before)
    await server.push(command(ada, "list"))
    await server.wait(lambda: server.answers)


async def test_a_connection_that_the_library_gave_up_is_built_anew(socket, ada, server, clock):
    dead = socket._handler.client
    dead.auto_reconnect_enabled = False
    await dead.aiohttp_client_session.close()  # as if it had never noticed
    before = len(server.sockets)
    await socket.look()
    assert not socket.state.connected
    clock.forward(seconds=61)
    await socket.look()
    await server.wait(lambda: len(server.sockets) > before)

    assert socket.state.connected
    assert socket.state.rebuilt == 1
    await server.push(command(ada, "list"))
    await server.wait(lambda: server.answers)


async def test_slack_out_of_reach_is_tried_again(app, clock, server):
    server.script("apps.connections.open", "internal_error")
    from bot.slack_app import socket as module

    made = Socket(app.bolt, "xapp-1", clock, ping_s=0.05)
    await made.look()
    assert isinstance(made, module.Socket)
    assert made.state.connected  # slack_sdk tried again by itself
    await made.close()


async def test_its_state_tells_when_it_last_heard_and_of_ghosts(socket, ada, clock, server):
    await server.sockets[-1].send_json({"type": "hello", "num_connections": 3})
    await server.wait(lambda: socket.state.last_heard_at is not None)
    while socket.state.connections != 3:
        await asyncio.sleep(0)

    await server.push(command(ada, "list"))
    await server.wait(lambda: server.answers)
    assert socket.state.connections == 3, "only a greeting says how many there are"
    assert socket.state.last_heard_at == clock()
    assert socket.state.since <= clock() + timedelta(0)


async def test_closing_leaves_nothing_running(app, clock, server):
    before = asyncio.all_tasks()
    made = Socket(app.bolt, "xapp-1", clock)
    await made.look()
    await made.close()
    await asyncio.sleep(0)
    left = {t for t in asyncio.all_tasks() - before if "slack_sdk" in repr(t.get_coro())}

    assert not any(not task.done() for task in left)
    assert not made.state.connected


async def test_where_slack_hangs_up_at_once_connections_have_a_rest(app, clock, server):
    """(python-slack-sdk: too_many_websockets)"""
    full = {"type": "disconnect", "reason": "too_many_websockets"}

    async def hangs_up(method):
        if method == "apps.connections.open" and server.sockets:
            await server.sockets[-1].send_json(full)

    made = Socket(app.bolt, "xapp-1", clock, ping_s=0.2)
    await made.look()
    await server.wait(lambda: server.sockets)
    server.accepted = hangs_up
    await server.push(full)
    await server.wait(lambda: server.opened == 3)
    await asyncio.sleep(1)
    await made.close()

    assert server.opened == 3


async def test_its_state_tells_why_there_is_none(app, clock, server, monkeypatch):
    from bot.slack_app import socket as module

    monkeypatch.setattr(module, "CONNECT_S", 0.5)
    server.script("apps.connections.open", *["socket_mode_not_enabled"] * 9)
    made = Socket(app.bolt, "xapp-1", clock, ping_s=0.2)
    await made.look()

    assert made.state.trouble == "socket_mode_not_enabled"
    assert not made.state.connected
