"""What the service says of itself while its database is held, or its clockwork stands."""

import resource
import threading
from contextlib import contextmanager

import pytest
from sqlite_utils.utils import sqlite3  # ours: locks of two libraries in a process are blind
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.app.service.clockwork import Service
from bot.app.service.vitals import Vitals
from bot.config import Operator
from bot.sources import SourceFault
from bot.web import health
from tests.app.house import about, open_rooms, send


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


@contextmanager
def a_disk_that_takes_no_byte():
    """As one that was mounted read-only in an emergency: all can be read, and locked."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_where_no_byte_can_be_written_it_is_not_ready_until_it_can(asked, service, rooms):
    with a_disk_that_takes_no_byte():
        ready, alive = asked.get("/readyz"), asked.get("/healthz")

    assert ready.status_code == 503
    assert "the database cannot be written" in ready.json()["reason"]
    assert alive.status_code == 200, "nobody is helped by a restart"
    assert "database cannot be written" in alive.json()["troubles"][0]
    assert asked.get("/readyz").status_code == 200
    assert not asked.get("/healthz").json()["troubles"]


async def test_that_nothing_could_be_written_for_long_is_told_once_it_can(tmp_path, clock, caplog):
    operator = Operator(alert="email:ops@example.org", backups=0)
    rooms, mailbox = open_rooms(tmp_path / "d", clock, operator=operator)
    service = Service(rooms)
    service.poll_due(lambda: True)  # it has caught up
    with a_disk_that_takes_no_byte():
        await service.watch()
        clock.forward(hours=3)
        await service.watch()
    assert [record.message for record in caplog.records] == ["needs somebody"]

    for _ in range(2):
        await service.watch()
        await send(rooms)
    (mail,) = mailbox.to("ops@example.org")
    assert b"Nothing could be written between" in mail
    rooms.close()


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
