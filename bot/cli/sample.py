"""`paperround send-test`: a sample digest for someone."""

import asyncio

import click

from bot.app.wiring import Rooms
from bot.cli.asking import Who
from bot.cli.opening import opened
from bot.cli.steps import send_due
from bot.model import DeliveryState, Identity


@click.command("send-test")
@click.argument("identity", type=Who())
@click.pass_context
def send_test(ctx: click.Context, identity: Identity) -> None:
    """Send someone a digest of what they would get now, marked as a test; records no paper.

    Where nothing is new, it holds the newest papers of their topics.
    """
    with opened(ctx) as rooms:
        delivery = rooms.core.send_test(identity)
        if delivery is None:
            click.echo(f"Error: {_unreached(rooms, identity)}; see paperround people ls", err=True)
            ctx.exit(1)
        asyncio.run(send_due(rooms))
        test = rooms.store.outbox.delivery(delivery)
    assert test is not None
    if test.state is not DeliveryState.SENT:
        why = test.error or "another process has it; see paperround queue ls"
        click.echo(f"Error: not sent to {test.address}, {test.state}: {why}", err=True)
        ctx.exit(1)
    click.echo(f"Sent to {test.address}.")


def _unreached(rooms: Rooms, identity: Identity) -> str:
    known = rooms.store.people.find(identity) is not None
    return f"{identity} has stopped the digest" if known else f"{identity} is not known here"
