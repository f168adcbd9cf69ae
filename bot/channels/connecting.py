"""A connection to a host that may have several addresses, not all of which answer."""

import asyncio
import socket

from aiohappyeyeballs import start_connection

_NEXT_AFTER_S = 0.25
"""So long one address is waited for before the next is tried beside it."""


async def reached(host: str, port: int, within_s: float) -> socket.socket:
    """Connected to whichever address answers first (RFC 8305).  Raises OSError.

    Where IPv6 is only half there, or closed to mail, it is silent.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(within_s):
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return await start_connection(found, happy_eyeballs_delay=_NEXT_AFTER_S)
