"""`paperround queue`: deliveries on their way."""

from collections.abc import Sequence

import click
from rich.text import Text

from bot.app.wiring import Rooms
from bot.cli.layout import put
from bot.cli.opening import json_option, opened, screen
from bot.cli.printing import in_json
from bot.core.dates import clock_words
from bot.core.pipeline.deliveries import queueing
from bot.model import Delivery, DeliveryState
from bot.store import QueueLine
from bot.text import plural

OPEN = (DeliveryState.HELD, DeliveryState.FAILED, DeliveryState.PENDING, DeliveryState.SENDING)


@click.group()
def queue() -> None:
    """Deliveries on their way: look, retry, hold, cancel."""


@queue.command("ls")
@click.option("--held", is_flag=True, help="Only those that wait for you.")
@json_option
@click.pass_context
def ls(ctx: click.Context, held: bool, as_json: bool) -> None:
    """What is not finished, the oldest first."""
    with opened(ctx) as rooms:
        lines = rooms.store.outbox.queue(OPEN[:2] if held else OPEN)
        zone = rooms.core.house.wishes.zone
    if as_json:
        click.echo(in_json([_queued(each) for each in lines]))
        return
    for each in lines:
        d = each.delivery
        due = clock_words(d.due_at, zone)
        said = f"{d.id:6} {d.state:8} {d.channel} {d.address}  due {due}"
        put(screen(), Text(f"{said}  tries {d.attempts}  {d.error}"), 16)
    if not lines:
        click.echo("Nothing waits.")


@queue.command("show")
@json_option
@click.argument("delivery", type=int)
@click.pass_context
def show(ctx: click.Context, delivery: int, as_json: bool) -> None:
    """One delivery: its state, its papers, what was tried."""
    with opened(ctx) as rooms:
        line = _one(ctx, rooms, delivery)
        papers = queueing.papers(rooms.core.house, line.delivery)
        tries = queueing.tries(rooms.core.house, line)
        zone = rooms.core.house.wishes.zone
    if as_json:
        said = {**_queued(line), "kind": line.kind, "papers": [p.arxiv_id for p in papers],
                "tries": tries}  # fmt: skip
        click.echo(in_json(said))
        return
    d = line.delivery
    put(screen(), Text(f"{line.kind} {line.key} to {d.channel} {d.address}"))
    put(screen(), Text(_state(d, zone)))
    if d.error:
        put(screen(), Text(d.error))
    rows = [(clock_words(run.at, zone), f"{run.outcome}: {run.reason}") for run in tries]
    rows += [(paper.arxiv_id, paper.title) for paper in papers]
    for first, then in rows:
        put(screen(), Text(f"  {first}  {then}"), len(f"  {first}  "))


def _state(d: Delivery, zone: str) -> str:
    """The state of a delivery, the next try if there is one, and what is left."""
    said = f"{d.state}, due {clock_words(d.due_at, zone)}"
    if d.state in (DeliveryState.PENDING, DeliveryState.SENDING):
        said += f", next try {clock_words(d.try_at, zone)}"
    return said + (f", {plural(len(d.parts), 'page')} left" if d.state in OPEN else "")


@queue.command("retry")
@click.option("--held", is_flag=True, help="All that are held.")
@click.argument("deliveries", type=int, nargs=-1)
@click.pass_context
def retry(ctx: click.Context, deliveries: tuple[int, ...], held: bool) -> None:
    """Try at once.

    Those that are named, all that are held, or with neither all that wait.  What perhaps arrived
    is tried once more.  A failed digest gave its papers back: its reader gets them in a new one,
    now, with those that perhaps arrived.
    """
    with opened(ctx) as rooms:
        ids = _named(ctx, rooms, deliveries)
        ids += _all_held(rooms) if held else []
        if held and not ids:
            click.echo("Nothing is held.")
            return
        count = queueing.retry(rooms.core.house, ids)
    click.echo(f"{plural(count, 'delivery is', 'deliveries are')} tried now; the service sends "
               "within seconds, or: paperround prepare; paperround deliver")  # fmt: skip


@queue.command("hold")
@click.argument("deliveries", type=int, nargs=-1)
@click.pass_context
def hold(ctx: click.Context, deliveries: tuple[int, ...]) -> None:
    """Keep back until you retry or cancel.

    Those that are named, or with none all that wait.
    """
    with opened(ctx) as rooms:
        decided = queueing.hold(rooms.core.house, _named(ctx, rooms, deliveries))
    _say(decided, "held")


@queue.command("cancel")
@click.option("--held", is_flag=True, help="All that are held.")
@click.option("--give-back", is_flag=True, help="Its papers come with the next digest.")
@click.argument("deliveries", type=int, nargs=-1)
@click.pass_context
def cancel(ctx: click.Context, deliveries: tuple[int, ...], held: bool, give_back: bool) -> None:
    """Never send.

    Its papers count as told, or come with the next digest (--give-back).
    """
    with opened(ctx) as rooms:
        ids = _named(ctx, rooms, deliveries)
        ids += _all_held(rooms) if held else []
        if not ids and not held:
            click.echo("Error: name the deliveries, or --held; see paperround queue ls", err=True)
            ctx.exit(2)
        decided = queueing.cancel(rooms.core.house, ids, give_back=give_back)
    _say(decided, "cancelled")


def _say(decided: queueing.Decided, outcome: str) -> None:
    """Say what was done; what is being sent at this moment may have arrived already."""
    many = "delivery is", "deliveries are"
    if decided.at_once or not decided.in_the_air:
        click.echo(f"{plural(decided.at_once, *many)} {outcome}.")
    if decided.in_the_air:
        click.echo(f"{plural(decided.in_the_air, *many)} being sent at this moment: {outcome} "
                   "if not accepted; see paperround queue ls")  # fmt: skip


def _all_held(rooms: Rooms) -> list[int]:
    return [each.delivery.id for each in rooms.store.outbox.queue([DeliveryState.HELD], 100_000)]


def _named(ctx: click.Context, rooms: Rooms, deliveries: Sequence[int]) -> list[int]:
    """The named deliveries that are open; the others are said to be finished.

    Exits where none is left: with no name at all, some commands mean every delivery.
    """
    named = [_one(ctx, rooms, each).delivery for each in deliveries]
    for each in named:
        if each.state not in OPEN:
            put(screen(err=True), Text(f"Delivery {each.id} is finished: {_ended(each)}."))
    left = [each.id for each in named if each.state in OPEN]
    if named and not left:
        ctx.exit(1)
    return left


def _ended(d: Delivery) -> str:
    """How a finished delivery ended, with the reason where there is one."""
    return f"{d.state}, {d.error}" if d.error else d.state.value


def _one(ctx: click.Context, rooms: Rooms, delivery: int) -> QueueLine:
    line = rooms.store.outbox.line(delivery)
    if line is None:
        click.echo(f"Error: there is no delivery {delivery}; see paperround queue ls", err=True)
        ctx.exit(2)
    return line


def _queued(each: QueueLine) -> dict[str, object]:
    d = each.delivery
    return {"id": d.id, "key": each.key, "state": d.state.value, "channel": d.channel,
            "address": d.address, "due_at": d.due_at.isoformat(), "attempts": d.attempts,
            "unknown": d.unknown, "error": d.error}  # fmt: skip
