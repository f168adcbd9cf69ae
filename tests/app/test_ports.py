"""Where the pages listen: every kind of host that a machine has."""

import errno
import socket

import pytest

from bot.app.locks import Occupied
from bot.app.service.listening import _unbound, listener
from bot.config import ConfigError

LOOPBACK6 = socket.has_dualstack_ipv6()


@pytest.mark.parametrize(
    ("host", "reached"),
    [("127.0.0.1", ["127.0.0.1"]), ("localhost", ["127.0.0.1"]), ("", ["127.0.0.1"]),
     pytest.param("::1", ["::1"], marks=pytest.mark.skipif(not LOOPBACK6, reason="no IPv6")),
     pytest.param("::", ["::1", "127.0.0.1"],
                  marks=pytest.mark.skipif(not LOOPBACK6, reason="no IPv6"))],
)  # fmt: skip
def test_a_host_of_either_kind_is_listened_on(host, reached):
    with listener(host, 0) as bound:
        port = bound.getsockname()[1]
        for address in reached:
            socket.create_connection((address, port), timeout=5).close()


def test_a_port_that_is_taken_is_named():
    with listener("127.0.0.1", 0) as bound, pytest.raises(Occupied, match="stop what lis"):
        listener("127.0.0.1", bound.getsockname()[1])


@pytest.mark.parametrize("host", ["192.0.2.1", "nobody.invalid"])
def test_a_host_that_this_machine_does_not_have_yet_is_tried_again(host):
    with pytest.raises(Occupied, match=f"“{host}” is no address of this machine now"):
        listener(host, 0)


def test_a_port_of_root_is_a_setting_to_change():
    with pytest.raises(ConfigError, match="set one above 1023"):
        raise _unbound("127.0.0.1", 80, PermissionError(errno.EACCES, "Permission denied"))
