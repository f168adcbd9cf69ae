"""What travels with the package for installing it: Dockerfile, Compose, systemd, Grafana."""

import configparser
import json
import re
import shutil
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest

from bot import __version__
from bot.app.metrics import Metrics
from bot.app.service.supervisor import Supervisor
from bot.cli import COMMANDS
from bot.config import KEYS, load, packaged
from bot.store.sqlite import SqliteStore
from tests.fakes import FrozenClock

ROOT = Path(__file__).parent.parent
CONFIG = ROOT / "config"
METRIC = re.compile(r"paperround_[a-z_]+")


@pytest.fixture
def names() -> set[str]:
    """Every sample name that /metrics can show."""
    store = SqliteStore()
    metrics = Metrics(store, FrozenClock())
    described = re.findall(r"^# TYPE (\S+) (\S+)", metrics.text().decode(), re.MULTILINE)
    store.close()
    found = set()
    for name, kind in described:
        found.add(name)
        endings = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("_sum", "_count")}
        found |= {name + ending for ending in endings.get(kind, ())}
    return found


def asked(text: str) -> set[str]:
    return set(METRIC.findall(text))


def test_every_panel_asks_for_a_metric_that_is_there(names):
    board = json.loads((CONFIG / "grafana.json").read_text())
    exprs = [target["expr"] for panel in board["panels"] for target in panel["targets"]]

    assert exprs
    assert asked(" ".join(exprs)) <= names
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_every_rule_asks_for_a_metric_that_is_there(names):
    text = (CONFIG / "alerts.yaml").read_text()

    assert asked(text) <= names
    assert text.count("expr:") == text.count("summary:") == 10
    assert "absent(paperround_build_info)" in text, "a process that is gone has no figures"


def test_the_image_is_small_rootless_and_says_whether_it_lives():
    text = (ROOT / "Dockerfile").read_text()

    assert text.count("FROM ${BASE}") == 2
    assert "USER 10001:10001" in text
    assert "groupadd --system --gid 10001 paperround" in text, "the group that /data belongs to"
    assert "useradd --system --uid 10001 --gid 10001 " in text
    assert '["paperround", "healthcheck"]' in text
    assert '"paperround[sqlite]"' in text
    assert "STOPSIGNAL SIGTERM" in text
    for words in re.findall(r"^(?:ENTRYPOINT|CMD) (\[.*\])", text, re.MULTILINE):
        assert json.loads(words)[0] in {"paperround", *COMMANDS}


@pytest.mark.parametrize("name", ["Dockerfile", "config/compose.yaml", "config/paperround.service"])
def test_every_setting_in_it_exists(name):
    text = (ROOT / name).read_text()
    known = {f"PAPERROUND_{key.upper().replace('.', '__')}" for key in KEYS}
    known |= {f"{key}_FILE" for key in known} | {"PAPERROUND_CONFIG"}

    assert set(re.findall(r"PAPERROUND_[A-Z_]+", text)) <= known


def test_compose_hardens_it_and_brings_a_catcher_only_for_trying():
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]

    assert services["paperround"]["read_only"] is True
    assert services["paperround"]["cap_drop"] == ["ALL"]
    assert services["paperround"]["image"] == f"paperround:{__version__}"
    assert services["catcher"]["profiles"] == ["try"]
    assert all("/tmp" in each["tmpfs"] for each in services.values() if each["read_only"])
    ports = [port for service in services.values() for port in service["ports"]]
    assert all(port.startswith("127.0.0.1:") for port in ports)


def composed() -> dict[str, str]:
    """What compose sets in the container where nobody set anything outside of it."""
    yaml = pytest.importorskip("yaml")
    service = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]["paperround"]
    return dict(each.split("=", 1) for each in service["environment"] if "=" in each)


def test_what_the_readme_exports_reaches_the_container():
    yaml = pytest.importorskip("yaml")
    service = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]["paperround"]
    blocks = re.findall(r"^ *```\n(.*?)^ *```", (ROOT / "README.md").read_text(), re.M | re.S)
    exported = re.findall(r"(PAPERROUND_[A-Z_]+)=", "".join(blocks))

    assert "PAPERROUND_SLACK__BOT_TOKEN" in exported
    assert set(exported) <= set(service["environment"])


def test_a_file_mounted_into_the_container_is_in_force(tmp_path, monkeypatch):
    for name, value in composed().items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "paperround.toml"
    path.write_text(
        '[mail]\nhost = "smtp.lab.example"\nport = 25\ntls = "none"\nusername = "u"\n'
        'sender = "Lab <p@lab.example>"\n[arxiv]\ncontact = "ops@lab.example"\n'
        '[web]\naddress = "https://papers.lab.example"\nproxies = ["10.0.0.0/8"]\n'
        '[operator]\nalert = "email:ops@lab.example"\n'
    )

    given, read = tomllib.loads(path.read_text()), load(path).model_dump(mode="json")
    assert {part: {key: read[part][key] for key in keys} for part, keys in given.items()} == given


def test_a_newcomer_who_types_the_readme_finds_the_command():
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    first = next(block for block in blocks if "paperround backfill" in block)
    by_hand = next(block for block in blocks if "paperround check-config" in block)

    for block in (first, by_hand):
        assert block.index(". .venv/bin/activate") < block.index("\npaperround ")


def test_every_dependency_says_since_which_version_it_will_do():
    """An old tzdata that is there already knows no Europe/Kyiv, and pip leaves it in place."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert [each for each in project["dependencies"] if ">=" not in each] == []


def test_the_unit_runs_as_nobody_and_is_watched():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(CONFIG / "paperround.service")
    service = unit["Service"]

    assert service["Type"] == "notify"
    assert (service["User"], service["NoNewPrivileges"]) == ("paperround", "yes")
    assert "DynamicUser" not in service, "its data would be out of reach of commands by hand"
    assert service["RestartPreventExitStatus"] == "2", "a wrong setting is not mended by a restart"
    assert service["TimeoutStartSec"] == "infinity", "copies before an upgrade are not cut short"
    assert service["ProtectSystem"] == "strict"
    assert service["ExecStart"].endswith("paperround run")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_finds_little_exposed(tmp_path):
    shutil.copy(CONFIG / "paperround.service", tmp_path)
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20",
         str(tmp_path / "paperround.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert said.returncode == 0, said.stdout[-400:]


def test_a_supervisor_hears_that_it_is_ready(tmp_path):
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(path))
        supervisor = Supervisor(str(path))
        supervisor.ready()
        supervisor.alive()

        assert [heard.recv(100), heard.recv(100)] == [b"READY=1", b"WATCHDOG=1"]


def test_without_a_supervisor_nothing_is_said(tmp_path):
    Supervisor("").ready()
    Supervisor(str(tmp_path / "nobody")).stopping()


def test_what_an_operator_puts_into_a_checkout_gets_into_no_package_and_no_image():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    packed = build["targets"]["wheel"]["force-include"]
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    sent = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    theirs = re.findall(r"(?:file: |- )(\.\.?/[\w/.]+)", (CONFIG / "compose.yaml").read_text())

    assert set(" ".join(copied).split()) == set(sent)
    assert all(packaged(Path(each).name).exists() for each in packed)
    assert [each for each in packed if (ROOT / each).is_dir()] == ["config/topics"]
    assert len(theirs) == 4
    assert not [each for each in theirs if (CONFIG / each).resolve().is_relative_to(CONFIG)]
