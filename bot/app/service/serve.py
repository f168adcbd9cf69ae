"""All doors and the clockwork in one loop."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence

from starlette.routing import BaseRoute, Route

from bot import slack_app, web
from bot.app.service import listening
from bot.app.service.clockwork import Service
from bot.app.service.supervisor import Supervisor
from bot.app.service.vitals import Vitals
from bot.app.wiring import Rooms
from bot.config import notify_socket
from bot.core.commands.verbs import ALIASES, VERBS
from bot.slack_app import SlackApp, Socket, install
from bot.web import health, people

Door = Callable[[], Awaitable[None]]

SWITCH_S = 0.0005
"""While a poll matches, a reader's answer changes threads a few times; at Python's usual 5 ms a
turn, a hundred readers a second would queue for half a second and more."""

PUBLIC_A_MINUTE = 120
"""Requests of one address a minute, where the pages are open to the internet."""


async def serve(rooms: Rooms) -> None:
    """Run the service with its doors until it is told to stop."""
    sys.setswitchinterval(SWITCH_S)
    rooms.keep_up()  # an older version may have made topics since this one last looked
    slack = _slack(rooms)
    line = _slack_line(rooms, slack)
    service = Service(rooms, Supervisor(notify_socket()), line)
    settings = rooms.config.web
    vitals = Vitals(rooms, service, line)
    watched = health.routes(vitals, settings.watchers, settings.trusted_proxies)
    pages = [*people.routes(rooms.core), *watched, *_slack_routes(rooms, slack)]
    doors: list[Door] = [_web_door(rooms, pages, in_slack=slack is not None)]
    if line:
        doors.append(line.run)
    try:
        await service.run(tuple(doors))
    finally:
        if slack:
            await slack.finish()


def _web_door(rooms: Rooms, more: Sequence[BaseRoute], *, in_slack: bool) -> Door:
    settings = rooms.config.web
    app = web.create(
        rooms.core,
        routes=more,
        follow_by_mail="/join" if settings.address else "",
        in_slack=in_slack,
        a_minute=PUBLIC_A_MINUTE if settings.public else 0,
    )
    server = listening.server(app, settings.trusted_proxies)
    listener = listening.listener(settings.host, settings.port)

    async def door() -> None:
        serving = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await serving
            raise

    return door


def _slack(rooms: Rooms) -> SlackApp | None:
    """The Slack app, where any token or a way to install it is configured."""
    settings = rooms.config.slack
    if not settings.is_on:
        return None
    return slack_app.build(
        rooms.core,
        rooms.store,
        rooms.in_slack().workspaces,
        rooms.core.house.clock,
        signing_secret=settings.signing_secret.get_secret_value(),
        verbs=(*VERBS, *ALIASES),
    )


def _slack_line(rooms: Rooms, slack: SlackApp | None) -> Socket | None:
    """The connection of Socket Mode, where Slack does not call us."""
    settings = rooms.config.slack
    if slack is None or settings.mode != "socket":
        return None
    return slack.socket(settings.app_token.get_secret_value(), rooms.core.house.clock)


def _slack_routes(rooms: Rooms, slack: SlackApp | None) -> list[Route]:
    settings = rooms.config.slack
    if slack is None or (settings.mode != "http" and not settings.client_id):
        return []
    if not settings.client_id:
        return slack.routes()
    return slack.routes(
        install.flow(
            rooms.in_slack().workspaces,
            rooms.store.slack,
            rooms.core.house.clock,
            client_id=settings.client_id,
            client_secret=settings.client_secret.get_secret_value(),
            redirect_uri=f"{rooms.config.web.address}/slack/oauth_redirect",
            secret=settings.client_secret.get_secret_value(),
        )
    )
