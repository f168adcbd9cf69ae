"""Mail over SMTP: what every answer means, and that the next message never suffers for it."""

import asyncio
import contextlib
import random
import socket
import ssl
from collections import Counter
from collections.abc import Iterator

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from bot.channels import ChannelError, Fault
from bot.channels.email import Email
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp, stuffed
from bot.model import Part
from tests.channels import days
from tests.channels.smtp_server import CLOSE, RESET, SILENCE, SmtpServer

FAST = Pace(0, 0)
RAW = b"Subject: papers\r\n\r\nOne line.\r\n"


def smtp(server: SmtpServer, **more) -> Smtp:
    fields = {"tls": "none", "pace": FAST, "timeout": 10, "data_timeout": 10, **more}
    return Smtp("127.0.0.1", server.port, **fields)


async def refusal(transport: Smtp, recipient: str = "ada@example.org", raw: bytes = RAW):
    with pytest.raises(ChannelError) as refused:
        await transport.carry("d1", "bounce+1@d.example", recipient, raw)
    return refused.value


async def accepted(transport: Smtp, raw: bytes = RAW) -> str:
    return await transport.carry("d2", "bounce+2@d.example", "grace@example.org", raw)


@contextlib.asynccontextmanager
async def closing(transport: Smtp):
    try:
        yield transport
    finally:
        await transport.close()


async def test_a_mail_arrives_byte_for_byte():
    async with SmtpServer() as server, closing(smtp(server)) as transport:
        channel = Email(transport, "Digest <digest@d.example>", bounce_key=b"an invented key")
        [page] = channel.render(days.ugly())
        part = Part(17, 0, "d42", "ada@example.org", page.content)
        receipt = await channel.send(part)

    [body] = server.bodies
    assert body.replace(b"\r\n..", b"\r\n.") == page.content
    assert receipt == "2.0.0 Ok: queued as 4X"
    assert server.recipients == ["ada@example.org"]
    assert server.senders == [f"MAIL FROM:<{channel.envelope_sender(17)}> SIZE={len(page.content)}"]
    assert await channel.find(part, days.ugly().due_at) is None


R, A, C, W, U = Fault.RETRY, Fault.ADDRESS, Fault.CONTENT, Fault.CHANNEL, Fault.UNKNOWN
O = Fault.RECIPIENT  # noqa: E741  one letter each keeps the table a table


