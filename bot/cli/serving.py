"""`paperround run`: the service."""

import asyncio
import signal
import sys
from collections.abc import Sequence

import click

from bot.app.backups.restoring import clear_half_restored
from bot.app.journal import open_journal, write_down
from bot.app.locks import only_service
from bot.app.service import serve
from bot.app.service.background import leave
from bot.app.service.ballast import Ballast
from bot.app.service.setback import set_back
from bot.cli.opening import Options, opened
from bot.cli.steps import deliver, poll, prepare


@click.command()
@click.option("--once", is_flag=True, help="Poll, prepare and deliver once, then stop.")
@click.pass_context
def run(ctx: click.Context, once: bool) -> None:
    """Poll, prepare and deliver, with Slack and the web pages, until SIGTERM.

    A data folder has one service; a second one is refused.  With --once, what was read before is
    prepared and delivered even where arXiv does not answer; the exit code is 1 then.
    """
    if once:
        with opened(ctx) as rooms:
            set_back(rooms)
        ctx.exit(_each(ctx, (poll, prepare, deliver)))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until the clockwork takes it over
    Ballast(Options.of(ctx).settings().data).give_way()
    with opened(ctx, write_down) as rooms, only_service(rooms.config.data):
        clear_half_restored(rooms.config.data)
        open_journal(rooms.config, rooms.key, sys.stdout)
        asyncio.run(serve.serve(rooms))
    leave()


def _each(ctx: click.Context, steps: Sequence[click.Command]) -> int:
    """Every step, also after one that failed; the worst exit code."""
    worst = 0
    for step in steps:
        try:
            ctx.invoke(step)
        except click.exceptions.Exit as ended:
            worst = max(worst, ended.exit_code)
    return worst
