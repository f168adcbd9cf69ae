"""The variables that set something: PAPERROUND_MAIL__HOST is mail.host, …_FILE names a file."""

import os
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

from bot.config.errors import ConfigError, remedy

PREFIX = "PAPERROUND_"

_OF_A_SERVICE = re.compile(r"_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$")


def file() -> Path | None:
    """The configuration file that $PAPERROUND_CONFIG names."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    return Path(named) if named else None


def variable(key: str) -> str:
    """The name of the variable for a key, or for a whole table."""
    return PREFIX + key.upper().replace(".", "__")


def set_by(key: str) -> str:
    """The variable that sets a key, or ""."""
    names = (f"{variable(key)}_FILE", variable(key))
    return next((name for name in names if os.environ.get(name)), "")


def value(name: str) -> str:
    """What a variable holds, "" where it is not set."""
    return os.environ.get(name, "")


def names_a_file(name: str) -> bool:
    """Whether a variable names the file that holds a value; as all, in letters of either case."""
    return name.upper().startswith(PREFIX) and name.upper().endswith("_FILE")


def secret_paths() -> list[Path]:
    """The files that hold a value in a variable's stead."""
    return [Path(path) for name, path in os.environ.items() if names_a_file(name)]


def secrets() -> dict[str, Any]:
    """What those files hold, nested as the configuration is.  Raises ConfigError."""
    values: dict[str, Any] = {}
    for name, path in os.environ.items():
        if names_a_file(name):
            part, _, key = _key(name).rpartition(".")
            (values.setdefault(part, {}) if part else values)[key] = _secret(name, path)
    return values


def unknown(keys: Container[str], parts: Container[str]) -> tuple[str, str] | None:
    """A variable that would set nothing, and the key that it seems to be meant for."""
    for name in os.environ:
        if not name.upper().startswith(PREFIX) or _is_kubernetes(name.upper(), os.environ[name]):
            continue
        key = _key(name)
        if key not in keys and (key not in parts or names_a_file(name)):
            return name, key
    return None


def quoted() -> str:
    """A variable whose whole value stands in quotes, or ""."""
    return next(
        (n for n, v in os.environ.items() if n.upper().startswith(PREFIX) and _bound(v)), ""
    )


def notify_socket() -> str:
    """Where a supervisor wants to hear that the service is ready and alive, or ""."""
    return os.environ.get("NOTIFY_SOCKET", "")


def _bound(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"


def _key(name: str) -> str:
    return name.upper().removeprefix(PREFIX).removesuffix("_FILE").lower().replace("__", ".")


def _secret(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(
            f"{name} names “{path}”, which cannot be read ({why}); "
            + remedy(error, "give it a file that holds the secret")
        ) from None


def _is_kubernetes(name: str, value: str) -> bool:
    """Whether it stands in every pod beside a Service called "paperround…", and is not ours."""
    return bool(_OF_A_SERVICE.search(name)) or (name.endswith("_PORT") and "://" in value)