@pytest.mark.parametrize(
    ("verb", "answer", "fault"),
    [
        ("RCPT", "550 5.1.1 no such user", A),
        ("RCPT", "550 5.1.10 no such user", A),
        ("RCPT", "550 5.2.1 mailbox disabled", A),
        (
            "RCPT",
            "550-5.2.1 You write to a user who is receiving mail at a rate that\r\n"
            "550 5.2.1 prevents additional messages from being delivered.",
            R,
        ),
        ("RCPT", "550 5.1.0 address rejected", C),
        ("RCPT", "552 Requested mail action aborted: exceeded storage allocation", R),
        ("RCPT", "552 too much", R),
        ("RCPT", "550 mailbox is full", R),
        ("RCPT", "550 5.4.5 Daily user sending limit exceeded.", O),
        ("RCPT", "550 Domain y has exceeded the max emails per hour (101/100) allowed.", R),
        ("RCPT", "554 5.7.0 The limit on the number of allowed outgoing messages was exceeded", R),
        ("RCPT", "530 5.7.0 Must issue a STARTTLS command first", O),
        ("RCPT", "535 5.7.0 log in first", O),
        ("RCPT", "550 5.7.60 not your sender", O),
        ("RCPT", "550 no such user, it may be", C),
        ("RCPT", "550 5.7.1 blocked by its reader", C),
        ("RCPT", "550 5.7.510 recipient does not accept mail from you", C),
        ("RCPT", "552 5.2.2 mailbox full", R),
        ("RCPT", "550 5.4.4 no host", R),
        ("RCPT", "550 5.1.1 User unknown in relay recipient table", A),
        ("RCPT", "550 <x@y>: User unknown in relay recipient table", C),
        ("RCPT", "550 5.7.1 <relay@relay.example.org>: no, said mail-relay.example.org", C),
        ("RCPT", "554 5.7.1 relay access denied", O),
        ("RCPT", "550 5.7.1 <x@y>... Relaying denied.", O),
        ("RCPT", "550 5.7.54 Unable to relay recipient in non-accepted domain", O),
        ("RCPT", "550 we do not relay.", O),
        ("RCPT", "550 5.1.8 sender domain not found", O),
        ("RCPT", "452 4.2.2 mailbox full", R),
        ("RCPT", "450 4.7.1 greylisted", R),
        ("RCPT", "421 4.7.0 too many!", O),
        ("RCPT", "503 nested MAIL", O),
        ("RCPT", "five fifty", O),
        ("RCPT", CLOSE, O),
        ("RCPT", SILENCE, O),
        ("MAIL", "530 5.7.0 STARTTLS first", W),
        ("MAIL", "550 5.7.60 not your sender", W),
        ("MAIL", "552 5.3.4 too large", C),
        ("MAIL", "552 too much mail data", C),
        ("MAIL", "554 5.3.4 message too big for system", C),
        ("MAIL", "451 4.3.0 later", R),
        ("MAIL", "421 busy!", W),
        ("MAIL", CLOSE, W),
        ("MAIL", RESET, W),
        ("MAIL", SILENCE, W),
        ("DATA", "451 4.3.0 later", R),
        ("DATA", "554 5.5.1 no", C),
        ("DATA", "421 busy!", O),
        ("DATA", CLOSE, O),
        ("DOT", "451 4.3.0 later", R),
        ("DOT", "421 4.3.2 going down!", R),
        ("DOT", "554 5.7.1 looks like spam", C),
        ("DOT", "554 5.7.1 it contains a URL that is blocked using a list", C),
        ("DOT", "552 5.2.2 mailbox full", R),
        ("DOT", "550 5.1.1 no such user", A),
        ("DOT", "554 5.1.0 Message submission failed: SubmissionQuotaExceededException", R),
        ("DOT", "550-5.4.5 Daily user sending limit exceeded.\r\n550 5.4.5 Later.", O),
        ("DOT", "550 5.7.60 not your sender", O),
        ("DOT", "552 5.7.0 its content presents a potential security issue", C),
        ("DOT", "552 5.3.4 message size limit exceeded", C),
        ("DOT", "what", U),
        ("DOT", CLOSE, U),
        ("DOT", RESET, U),
        ("DOT", SILENCE, U),
        ("CONNECT", "421 busy!", W),
        ("CONNECT", "554 no!", W),
        ("CONNECT", CLOSE, W),
        ("CONNECT", SILENCE, W),
        ("EHLO", CLOSE, W),
    ],
)
async def test_every_answer_has_its_meaning_and_the_next_mail_goes_through(verb, answer, fault):
    patience = 0.6 if answer == SILENCE else 10
    async with (
        SmtpServer({verb: [answer]}) as server,
        closing(smtp(server, timeout=patience, data_timeout=patience)) as transport,
    ):
        error = await refusal(transport)
        receipt = await accepted(transport)

    assert error.fault is fault
    assert error.suppress is (fault is Fault.ADDRESS)
    assert error.scope == ""  # the one relay carries all mail
    assert str(error).startswith(transport.relay)
    assert "\n" not in str(error)
    assert receipt == "2.0.0 Ok: queued as 4X"
    assert server.recipients[-1] == "grace@example.org"


