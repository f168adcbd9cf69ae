"""For whoever keeps it running: init, status, people, check-config."""

import json
import shutil
from typing import Any

import click
from pydantic import SecretStr
from rich.text import Text

from bot import config
from bot.app.locks import is_served
from bot.app.wiring import Rooms, checked
from bot.cli.layout import put
from bot.cli.opening import Options, called, json_option, opened, screen
from bot.cli.printing import in_json, values
from bot.cli.standing import lines_of

_RUNNING = "running"
_NOT_RUNNING = "not running: nothing is read or sent by itself; paperround run"


@click.command()
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def init(ctx: click.Context, force: bool) -> None:
    """Write an annotated configuration file: ./paperround.toml, or where --config says.

    Where $PAPERROUND_CONFIG names one, and --config none, that is written.
    """
    path = config.to_be_written(Options.of(ctx).config)
    if path.exists() and not force:
        click.echo(f"Error: {path} is there already; --force writes over it", err=True)
        ctx.exit(2)
    shutil.copyfile(config.packaged(config.NAME), path)
    me = called(Options.of(ctx))
    click.echo(f"Wrote {path}. Change what you need, then: {me} doctor; {me} run")


@click.command("check-config")
@json_option
@click.pass_context
def check_config(ctx: click.Context, as_json: bool) -> None:
    """Print the configuration in force, secrets masked; exit code 2 where it cannot be used."""
    settings = Options.of(ctx).settings()
    checked(settings)
    masked = _masked(settings.model_dump())
    if as_json:
        click.echo(in_json(masked))
        return
    for part, inner in masked.items():
        lines = inner.items() if isinstance(inner, dict) else [("", inner)]
        for key, value in lines:
            written = json.dumps(value, ensure_ascii=False, default=str)  # as in the file
            click.echo(f"{part}{'.' if key else ''}{key} = {written}")
    for key, variable in config.overridden(Options.of(ctx).config).items():
        click.echo(f"# {key}: {variable} holds, not the file's value", err=True)


@click.command()
@json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """What was read, what waits and why, what comes next.  Exit code 1 where something is wrong."""
    with opened(ctx) as rooms:
        standing = rooms.core.standing()
        zone = rooms.core.house.wishes.zone
        running = is_served(rooms.config.data)
    if as_json:
        facts = {**values(standing), "running": running, "troubles": standing.troubles}
        click.echo(in_json(facts))
    else:
        put(screen(), Text(f"{'service':9} {_RUNNING if running else _NOT_RUNNING}"), 10)
        for name, said in lines_of(standing, zone):
            put(screen(), Text(f"{name:9} {said}"), 10)
    if standing.troubles:
        ctx.exit(1)


@click.group()
def people() -> None:
    """Who is known here."""


@people.command("ls")
@json_option
@click.pass_context
def people_ls(ctx: click.Context, as_json: bool) -> None:
    """Everyone, with what they follow and where they are reached."""
    with opened(ctx) as rooms:
        rows = [_person(rooms, subscriber) for subscriber in rooms.store.people.everyone()]
    if as_json:
        click.echo(in_json(rows))
        return
    for row in rows:
        said = f"{row['is']}  follows {row['follows']}  digests: {row['digests']}"
        put(screen(), Text(said), 4)
    if not rows:
        click.echo('Nobody yet. paperround do --as email:reader@example.org "follow TOPIC"')


def _person(rooms: Rooms, subscriber: int) -> dict[str, str]:
    people_ = rooms.store.people
    topics = [f.topic.name for f in people_.follows(subscriber)]
    return {
        "is": ", ".join(str(each) for each in people_.identities(subscriber)),
        "follows": ", ".join(topics) or "nothing",
        "digests": "; ".join(
            f"{d.channel} {d.address} {d.cadence} {d.zone} ({d.state}"
            + (f": {d.reason}" if d.reason else "") + ")"
            for d in people_.destinations(subscriber)
        ) or "none",
    }  # fmt: skip


def _masked(value: Any) -> Any:
    """Settings as they may be shown: of a secret, whether there is one; no login in an address."""
    if isinstance(value, str):
        return config.veiled(value)
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    if isinstance(value, SecretStr):
        return "***" if value.get_secret_value() else ""
    return value
