"""What is printed goes where it can: a closed, full or narrow stream is no fault of ours."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.model import utc_now
from tests.arxiv_server import ArxivServer, many

TOP = Path(__file__).parents[2]
PEOPLE = "--data d people ls"


@pytest.fixture
def begun(tmp_path) -> Path:
    """A folder whose installation is no news any more."""
    begin = f"{sys.executable} -m tests.cli.few_topics"
    shell(f"{begin} --data d people ls; {begin} people ls", tmp_path)
    return tmp_path


def shell(line: str, here: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], cwd=here, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(TOP), **environment},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_nowhere(begun, closed):
    said = shell(f"{sys.executable} -m bot {PEOPLE} {closed}", begun)

    assert said.returncode == 0
    assert said.stderr == ""


@pytest.mark.slow
def test_a_stream_of_few_letters_shows_the_rest_as_question_marks(begun):
    said = shell(f"{sys.executable} -m bot --data d doctor --offline", begun,
                 PYTHONIOENCODING="latin-1")  # fmt: skip

    assert said.stderr == ""
    assert "? python        Python 3" in said.stdout


@pytest.mark.parametrize(
    "program", ["tests.cli.few_topics", pytest.param("bot", marks=pytest.mark.slow)]
)
def test_a_full_disk_under_the_output_is_said_once(tmp_path, program):
    said = shell(f"{sys.executable} -m {program} {PEOPLE} > /dev/full", tmp_path)
    *_, last = said.stderr.splitlines()

    assert said.returncode == 1
    assert last.startswith("Error: the system refused (No space left on device)")
    assert said.stderr.count("Error") == 1


@pytest.mark.slow
def test_a_folder_that_cannot_take_the_mail_of_try_is_explained(tmp_path):
    (tmp_path / "paperround-try").write_text("in the way")
    said = shell(f"{sys.executable} -m bot try --sample", tmp_path)

    assert said.returncode == 1
    assert "Error: the mail folder paperround-try cannot be written" in said.stderr


@pytest.mark.parametrize(
    "command",
    [
        "poll",
        pytest.param("backfill --weeks 1", marks=pytest.mark.slow),
        pytest.param("try --days 1 tides", marks=pytest.mark.slow),
    ],
)
def test_whoever_watches_sees_why_it_stands_still_and_until_when(tmp_path, command):
    """An outage lasts for minutes, and a person at a terminal would think that it hangs."""
    with ArxivServer(many(3, utc_now())) as arxiv:
        before = 1 if command.startswith("try") else 0  # it begins with one short try
        arxiv.before = lambda asked: arxiv.fail(status=500) if asked >= before else None
        said = _seen_by_a_person(command, tmp_path, arxiv, until=b"asking again in")

    assert b"arXiv answered 500; asking again in " in said


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("try --sample tides", marks=pytest.mark.slow),
        pytest.param("do --as console:me help", marks=pytest.mark.slow),
        "--help",
    ],
)
def test_a_reader_who_has_seen_enough_is_no_failure(begun, command):
    said = shell(f"{sys.executable} -m bot {command} | true; echo ${{PIPESTATUS[0]}}", begun)

    assert (said.stdout, said.stderr) == ("0\n", "")


def _seen_by_a_person(command: str, here: Path, arxiv: ArxivServer, until: bytes) -> bytes:
    """What a terminal shows of a command up to some words; it is ended then."""
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.few_topics", *command.split()],
        cwd=here, stdout=theirs, stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(TOP), "TERM": "xterm", "COLUMNS": "200",
             "PAPERROUND_ARXIV__API_URL": arxiv.api_url, "PAPERROUND_ARXIV__DELAY_S": "0"},
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    try:
        while until not in seen and select.select([ours], [], [], 120)[0]:
            seen += os.read(ours, 1 << 16)
        time.sleep(0.2)
        seen += os.read(ours, 1 << 16)
    finally:
        running.kill()
        running.wait()
        os.close(ours)
    return seen