@pytest.mark.parametrize(
    ("verb", "answer", "fault"),
    [
        ("MAIL", "553 5.7.1 <x@y>: Sender address rejected: not owned by user z@y", W),
        ("MAIL", "501 mail from address must be same as authorization user", W),
        ("RCPT", "553 5.7.1 <x+1.a@y>: Sender address rejected: not owned by user x@y", O),
        ("RCPT", "553 5.7.1 <x@y>: Sender address rejected: not logged in", O),
        ("RCPT", "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname", O),
        ("RCPT", "554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied", O),
        ("RCPT", "550-Verification failed for <x@localhost>\r\n550 Sender verify failed", O),
        ("RCPT", "550 5.7.1 Authentication required", O),
        ("RCPT", "550 SMTP AUTH is required for message submission", O),
        ("DOT", "554 Message rejected: Email address is not verified.", O),
        ("DOT", "554 Message rejected: Sending suspended for this account.", O),
        ("DOT", "550 The from address does not match a verified Sender Identity.", O),
        ("DOT", "554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException", O),
        ("DOT", "551 5.7.1 Not authorised to send from this header address", O),
        ("DOT", "553 Sender is not allowed to relay emails", O),
    ],
)
async def test_a_refusal_of_who_writes_is_no_refusal_of_the_mail(verb, answer, fault):
    async with SmtpServer({verb: [answer]}) as server, closing(smtp(server)) as transport:
        error = await refusal(transport)
        assert await accepted(transport)

    assert error.fault is fault
    assert not error.suppress
    assert "look at mail.sender, mail.own_returns and the login" in str(error)


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("RCPT", "550 5.7.606 Access denied, banned sending IP [192.0.2.1]"),
        ("RCPT", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen"),
        ("RCPT", "550 192.0.2.1 is on a black list here"),
        ("RCPT", "450 4.7.1 Client host rejected: cannot find your reverse hostname"),
        ("RCPT", "451 4.7.650 rate limited due to IP reputation"),
        ("DATA", "550 5.7.25 no PTR record"),
        ("DOT", "550-5.7.26 Your email has been blocked because the\r\n550 5.7.26 sender is"),
        ("DOT", "550 5.7.515 Access denied, domain does not meet the level of authentication"),
        ("DOT", "550 5.7.1 the very low reputation of the sending IP address"),
    ],
)
async def test_a_provider_that_blocks_us_is_left_alone_for_an_hour(verb, answer):
    async with SmtpServer({verb: [answer]}) as server, closing(smtp(server)) as transport:
        error = await refusal(transport)
        assert await accepted(transport)

    assert (error.fault, error.scope, error.retry_after) == (O, "@example.org", 3600)
    assert not error.suppress
    assert "blocked at example.org" in str(error)
    assert answer[:3] in str(error)


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("CONNECT", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen"),
        ("CONNECT", "550 192.0.2.1 is on a black list here"),
        ("CONNECT", "421 4.7.1 [192.0.2.1] is blocked using a list, see it"),
        ("CONNECT", "421 Your address has a poor reputation"),
        ("MAIL", "550 5.7.606 Access denied, banned sending IP [192.0.2.1]"),
        ("MAIL", "450 4.7.1 Client host rejected: cannot find your reverse hostname"),
    ],
)
async def test_a_relay_that_blocks_us_is_left_alone_for_an_hour_by_everyone(verb, answer):
    async with SmtpServer({verb: [answer]}) as server, closing(smtp(server)) as transport:
        error = await refusal(transport)
        assert await accepted(transport)

    assert (error.fault, error.scope, error.retry_after) == (W, "", 3600)
    assert "mail of ours is blocked; have the block lifted" in str(error)
    assert answer in str(error)


async def test_the_servers_own_code_is_reported():
    async with (
        SmtpServer({"RCPT": "550 5.1.1 no such user"}) as server,
        closing(smtp(server)) as transport,
    ):
        error = await refusal(transport)

    assert error.reported == "550 5.1.1"
    assert str(error) == f"{transport.relay} does not know the address: 550 5.1.1 no such user"


async def test_a_code_that_begins_each_line_is_said_once():
    script = {"RCPT": "550-5.1.1 no\r\n550-5.1.1 such\r\n550 5.1.1  user"}
    async with SmtpServer(script) as server, closing(smtp(server)) as transport:
        error = await refusal(transport)

    assert str(error).endswith(": 550 5.1.1 no such user")


async def test_a_port_where_nobody_listens_waits_for_everyone():
    async with SmtpServer() as server:
        port = server.port
    error = await refusal(Smtp("127.0.0.1", port, tls="none", pace=FAST))

    assert error.fault is Fault.CHANNEL
    assert str(error) == f"127.0.0.1:{port} cannot be reached (connection refused)"


