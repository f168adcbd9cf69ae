"""Reaching a mail server: of several addresses the one that answers, and the way to log in."""

import asyncio
import socket

import aiosmtplib
from aiohappyeyeballs import start_connection

_NEXT_AFTER_S = 0.25
"""How long to wait for one address before the next is tried beside it."""


async def reached(host: str, port: int, within_s: float) -> socket.socket:
    """Connected to whichever address answers first (RFC 8305).  Raises OSError.

    Where IPv6 is only half there, or closed to mail, it is silent.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(within_s):
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return await start_connection(found, happy_eyeballs_delay=_NEXT_AFTER_S)


_LOGINS = ("plain", "login", "cram-md5")
_NO_SUCH_WAY = (500, 502, 504)


async def log_in(client: aiosmtplib.SMTP, username: str, password: str) -> None:
    """Log in by the first offered way that the server has after all.

    What aiosmtplib would do, trying a password that was refused with every other way, locks
    people out.  Raises what aiosmtplib does.
    """
    offered = [name for name in _LOGINS if name in client.server_auth_methods]
    for name in offered[:-1]:
        client.AUTH_METHODS = (name,)
        try:
            await client.login(username, password)
        except aiosmtplib.SMTPAuthenticationError as refused:
            if not _is_of_the_way(refused):
                raise
        else:
            return
    client.AUTH_METHODS = tuple(offered[-1:])
    await client.login(username, password)


def _is_of_the_way(refused: aiosmtplib.SMTPAuthenticationError) -> bool:
    """Whether the way was refused, and not who came by it: what is offered is not always there."""
    return refused.code in _NO_SUCH_WAY or "mechanism" in refused.message.lower()
