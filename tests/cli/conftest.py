"""A folder to work in, and a catalogue that is quickly learnt."""

from pathlib import Path

import pytest

from bot.app import wiring
from tests.app.house import TOPICS


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wiring, "catalogue", lambda: TOPICS)
    return tmp_path
