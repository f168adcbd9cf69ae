"""What a mail server's refusal means.  Pure.

The table was measured, case by case, against scripted servers and Postfix's smtp-sink; the tests
hold it.  Three rules run through it: nobody's address is given up for what is not about the
address; what is said once a recipient was named is first about that recipient, whatever its
words; and what happens after the body was handed over is unknown unless the server said.
"""

import os
import re
import socket
import ssl
from enum import StrEnum

import aiosmtplib

from bot.channels import ChannelError, Fault
from bot.text import clean, cut

_NO_RELAYING = re.compile(r"(?i)(?<![\w@.-])relay(?:ing)?(?![\w@-]|\.\w| recipient table)")
"""The word by itself: not in an address, nor in the name of a host."""

_NOT_NOW = re.compile(
    r"(?i)quota|mailbox (?:is |was )?full|exceeded storage allocation"
    r"|receiving mail (?:too|at a rate)|(?:sending|rate|daily|hourly) limit"
    r"|limit on the number|exceeded the max|unusual sending|(?:e?mails|messages) per (?:hour|day)"
)
"""Too much for now, with whatever code: in the mailbox, for the mailbox, or from us."""

_OURS = frozenset({"5.1.7", "5.1.8", "5.2.252", "5.3.1", "5.3.2", "5.4.5", "5.7.60"})
"""Codes about us or about the server: our address, how much we send, what it takes at all."""

_OUR_NAME = re.compile(
    r"(?i)sender (?:email )?address (?:rejected|is not|not)|sender verify|send ?as ?denied"
    r"|not owned by|not one of your|must (?:be same|be the same|equal)|not (?:a )?verified"
    r"|verified sender|not authori[sz]ed to send|sending (?:suspended|paused)|account suspended"
    r"|smtp auth|not authenticated|authentication (?:is )?required|(?:helo|ehlo) command rejected"
    r"|invalid helo|client host rejected"
)
"""Words about who writes: our address, our login, our host.  Many servers ask for those only once
a recipient is named, or look at the header in the body."""

_BLOCKING_CODES = re.compile(r"[45]\.7\.(?:2\d|50[1-9]|511|513|515|[67]\d\d)")
"""SPF, DKIM, DMARC, a host without a name (RFC 7372, Gmail); Microsoft's blocks of a sender."""

_BLOCKING = re.compile(
    r"(?i)blocked using|(?:block|black|deny)[ -]?list|spamhaus|spamcop|dnsbl|\brbl\b"
    r"|banned|reputation|reverse (?:dns|host)|\b(?:rdns|ptr|spf|dkim|dmarc)\b|unauthenticated"
)
"""A provider's words for what it holds against our server or our name, not against a reader."""

_IN_THE_MAIL = re.compile(r"(?i)\b(?:ur[il]s?|uribl|surbl|dbl|contents?|attachments?)\b")
"""What such words are about at other times: something that this one mail contains."""

_BLOCKED_S = 3600.0
"""Blocks last for hours or weeks, and asking often prolongs some."""

_NOT_US = "does not let us send as we do; look at mail.sender, mail.own_returns and the login"

_NOT_UTF_8 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}
"""aiosmtplib's mark of a byte that is no UTF-8 → the letter that it is in Latin-1."""


class Phase(StrEnum):
    """How far a message had come."""

    CONNECT = "connect"
    MAIL = "mail"
    RCPT = "rcpt"
    DATA = "data"  # asked for, the body not yet sent
    BODY = "body"  # sent: the server may have taken it


def judge(wrong: BaseException, phase: Phase, relay: str, recipient: str = "") -> ChannelError:
    """The fault, and one sentence about it.  `relay` names the server, "mail.example.org:587"."""
    if isinstance(wrong, aiosmtplib.SMTPResponseException):
        if _blocks_us(wrong, phase):
            named = phase not in (Phase.CONNECT, Phase.MAIL)
            return _blocked(wrong, relay, recipient if named else "")
        return _answered(wrong, phase, relay)
    # A certificate error is a ValueError too.
    impossible = isinstance(wrong, ValueError | aiosmtplib.SMTPNotSupported)
    if impossible and phase is not Phase.CONNECT and not isinstance(wrong, ssl.SSLError):
        return ChannelError(f"this mail cannot be put on the wire ({wrong})", Fault.CONTENT)
    if phase is Phase.BODY:
        told = f"{relay} broke off before saying whether it took the mail ({brief(str(wrong))})"
        return ChannelError(told, Fault.UNKNOWN)
    return ChannelError(_unreachable(wrong, relay), _out_of_step(phase))


