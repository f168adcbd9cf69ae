"""Three pages for machines that watch."""

import time

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.web import health


class Patient:
    """Vitals as a test wants them."""

    dead = ""
    unready = ""
    broken = False
    slow_s = 0.0

    def alive(self) -> str:
        return self.dead

    def ready(self) -> str:
        time.sleep(self.slow_s)
        return self.unready

    def standing(self) -> dict[str, object]:
        if self.broken:
            raise OSError("disk I/O error")
        return {"troubles": ["mail.example.org refuses the password (535)"]}

    def metrics(self) -> bytes:
        return b"paperround_papers 3.0\n"


@pytest.fixture
def patient() -> Patient:
    return Patient()


@pytest.fixture
def local(patient) -> TestClient:
    return TestClient(Starlette(routes=health.routes(patient)), client=("127.0.0.1", 5000))


@pytest.fixture
def stranger(patient) -> TestClient:
    return TestClient(Starlette(routes=health.routes(patient)), client=("203.0.113.9", 5000))


def test_a_process_that_lives_says_so_and_what_is_wrong_outside(local):
    answer = local.get("/healthz")

    assert answer.status_code == 200
    assert answer.json()["troubles"] == ["mail.example.org refuses the password (535)"]


def test_a_clockwork_that_stands_still_is_503(local, patient):
    patient.dead = "the clockwork has stood still for 73 s"

    answer = local.get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["reason"] == patient.dead


def test_a_database_that_cannot_be_read_does_not_kill_the_process(local, patient):
    patient.broken = True

    answer = local.get("/healthz")

    assert answer.status_code == 200
    assert "disk I/O error" in answer.json()["troubles"][0]


def test_ready_is_said_with_its_reason(local, patient):
    assert local.get("/readyz").status_code == 200

    patient.unready = "stopping"
    answer = local.get("/readyz")
    assert (answer.status_code, answer.json()["reason"]) == (503, "stopping")


def test_a_database_that_takes_longer_than_a_second_is_not_ready(local, patient, monkeypatch):
    monkeypatch.setattr(health, "READY_WITHIN_S", 0.05)
    patient.slow_s = 0.3

    assert local.get("/readyz").status_code == 503


def test_a_stranger_hears_yes_or_no_and_no_figures(stranger, patient):
    assert stranger.get("/healthz").json() == {"ok": True, "reason": ""}
    assert stranger.get("/metrics").status_code == 403

    patient.unready = "the disk is full"
    assert stranger.get("/readyz").json() == {"ok": False, "reason": ""}


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_a_guest_of_the_proxy_on_this_machine_is_a_stranger(local, header):
    assert local.get("/metrics", headers={header: "203.0.113.9"}).status_code == 403


def test_nobody_from_a_proxys_address_sees_figures_though_the_proxy_adds_no_header(patient):
    app = Starlette(routes=health.routes(patient, health.LOCAL, ["127.0.0.2/32"]))
    guest, watcher = (
        TestClient(app, client=("127.0.0.2", 1)),
        TestClient(app, client=("127.0.0.1", 1)),
    )

    assert guest.get("/metrics").status_code == 403
    assert guest.get("/healthz").json() == {"ok": True, "reason": ""}
    assert watcher.get("/metrics").status_code == 200


def test_networks_that_watch_can_be_named(patient):
    app = Starlette(routes=health.routes(patient, ["203.0.113.0/24"]))

    assert TestClient(app, client=("203.0.113.9", 1)).get("/metrics").status_code == 200
    assert TestClient(app, client=("127.0.0.1", 1)).get("/metrics").status_code == 403
    assert TestClient(app, client=("::ffff:203.0.113.9", 1)).get("/metrics").status_code == 200
