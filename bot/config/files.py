"""The files that configure: the operator's own, and those that came with the package."""

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from bot.config import environment
from bot.config.errors import ConfigError, remedy

NAME = "paperround.toml"


def in_force(named: Path | None) -> Path | None:
    """The operator's file: the one named, else the environment's, else one in the usual places."""
    if chosen := named or environment.file():
        return chosen
    usual = (Path(NAME), Path("config") / NAME)
    return next((path for path in usual if os.path.lexists(path)), None)  # a folder is no file


def to_be_written(named: Path | None) -> Path:
    """Where the operator's file is to be made: the one named, else the environment's, else here."""
    return named or environment.file() or Path(NAME)


def read(path: Path) -> dict[str, Any]:
    """A TOML file, parsed.  Raises ConfigError."""
    try:
        written = path.read_text(encoding="utf-8-sig")  # Notepad marks its files
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}); "
            + remedy(error, "name another file with --config, or make one with: paperround init")
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not in UTF-8 (byte {error.start + 1}); save it again, encoded as UTF-8"
        ) from None
    try:
        return tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {_no_toml(written, str(error))}") from None


def _no_toml(written: str, error: str) -> str:
    """What is wrong with a line of it, and how to write that; its value may be a password."""
    number = int(found[1]) if (found := re.search(r"at line (\d+)", error)) else 0
    key, is_set, value = "".join(written.splitlines()[number - 1 : number]).partition("=")
    if not is_set:
        return f"{error}; mend that place"
    where = f"the value of “{key.strip()}” (line {number})"
    value = value.strip()
    if any(quote in value for quote in "“”„‘’«»"):
        return f'{where} stands between typographic quotes; write straight ones: "…"'
    if value[:1] in ("'", '"') and value.count(value[0]) % 2:
        return f"{where} lacks its second quote; write it at the end"
    if value.lower() in ("true", "false"):
        return f"{where} has a capital letter; write {value.lower()}"
    if value[:1].isalpha():
        return f'{where} is text without quotes; write it between them: "…"'
    return f"{error}; mend that place"


def packaged(name: str) -> Path:
    """A file of `config/`, in the wheel or beside the checkout's `bot/`."""
    bot = Path(__file__).parent.parent
    inside = bot / "_config"
    return (inside if inside.is_dir() else bot.parent / "config") / name


@cache
def toml(name: str) -> dict[str, Any]:
    """A packaged TOML file, parsed.  Raises ConfigError."""
    return read(packaged(name))


@cache
def catalogue() -> list[dict[str, Any]]:
    """Every file of config/topics, parsed, in order of name.  Raises ConfigError."""
    return [read(path) for path in sorted(packaged("topics").glob("*.toml"))]