def enhanced(text: str) -> str:
    """The enhanced status code that an answer begins with ("5.1.1", RFC 3463), or ""."""
    found = re.match(r"([245]\.\d{1,3}\.\d{1,3})(?!\S)", text)
    return found[1] if found else ""


def asks_for_patience(error: ChannelError) -> bool:
    """Whether the server finds us too fast: 421, or an enhanced code 4.7.x."""
    return error.reported.startswith("421") or " 4.7." in error.reported


def brief(text: str) -> str:
    """A server's words on one line that can be stored and printed, whatever bytes it sent."""
    return cut(clean(text.translate(_NOT_UTF_8)), 160)


# ------------------------------------------------------------------ answers


def _answered(wrong: aiosmtplib.SMTPResponseException, phase: Phase, relay: str) -> ChannelError:
    code, text = wrong.code, str(wrong.message)
    fault, sentence = _meaning(wrong, code, enhanced(text), text, phase)
    return ChannelError(
        f"{relay} {sentence}: {_said(wrong)}",
        fault,
        suppress=fault is Fault.ADDRESS,
        reported=_reported(wrong),
    )


def _reported(wrong: aiosmtplib.SMTPResponseException) -> str:
    return f"{wrong.code} {enhanced(str(wrong.message))}".rstrip()


def _said(wrong: aiosmtplib.SMTPResponseException) -> str:
    """The answer on one line; a code that begins each of its lines is said once."""
    text = str(wrong.message)
    status = enhanced(text)
    once = re.sub(rf"\n{re.escape(status)}(?!\S)", "\n", text) if status else text
    return f"{wrong.code} {brief(once)}".rstrip()


def _blocks_us(wrong: aiosmtplib.SMTPResponseException, phase: Phase) -> bool:
    """Whether a provider has something against us, whoever is written to: by its code, or where
    that says no more than "policy" or nothing, by its words.

    A server that is busy says 421 at any time; at the greeting some say so to whom they block.
    """
    text = str(wrong.message)
    status = enhanced(text)
    if wrong.code < 400 or wrong.code == 503 or (wrong.code == 421 and phase is not Phase.CONNECT):
        return False
    if isinstance(wrong, aiosmtplib.SMTPAuthenticationError):  # about the name and the password
        return False
    if _BLOCKING_CODES.fullmatch(status):
        return True
    by_words = status[1:] in ("", ".7.0", ".7.1") and not _IN_THE_MAIL.search(text)
    return by_words and bool(_BLOCKING.search(text))


def _blocked(wrong: aiosmtplib.SMTPResponseException, relay: str, recipient: str) -> ChannelError:
    """All of a domain waits, once several there were refused: a block goes by the sender.

    Before a recipient is named it is the relay that blocks us, and everyone waits.
    """
    domain = recipient.rpartition("@")[2]
    where = f" at {domain}" if domain else ""
    return ChannelError(
        f"{relay}: mail of ours is blocked{where}; have the block lifted, and it goes on by "
        f"itself: {_said(wrong)}",
        Fault.RECIPIENT if domain else Fault.CHANNEL,
        retry_after=_BLOCKED_S,
        scope=f"@{domain}" if domain else "",
        reported=_reported(wrong),
    )


def _meaning(
    wrong: aiosmtplib.SMTPResponseException, code: int, status: str, text: str, phase: Phase
) -> tuple[Fault, str]:
    if isinstance(wrong, aiosmtplib.SMTPAuthenticationError):
        passing = "cannot check the name and the password now"
        return Fault.CHANNEL, passing if code < 500 else "refuses the name or the password"
    if phase is Phase.CONNECT:
        return Fault.CHANNEL, "is busy" if 400 <= code < 500 else "refuses the connection"
    if phase is Phase.BODY:
        return _after_the_body(code, status, text)
    # 503 and a garbled answer are our conversation out of step: no address is given up for them.
    if code in (421, 503) or code < 200:
        return _out_of_step(phase), "broke off the conversation"
    if code < 500:
        return Fault.RETRY, "does not take the mail yet"
    if phase is Phase.MAIL:
        if code == 552 or status == "5.3.4":
            return Fault.CONTENT, "finds the mail too large"
        return Fault.CHANNEL, _NOT_US if _OUR_NAME.search(text) else "does not let us send"
    if phase is Phase.RCPT:
        return _about_the_recipient(code, status, text)
    return Fault.CONTENT, "refuses the mail"


