"""`paperround run` as a process: it answers, logs JSON, and ends with 0 when it is told to stop."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from tests.arxiv_server import ArxivServer
from tests.cli.typed import typed

ROOT = Path(__file__).parent.parent.parent
SECRET = "a-password-nobody-may-read"


@pytest.mark.parametrize(
    ("program", "ending"),
    [
        ("tests.cli.few_topics", signal.SIGTERM),
        pytest.param("bot", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("bot", signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_service_answers_logs_and_stops(here, tmp_path, monkeypatch, program, ending):
    with ArxivServer() as arxiv:
        arxiv.fail(status=503, times=100)
        port = _free_port()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PAPERROUND_DATA": str(tmp_path / "data"),
            "PAPERROUND_WEB__PORT": str(port),
            "PAPERROUND_ARXIV__API_URL": arxiv.api_url,
            "PAPERROUND_ARXIV__RSS_URL": f"{arxiv.url}/rss",
            "PAPERROUND_ARXIV__OAI_URL": f"{arxiv.url}/oai",
            "PAPERROUND_ARXIV__DELAY_S": "0",
            "PAPERROUND_MAIL__PASSWORD": SECRET,
        }
        service = subprocess.Popen(
            [sys.executable, "-m", program, "run"], env=environment, cwd=tmp_path, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # no `nohup` of ours
        )  # fmt: skip
        try:
            health = _answer(f"http://127.0.0.1:{port}/healthz")
            ready = _answer(f"http://127.0.0.1:{port}/readyz")
            metrics = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=10).text
            for name, value in environment.items():
                monkeypatch.setenv(name, value)
            monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # as Docker passes it on
            asked, second = typed("healthcheck"), typed("run")
        finally:
            service.send_signal(ending)
            said, _ = service.communicate(timeout=90)

    assert service.returncode == 0, said
    assert health["ok"]
    assert ready["ok"]
    assert health["arxiv"]["silence"] in ("never", "overdue", "not yet", "current")
    assert [f.name for f in text_string_to_metric_families(metrics) if "build_info" in f.name]
    assert (asked.code, asked.out) == (0, "ok\n")
    assert second.code == 1, "a supervisor tries again"
    assert "already serves" in second.err
    lines = [json.loads(line) for line in said.splitlines()]
    assert all({"ts", "level", "event"} <= set(line) for line in lines)
    assert SECRET not in said


def _answer(url: str, within_s: float = 90) -> dict:
    end = time.monotonic() + within_s
    while True:
        try:
            return requests.get(url, timeout=5).json()
        except requests.RequestException:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
