"""Folders that are whole or not there, and survive a power cut."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.app.locks import working_in


@contextmanager
def draft_of(target: Path, *, keep: bool = True) -> Iterator[Path]:
    """A folder that becomes `target` when all went well, and nothing otherwise."""
    draft = target.with_name(f".{target.name.lstrip('.')}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    try:
        with working_in(draft):
            yield draft
        if keep:
            draft.replace(target)
            settle(target.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def copy_private(source: Path, target: Path) -> None:
    """Copy a secret: it is for its owner alone from the first moment."""
    target.touch(mode=0o600)
    target.write_bytes(source.read_bytes())


def settle(folder: Path) -> None:
    """Sync a folder, so that its names survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