def _out_of_step(phase: Phase) -> Fault:
    """A broken conversation: everyone's, but where one recipient may have been what broke it."""
    return Fault.RECIPIENT if phase in (Phase.RCPT, Phase.DATA) else Fault.CHANNEL


def _about_the_recipient(code: int, status: str, text: str) -> tuple[Fault, str]:
    """What a refusal of a recipient means.  Its code is judged before its words."""
    if _unknown_address(status, text):
        return Fault.ADDRESS, "does not know the address"
    if status in _OURS or code in (530, 535) or _NO_RELAYING.search(text):
        return Fault.RECIPIENT, "does not let us send"
    if _OUR_NAME.search(text):
        return Fault.RECIPIENT, _NOT_US
    # RFC 5321 §4.5.3.1.10: a 552 here is a 452 of an older server.
    if _full_or_lost(status, text) or (code == 552 and not status):
        return Fault.RETRY, "cannot reach the mailbox"
    # A bare 550 and 5.7.x are as often about our name as about the address.
    return Fault.CONTENT, "refuses the mail"


def _after_the_body(code: int, status: str, text: str) -> tuple[Fault, str]:
    if code < 200:
        return Fault.UNKNOWN, "answered something unreadable after the mail"
    if status in _OURS:
        return Fault.RECIPIENT, "does not let us send"
    if code < 500 or code == 503 or _full_or_lost(status, text):
        return Fault.RETRY, "does not take the mail yet"
    if _unknown_address(status, text):
        return Fault.ADDRESS, "does not know the address"
    if _OUR_NAME.search(text) or _NO_RELAYING.search(text):
        return Fault.RECIPIENT, _NOT_US
    return Fault.CONTENT, "refuses the mail"


def _unknown_address(status: str, text: str) -> bool:
    """Whether the code says so; 5.1.0 is any trouble with any address, and Gmail has a 5.2.1 for
    a mailbox that gets too much."""
    if status == "5.2.1":
        return not _NOT_NOW.search(text)
    return status.startswith("5.1.") and status not in ("5.1.0", "5.1.7", "5.1.8")


def _full_or_lost(status: str, text: str) -> bool:
    """Whether a final answer may still pass: a full mailbox, no route, no host."""
    return status in ("5.2.2", "5.4.1", "5.4.3", "5.4.4") or bool(_NOT_NOW.search(text))


# ------------------------------------------------------------------ no answer


def _unreachable(wrong: BaseException, relay: str) -> str:
    cause = wrong if isinstance(wrong, ssl.SSLError) else wrong.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"{relay} shows a certificate that does not hold ({cause.verify_message}); renew it, "
            "or let SSL_CERT_FILE name the authority that signed it"
        )
    if isinstance(cause, ssl.SSLError):
        return f"{relay} does not speak TLS as configured ({brief(str(cause))})"
    if isinstance(wrong, aiosmtplib.SMTPTimeoutError | TimeoutError):
        return f"{relay} does not answer; if it never has, look at the port and at tls"
    if isinstance(wrong, aiosmtplib.SMTPException) and "AUTH extension" in str(wrong):
        return (
            f"{relay} asks nobody for a name and a password; leave out mail.username, "
            "or set mail.tls where it asks only over TLS"
        )
    if isinstance(wrong, aiosmtplib.SMTPException) and "STARTTLS" in str(wrong):
        return f"{relay} offers no STARTTLS; mail is not sent in the clear unless tls = “none”"
    if isinstance(wrong, aiosmtplib.SMTPException) and "auth" in str(wrong).casefold():
        return f"{relay} offers no way to log in that we know ({brief(str(wrong))})"
    return f"{relay} cannot be reached ({_system_words(wrong)})"


def _system_words(wrong: BaseException) -> str:
    """What the system says: "connection refused", "Name or service not known"."""
    for each in (wrong, wrong.__cause__):
        if isinstance(each, socket.gaierror):
            return brief(each.strerror or "unknown name")
        if isinstance(each, OSError) and each.errno:
            return os.strerror(each.errno).lower()
    return brief(str(wrong)) or type(wrong).__name__
