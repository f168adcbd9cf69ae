"""The Slack door: commands and buttons in, one core call, a reply out.

door         what people do, each as one request; presses and typed, what they meant by it
requests     one request: whether somebody may ask, and what the core replies
desk         what happens after the acknowledgement, and what was seen before
people       who asks; permission, whether they may, for the conversations they name
replying     ways back to them; pictures, charts that are uploaded once
looks        how replies, App Home and windows look
homes        App Home kept up to date; windows, opened and answered
workspaces   where the app speaks, by which token, and what becomes of it there
socket       Socket Mode, watched; http, signed requests instead
trouble      what a call to Slack may end in
"""

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.web.async_client import AsyncWebClient

from bot.model import Clock
from bot.slack_app import http
from bot.slack_app.desk import Core, Desk, Work
from bot.slack_app.door import Door
from bot.slack_app.looks.settings import UNTIL
from bot.slack_app.people import People, asker_team, place_of
from bot.slack_app.presses import chosen
from bot.slack_app.socket import Socket, SocketState
from bot.slack_app.windows import Windows
from bot.slack_app.workspaces import Workspaces, lifecycle
from bot.store import Store

__all__ = ["Core", "SlackApp", "Socket", "SocketState", "Workspaces", "build"]

COMMAND = "/papers"
NOT_HERE = "Paperround is not installed in your workspace. Ask an admin to install it."


@dataclass(frozen=True, slots=True)
class SlackApp:
    """A Slack app ready to run, by Socket Mode or by HTTP, with the same listeners."""

    bolt: AsyncApp
    desk: Desk
    workspaces: Workspaces
    secret: str  # signs what comes by HTTP

    def socket(self, app_token: str, clock: Clock) -> Socket:
        """The connection of Socket Mode; `run` it."""
        return Socket(self.bolt, app_token, clock)

    def routes(self, flow: AsyncOAuthFlow | None = None) -> list[Any]:
        """The pages of HTTP mode."""
        return http.routes(self.bolt, self.secret, flow)

    async def finish(self, within_s: float = 10.0) -> None:
        """Let what is under way end."""
        await self.desk.finish(within_s)


def build(
    core: Core,
    store: Store,
    workspaces: Workspaces,
    clock: Clock,
    *,
    signing_secret: str = "",
) -> SlackApp:
    """The app with all its listeners.  Connects to nothing.

    `signing_secret` is needed for HTTP only; without one no signed request is believed.
    """
    secret = signing_secret or secrets.token_hex(32)  # without one nobody is believed
    workspaces.begin()
    desk = Desk(core, store.slack, clock)
    door = Door(desk, People(clock))
    windows = Windows(desk, door.homes, clock)
    life = lifecycle.Lifecycle(desk, store, workspaces, clock)

    async def authorize(enterprise_id: str | None, team_id: str | None, context: Any) -> Any:
        return await workspaces.authorize(enterprise_id, team_id, context)

    bolt = AsyncApp(
        name="paperround-slack",  # Bolt sets the level of loggers of that name
        client=workspaces.client(),
        signing_secret=secret,
        request_verification_enabled=True,
        authorize=authorize,
        before_authorize=_told(workspaces),
        user_facing_authorize_error_message=NOT_HERE,
    )
    _listen_to_words(bolt, door)
    _listen_to_buttons(bolt, door, windows)
    _listen_to_life(bolt, door, life)
    return SlackApp(bolt, desk, workspaces, secret)


def _told(workspaces: Workspaces) -> Callable[..., Awaitable[None]]:
    """Middleware that notes who asks and who is asked, for looking up the token."""

    async def told(body: dict[str, Any], context: Any, next: Any) -> None:
        context["client"] = workspaces.client()  # Bolt's own believes whoever answers
        message, said = body.get("message"), (body.get("authorizations") or [{}])[0]
        # A message of ours names our team, also where somebody of another presses its button.
        context["message_team"] = message.get("team") if isinstance(message, dict) else ""
        context["known_as"] = said.get("user_id") if said.get("is_bot") else ""
        await _let_own_team_answer(body, context, workspaces)
        await next()

    return told


async def _let_own_team_answer(body: dict[str, Any], context: Any, workspaces: Workspaces) -> None:
    """In a shared conversation Slack names any of the installations there; use the asker's own."""
    place = place_of(body)
    theirs = asker_team(body)
    if theirs in ("", place.team, place.enterprise):
        return
    if own := await workspaces.own_of(theirs):
        for_all = not own.team_id
        body["authorizations"] = [
            {"enterprise_id": own.enterprise_id, "team_id": own.team_id, "is_bot": True,
             "user_id": own.bot_user_id, "is_enterprise_install": for_all}
        ]  # fmt: skip
        context["enterprise_id"], context["team_id"] = own.enterprise_id, own.team_id
        context["message_team"] = ""


def _listen_to_words(bolt: AsyncApp, door: Door) -> None:
    after_ack = door.desk.listener
    bolt.command(COMMAND)(after_ack(door.command))
    bolt.command(re.compile(".*"))(door.other_command)
    bolt.shortcut("save_paper")(after_ack(door.save_papers))
    bolt.shortcut(re.compile(".*"))(door.nothing)
    bolt.event("message")(door.message)
    bolt.event("app_mention")(door.mention)


def _listen_to_buttons(bolt: AsyncApp, door: Door, windows: Windows) -> None:
    async def menu(body: Any, client: AsyncWebClient) -> None:
        words = chosen(body)
        if words.startswith(UNTIL):
            await windows.open_mute(body, client, words.removeprefix(UNTIL))
        else:
            await door.press(body, client)

    presses: tuple[tuple[str, Work], ...] = (
        (r"do:\w+\Z", door.press),
        (r"menu:\d+\Z", menu),
        (r"open:settings\Z", windows.open_settings),
        (r"open:follow\Z", windows.open_follow),
        (r"ask:\d+\Z", windows.open_ask),
        (r"share:\d+\Z", door.share),
        (r"next:\d+\Z", door.next_page),
        (r"home:\w+\Z", door.turn_home),
    )
    for action_id, work in presses:
        bolt.action(re.compile(action_id))(door.desk.listener(work))
    bolt.action(re.compile(r"open:\d+\Z"))(door.nothing)  # leads to a page of its own
    bolt.action(re.compile(".*"))(door.desk.listener(door.old_button))
    bolt.view("settings")(windows.settings_answered)
    bolt.view("mute_until")(windows.mute_answered)
    bolt.view("ask")(windows.ask_answered)
    bolt.view("follow")(windows.follow_answered)
    bolt.view(re.compile(".*"))(door.nothing)
    bolt.view_closed(re.compile(".*"))(door.nothing)
    bolt.options(re.compile(".*"))(door.nothing)


def _listen_to_life(bolt: AsyncApp, door: Door, life: lifecycle.Lifecycle) -> None:
    bolt.event("app_home_opened")(door.desk.listener(door.homes.opened))
    for kind in (*lifecycle.PAUSING, *lifecycle.RESUMING):
        bolt.event(kind)(life.conversation)
    bolt.event("channel_id_changed")(life.renumbered)
    bolt.event("app_uninstalled")(life.workspace)
    bolt.event("tokens_revoked")(life.workspace)
    # Slack counts an event without a listener as a failure and in the end stops sending any.
    bolt.event(re.compile(".*"))(_heard)


async def _heard() -> None:
    """Ignore an event."""
