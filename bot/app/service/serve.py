"""All doors and the clockwork in one loop."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence

from starlette.routing import BaseRoute

from bot import web
from bot.app.service import listening
from bot.app.service.clockwork import Service
from bot.app.service.supervisor import Supervisor
from bot.app.service.vitals import Vitals
from bot.app.wiring import Rooms
from bot.config import notify_socket
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
    slack = rooms.in_slack().app(rooms.core) if rooms.config.slack.is_on else None
    line = rooms.in_slack().line(slack) if slack else None
    service = Service(rooms, Supervisor(notify_socket()), line)
    settings = rooms.config.web
    vitals = Vitals(rooms, service, line)
    watched = health.routes(vitals, settings.watchers, settings.trusted_proxies)
    called = rooms.in_slack().routes(slack) if slack else []
    pages = [*people.routes(rooms.core), *watched, *called]
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
