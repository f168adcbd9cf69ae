"""Which processes work on a data folder."""

import errno
import fcntl
from threading import Timer

import pytest

from bot.app.locks import Occupied, is_served, nobody_sends, only_service, sending
from bot.config import ConfigError


def test_a_folder_has_one_service(tmp_path):
    with only_service(tmp_path):
        assert is_served(tmp_path)
        with pytest.raises(Occupied, match="already serves"), only_service(tmp_path):
            pass

    assert not is_served(tmp_path)


def test_whoever_only_asks_keeps_no_service_from_starting(tmp_path):
    with (tmp_path / "service.lock").open("w") as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert not is_served(tmp_path)
        Timer(0.02, fcntl.flock, (asking, fcntl.LOCK_UN)).start()

        with only_service(tmp_path):
            assert is_served(tmp_path)


def test_several_may_send(tmp_path):
    with sending(tmp_path), sending(tmp_path):
        assert not nobody_sends(tmp_path)

    assert nobody_sends(tmp_path)


@pytest.mark.parametrize("ask", [only_service, sending])
def test_where_nothing_can_be_locked_nobody_is_said_to_serve(tmp_path, monkeypatch, ask):
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refused)

    with pytest.raises(ConfigError, match=r"No locks available.*keep the data folder on a local"):
        ask(tmp_path).__enter__()
