"""Mail over SMTP: a few connections kept open, one recipient a message, every phase known.

What aiosmtplib leaves to its caller is done here: a session is never used again after a cancel
or an answer out of step, plain text is refused unless wished, one password is tried once, and the
body is written as it is (it already has its CRLFs).
"""

import asyncio
import contextlib
import re
import ssl
from email.utils import parseaddr
from functools import cached_property
from typing import Literal

import aiosmtplib

from bot.channels import ChannelError, Fault
from bot.channels.email.connecting import log_in, reached
from bot.channels.email.pace import Pace
from bot.channels.email.smtp_errors import Phase, asks_for_patience, brief, judge

Tls = Literal["starttls", "implicit", "none"]

_MESSAGES, _AGE, _IDLE = 100, 300.0, 30.0
"""A session is closed after so many messages, so many seconds, so many seconds without use."""

_ODD = re.compile(r"[\s<>,\x00-\x1f\x7f]")


class Smtp:
    """The transport to a mail server, with up to `connections` sessions (2 to 4 are enough).

    `tls` is "starttls" (demanded), "implicit" (port 465) or, said plainly, "none".  `timeout` is
    in seconds for each answer, `data_timeout` for the one after the body: RFC 5321 §4.5.3.2 asks
    for 10 minutes there, and less makes duplicates.
    """

    def __init__(
        self,
        host: str,
        port: int = 587,
        *,
        username: str = "",
        password: str = "",
        tls: Tls = "starttls",
        cert_bundle: str | None = None,
        hello: str = "localhost",
        connections: int = 3,
        pace: Pace | None = None,
        timeout: float = 60.0,
        data_timeout: float = 600.0,
    ) -> None:
        self.relay = f"{host}:{port}"
        self._host, self._port, self._tls, self._hello = host, port, tls, hello
        self._username, self._password = username, password
        self._cert_bundle = cert_bundle
        self._timeout, self._data_timeout = timeout, data_timeout
        self._pace = pace or Pace(10, 2)
        self._slots = asyncio.Semaphore(connections)
        self._idle: list[_Session] = []

    async def carry(self, name: str, sender: str, recipient: str, raw: bytes) -> str:
        """Hand over one mail and return the server's words ("2.0.0 Ok: queued as 4X").

        Raises ChannelError.  At most one attempt: nothing whose body was begun is begun again.
        """
        if not recipient or _ODD.search(recipient) or parseaddr(recipient)[1] != recipient:
            # aiosmtplib would send to what it finds in there, without comments or a name.
            raise ChannelError(f"{recipient!r} is not one address", Fault.CONTENT)
        domain = recipient.rpartition("@")[2]
        await self._pace.turn(domain)
        async with self._slots:
            session = self._idle.pop() if self._idle else _Session(self)
            try:
                receipt = await session.send(sender, recipient, raw)
            except ChannelError as refused:
                if asks_for_patience(refused):
                    self._pace.ease(domain)
                raise
            finally:
                self._idle.append(session)
        self._pace.recover(domain)
        return receipt

    async def close(self) -> None:
        """Say goodbye on every session that is not in use."""
        while self._idle:
            await self._idle.pop().leave()

    async def connect(self) -> aiosmtplib.SMTP:
        """A session that is encrypted and logged in as configured.

        Raises what aiosmtplib does, or OSError.
        """
        sock = await reached(self._host, self._port, self._timeout)
        client = aiosmtplib.SMTP(
            hostname=self._host,
            sock=sock,
            use_tls=self._tls == "implicit",
            start_tls=self._tls == "starttls",
            tls_context=None if self._tls == "none" else self._context,
            local_hostname=self._hello,
            timeout=self._timeout,
        )
        try:
            await client.connect()
            await _greet(client)
            if self._username:
                await log_in(client, self._username, self._password)
        except BaseException:
            client.close()
            sock.close()
            raise
        return client

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self._cert_bundle)


