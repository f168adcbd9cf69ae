"""The command line: starts the service, or does one verb by hand.

Exit codes: 0 done, 1 it failed or something is wrong, 2 it was asked for wrongly.
`COMMANDS` names the module of each command; opening, printing and layout hold what they share.
"""

import difflib
import gc
import importlib
import io
import os
import signal
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import click

from bot import __version__

COMMANDS = {
    "try": ("trying:try_", "The main job once: no configuration, no account, no key."),
    "run": ("serving:run", "The service: poll, prepare and deliver until told to stop."),
    "poll": ("steps:poll", "Read what arXiv showed since last time."),
    "prepare": ("steps:prepare", "Compose due digests into the outbox."),
    "deliver": ("steps:deliver", "Send what the outbox holds."),
    "backfill": ("steps:backfill", "Read the past; tells nobody."),
    "do": ("asking:do", "Anything people can ask for, in their name."),
    "topics": ("asking:topics", "Topics by size or change."),
    "match": ("measuring:match", "Score the papers of a file against topic names."),
    "preview": ("asking:preview", "The digest as it would be now; records nothing."),
    "explain": ("asking:explain", "Why a paper came to someone, or did not."),
    "init": ("configuring:init", "Write an annotated configuration file."),
    "status": ("standing:status", "Whether it is well, and what comes next."),
    "people": ("persons:people", "Who is known here."),
    "queue": ("queueing:queue", "Deliveries on their way."),
    "person": ("persons:person", "Everything kept about someone: export, erase."),
    "backup": ("preserving:backup", "Copy the database while it runs, and check the copy."),
    "restore": ("preserving:restore", "Put a backup in place; sends nothing old unasked."),
    "doctor": ("examining:doctor", "Look at everything that could be wrong."),
    "healthcheck": ("examining:healthcheck", "Whether the service here is alive."),
    "send-test": ("sample:send_test", "Send a sample digest to someone now."),
    "check-config": ("configuring:check_config", "Print the configuration in force."),
}

_EXAMPLES = {
    "do": 'do --as email:you@example.org "follow RL for LLM agents"',
    "match": 'match --input papers.jsonl "RL for LLM agents"',
    "preview": "preview email:you@example.org",
    "explain": "explain email:you@example.org 2501.01234",
    "export": "person export email:you@example.org",
    "erase": "person erase email:you@example.org",
    "new-links": "person new-links email:you@example.org",
    "show": "queue show 12",
    "restore": "restore latest",
    "send-test": "send-test email:you@example.org",
}
"""What a command is typed like, where something it needs is missing."""
_YOUNG = 50_000  # objects that are made before the collector looks for circles among them


class Later(click.Group):
    """A group that imports a command only when it is called, so that help comes at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(f"bot.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with our words for what is no command."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(_no_command(args))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _no_command(args: list[str]) -> str:
    """What may have been meant: something that people say, or a command spelled otherwise."""
    word = args[0]
    requests = importlib.import_module("bot.core.commands.requests")  # only now: it takes its time
    if word.casefold() in requests.KNOWN:
        words = " ".join(args).replace('"', r"\"")
        return (
            f"“{word}” is said in somebody's name: "
            f'paperround do --as email:you@example.org "{words}"'
        )
    near = difflib.get_close_matches(word.lower(), COMMANDS, 1)
    hint = f"did you mean paperround {near[0]}?" if near else "paperround --help names them all"
    return f"there is no command “{word}”; {hint}"


class Instant(click.ParamType):  # type: ignore[type-arg]
    """An instant such as 2026-11-30T08:00:00Z; without a zone it is UTC."""

    name = "instant"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The aware instant, or a sentence with an example."""
        try:
            at = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            self.fail(f"“{value}” is no instant; write it like 2026-11-30T08:00:00Z", param, ctx)
        return at if at.tzinfo else at.replace(tzinfo=UTC)


@click.group(cls=Later, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings, in place of $PAPERROUND_CONFIG or ./paperround.toml.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    help="The data folder, in place of the one in the settings.",
)
@click.option("--now", type=Instant(), help="Act as if it were then: 2026-11-30T08:00:00Z.")
@click.version_option(__version__, prog_name="paperround")
@click.pass_context
def cli(ctx: click.Context, config: Path | None, data: str | None, now: datetime | None) -> None:
    """Follow research topics: new papers, matched, brought to Slack and by e-mail."""
    ctx.obj = {"config": config, "data": data, "now": now}


def main() -> None:
    """Run the command line; never a traceback for what a person can mend."""
    _open_streams()
    _settle_in()
    collect_seldom()
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        _show_example(error)
        code = error.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        code = 1
    except SystemExit:  # a signal's; or click's and rich's, where the reader of a pipe has left
        code = 0
    except Exception as error:
        code = _explained(error)
    _let_go_of_output()
    sys.exit(code if isinstance(code, int) else 0)


def _show_example(error: click.ClickException) -> None:
    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        example = _EXAMPLES.get(error.ctx.info_name or "", "")
        click.echo(f"For example: paperround {example}" if example else "", err=True)


def collect_seldom() -> None:
    """Have the collector look at what is kept, half a million objects, hardly ever.

    Papers come and go by the hundred, and every thousand of them would make it look at all of the
    thesaurus and the topics: half a second in which nobody is answered.
    """
    gc.set_threshold(_YOUNG)


def _open_streams() -> None:
    """Let output never fail: a closed stream goes nowhere, a missing character becomes “?”."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest that is free: the stream's own
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _settle_in() -> None:
    """Live in a container as anywhere else: with a home, and ended by SIGTERM.

    A container's first process gets only the signals it asks for.  Its user may have no name and
    no $HOME, which slack_sdk needs at its import: then it is the root, as in Docker.
    """
    if os.getpid() == 1:  # the service asks for more once it runs
        signal.signal(signal.SIGTERM, lambda *_: os._exit(128 + signal.SIGTERM))
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = os.sep  # noqa: TID251 - for others to read, not a setting


def _let_go_of_output() -> None:
    """Do not retry at exit what a closed pipe or a full disk did not take."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _explained(error: Exception) -> int:
    """One sentence for errors that say themselves what to do; the others are faults of ours."""
    kinds = {kind.__name__ for kind in type(error).__mro__}  # importing them takes its time
    if kinds & {"ConfigError", "Occupied", "StoreError", "SourceError", "ChannelError"}:
        said = str(error)
    elif isinstance(error, FileNotFoundError) and (folder := _missing(error.filename)):
        said = f"{error.filename} cannot be written: there is no folder {folder}; make it first"
    elif isinstance(error, OSError) and error.filename:
        said = f"{error.filename}: {error.strerror}; see that it can be read and written"
    elif isinstance(error, OSError) and error.strerror:
        said = f"the system refused ({error.strerror}); see that there is room, and what it limits"
    else:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        said = f"this is a fault of Paperround; please report it: {error!r} ({where})"
    click.echo(f"Error: {said}", err=True)
    return 2 if "ConfigError" in kinds else 1


def _missing(path: object) -> str:
    """The missing folder of a file that was to be written, or ""."""
    folder = Path(os.fsdecode(path)).parent if isinstance(path, str | bytes) else None
    return "" if folder is None or folder.is_dir() else str(folder)
