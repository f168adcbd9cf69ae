"""What is printed goes where it can: a closed, full or narrow stream is no fault of ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
STATUS = f"{sys.executable} -m bot --data d people ls"


def shell(line: str, here: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], cwd=here, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(TOP), **environment},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_nowhere(tmp_path, closed):
    said = shell(f"{STATUS} {closed}", tmp_path)

    assert said.returncode == 0
    assert said.stderr == ""


@pytest.mark.slow
def test_a_stream_of_few_letters_shows_the_rest_as_question_marks(tmp_path):
    said = shell(f"{sys.executable} -m bot --data d doctor --offline", tmp_path,
                 PYTHONIOENCODING="latin-1")  # fmt: skip

    assert said.stderr == ""
    assert "? python        Python 3" in said.stdout


def test_a_full_disk_under_the_output_is_said_once(tmp_path):
    said = shell(f"{STATUS} > /dev/full", tmp_path)

    assert said.returncode == 1
    assert said.stderr.startswith("Error: the system refused (No space left on device)")
    assert said.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_folder_that_cannot_take_the_mail_of_try_is_explained(tmp_path):
    (tmp_path / "paperround-try").write_text("in the way")
    said = shell(f"{sys.executable} -m bot try --sample", tmp_path)

    assert said.returncode == 1
    assert "Error: the mail folder paperround-try cannot be written" in said.stderr
