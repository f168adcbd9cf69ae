"""What an examination finds out about mail: who writes it, and whether the relay lets us.

Nothing is sent to anybody.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import aiosmtplib

from bot.addresses import writer
from bot.app.doctor.findings import Check, State
from bot.app.wiring import Rooms
from bot.channels import Fault
from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.channels.email.smtp import Smtp
from bot.channels.email.smtp_errors import Phase, judge

_ADVICE = "mend mail.* and ask again; nothing is lost"
_USUAL = {465: "implicit", 587: "starttls"}
_AGAINST_US = (Fault.CHANNEL, Fault.RECIPIENT)


def sender(rooms: Rooms) -> Iterator[Check]:
    """A finding where who writes has an address that ends at this machine, and mail goes on."""
    address = writer(rooms.config.mail.sender)[1]
    if rooms.config.mail.leaves and address.endswith("@localhost"):
        yield Check("sender", State.WARN, f"mail.sender is {address}, which other servers refuse",
                    "set mail.sender to an address of a domain of yours")  # fmt: skip


def relay(rooms: Rooms) -> Iterator[Check]:
    """Whether the relay lets us in, and write as we do."""
    transport = rooms.reach().transport
    if isinstance(transport, Folder):
        folder = rooms.config.data / rooms.config.mail.folder
        yield Check("mail", State.SKIPPED, f"no server is set; mail is written to {folder}",
                    "set mail.host")  # fmt: skip
        return
    assert isinstance(transport, Smtp)
    channel = rooms.core.house.channels["email"]
    assert isinstance(channel, Email)
    own = writer(rooms.config.mail.sender)[1]
    yield asyncio.run(_Talk(transport, channel.envelope_sender(0), own, _advice(rooms)).had())


def _advice(rooms: Rooms) -> str:
    """What to mend where no conversation begins: first, port and TLS that do not go together."""
    mail = rooms.config.mail
    usual = _USUAL.get(mail.port, mail.tls)
    if mail.tls == usual:
        return _ADVICE
    return f'on port {mail.port} most relays speak otherwise: set mail.tls = "{usual}"'


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation with a relay that stops before any mail: from whom, and to whom."""

    server: Smtp
    returns: str
    own: str
    advice: str

    async def had(self) -> Check:
        try:
            client = await asyncio.wait_for(self.server.connect(), 30)
        except (aiosmtplib.SMTPException, OSError, ValueError) as wrong:
            return _bad(str(judge(wrong, Phase.CONNECT, self.server.relay)), self.advice)
        limit = client.esmtp_extensions.get("size", "")
        against = await self._against_us(client)
        try:
            await client.quit(timeout=5)
        except (aiosmtplib.SMTPException, OSError):
            client.close()
        if against:
            return _bad(against, _ADVICE)
        largest = f", mails up to {int(limit) / 1e6:.0f} MB" if limit.isdecimal() else ""
        return Check("mail", State.OK, f"{self.server.relay} lets us in{largest}")

    async def _against_us(self, client: aiosmtplib.SMTP) -> str:
        """What it has against who writes, "" where nothing; many say so once a reader is named."""
        phase = Phase.MAIL
        try:
            await client.mail(self.returns)
            phase = Phase.RCPT
            await client.rcpt(self.own)
            await client.rset()
        except aiosmtplib.SMTPResponseException as wrong:
            error = judge(wrong, phase, self.server.relay, self.own)
            return str(error) if wrong.code >= 500 and error.fault in _AGAINST_US else ""
        except (aiosmtplib.SMTPException, OSError):  # it let us in, and that is what was asked
            pass
        return ""


def _bad(said: str, advice: str) -> Check:
    return Check("mail", State.BAD, said, advice)
