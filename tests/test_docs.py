"""The README knows every command and every setting."""

from pathlib import Path

import click
import pytest

from bot.app.metrics import Metrics
from bot.cli import COMMANDS, cli
from bot.config import KEYS, load, packaged, toml
from bot.core.commands.verbs import VERBS
from bot.store.sqlite import SqliteStore
from tests.fakes import FrozenClock

README = Path(__file__).parent.parent / "README.md"


@pytest.fixture
def readme() -> str:
    return README.read_text(encoding="utf-8")


def test_every_command_is_in_the_readme(readme):
    context = cli.make_context("paperround", ["status"])
    names = []
    for name in COMMANDS:
        command = cli.get_command(context, name)
        inner = getattr(command, "commands", None)
        names += [f"{name} {each}" for each in inner] if inner else [name]

    assert [name for name in names if f"`{name}" not in readme] == []


def test_every_command_and_option_says_what_it_does():
    context = cli.make_context("paperround", ["status"])
    commands = {name: cli.get_command(context, name) for name in COMMANDS}
    for name, command in list(commands.items()):
        for inner, each in getattr(command, "commands", {}).items():
            commands[f"{name} {inner}"] = each
    silent = [name for name, command in commands.items() if not command.help]
    silent += [
        f"{name} {option.opts[0]}"
        for name, command in {"": cli, **commands}.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]

    assert silent == []


def test_every_word_people_say_is_in_the_readme():
    text = README.read_text(encoding="utf-8")
    by_buttons = {"more", "undo", "help"}  # pressed, or found out by itself

    assert [verb for verb in VERBS if f"`{verb}" not in text and verb not in by_buttons] == []
    assert "`digest now`" in text


def test_every_setting_is_in_the_readme(readme):
    assert [key for key in KEYS if f"`{key}`" not in readme] == []


def test_every_metric_is_in_the_readme(readme):
    store = SqliteStore()
    text = Metrics(store, FrozenClock()).text().decode()
    store.close()
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    names = {n.removeprefix("paperround_") for n in names if not n.endswith("_created")}

    assert [name for name in sorted(names) if f"`{name}" not in readme] == []


def test_the_annotated_settings_are_the_defaults(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = toml("paperround.toml")
    keys = [f"{part}.{k}" if isinstance(v, dict) else part
            for part, v in said.items() for k in (v if isinstance(v, dict) else [""])]  # fmt: skip

    assert load(packaged("paperround.toml")).model_dump() == load().model_dump()
    assert sorted(keys) == sorted(KEYS)
