"""One step each, idempotent: poll, prepare, deliver, backfill."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

import click
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bot.app import polling
from bot.app.service.ballast import Ballast
from bot.app.service.clockwork import deliver_all
from bot.app.wiring import Rooms
from bot.cli.opening import opened, screen
from bot.core import Core, Ingested
from bot.core.pipeline.papers.ingest import SlicedSource
from bot.core.pipeline.papers.news import begun
from bot.sources import Page, Source, SourceError
from bot.sources.session import Session
from bot.text import number, plural

EMPTY_DAYS = 10
"""So many days in a row without a paper mean that the source is out of order, not the calendar."""


def failed(outcome: Ingested) -> bool:
    """Say what stopped a source, if anything did."""
    if outcome.fault:
        click.echo(f"Error: {outcome.remark}", err=True)
    return outcome.fault is not None


@click.command()
@click.option("--source", "names", multiple=True, type=click.Choice(["arxiv", "rss", "oai"]),
              help="The API (arxiv), the listing, OAI-PMH; several one by one.")  # fmt: skip
@click.pass_context
def poll(ctx: click.Context, names: tuple[str, ...] = ()) -> None:
    """Read what arXiv showed since last time; store and match it.  Without --source: its API."""
    broken = False
    with opened(ctx) as rooms, bar() as progress:
        ballast = Ballast(rooms.config.data)
        wait_aloud(rooms.reach().session, progress)
        sources: dict[str, Callable[[], Source]] = {
            "arxiv": rooms.reach().polling,
            "rss": rooms.reach().rss,
            "oai": rooms.reach().oai,
        }
        for name in names or ("arxiv",):
            if why := ballast.deferred(rooms.core.house, name):
                click.echo(f"Error: nothing is read: {why}", err=True)
                broken = True
                break
            task = progress.add_task("Asking arXiv", total=None)

            def moved(page: Page, task: TaskID = task) -> None:
                progress.update(task, completed=page.done, total=page.total or None)

            outcome = rooms.core.ingest(sources[name](), moved)
            click.echo(f"{plural(outcome.papers, 'paper')} read, {number(outcome.fresh)} new, "
                       f"{number(outcome.matched)} matches.")  # fmt: skip
            broken = failed(outcome) or broken
    if broken:
        ctx.exit(1)


@click.command()
@click.pass_context
def prepare(ctx: click.Context) -> None:
    """Compose due digests into the outbox."""
    queued = empty = bad = 0
    with opened(ctx) as rooms:
        more = True
        while more:
            done = rooms.core.prepare()
            queued, empty, bad = queued + done.queued, empty + done.empty, bad + done.failed
            more = done.more
    click.echo(f"{plural(queued, 'digest')} prepared, {empty} with nothing new.")
    if bad:
        click.echo(f"Error: {bad} could not be composed; see paperround status", err=True)
        ctx.exit(1)


@click.command()
@click.pass_context
def deliver(ctx: click.Context) -> None:
    """Send what the outbox holds and is due."""
    with opened(ctx) as rooms:
        sent = asyncio.run(send_due(rooms))
        waiting = rooms.store.outbox.waiting(rooms.core.house.clock())
    click.echo(f"{plural(sent, 'delivery', 'deliveries')} sent.")
    for each in waiting:
        click.echo(f"{each.channel}: {each.deliveries} waiting. {each.error}".rstrip())


@click.command()
@click.option("--weeks", default=12, show_default=True, type=click.IntRange(1, 520),
              help="Whole weeks before the running one.")  # fmt: skip
@click.pass_context
def backfill(ctx: click.Context, weeks: int) -> None:
    """Read the past by day slices, newest first; resumable.  Tells nobody."""
    with opened(ctx) as rooms, bar() as progress:
        wait_aloud(rooms.reach().session, progress)
        core, source = rooms.core, rooms.reach().arxiv()
        past = _Past(core, source, Ballast(rooms.config.data))
        is_first = not begun(core.house)
        if not is_first and not past.ballast.is_low():
            # else the days that are done would lack what is asked for since lately
            past.outcome = core.ingest(rooms.reach().past())
        days = core.days_to_backfill(source.name, weeks)
        task = progress.add_task("Reading the past", total=len(days))
        for day in past.read(days):
            progress.update(task, advance=1, description=f"{day}  {number(past.papers)} papers")
        if is_first and not past.outcome.fault:
            polling.opened(core, source.categories)
        while core.rematch():
            pass
    screen().print(f"{plural(past.papers, 'paper')} read; nobody is told of them.")
    if past.outcome.doubtful and past.empty < EMPTY_DAYS:
        click.echo(f"{plural(past.empty, 'day')} showed no papers, and will be asked for again.")
    elif failed(past.outcome):
        click.echo("Run it again later: it goes on where it stopped.", err=True)
        ctx.exit(1)


@dataclass(slots=True)
class _Past:
    """Days of the past, and what came of those that were read; `empty` in a row showed no paper."""

    core: Core
    source: SlicedSource
    ballast: Ballast
    papers: int = 0
    empty: int = 0
    outcome: Ingested = field(default_factory=Ingested)  # of the last one

    def read(self, days: Iterable[date]) -> Iterator[date]:
        """Read one day after the other, until the disk is full or to ask on is in vain."""
        for day in days:
            if self.ballast.is_low():
                why = f"nothing is read: {self.ballast.why()}"
                self.outcome = Ingested().failed(SourceError(why))
                return
            self._add(self.core.backfill(self.source, day))
            yield day
            if self._is_in_vain:
                return

    def _add(self, outcome: Ingested) -> None:
        self.papers += outcome.papers
        self.empty = self.empty + 1 if outcome.doubtful else 0
        self.outcome = outcome

    @property
    def _is_in_vain(self) -> bool:
        """Whether to ask on would bring nothing: a day without papers alone may be one."""
        return bool(self.outcome.fault) and not 0 < self.empty < EMPTY_DAYS


async def send_due(rooms: Rooms) -> int:
    """Send what is due, and let go of the relay; how many deliveries were accepted."""
    try:
        return await deliver_all(rooms)
    finally:
        await rooms.reach().transport.close()


def bar() -> Progress:
    """A progress bar on a terminal, nothing elsewhere."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(bar_width=30), TimeElapsedColumn(),
        TimeRemainingColumn(), disable=not sys.stderr.isatty(), console=screen(err=True),
    )  # fmt: skip


def wait_aloud(session: Session, progress: Progress) -> None:
    """Let whoever watches the bar know why it stands still, and until when."""
    if not progress.disable:
        session.unwell = progress.console.print
