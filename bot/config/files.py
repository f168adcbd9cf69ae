"""The files that configure: the operator's own, and those that came with the package."""

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from bot.config import environment
from bot.config.errors import ConfigError

NAME = "paperround.toml"


def in_force(named: Path | None) -> Path | None:
    """The operator's file: the one named, else the environment's, else one in the usual places."""
    if chosen := named or environment.file():
        return chosen
    usual = (Path(NAME), Path("config") / NAME)
    return next((path for path in usual if os.path.lexists(path)), None)  # a folder is no file


def read(path: Path) -> dict[str, Any]:
    """A TOML file, parsed.  Raises ConfigError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Notepad marks its files
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}); name another file with --config, "
            "or make one with: paperround init"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not in UTF-8 (byte {error.start + 1}); save it again, encoded as UTF-8"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}; mend that place") from None


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
