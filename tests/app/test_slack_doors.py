"""A Slack app that nobody could reach is refused at the start, with what to do."""

import pytest

from bot.app.serve import _check_slack
from bot.config import ConfigError, Slack


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"bot_token": "xoxb-1"}, "slack.app_token is empty"),
        ({"client_id": "1.2"}, "slack.app_token is empty"),
        ({"bot_token": "xoxb-1", "mode": "http"}, "slack.signing_secret is empty"),
    ],
)
def test_refuses(settings, words):
    with pytest.raises(ConfigError, match=words):
        _check_slack(Slack(**settings))


@pytest.mark.parametrize(
    "settings",
    [
        {"bot_token": "xoxb-1", "app_token": "xapp-1"},
        {"bot_token": "xoxb-1", "mode": "http", "signing_secret": "s"},
    ],
)
def test_accepts(settings):
    _check_slack(Slack(**settings))


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
    }