async def test_a_name_that_nobody_has_says_so():
    error = await refusal(Smtp("nobody.invalid", 25, tls="none", pace=FAST))

    assert error.fault is Fault.CHANNEL
    assert str(error).startswith("nobody.invalid:25 cannot be reached (")
    assert "Errno" not in str(error)


@contextlib.contextmanager
def deaf(port: int) -> Iterator[str]:
    """An address that takes no more connections on that port and refuses none."""
    full = socket.create_server(("127.0.0.2", port), backlog=0)
    waiting = [socket.socket() for _ in range(4)]
    for each in waiting:
        each.setblocking(False)
        each.connect_ex(("127.0.0.2", port))
    yield "127.0.0.2"
    for each in (full, *waiting):
        each.close()


async def test_an_address_that_is_silent_holds_nobody_up(monkeypatch):
    async with SmtpServer() as server:
        with deaf(server.port) as silent:
            found = [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, server.port))
                for address in (silent, "127.0.0.1")
            ]
            monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
            relay = Smtp("relay.test", server.port, tls="none", pace=FAST, timeout=5)
            async with closing(relay):
                assert await accepted(relay)


async def test_a_server_that_closes_every_26th_time_gets_everything_once():
    """A limit of messages a connection is no fault: nothing is reported, nothing repeated."""

    def sometimes(count: int) -> str | None:
        return "421 4.7.0 too many messages on this connection!" if count % 26 == 0 else None

    async with SmtpServer({"MAIL": sometimes}) as server, closing(smtp(server)) as transport:
        for n in range(200):
            await accepted(transport, f"Subject: {n}\r\n\r\nx\r\n".encode())

    assert Counter(server.bodies).most_common(1)[0][1] == 1
    assert len(server.bodies) == 200
    assert server.connections == 8


async def test_a_server_that_takes_so_many_in_a_session_and_keeps_it_open_gets_everything_once():
    """Each refusal is met with a new session, which has taken nothing yet."""
    full = "452 4.5.3 too many messages in this session"

    def every_third(count: int) -> str | None:
        return full if count % 3 == 0 else None

    async with SmtpServer({"MAIL": every_third}) as server, closing(smtp(server)) as transport:
        for _ in range(6):
            await accepted(transport)

    assert (len(server.bodies), server.connections) == (6, 3)


async def test_a_server_that_takes_nothing_for_now_is_asked_twice_at_most():
    async with (
        SmtpServer({"MAIL": [None, *["451 4.3.0 later"] * 4]}) as server,
        closing(smtp(server)) as transport,
    ):
        await accepted(transport)
        for _ in range(2):
            assert (await refusal(transport)).fault is Fault.RETRY

    assert server.connections == 2


async def test_a_session_that_was_closed_meanwhile_is_opened_anew_and_nobody_notices():
    async with (
        SmtpServer({"DOT": ["250 2.0.0 taken!"]}) as server,
        closing(smtp(server)) as transport,
    ):
        await accepted(transport)
        await asyncio.sleep(0.01)
        await accepted(transport)

    assert len(server.bodies) == server.connections == 2


async def test_a_session_is_used_again_and_said_goodbye():
    async with SmtpServer() as server:
        async with closing(smtp(server)) as transport:
            for _ in range(3):
                await accepted(transport)

        assert server.connections == 1
        assert server.said[-1] == "QUIT"


async def test_a_session_is_closed_after_a_hundred_mails():
    async with SmtpServer() as server, closing(smtp(server)) as transport:
        for _ in range(101):
            await accepted(transport)

    assert server.connections == 2


async def test_no_more_connections_than_allowed():
    async with SmtpServer() as server, closing(smtp(server, connections=3)) as transport:
        await asyncio.gather(*(accepted(transport) for _ in range(30)))

    assert server.connections <= 3
    assert len(server.bodies) == 30


