"""What is wrong with a configuration, in one sentence: where, which key, what to write instead."""

import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError

from bot.config import environment
from bot.config.keys import KEYS, SECRETS, no_key
from bot.config.settings import Config
from bot.config.values import veiled

_NAMED = re.compile(r"[a-z]+\.[a-z_]+")
_WANTED = {
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "write a whole number"),
    **dict.fromkeys(("float_parsing", "float_type"), "write a number"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "write true or false"),
    **dict.fromkeys(("string_type", "path_type"), "write it between quotes"),
    "tuple_type": "write a list, with each of its parts between quotes",
}


def sentence(path: Path | None, error: ValidationError | SettingsError) -> str:
    """The first thing that is wrong.  A value that may be a password is not repeated."""
    if isinstance(error, SettingsError):
        return _no_table(error)
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"][:2])  # of a list: the whole, not its place
    return _where(path, _blamed(key, first)) + _wrong(key, first)


def _where(path: Path | None, key: str) -> str:
    """The variable that sets the key, else the file."""
    place = environment.set_by(key) or path
    return f"{place}: " if place else ""


def _wrong(key: str, error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return no_key(key)
    if error["type"] == "value_error":  # says itself what to do
        named = f"{key}: " if key in KEYS else ""
        return f"{named}{error['ctx']['error']}"
    if key not in KEYS:  # not repeated: it may hold passwords
        return f"{key} is no table; write [{key}] once, and its keys below it"
    given, wrong = _shown(key, error["input"]), error["msg"].lower()
    return f"{key} is {given}: {_WANTED.get(error['type'], f'{wrong}; correct it')}"


def _no_table(error: SettingsError) -> str:
    """A whole table in one variable would be JSON, which nobody means to write."""
    part = next((each for each in Config.model_fields if f'"{each}"' in str(error)), "")
    example = environment.variable(next(key for key in KEYS if key.startswith(part)))
    table = environment.variable(part)
    return f"{table} is a table; unset it, and set its keys one by one, as {example}"


def _blamed(key: str, error: Any) -> str:
    """The key that is wrong: of a whole table, the first that the sentence about it names."""
    named = _NAMED.search(str(error.get("ctx", {}).get("error", "")))
    return named[0] if named and named[0] in KEYS and key not in KEYS else key


def _shown(key: str, given: object) -> str:
    if not isinstance(given, str | int | float):
        return f"a {'list' if isinstance(given, list) else 'table'}"
    return "“***”" if key in SECRETS else f"“{veiled(str(given))}”"
