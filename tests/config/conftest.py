"""A folder of its own, no variable of ours, and a file with what a test writes into it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import config


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [each for each in os.environ if each.upper().startswith(config.PREFIX)]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def written(here) -> Callable[[str], Path]:
    """The path of a configuration file that holds the text."""

    def write(text: str) -> Path:
        path = here / "some.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write
