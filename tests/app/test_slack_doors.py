"""How the doors to Slack stand."""


async def test_health_tells_how_the_line_to_slack_stands():
    from datetime import UTC, datetime

    from bot.app.vitals import _line
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
