"""The configuration in force, and which of its origins has the last word."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict, SettingsError

from bot.config import environment, files
from bot.config.complaint import sentence
from bot.config.errors import ConfigError
from bot.config.keys import KEYS, SECRETS, no_key
from bot.config.settings import Config


def load(path: Path | None = None) -> Config:
    """The configuration from a file, then the environment over it, then secret files.

    Without a path: $PAPERROUND_CONFIG, ./paperround.toml, ./config/paperround.toml, else the
    defaults.  ``PAPERROUND_MAIL__PASSWORD_FILE`` names a file that holds ``mail.password``.
    An empty variable sets nothing.  Raises ConfigError.
    """
    found = files.in_force(path)
    if found:
        files.read(found)  # says clearly what is wrong with the file itself

    class Loaded(Config):
        model_config = SettingsConfigDict(toml_file=found)

    _refuse_unknown()
    _refuse_quoted()
    try:
        return Loaded(**environment.secrets())
    except (ValidationError, SettingsError) as error:
        raise ConfigError(sentence(found, error)) from None


def overridden(path: Path | None = None) -> dict[str, str]:
    """The keys that stand in the file and are set otherwise, each with the variable that wins."""
    return {
        key: variable
        for key, value in _written(files.in_force(path)).items()
        if (variable := environment.set_by(key))
        and environment.value(variable) != _as_variable(value)
    }


def holding_secrets(path: Path | None = None) -> list[Path]:
    """The files in force that hold a secret: named by the environment, or the settings' own."""
    found = files.in_force(path)
    inside = any(
        key.lower() in SECRETS and isinstance(value, str) and value
        for key, value in _written(found).items()
    )
    return [*environment.secret_paths(), *([found] if found and inside else [])]


def _refuse_unknown() -> None:
    """A typing error in the name of a variable would go unseen."""
    parts = {key.partition(".")[0] for key in KEYS} | {"config"}
    if found := environment.unknown(KEYS, parts):
        name, key = found
        raise ConfigError(f"the variable {name} sets nothing: {no_key(key)}")


def _refuse_quoted() -> None:
    """Shells take them away; Docker's files of variables and lists of Compose keep them."""
    if name := environment.quoted():
        raise ConfigError(
            f"the value of {name} stands in quotes, which are a part of it there; leave them out "
            f"(a secret that has them can be put into a file: {name}_FILE)"
        )


def _written(path: Path | None) -> dict[str, Any]:
    return _flat(files.read(path)) if path else {}


def _flat(written: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their whole key, as "mail.host"."""
    found: dict[str, Any] = {}
    for part, inner in written.items():
        keys = inner if isinstance(inner, dict) else {"": inner}
        found |= {f"{part}.{key}".rstrip("."): value for key, value in keys.items()}
    return found


def _as_variable(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
