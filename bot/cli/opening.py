"""What commands share: the house opened from the options, and how things are shown."""

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import click
from rich.console import Console

from bot import config
from bot.app.wiring import Rooms, build
from bot.config import Config, ConfigError
from bot.core.events import Witness, unheard
from bot.model import Clock, utc_now
from bot.store.sqlite import DATABASE

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
"""For a command that people and programs ask."""
_USUAL = 80  # columns of a terminal


@dataclass(frozen=True, slots=True)
class Options:
    """What stood before the command."""

    config: Path | None
    data: str | None
    now: datetime | None

    @classmethod
    def of(cls, ctx: click.Context) -> "Options":
        """The options of this call."""
        return cls(**ctx.find_root().obj)

    def given(self) -> list[str]:
        """The words that name this installation, as they were typed."""
        named = {"--config": self.config, "--data": self.data}
        return [
            word for option, to in named.items() if to is not None for word in (option, str(to))
        ]

    def settings(self) -> Config:
        """The configuration in force.  Raises ConfigError."""
        loaded = config.load(self.config)
        data = folder("--data", self.data)
        return loaded.model_copy(update={"data": data}) if data else loaded

    def clock(self) -> Clock:
        """The real clock, or one that was set to `--now` and goes on from there."""
        return utc_now if self.now is None else pretending(self.now)


def folder(option: str, name: str | None) -> Path | None:
    """The folder that an option names, None where it was not given.  Raises ConfigError."""
    try:
        return None if name is None else config.folder(name)
    except ValueError as error:
        raise ConfigError(f"{option}: {error}") from None


def pretending(now: datetime) -> Clock:
    """A clock that showed `now` at this moment."""
    ahead: timedelta = now - utc_now()
    return lambda: utc_now() + ahead


@contextmanager
def opened(ctx: click.Context, witness: Witness = unheard) -> Iterator[Rooms]:
    """The house, closed afterwards; `witness` hears of events.  Raises ConfigError, StoreError."""
    options = Options.of(ctx)
    settings = options.settings()
    is_new = not (settings.data / DATABASE).exists() and witness is unheard  # the service logs
    rooms = build(settings, options.clock(), witness=witness)
    if is_new:  # perhaps typed in another folder, or without the settings of the service
        elsewhere = "" if options.data else "; if yours is elsewhere, name it by --data"
        click.echo(f"A new installation begins in {settings.data.absolute()}{elsewhere}.", err=True)
    try:
        yield rooms
    finally:
        rooms.close()


def called(options: Options) -> str:
    """What to type for this installation, for a shell: the path, unless the shell finds it."""
    by = sys.argv[0]
    is_lost = Path(by).name == "paperround" and not shutil.which("paperround")
    return shlex.join([by if is_lost else "paperround", *options.given()])


def screen(*, err: bool = False) -> Console:
    """Where people read: plain when piped.  Nothing that is shown is taken for markup."""
    piped = not (sys.stderr if err else sys.stdout).isatty()
    out = Console(stderr=err, highlight=False, markup=False, emoji=False, soft_wrap=piped)
    out.width = out.width or _USUAL  # some shells and containers say that there is no room at all
    return out
