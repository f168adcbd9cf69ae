"""`paperround init` and `paperround check-config`: the file of settings, and what is in force."""

import json
import shutil
from typing import Any

import click
from pydantic import SecretStr

from bot import config
from bot.app.wiring import checked
from bot.cli.opening import Options, called, json_option
from bot.cli.printing import in_json


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


def _masked(value: Any) -> Any:
    """Settings as they may be shown: of a secret, whether there is one; no login in an address."""
    if isinstance(value, str):
        return config.veiled(value)
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    if isinstance(value, SecretStr):
        return "***" if value.get_secret_value() else ""
    return value
