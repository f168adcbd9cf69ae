"""`paperround doctor` and `paperround healthcheck`."""

import click
import requests
from rich.text import Text

from bot import config
from bot.app.doctor.examination import examine
from bot.app.doctor.findings import Check, State
from bot.cli.layout import put
from bot.cli.opening import Options, json_option, opened, screen
from bot.cli.printing import in_json
from bot.text import plural

_MARKS = {State.OK: ("✓", "green"), State.WARN: ("!", "yellow"), State.BAD: ("✗", "red"),
          State.SKIPPED: ("–", "dim")}  # fmt: skip
_HANG = 16  # columns before what is said of a thing


@click.command()
@click.option("--offline", is_flag=True, help="Ask neither arXiv nor the mail server nor Slack.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, offline: bool, as_json: bool) -> None:
    """Look at everything that could be wrong, and say what to do.  Sends no message.

    Exit code 1 where something is wrong; warnings alone are 0.
    """
    checks: list[Check] = []
    with opened(ctx) as rooms:
        files = config.holding_secrets(Options.of(ctx).config)
        overridden = config.overridden(Options.of(ctx).config)
        for check in examine(rooms, others=not offline, secrets=files, overridden=overridden):
            checks.append(check)
            if not as_json:
                put(screen(), _shown(check), _HANG)
    if as_json:
        click.echo(in_json(checks))
    bad = [check for check in checks if check.state is State.BAD]
    warned = sum(check.state is State.WARN for check in checks)
    if not as_json:
        click.echo(_sum(len(bad), warned))
    if bad:
        ctx.exit(1)


@click.command()
@click.option("--ready", is_flag=True, help="Whether it may be asked, not only whether it lives.")
@click.option("--timeout", default=5.0, show_default=True, type=click.FloatRange(min=0.1),
              help="Seconds.")  # fmt: skip
@click.pass_context
def healthcheck(ctx: click.Context, ready: bool, timeout: float) -> None:
    """Ask the service on this machine whether it is alive: exit code 0 or 1.

    Needs no database: made for Docker and for supervisors.
    """
    url = f"{Options.of(ctx).settings().web.local_url}/{'readyz' if ready else 'healthz'}"
    try:
        with requests.Session() as session:
            session.trust_env = False  # a proxy for the world outside knows nothing of this machine
            answer = session.get(url, timeout=timeout)
        said = answer.json()
    except (requests.RequestException, ValueError) as error:
        why = f"({type(error).__name__}); is the service running?"
        click.echo(f"Error: {url} does not answer {why}", err=True)
        ctx.exit(1)
    if answer.status_code != 200:
        click.echo(f"Error: {said.get('reason') or answer.status_code}", err=True)
        ctx.exit(1)
    click.echo("ok")
    for trouble in said.get("troubles", ()):
        click.echo(trouble)


def _shown(check: Check) -> Text:
    mark, style = _MARKS[check.state]
    line = Text.assemble((f"{mark} ", style), f"{check.name:13} {check.said}")
    if check.advice:
        line.append(f"\n{'':{_HANG}}{check.advice}", style="dim")
    return line


def _sum(bad: int, warned: int) -> str:
    if not bad and not warned:
        return "All is well."
    parts = [f"{plural(bad, 'thing is', 'things are')} wrong" if bad else "",
             plural(warned, "warning") if warned else ""]  # fmt: skip
    return ", ".join(part for part in parts if part) + "."
