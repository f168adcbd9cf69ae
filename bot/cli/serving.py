"""`paperround run`: the service."""

import asyncio
import logging

import click

from bot.app import serve
from bot.app.clockwork import only_service
from bot.cli.opening import opened
from bot.cli.steps import deliver, failed, poll, prepare


@click.command()
@click.option("--once", is_flag=True, help="Poll, prepare and deliver once, then stop.")
@click.pass_context
def run(ctx: click.Context, once: bool) -> None:
    """Poll, prepare and deliver, with Slack and the web pages, until SIGTERM.

    One service a data folder; a second one is refused.
    """
    if once:
        for step in (poll, prepare, deliver):
            ctx.invoke(step)
        return
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    with opened(ctx) as rooms, only_service(rooms.config.data):
        asyncio.run(serve.serve(rooms))


__all__ = ["failed", "run"]
