"""How the doors to Slack stand."""

import pytest

from bot import slack_app
from bot.app.doctor.examination import examine
from bot.app.service import alerts, line
from bot.app.service.clockwork import Service
from bot.slack_app import Socket, Workspaces
from bot.slack_app import socket as socket_mode
from tests.slack_server import slack_server


async def test_health_tells_how_the_line_to_slack_stands():
    from datetime import UTC, datetime

    from bot.app.service.vitals import _line
    from bot.slack_app import SocketState

    at = datetime(2026, 11, 30, 8, tzinfo=UTC)
    said = _line(SocketState(True, at, None, 2, 1))

    assert said == {
        "connected": True,
        "since": "2026-11-30T08:00:00+00:00",
        "last_heard_at": None,
        "connections": 2,
        "rebuilt": 1,
        "trouble": "",
    }


@pytest.fixture
async def slack():
    async with slack_server() as server:
        yield server


@pytest.fixture
async def socket(rooms, slack, clock):
    """A line to a Slack that refuses it as long as a test says."""
    spaces = Workspaces(rooms.store.slack, clock, token="x", base_url=slack.url)
    app = slack_app.build(rooms.core, rooms.store, spaces, clock)
    made = Socket(app.bolt, "xapp-1", clock, ping_s=0.05)
    yield made
    await made.close()
    await app.finish()


async def lose(socket, slack, monkeypatch, error: str = "invalid_auth") -> None:
    monkeypatch.setattr(socket_mode, "CONNECT_S", 0.5)
    monkeypatch.setattr(socket_mode, "APART_S", 0.01)
    slack.script("apps.connections.open", *[error] * 200)
    await socket.look()


def line_of(rooms) -> str:
    """What another process is told of the line."""
    return rooms.core.standing().line


async def test_a_line_that_stays_down_is_told_wherever_people_look_until_it_is_up(
    rooms, socket, slack, clock, monkeypatch
):
    await lose(socket, slack, monkeypatch)
    line.watch(rooms, socket)
    assert line_of(rooms) == ""

    clock.forward(minutes=11)
    line.watch(rooms, socket)
    said = line_of(rooms)
    assert "invalid_auth" in said
    assert "set slack.app_token" in said
    assert said in rooms.core.standing().troubles
    assert [each.sentence for each in alerts.concerns(rooms) if each.key == "line"] == [said]
    assert [each.said for each in examine(rooms, others=False) if each.name == "slack line"]
    assert 'line_connected{channel="slack"} 0.0' in rooms.metrics.text().decode()

    slack.recover()
    monkeypatch.setattr(socket_mode, "CONNECT_S", 10)
    await socket.look()
    line.watch(rooms, socket)
    assert line_of(rooms) == ""
    assert 'line_connected{channel="slack"} 1.0' in rooms.metrics.text().decode()


async def test_a_line_that_is_wished_for_no_more_is_no_trouble(
    rooms, socket, slack, clock, monkeypatch
):
    await lose(socket, slack, monkeypatch)
    clock.forward(minutes=11)
    line.watch(rooms, socket)
    assert line_of(rooms)

    line.watch(rooms, None)
    assert line_of(rooms) == ""


async def test_the_service_itself_watches_its_line(rooms, socket, slack, clock, monkeypatch):
    await lose(socket, slack, monkeypatch)
    clock.forward(minutes=11)
    await Service(rooms, socket=socket).watch()

    assert "invalid_auth" in line_of(rooms)
