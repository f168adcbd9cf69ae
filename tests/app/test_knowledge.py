"""The mark of what the packaged files know: the same until one of them changes."""

import shutil
from types import ModuleType

import pytest

from bot import config
from bot.app import knowledge


@pytest.fixture
def copied(tmp_path, monkeypatch):
    shutil.copytree(config.packaged(""), tmp_path / "config")
    monkeypatch.setattr(config, "packaged", lambda name: tmp_path / "config" / name)
    return tmp_path / "config"


def test_a_copy_has_the_same_mark(copied, monkeypatch):
    mark = knowledge.mark()
    monkeypatch.undo()

    assert knowledge.mark() == mark


@pytest.mark.parametrize(
    "changed", ["thesaurus.toml", "languages.toml", "company.toml", "topics/*.toml"]
)
def test_a_letter_in_a_file_makes_another(copied, changed):
    mark = knowledge.mark()
    path = next(copied.glob(changed))
    path.write_text(path.read_text(encoding="utf-8") + "#", encoding="utf-8")

    assert knowledge.mark() != mark


def test_a_topic_that_is_listed_no_more_makes_another(copied):
    mark = knowledge.mark()
    next(copied.glob("topics/*.toml")).unlink()

    assert knowledge.mark() != mark


def test_a_line_of_code_in_a_room_within_one_makes_another(tmp_path, monkeypatch):
    """Names are read by the rooms of matching: followed ones are read anew when these change."""
    inner = tmp_path / "matching" / "names" / "naming.py"
    inner.parent.mkdir(parents=True)
    inner.write_text("WIDE = 3\n", encoding="utf-8")
    room = ModuleType("matching")
    room.__file__ = str(tmp_path / "matching" / "__init__.py")
    monkeypatch.setattr(knowledge, "READ_BY", (room,))
    mark = knowledge.mark()
    inner.write_text("WIDE = 4\n", encoding="utf-8")

    assert knowledge.mark() != mark
