"""For whoever keeps it running: init, status, people, check-config."""

import json
import shutil
from collections.abc import Sequence
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
from bot.core.consent import UNCONFIRMED
from bot.core.dates import clock_words
from bot.core.pipeline.standing import CALLED, Standing
from bot.model import DestinationState
from bot.store import READ_TO_THE_END, Outcome, Stuck
from bot.text import number, plural

_RUNNING = "running"
_NOT_RUNNING = "not running: nothing is read or sent by itself; paperround run"
REASONS = 10  # lines that say why deliveries are held or failed


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
        for name, said in _lines(standing, zone):
            put(screen(), Text(f"{name:9} {said}"), 10)
    if standing.troubles:
        ctx.exit(1)


def _lines(now: Standing, zone: str) -> list[tuple[str, str]]:
    lines = [("arXiv", _arxiv(now, zone))]
    if now.clock:
        lines.append(("clock", now.clock))
    if now.line:
        lines.append(("slack", now.line.removeprefix("Slack: ")))
    for run in now.sources:
        if run.outcome not in READ_TO_THE_END and run != now.last_poll:
            said = f"{CALLED[run.subject]} failed {clock_words(run.at, zone)}: {run.reason};"
            lines.append(("", f"{said} the others bring what it misses"))
    if now.recovering:
        lines.append(("", "restored from a backup: digests wait for the first look at arXiv"))
    for each in now.waiting:
        since = clock_words(each.oldest_due_at, zone)
        trouble = f" {each.error};" if each.error else ""
        lines.append((each.channel, f"{each.deliveries} wait since {since};{trouble} nothing lost"))
    for paused in now.paused:
        if paused.reason != UNCONFIRMED:
            lines.append((paused.channel, f"{paused.address} paused: {paused.reason}"))
    if waiting := _unconfirmed(now):
        lines.append(("sign-ups", f"{plural(waiting, 'address', 'addresses')} not confirmed yet"))
    if now.joins:
        lines.append(("sign-ups", now.joins))
    lines.append(("digests", _digests(now, zone)))
    if now.uncomposed:
        lines.append(("", now.uncomposed))
    if now.held or now.failed:
        lines.append(("queue", f"{now.held} held, {now.failed} failed; paperround queue ls"))
        lines += _reasons(now.stuck)
    stored = f"{number(now.papers)} stored"
    aside = f", {plural(now.quarantined, 'entry', 'entries')} set aside" if now.quarantined else ""
    lines.append(("papers", stored + aside))
    lines += [("", f"{each} It is tried again, and told then.") for each in now.unmatched]
    return lines


def _arxiv(now: Standing, zone: str) -> str:
    if now.paused_until:
        return f"{now.paused_why}; next try {clock_words(now.paused_until, zone)}; nothing lost"
    if now.last_poll is None:
        return "not read yet; paperround poll, or paperround run"
    last = now.last_poll
    said = f"{number(last.papers)} new" if last.outcome == Outcome.NEW else last.outcome
    trouble = f": {last.reason}" if last.reason else ""
    return f"last look {clock_words(last.at, zone)}, {said}{trouble}. {now.silence.sentence}"


def _reasons(stuck: Sequence[Stuck]) -> list[tuple[str, str]]:
    """One line a reason, and how many reasons are left out."""
    lines = [("", _reason(each)) for each in stuck[:REASONS]]
    more = len(stuck) - REASONS
    return [*lines, ("", f"and {plural(more, 'further reason')}")] if more > 0 else lines


def _reason(of: Stuck) -> str:
    return f"{of.deliveries} {of.state}, {of.channel}: {of.error or 'no reason was given'}"


def _digests(now: Standing, zone: str) -> str:
    if now.next_due_at is None:
        return _none_coming(now)
    count = plural(now.next_due_count, "destination")
    late = f"; {now.overdue} late" if now.overdue else ""
    return f"next {clock_words(now.next_due_at, zone)} ({count}){late}"


def _unconfirmed(now: Standing) -> int:
    return sum(each.reason == UNCONFIRMED for each in now.paused)


def _none_coming(now: Standing) -> str:
    if due := now.places.get(DestinationState.ACTIVE.value):
        return f"{plural(due, 'destination')} due now"
    if not now.places:
        return "none is planned; nobody follows anything yet"
    waiting = _unconfirmed(now)
    counts = {
        "paused": len(now.paused) - waiting,
        "not confirmed yet": waiting,
        "turned off": now.places.get(DestinationState.OFF.value, 0),
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"none is planned; of {plural(sum(now.places.values()), 'destination')} {said}"


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
