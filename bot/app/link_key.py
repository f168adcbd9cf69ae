"""The secret that signs links: made once for an installation, whole from its first moment."""

import os
import secrets
from pathlib import Path

from bot.config import ConfigError
from bot.store.sqlite import KEY, SqliteStore

SIZE, ENOUGH = 32, 16  # bytes


def kept(folder: Path, store: SqliteStore) -> bytes:
    """The key beside the database, made where nobody can hold a link yet.

    Raises ConfigError where it was lost or spoilt: another one would void every link in mails
    sent so far, those for leaving included.
    """
    path = folder / KEY
    try:
        if not path.exists():
            _make(path, store)
        return _read(path)
    except OSError as error:
        raise _unusable(path, error.strerror or "") from None
    except ValueError as error:
        raise _unusable(path, str(error)) from None


def _make(path: Path, store: SqliteStore) -> None:
    """Of several that start at once one makes it: whoever may write to the database."""
    with store.write():
        if path.exists():
            return
        if store.people.everyone():
            raise ValueError("it is missing, and people have links that it signed")
        draft = path.with_name(f".{KEY}.new")
        draft.touch(mode=0o600)  # for its owner alone, from the first byte
        with draft.open("w", encoding="ascii") as file:
            file.write(secrets.token_hex(SIZE))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


def _read(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        key = b""
    if len(key) < ENOUGH:
        raise ValueError("it is empty, cut off or no key")
    return key


def _unusable(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"{path}, the key that signs links, cannot be used ({why}); put the one of a backup there, "
        f"or a new one (openssl rand -hex {SIZE}): links in mails sent so far stop working then"
    )
