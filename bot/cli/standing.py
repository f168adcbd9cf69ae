"""`paperround status`: how things stand, with a name and a line for each part of the service."""

from collections.abc import Iterator, Sequence

import click
from rich.text import Text

from bot.app.locks import is_served
from bot.cli.layout import put
from bot.cli.opening import json_option, opened, screen
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

Named = tuple[str, str]
"""What a line is about, "" where it goes on about the line before; and what it says."""


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


def lines_of(now: Standing, zone: str) -> list[Named]:
    """How arXiv is read, what waits or is stuck, and what is stored."""
    return [
        ("arXiv", _arxiv(now, zone)),
        *_reading(now, zone),
        *_waiting(now, zone),
        *_joining(now),
        ("digests", _digests(now, zone)),
        *_stuck(now),
        ("papers", _papers(now)),
        *(("", f"{each} It is tried again, and told then.") for each in now.unmatched),
    ]


def _reading(now: Standing, zone: str) -> Iterator[Named]:
    """What keeps arXiv and Slack from being heard."""
    if now.clock:
        yield "clock", now.clock
    if now.line:
        yield "slack", now.line.removeprefix("Slack: ")
    for run in now.sources:
        if run.outcome not in READ_TO_THE_END and run != now.last_poll:
            said = f"{CALLED[run.subject]} failed {clock_words(run.at, zone)}: {run.reason};"
            yield "", f"{said} the others bring what it misses"
    if now.recovering:
        yield "", "restored from a backup: digests wait for the first look at arXiv"


def _waiting(now: Standing, zone: str) -> Iterator[Named]:
    """What is not sent: it waits for a channel, or for its reader."""
    for each in now.waiting:
        since = clock_words(each.oldest_due_at, zone)
        trouble = f" {each.error};" if each.error else ""
        yield each.channel, f"{each.deliveries} wait since {since};{trouble} nothing lost"
    for paused in now.paused:
        if paused.reason != UNCONFIRMED:
            yield paused.channel, f"{paused.address} paused: {paused.reason}"


def _joining(now: Standing) -> Iterator[Named]:
    if waiting := _unconfirmed(now):
        yield "sign-ups", f"{plural(waiting, 'address', 'addresses')} not confirmed yet"
    if now.zones:
        yield "time zones", now.zones
    if now.joins:
        yield "sign-ups", now.joins


def _stuck(now: Standing) -> Iterator[Named]:
    if now.uncomposed:
        yield "", now.uncomposed
    if now.held or now.failed:
        counts = ((now.held, "held"), (now.failed, "failed"))
        said = ", ".join(f"{count} {state}" for count, state in counts if count)
        yield "queue", f"{said}; paperround queue ls"
        yield from _reasons(now.stuck)


def _papers(now: Standing) -> str:
    aside = f", {plural(now.quarantined, 'entry', 'entries')} set aside" if now.quarantined else ""
    return f"{number(now.papers)} stored{aside}"


def _arxiv(now: Standing, zone: str) -> str:
    if now.paused_until:
        return f"{now.paused_why}; next try {clock_words(now.paused_until, zone)}; nothing lost"
    if now.last_poll is None:
        return "not read yet; paperround poll, or paperround run"
    last = now.last_poll
    said = f"{number(last.papers)} new" if last.outcome == Outcome.NEW else last.outcome
    trouble = f": {last.reason}" if last.reason else ""
    return f"last look {clock_words(last.at, zone)}, {said}{trouble}. {now.silence.sentence}"


def _reasons(stuck: Sequence[Stuck]) -> list[Named]:
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