async def test_after_a_cancel_the_next_mail_gets_its_own_answer():
    """Left open, a cancelled session answers the next message with the last one's answer."""
    dice = random.Random(3)

    class Slow(SmtpServer):
        async def _answer(self, verb, writer, said=""):
            await asyncio.sleep(dice.uniform(0, 0.004))
            return await super()._answer(verb, writer, said)

    async with Slow() as server, closing(smtp(server)) as transport:
        cancelled = 0
        for n in range(40):
            first = asyncio.create_task(transport.carry("x", "b@d.example", f"f{n}@e.org", RAW))
            await asyncio.sleep(dice.uniform(0, 0.02))
            if first.cancel():
                cancelled += 1
            await asyncio.gather(first, return_exceptions=True)
            await accepted(transport, f"Subject: second {n}\r\n\r\nx\r\n".encode())

    second = [body for body in server.bodies if b"second" in body]
    assert len(set(second)) == len(second) == 40
    assert cancelled > 10


# ------------------------------------------------------------------ encryption and login


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certified(authority, tmp_path):
    """A server's TLS context for 127.0.0.1, and the bundle that vouches for it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    bundle = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(bundle)
    return context, str(bundle)


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
async def test_mail_travels_encrypted(certified, tls):
    context, bundle = certified
    server = SmtpServer(tls=context, implicit=tls == "implicit")
    async with server, closing(smtp(server, tls=tls, cert_bundle=bundle)) as transport:
        await accepted(transport)

    assert len(server.bodies) == 1


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
async def test_a_certificate_that_does_not_hold_stops_the_relay(certified, tls):
    context, _ = certified
    server = SmtpServer(tls=context, implicit=tls == "implicit")
    async with server, closing(smtp(server, tls=tls)) as transport:
        error = await refusal(transport)

    assert error.fault is Fault.CHANNEL
    assert "certificate" in str(error)
    assert "SSL_CERT_FILE" in str(error)
    assert server.senders == []


async def test_an_authority_of_ones_own_is_named_by_a_variable(certified, monkeypatch):
    context, bundle = certified
    monkeypatch.setenv("SSL_CERT_FILE", bundle)
    async with SmtpServer(tls=context) as server, closing(smtp(server, tls="starttls")) as sent:
        await accepted(sent)

    assert len(server.bodies) == 1


async def test_nothing_goes_in_the_clear_unless_said_plainly():
    async with SmtpServer(extensions=("AUTH PLAIN",)) as server:
        transport = smtp(server, tls="starttls", username="bot", password="secret")
        error = await refusal(transport)

    assert error.fault is Fault.CHANNEL
    assert "offers no STARTTLS" in str(error)
    assert not any("AUTH" in said for said in server.said)


async def test_a_login_that_nobody_asks_for_is_told_from_missing_encryption():
    async with SmtpServer() as server:
        error = await refusal(smtp(server, tls="none", username="bot", password="secret"))

    assert error.fault is Fault.CHANNEL
    assert "leave out mail.username" in str(error)
    assert "STARTTLS" not in str(error)


async def test_plain_text_to_a_tls_port_says_what_to_look_at(certified):
    context, _ = certified
    async with SmtpServer(tls=context, implicit=True) as server:
        error = await refusal(smtp(server, tls="none", timeout=0.3))

    assert "look at the port and at tls" in str(error)


async def test_a_wrong_password_is_tried_once_and_stops_the_relay():
    script = {"AUTH": "535 5.7.8 authentication failed"}
    async with SmtpServer(script, extensions=("AUTH PLAIN LOGIN CRAM-MD5",)) as server:
        error = await refusal(smtp(server, username="bot", password="wrong"))

    assert error.fault is Fault.CHANNEL
    assert error.reported == "535 5.7.8"
    assert "refuses the name or the password" in str(error)
    assert sum(said.startswith("AUTH") for said in server.said) == 1
    assert "wrong" not in str(error).replace("wrong password", "")


@pytest.mark.parametrize(
    "refused",
    ["504 5.7.4 Unrecognized authentication type", "535 5.7.8 Error: no mechanism available"],
)
async def test_a_way_to_log_in_that_is_offered_and_not_there_gives_way_to_the_next(refused):
    script = {"AUTH": [refused, "334 UGFzc3dvcmQ6"], "CMLNAHQ=": "235 2.7.0 welcome"}
    async with SmtpServer(script, extensions=("AUTH PLAIN LOGIN CRAM-MD5",)) as server:
        transport = smtp(server, username="bot", password="right")
        await transport.carry("n", "bot@here.test", "ada@there.test", b"Subject: x\r\n\r\nx\r\n")
        await transport.close()

    assert [said.split()[1] for said in server.said if said.startswith("AUTH")] == [
        "PLAIN", "LOGIN"
    ]  # fmt: skip
    assert server.recipients == ["ada@there.test"]


async def test_a_login_that_cannot_be_checked_now_is_no_wrong_password():
    script = {"AUTH": "454 4.7.0 Temporary authentication failure"}
    async with SmtpServer(script, extensions=("AUTH PLAIN",)) as server:
        error = await refusal(smtp(server, username="bot", password="right"))

    assert error.fault is Fault.CHANNEL
    assert "cannot check the name and the password now: 454 4.7.0" in str(error)


# ------------------------------------------------------------------ size, names, bytes


async def test_a_mail_over_the_servers_size_is_not_begun():
    async with SmtpServer(extensions=("SIZE 20",)) as server, closing(smtp(server)) as transport:
        error = await refusal(transport)

    assert error.fault is Fault.CONTENT
    assert not any(said.startswith("MAIL") for said in server.said)


async def test_a_server_with_nothing_but_helo_is_enough():
    async with SmtpServer({"EHLO": "502 no"}) as server, closing(smtp(server)) as transport:
        await accepted(transport)

    assert len(server.bodies) == 1


async def test_a_mailbox_beyond_ascii_goes_where_the_server_can():
    async with SmtpServer() as server, closing(smtp(server)) as transport:
        await transport.carry("d", "b@d.example", "ádá@example.org", RAW)

    assert server.recipients == ["ádá@example.org"]
    assert server.senders[0].endswith("SMTPUTF8 BODY=8BITMIME")


async def test_a_mailbox_beyond_ascii_pauses_where_the_server_cannot():
    async with SmtpServer(extensions=("8BITMIME",)) as server, closing(smtp(server)) as transport:
        error = await refusal(transport, "ádá@example.org")
        await accepted(transport)

    assert error.fault is Fault.ADDRESS
    assert error.suppress is False
    assert server.recipients == ["grace@example.org"]


async def test_an_address_that_would_inject_is_refused_before_the_wire():
    async with SmtpServer() as server, closing(smtp(server)) as transport:
        error = await refusal(transport, "a@x.org>\r\nRCPT TO:<v@x.org")
        await accepted(transport)

    assert error.fault is Fault.CONTENT
    assert server.recipients == ["grace@example.org"]


@given(st.binary(max_size=60) | st.text("\r\n.ab", max_size=30).map(str.encode))
def test_no_body_ends_early_and_every_line_comes_back(raw):
    wire = stuffed(raw)
    _, end, rest = wire.partition(b"\r\n.\r\n")
    lines = (b"\r\n" + wire).removesuffix(b"\r\n.\r\n").split(b"\r\n")[1:]
    back = b"\n".join(line[1:] if line.startswith(b".") else line for line in lines)

    assert wire == b".\r\n" or (end and not rest) or wire.startswith(b".\r\n")
    assert wire.count(b"\n") == wire.count(b"\r\n") == wire.count(b"\r")
    assert back == raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n")


@pytest.mark.parametrize("recipient", [
    "a(b)c@example.org", "Ada <ada@example.org>", "a@example.org,b@example.org",
    "ada@example.org (Ada)", '"a b"@example.org', "a:b@example.org;", "",
])  # fmt: skip
async def test_what_is_not_plainly_one_address_is_sent_to_nobody(recipient):
    async with SmtpServer() as server:
        assert (await refusal(smtp(server), recipient)).fault is Fault.CONTENT
        assert server.recipients == []
