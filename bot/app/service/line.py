"""The line to Slack as the service holds it: whether it has been down for longer than it may be."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.app.wiring import Rooms
from bot.core.pipeline import line

if TYPE_CHECKING:
    from bot.slack_app import Socket, SocketState

PATIENCE = timedelta(minutes=10)
"""Slack ends connections by itself, and is away for a moment now and then."""

_OURS = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired",
     "not_allowed_token_type", "missing_scope", "no_permission"}
)  # fmt: skip
"""Slack's words for a token that will not do, however often it is tried."""
_OF_A_PROXY = frozenset({"ClientProxyConnectionError", "ClientHttpProxyError"})


def watch(rooms: Rooms, socket: "Socket | None") -> None:
    """Count the line, and write down when it is lost or found again; without one, neither."""
    if socket:
        rooms.metrics["line_connected"].labels("slack").set(socket.state.connected)
    line.note(rooms.core.house, _trouble(socket.state, rooms.core.house.clock()) if socket else "")


def advice(trouble: str) -> str:
    """What to do about a connection that could not be had."""
    if trouble in _OURS:
        return "set slack.app_token to a token with the scope connections:write, and restart"
    if trouble == "socket_mode_not_enabled":
        return "turn Socket Mode on at api.slack.com/apps, or set slack.mode to “http”"
    if trouble in _OF_A_PROXY:
        return "it is tried again by itself; see that the proxy which HTTPS_PROXY names is well"
    return "it is tried again by itself"


def _trouble(state: "SocketState", now: datetime) -> str:
    since = state.down_since
    if since is None or now - since < PATIENCE:
        return ""
    why = f" ({state.trouble})" if state.trouble else ""
    return (
        f"Slack: nothing that is typed or pressed there has been heard since "
        f"{since:%Y-%m-%d %H:%M} UTC{why}; {advice(state.trouble)}."
    )
