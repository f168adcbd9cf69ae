"""Fixtures only.  Time stands still; what people see is compared with tests/golden."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

from bot.store.sqlite.engine import Engine
from tests import databases
from tests.fakes import FrozenClock

HERE = Path(__file__).parent

settings.register_profile("patient", deadline=None)  # a busy machine is no fault of a test's
settings.load_profile("patient")

# Each worker, and each process that a test starts, would compile a thousand modules anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the golden files anew")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of all tests, each worker reads another part first: what one compiles, the others load."""
    worker = getattr(session.config, "workerinput", None)
    if worker and session.config.args == session.config.getini("testpaths"):
        modules = [path.relative_to(HERE.parent) for path in sorted(HERE.rglob("test_*.py"))]
        first = len(modules) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        for path in modules[first:] + modules[:first]:
            with suppress(Exception, pytest.skip.Exception):  # said again where it is collected
                import_module(".".join(path.with_suffix("").parts))


@pytest.fixture(autouse=True, scope="session")
def _new_databases_are_copies():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "_migrate", databases.copied)
        yield


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare with a file of tests/golden; `pytest --accept` writes it anew."""

    def check(name: str, actual: str | bytes) -> None:
        raw = actual.encode() if isinstance(actual, str) else actual
        path = HERE / "golden" / name
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
        assert raw == path.read_bytes()

    return check


@pytest.fixture
def shared() -> Path:
    """Real papers and tools beside the checkout; absent on most machines."""
    folder = HERE.parent.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("the shared folder with real papers is not beside this checkout")
    return folder
