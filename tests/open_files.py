"""How many files, sockets and pipes this process holds open."""

import os
from pathlib import Path

import pytest

FOLDERS = (Path("/proc/self/fd"), Path("/dev/fd"))


def open_files() -> int:
    """Their number; a test that asks is skipped where the system does not say."""
    for folder in FOLDERS:
        if folder.is_dir():
            return len(os.listdir(folder))
    pytest.skip("this system does not say which files are open")
