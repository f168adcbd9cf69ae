"""How a typed command begins: it reads, imports and compiles only what it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.typed import typed

TOP = Path(__file__).parent.parent.parent
OUTSIDE = ("aiohttp", "aiosmtplib", "arxiv", "jinja2", "lxml", "requests", "slack_bolt")
FIRST = """
import os, signal, sys
os.getpid = lambda: 1
from bot.cli import main
sys.argv = ["paperround", "--version"]
try:
    main()
finally:
    signal.raise_signal(signal.SIGTERM)
"""
COMING_AND_GOING = """
import gc, sys
from bot.cli import main
sys.argv = ["paperround", "--version"]
try:
    main()
except SystemExit:
    kept = [[] for _ in range(300_000)]
before = gc.get_stats()[2]["collections"]
for _ in range(100):
    papers = [[] for _ in range(20_000)]
print(gc.get_stats()[2]["collections"] - before)
"""
MAILING = """
import sys, tempfile
from bot.app.wiring import build
from bot.config import Config
with tempfile.TemporaryDirectory() as folder:
    channel = build(Config(data=folder), topics=()).core.house.channels["email"]
slacks = ("aiohttp", "slack_bolt", "slack_sdk")
print(type(channel).__name__, [name for name in slacks if name in sys.modules])
"""
SERVING = """
import asyncio, os, signal, socket, sys, tempfile, threading
from bot.app.doctor.examination import examine
from bot.app.service.serve import serve
from bot.app.wiring import build
from bot.config import Arxiv, Config, Web
nowhere = Arxiv(**{f"{each}_url": "http://127.0.0.1:9/" for each in ("api", "rss", "oai")})
with socket.create_server(("127.0.0.1", 0)) as listener:
    port = listener.getsockname()[1]
def end():
    while not rooms.halt.wait(0.3):
        os.kill(os.getpid(), signal.SIGTERM)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with tempfile.TemporaryDirectory() as folder:
    rooms = build(Config(data=folder, arxiv=nowhere, web=Web(port=port)), topics=())
    checks = list(examine(rooms))
    threading.Thread(target=end, daemon=True).start()
    asyncio.run(serve(rooms))
slacks = ("aiohttp", "slack_bolt", "slack_sdk")
print(len(checks) > 5, [name for name in slacks if name in sys.modules], flush=True)
os._exit(0)
"""
LOOKING = f"""
import sys
from bot.app import wiring
from bot.cli import main
from bot.config import files
from tests.app.house import TOPICS
wiring.catalogue = lambda: TOPICS
read = []
whole = files.read
files.read = lambda path: read.append(path.name) or whole(path)
try:
    main()
finally:
    print([name for name in {OUTSIDE} if name in sys.modules], read)
"""


def looked(here: Path, command: str) -> str:
    """What a command prints in a process of its own, and then what it imported and read."""
    said = subprocess.run(
        [sys.executable, "-c", LOOKING, "--data", str(here / "d"), *command.split()],
        env={**os.environ, "PYTHONPATH": str(TOP)},
        cwd=here, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.parametrize(
    "command",
    [
        "do --as console:me list",
        *(
            pytest.param(c, marks=pytest.mark.slow)
            for c in ("status", "topics", "people ls", "queue ls")
        ),
    ],
)
def test_a_look_at_what_is_stored_reaches_nobody_and_needs_no_thesaurus(here, command):
    typed("--data d do --as console:me follow tides")
    assert looked(here, command).splitlines()[-1] == "[] ['calendar.toml']"


def test_what_is_kept_is_not_looked_through_for_papers_that_come_and_go():
    """The collector would stop everybody for half a second at every thousand of them."""
    said = subprocess.run(
        [sys.executable, "-c", COMING_AND_GOING],
        capture_output=True,
        text=True,
        cwd=TOP,
        check=True,
    )

    assert said.stdout.splitlines()[-1] == "0"


def test_a_question_waits_for_no_channel_and_no_model(here):
    typed("--data d do --as console:me follow tides")

    assert "[] [" in looked(here, "do --as console:me ask tides: what is new?").splitlines()[-1]


def test_a_mail_waits_for_nothing_of_slack(here):
    said = subprocess.run(
        [sys.executable, "-c", MAILING], capture_output=True, text=True, cwd=TOP, check=True
    )

    assert said.stdout == "Email []\n"


def test_a_service_without_slack_loads_nothing_of_it(here):
    """Nor does a whole examination, nor the look by which Docker sees whether it lives."""
    said = subprocess.run(
        [sys.executable, "-c", SERVING], capture_output=True, text=True, cwd=TOP, check=True
    )

    assert said.stdout.splitlines()[-1] == "True []"


def test_a_user_without_a_name_is_at_home_at_the_root(here, monkeypatch):
    """As containers make them up; slack_sdk cannot even be imported where Python finds no home."""

    def unknown(number):
        raise KeyError(number)

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.delenv("HOME", raising=False)

    assert typed("--version").code == 0
    assert Path.home() == Path("/")


def test_the_first_process_of_a_container_ends_when_it_is_told():
    """The kernel keeps from it what it did not ask for: it would run until it is killed."""
    said = subprocess.run(
        [sys.executable, "-c", FIRST], capture_output=True, text=True, cwd=TOP, check=False
    )

    assert said.returncode == 143, said.stderr


def test_whoever_types_in_another_folder_learns_that_all_begins_anew(here):
    first, second = typed("status"), typed("status")

    assert f"A new installation begins in {here / 'paperround-data'}" in first.err
    assert second.err == ""