class _Session:
    """One connection, opened when needed, dropped when in doubt."""

    def __init__(self, server: Smtp) -> None:
        self._server = server
        self._client: aiosmtplib.SMTP | None = None
        self._sent = 0
        self._opened_at = self._used_at = 0.0
        self._phase = Phase.CONNECT

    async def send(self, sender: str, recipient: str, raw: bytes) -> str:
        """One mail; see Smtp.carry.  However it ends, the next one finds a clean session."""
        while True:
            reused = await self._ready()
            try:
                return await self._exchange(sender, recipient, raw)
            except ChannelError:
                raise
            except Exception as wrong:
                if not (reused and self._is_used_up(wrong)):
                    raise await self._settle(wrong, recipient) from wrong
                await self.leave()  # and once more, with a session of its own
            except BaseException:  # cancelled: an answer is under way, and would be misread
                self._drop()
                raise

    async def leave(self) -> None:
        """QUIT, and close whatever the answer."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=5)
        finally:
            client.close()

    def _is_used_up(self, wrong: Exception) -> bool:
        """Servers end a session that was idle, or has sent enough, and say so only at MAIL; some
        keep it open and take no more there ("452 too many messages in this session")."""
        if self._phase is not Phase.MAIL:
            return False
        if not self._connected:
            return True
        later = isinstance(wrong, aiosmtplib.SMTPSenderRefused) and 400 <= wrong.code < 500
        return later and self._sent > 0

    async def _ready(self) -> bool:
        """Open a session unless a good one is there; True where it was there already."""
        now = asyncio.get_running_loop().time()
        worn = self._sent >= _MESSAGES or now - self._opened_at > _AGE
        if self._client and (not self._connected or worn or now - self._used_at > _IDLE):
            await self.leave()
        self._used_at = now
        if self._client:
            return True
        self._phase = Phase.CONNECT
        try:
            self._client = await self._server.connect()
        except (aiosmtplib.SMTPException, OSError, ValueError) as wrong:
            raise judge(wrong, Phase.CONNECT, self._server.relay) from wrong
        self._sent, self._opened_at = 0, now
        return False

    async def _exchange(self, sender: str, recipient: str, raw: bytes) -> str:
        client = self._client
        assert client is not None
        options = self._options(client, recipient, raw)
        encoding = "ascii" if recipient.isascii() else "utf-8"
        self._phase = Phase.MAIL
        await client.mail(sender, options=options, encoding=encoding)
        self._phase = Phase.RCPT
        await client.rcpt(recipient, encoding=encoding)
        self._phase = Phase.DATA
        start = await client.execute_command(b"DATA")
        if start.code != 354:
            raise aiosmtplib.SMTPDataError(start.code, start.message)
        self._phase = Phase.BODY
        answer = await self._body(client, raw)
        if not 200 <= answer.code < 300:
            raise aiosmtplib.SMTPDataError(answer.code, answer.message)
        self._sent += 1
        return brief(answer.message) or str(answer.code)

    async def _body(self, client: aiosmtplib.SMTP, raw: bytes) -> aiosmtplib.SMTPResponse:
        if client.protocol is None:
            raise aiosmtplib.SMTPServerDisconnected("the connection was lost")
        client.protocol.write(stuffed(raw))
        return await client.protocol.read_response(self._server._data_timeout)

    def _options(self, client: aiosmtplib.SMTP, recipient: str, raw: bytes) -> list[str]:
        """What MAIL says about the mail.  Raises ChannelError where the server cannot take it."""
        options = []
        if client.supports_extension("size"):
            limit = client.esmtp_extensions.get("size", "")
            if limit.isdecimal() and 0 < int(limit) < len(raw):
                raise ChannelError(
                    f"{self._server.relay} takes mails of {limit} bytes; this one has {len(raw)}",
                    Fault.CONTENT,
                    reported="SIZE",
                )
            options.append(f"SIZE={len(raw)}")
        if not recipient.isascii():
            if not client.supports_extension("smtputf8"):
                raise ChannelError(
                    f"{self._server.relay} cannot write to “{recipient}”: it lacks SMTPUTF8; "
                    "another address of theirs may do",
                    Fault.ADDRESS,
                    reported="SMTPUTF8",
                )
            options += ["SMTPUTF8", "BODY=8BITMIME"]
        return options

    async def _settle(self, wrong: Exception, recipient: str) -> ChannelError:
        """Judge what went wrong, and leave the session clean or closed."""
        code = wrong.code if isinstance(wrong, aiosmtplib.SMTPResponseException) else 0
        in_step = code >= 400 and code not in (421, 503)
        client = self._client
        try:
            if client is not None and client.is_connected and in_step:
                await client.rset(timeout=30)
            else:
                self._drop()
        except (aiosmtplib.SMTPException, OSError):
            self._drop()
        except BaseException:
            self._drop()
            raise
        return judge(wrong, self._phase, self._server.relay, recipient)

    @property
    def _connected(self) -> bool:
        return self._client is not None and self._client.is_connected

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def stuffed(raw: bytes) -> bytes:
    """The body with its leading dots doubled and its end marked (RFC 5321 §4.5.2).

    Expects CRLF line ends and nothing else, as `message.wire` writes; anything odd is mended, so
    that no byte of a mail can end it early.
    """
    if raw.count(b"\n") != raw.count(b"\r\n") or raw.count(b"\r") != raw.count(b"\r\n"):
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    body = raw.replace(b"\r\n.", b"\r\n..")
    body = b"." + body if body.startswith(b".") else body
    return body + (b".\r\n" if body.endswith(b"\r\n") else b"\r\n.\r\n")


async def _greet(client: aiosmtplib.SMTP) -> None:
    """EHLO, or HELO where that is all the server knows.

    Who refuses EHLO and hangs up has said why by then, though the end of the line is seen later.
    """
    if not client.is_ehlo_or_helo_needed:
        return
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError as refused:
        if not client.is_connected:
            raise
        try:
            await client.helo()
        except aiosmtplib.SMTPServerDisconnected:
            raise refused from None
