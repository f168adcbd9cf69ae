"""systemd: when we are ready, that we are alive, when we stop (sd_notify(3)).

Without a supervisor that asks for it nothing is said.
"""

import socket
from contextlib import suppress


class Supervisor:
    """Speaks to the socket that systemd named; "" is nobody."""

    def __init__(self, address: str) -> None:
        # A leading @ stands for the abstract namespace, whose names begin with a zero byte.
        self._address = "\0" + address[1:] if address.startswith("@") else address

    def ready(self) -> None:
        """Everything is open."""
        self._say("READY=1")

    def alive(self) -> None:
        """The clockwork beats."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """What is in the air is being finished."""
        self._say("STOPPING=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as peer:
            peer.connect(self._address)
            peer.sendall(words.encode())
