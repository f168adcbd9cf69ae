"""What the service says of itself while its database is held, or its clockwork stands."""

import threading

import pytest
from sqlite_utils.utils import sqlite3  # ours: locks of two libraries in a process are blind
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.app.service.clockwork import Service
from bot.app.service.vitals import Vitals
from bot.sources import SourceFault
from bot.web import health
from tests.app.house import about


@pytest.fixture
def service(rooms) -> Service:
    return Service(rooms)


@pytest.fixture
def asked(rooms, service) -> TestClient:
    app = Starlette(routes=health.routes(Vitals(rooms, service)))
    return TestClient(app, client=("127.0.0.1", 1))


def test_while_another_program_holds_the_database_it_is_not_ready_and_then_it_is(
    rooms, asked, monkeypatch
):
    monkeypatch.setattr(health, "READY_WITHIN_S", 0.1)
    held = sqlite3.connect(
        rooms.store.engine.path, isolation_level=None, check_same_thread=False, timeout=5
    )
    held.execute("BEGIN IMMEDIATE")
    letting_go = threading.Timer(0.5, lambda: held.execute("ROLLBACK"))
    letting_go.start()

    assert asked.get("/readyz").status_code == 503

    letting_go.join()
    assert asked.get("/healthz").status_code == 200
    monkeypatch.setattr(health, "READY_WITHIN_S", 5.0)
    assert asked.get("/readyz").status_code == 200
    held.close()


def test_a_clockwork_that_stands_still_is_to_be_started_anew(asked, service, monkeypatch):
    assert asked.get("/healthz").status_code == 200

    monkeypatch.setattr(service.pulse, "still_s", lambda: 90.0)
    answer = asked.get("/healthz")
    assert answer.status_code == 503
    assert "90 s" in answer.json()["reason"]


@pytest.mark.parametrize(
    ("fault", "said", "trouble"),
    [
        (SourceFault.BLOCKED, "arXiv refuses us (403)", True),
        (SourceFault.PERMANENT, "cs.XX is no category", True),
        (SourceFault.TRANSIENT, "arXiv answered 503", False),
    ],
)
def test_what_stopped_a_source_is_told_apart(rooms, asked, arxiv, clock, fault, said, trouble):
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    arxiv.fail(fault, said)
    rooms.core.ingest(arxiv)

    told = asked.get("/healthz").json()
    assert told["arxiv"]["sources"][0]["outcome"] == fault.value
    assert told["arxiv"]["sources"][0]["reason"] == said
    assert any(said in each for each in told["troubles"]) is trouble


def test_metrics_are_served_as_they_are_counted(asked):
    answer = asked.get("/metrics")

    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "paperround_build_info" in answer.text
