"""The life of an installation as its README tells it: typed, and compared with what was seen."""

import re
from pathlib import Path

from bot.app import wiring
from tests.app.house import TOPICS
from tests.cli.typed import typed

README = Path(__file__).parent.parent / "README.md"

LIFE = [
    "init",
    "check-config",
    "doctor --offline",
    'do --as email:ada@example.org "follow world models"',
    "people ls",
    "status",
    "backup",
    "person export email:ada@example.org",
    "person erase email:ada@example.org --yes",
    "people ls",
    "restore latest",
    "people ls",
    "queue ls --held",
    "person erase email:ada@example.org --yes",
]


def test_a_life_as_it_is_typed_and_seen(tmp_path, monkeypatch, golden):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wiring, "catalogue", lambda: TOPICS)
    now = "--now 2026-11-26T09:00:00Z"
    seen = []
    for line in LIFE:
        said = typed(f"{now} {line}")
        seen.append(f"$ paperround {line}\n{said.all}")
        assert said.code == 0, said.all
        assert "Traceback" not in said.all

    golden("life.txt", _steady("\n".join(seen)))


def test_the_readme_shows_every_line_of_it():
    text = README.read_text(encoding="utf-8")

    missing = [line for line in LIFE if f"paperround {line}" not in text]
    assert not missing


def _steady(text: str) -> str:
    """Without what differs from machine to machine and from second to second."""
    for pattern, word in (
        (r"\d{4}-\d\d-\d\dT\d{6}Z(-\d+)?", "STAMP"),
        (r"begins in \S+/paperround-data", "begins in FOLDER"),
        (r"Python 3\.\d+\.\d+", "Python 3.x"),
        (r"tzdata \S+", "tzdata x"),
        (r"(!|✓) sqlite +SQLite [^\n]*\n(?: +pip[^\n]*\n)?", "✓ sqlite        SQLite x\n"),
        (r"✓ filesystem    \S+,", "✓ filesystem    x,"),
        (r"[\d,.]+ MB", "x MB"),
        (r"(!|✓) disk          [^\n]*\n(?: +free[^\n]*\n)?", "✓ disk          x GB free\n"),
        (r"(!|✓) disk speed    [^\n]*\n(?: +sending[^\n]*\n)?", "✓ disk speed    x ms\n"),
        (r"\d+ warnings?\.", "x warnings."),
        (r"(next|Thu|Fri|Mon|Tue|Wed|Sat|Sun) (\d+ \w+ )?\d\d:\d\d", r"\1 HH:MM"),
        (r"2026-1[12]-\d\dT\d\d:\d\d:\d\d\.\d+", "INSTANT"),
    ):
        text = re.sub(pattern, word, text)
    return text
