"""Mail to real servers: what arrives is what was sent, what fails is judged as it should be."""

import asyncio
import imaplib
import pwd
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.channels import ChannelError, Fault
from bot.channels.email import Email
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp
from bot.model import Part
from tests.channels import days, peers
from tests.channels.peers import SMTPD, needed, program_path, smtp_sink

RAW = b"Subject: papers\r\n\r\nOne line.\r\n"


def smtp(port: int, **more) -> Smtp:
    fields = {"tls": "none", "pace": Pace(0, 0), "timeout": 2, "data_timeout": 2, **more}
    return Smtp("127.0.0.1", port, **fields)


async def attempt(transport: Smtp) -> str | ChannelError:
    try:
        return await transport.carry("d", "bounce@d.example", "ada@example.org", RAW)
    except ChannelError as refused:
        return refused
    finally:
        await transport.close()


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        pytest.param(("-f", "rcpt"), Fault.CONTENT, id="RCPT 500"),
        pytest.param(("-r", "rcpt"), Fault.RETRY, id="RCPT 450"),
        pytest.param(("-f", "rcpt", "-B", "550 5.1.1 no such user"), Fault.ADDRESS, id="unknown"),
        pytest.param(("-r", "rcpt", "-b", "452 4.2.2 full"), Fault.RETRY, id="mailbox full"),
        pytest.param(("-f", "mail"), Fault.CHANNEL, id="MAIL 500"),
        pytest.param(("-r", "mail"), Fault.RETRY, id="MAIL 450"),
        pytest.param(("-Q", "mail"), Fault.CHANNEL, id="MAIL 421"),
        pytest.param(("-r", "data"), Fault.RETRY, id="DATA 450"),
        pytest.param(("-f", "data"), Fault.CONTENT, id="DATA 500"),
        pytest.param(("-f", "."), Fault.CONTENT, id="dot 500"),
        pytest.param(("-r", "."), Fault.RETRY, id="dot 450"),
        pytest.param(("-q", "."), Fault.UNKNOWN, id="hangs up after the body"),
        pytest.param(("-Q", "."), Fault.RETRY, id="dot 421"),
        pytest.param(("-W", ".:3"), Fault.UNKNOWN, id="answers too late"),
        pytest.param(("-q", "connect"), Fault.CHANNEL, id="hangs up at once"),
        pytest.param(("-f", "connect"), Fault.CHANNEL, id="greets with 500"),
        pytest.param(("-e",), None, id="HELO only"),
        pytest.param(("-8",), None, id="no 8BITMIME"),
        pytest.param((), None, id="well"),
    ],
)
async def test_smtp_sink_in_every_mood(tmp_path, flags, fault):
    needed("smtp-sink")
    with smtp_sink(tmp_path, *flags) as sink:
        outcome = await attempt(smtp(sink.port))

    assert (outcome.fault if isinstance(outcome, ChannelError) else None) is fault


async def test_smtp_sink_that_refuses_in_mid_body_is_believed_where_it_is_heard(tmp_path):
    """A 550 sent while the body is still under way: read in time, it counts; else nobody knows."""
    needed("smtp-sink")
    with smtp_sink(tmp_path, "-A", "0") as sink:
        outcome = await attempt(smtp(sink.port))

    assert isinstance(outcome, ChannelError)
    assert outcome.fault in (Fault.CONTENT, Fault.UNKNOWN)


async def test_smtp_sink_gets_the_bytes(tmp_path):
    needed("smtp-sink")
    channel_bytes = []
    with smtp_sink(tmp_path, keep=True) as sink:
        transport = smtp(sink.port)
        channel = Email(transport, "Digest <digest@d.example>", bounce_key=b"an invented key")
        for n, day in enumerate((days.ordinary(), days.ugly(), days.flood())):
            [page] = channel.render(day)
            channel_bytes.append(page.content)
            await channel.send(Part(n, 0, f"d{n}", day.address, page.content))
        await channel.close()
        captured = sink.messages()

    assert len(captured) == 3
    for content in channel_bytes:
        assert any(kept.rstrip(b"\n").endswith(unix(content)) for kept in captured)


def unix(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").rstrip(b"\n")


@pytest.fixture
def near() -> Iterator[Path]:
    """A folder with a short name: the path of a Unix socket has 108 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="post") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


async def test_from_our_bytes_through_three_servers_to_an_inbox(near):
    """Ours to OpenSMTPD, by LMTP to Dovecot, read back by IMAP."""
    needed("dovecot", root=True)
    if not SMTPD.exists() or "not found" in subprocess.getoutput(f"ldd {SMTPD}"):
        pytest.skip("OpenSMTPD is not unpacked; tests/channels/opensmtpd.sh does it")
    if "vmail" not in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("there is no user vmail; tests/channels/opensmtpd.sh makes one")
    if not Path("/usr/lib/dovecot/lmtp").exists():
        pytest.skip("dovecot-lmtpd is not installed")
    with peers.dovecot(near) as (lmtp, imap), peers.opensmtpd(near, lmtp) as port:
        transport = smtp(port, timeout=10, data_timeout=20)
        channel = Email(transport, "Digest <digest@d.example>", bounce_key=b"an invented key")
        [page] = channel.render(days.ugly())
        receipt = await channel.send(Part(7, 0, "d7", "ada@inbox.example", page.content))
        with pytest.raises(ChannelError) as refused:
            await channel.send(Part(8, 0, "d8", "ada@elsewhere.example", page.content))
        await channel.close()
        raw, structure = await asyncio.to_thread(fetched, imap)

    headers, _, body = raw.partition(b"\r\n\r\n")
    assert receipt.startswith("2.0.0")
    assert refused.value.fault in (Fault.CONTENT, Fault.CHANNEL)
    assert body == page.content.partition(b"\r\n\r\n")[2]
    assert headers.endswith(page.content.partition(b"\r\n\r\n")[0])
    assert re.search(rb'\("text" "plain".*\)\("text" "html".*\) "alternative"', structure, re.I)


def fetched(port: int) -> tuple[bytes, bytes]:
    """The one mail in the inbox, and its structure as the server sees it."""
    with imaplib.IMAP4("127.0.0.1", port) as inbox:
        inbox.login("vmail", "test")
        for _ in range(100):
            _, [found] = inbox.select("INBOX", readonly=True)
            if found == b"1":
                break
            asyncio.run(asyncio.sleep(0.1))
        _, whole = inbox.fetch("1", "(BODY.PEEK[])")
        _, structure = inbox.fetch("1", "(BODYSTRUCTURE)")
    return whole[0][1], structure[0]


def test_spamassassin_finds_nothing_to_say(tmp_path):
    needed("spamassassin")
    [page] = Email(smtp(1), "Digest <digest@digest.example.org>").render(days.ordinary())
    report = subprocess.run(
        [str(program_path("spamassassin")), "-L", "-t"],
        input=page.content,
        capture_output=True,
        timeout=120,
        check=True,
    ).stdout.decode("utf-8", "replace")
    total = float(re.search(r"Content analysis details:\s+\((-?[\d.]+) points", report)[1])
    rules = re.findall(r"^ ?(-?\d+\.\d) ([A-Z_0-9]+) ", report, re.M)

    assert total <= 0.0
    assert [name for points, name in rules if float(points) > 0.5] == []
