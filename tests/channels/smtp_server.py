"""A mail server on loopback that answers as it is told, to the letter."""

import asyncio
import contextlib
import ssl
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Self

CLOSE, RESET, SILENCE = "CLOSE", "RESET", "SILENCE"
"""Answers that are none: hang up politely, hang up rudely, say nothing."""

Script = Mapping[str, str | Sequence[str | None] | Callable[[int], str | None]]
"""What to answer to a verb: always, one after the other (None: as usual), or by its count.

The verbs are SMTP's own; CONNECT is the greeting and DOT the end of a body.  An answer that ends
in "!" closes the connection after it.  Bytes that are no UTF-8 are written as
surrogateescape has them.
"""

_USUAL = {
    "CONNECT": "220 mail.test ESMTP",
    "AUTH": "235 2.7.0 welcome",
    "DATA": "354 go on",
    "DOT": "250 2.0.0 Ok: queued as 4X",
    "QUIT": "221 bye",
    "STARTTLS": "220 ready",
}


class SmtpServer:
    def __init__(
        self,
        script: Script | None = None,
        *,
        extensions: Sequence[str] = ("8BITMIME", "SIZE 10000000", "SMTPUTF8"),
        tls: ssl.SSLContext | None = None,
        implicit: bool = False,
    ) -> None:
        self.script = script or {}
        self.extensions = extensions
        self.tls, self.implicit = tls, implicit
        self.bodies: list[bytes] = []
        self.recipients: list[str] = []
        self.senders: list[str] = []
        self.said: list[str] = []
        self.connections = 0
        self._counts: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, ssl=self.tls if self.implicit else None
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        self.connections += 1
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError, ssl.SSLError):
                await self._converse(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not await self._answer("CONNECT", writer):
            return
        while line := await reader.readline():
            said = line.decode("utf-8", "replace").strip()
            self.said.append(said)
            verb = said.partition(" ")[0].upper()
            if not await self._answer(verb, writer, said):
                return
            if verb == "STARTTLS":
                await writer.start_tls(self.tls)  # type: ignore[arg-type]
            elif verb == "DATA" and self._last.startswith("354"):
                if not await self._take(reader, writer):
                    return
            elif verb == "QUIT":
                return

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        body = b""
        while (line := await reader.readline()) != b".\r\n":
            if not line:
                return False
            body += line
        self.bodies.append(body)
        return await self._answer("DOT", writer)

    async def _answer(self, verb: str, writer: asyncio.StreamWriter, said: str = "") -> bool:
        answer = self._scripted(verb) or self._usual(verb)
        self._last = answer
        if answer == CLOSE:
            return False
        if answer == RESET:
            writer.transport.abort()
            return False
        if answer == SILENCE:
            await asyncio.Event().wait()
        if verb == "MAIL" and answer.startswith("2"):
            self.senders.append(said)
        if verb == "RCPT" and answer.startswith("2"):
            self.recipients.append(said[said.index("<") + 1 : said.index(">")])
        writer.write(answer.rstrip("!").encode("utf-8", "surrogateescape") + b"\r\n")
        await writer.drain()
        return not answer.endswith("!")

    def _scripted(self, verb: str) -> str | None:
        self._counts[verb] += 1
        count, told = self._counts[verb], self.script.get(verb)
        if callable(told):
            return told(count)
        if isinstance(told, str) or told is None:
            return told
        return told[count - 1] if count <= len(told) else None

    def _usual(self, verb: str) -> str:
        if verb != "EHLO":
            return _USUAL.get(verb, "250 2.0.0 Ok")
        lines = ["mail.test", *self.extensions]
        lines += ["STARTTLS"] if self.tls and not self.implicit else []
        return "\r\n".join([*(f"250-{line}" for line in lines[:-1]), f"250 {lines[-1]}"])
