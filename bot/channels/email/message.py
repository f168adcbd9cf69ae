"""A mail as exact bytes.  Pure: the same letter is the same bytes, for ever.

Written by hand rather than by `email.message`: under its policies a header with a long URL turns
into an encoded word, which breaks List-Unsubscribe, and lines run to 78 characters where RFC 2045
allows 76.  Everything is ASCII and CRLF (but for the address line of a mailbox that is not).
"""

import hashlib
import re
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from urllib.parse import quote, urlsplit, urlunsplit

import idna

_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_HALF = re.compile("[\ud800-\udfff]")
_LINE = 76
_SUBJECT = 120
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says and who it is from.

    `text` and `html` are in quoted-printable.  `message_id` and `list_id` are without their angle
    brackets; `one_click` is the https address of RFC 8058, `help_url` a page for the reader; ""
    leaves a header out.
    """

    sender_name: str
    sender: str
    recipient: str
    subject: str
    at: datetime
    message_id: str
    text: bytes
    html: bytes
    list_name: str = ""
    list_id: str = ""
    one_click: str = ""
    help_url: str = ""
    reply_to: tuple[str, str] | None = None  # name and address
    feedback_id: str = ""


def wire(letter: Letter) -> bytes:
    """The letter as it goes over the wire: headers in a fixed order, text, then HTML."""
    boundary = "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]
    head = "".join(f"{name}: {value}\r\n" for name, value in _headers(letter, boundary) if value)
    return b"".join(
        (
            head.encode("utf-8"),
            b"\r\n",
            _part(boundary, "plain", letter.text),
            _part(boundary, "html", letter.html),
            f"--{boundary}--\r\n".encode(),
        )
    )


def quoted_printable(text: str) -> bytes:
    """Text as ASCII in lines of at most 76 characters, ending in CRLF (RFC 2045 §6.7).

    Halves of characters become "?".
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    flat = text.rstrip("\n")
    # Given several lines, b2a_qp lets one that ends in a blank run over.
    pieces = flat.split("\n") if " \n" in flat or "\t\n" in flat else [flat]
    encoded = (b2a_qp(piece.encode("utf-8", "replace")) for piece in pieces)
    return b"\n".join([*encoded, b""]).replace(b"\n", b"\r\n")


def unfolded(text: str, most: int = _SUBJECT) -> str:
    """One line for a header: no break of any kind, no control character, at most `most` long."""
    flat = _HALF.sub("\ufffd", _BLANK.sub(" ", text)).strip()
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def _by_mail(letter: Letter) -> str:
    """Where no web address is set, leaving is asked for by mail (RFC 2369 §3.2)."""
    listed = letter.list_id.partition(".")[0]
    address = letter.reply_to[1] if letter.reply_to else letter.sender
    return f"mailto:{quote(address, safe='@+')}?subject=unsubscribe%20{listed}"


def _headers(letter: Letter, boundary: str) -> Sequence[tuple[str, str]]:
    one_click, help_url = _uri(letter.one_click), _uri(letter.help_url)
    return (
        ("From", _mailbox("From", letter.sender_name, letter.sender)),
        ("To", letter.recipient),
        ("Reply-To", _mailbox("Reply-To", *letter.reply_to) if letter.reply_to else ""),
        ("Subject", _words("Subject", unfolded(letter.subject) or "Paper digest")),
        ("Date", format_datetime(letter.at)),
        ("Message-ID", f"<{letter.message_id}>"),
        ("List-Id", _list_id(letter.list_name, letter.list_id) if letter.list_id else ""),
        ("List-Unsubscribe", f"<{one_click or _by_mail(letter)}>" if letter.list_id else ""),
        # Promised only where a POST acts, which RFC 8058 §3.1 wants over https.
        (
            "List-Unsubscribe-Post",
            "List-Unsubscribe=One-Click" if one_click.startswith("https://") else "",
        ),
        ("List-Help", f"<{help_url}>" if help_url else ""),
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("Feedback-ID", letter.feedback_id),
        ("MIME-Version", "1.0"),
        ("Content-Type", f'multipart/alternative;\r\n boundary="{boundary}"'),
    )


def _part(boundary: str, kind: str, content: bytes) -> bytes:
    head = (
        f"--{boundary}\r\n"
        f"Content-Type: text/{kind}; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    return head.encode() + content + b"\r\n"


def _mailbox(header: str, name: str, address: str) -> str:
    flat = unfolded(name, 60)
    if not flat:
        return address
    if not flat.isascii():
        return f"{_words(header, flat)} <{address}>"
    quoted = flat if _ATOM.fullmatch(flat) else '"' + re.sub(r'(["\\])', r"\\\1", flat) + '"'
    return f"{quoted} <{address}>"


def _list_id(name: str, list_id: str) -> str:
    """RFC 2919: a phrase, which may be encoded words, and an identifier."""
    flat = unfolded(name, 60).replace('"', "").replace("\\", "")
    phrase = f'"{flat}"' if flat.isascii() else _words("List-Id", flat)
    return f"{phrase} <{list_id}>"


def _uri(url: str) -> str:
    """A link as a header may hold it: ASCII (RFC 3986), whatever stands in the configuration."""
    if url.isascii():
        return url
    parts = urlsplit(url)
    host = idna.encode(parts.hostname or "", uts46=True).decode()
    host += f":{parts.port}" if parts.port else ""
    path, query = (quote(part, safe="/%=&+:@,;~!$'()*") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, host, path, query, ""))


def _words(header: str, text: str) -> str:
    """Unstructured text for a header: as it is where it may be, else encoded words (RFC 2047)."""
    if text.isascii() and "=?" not in text:
        return _folded(text, _LINE - len(header) - 2)
    return Header(text, "utf-8", maxlinelen=_LINE, header_name=header).encode(linesep="\r\n")


def _folded(text: str, first: int) -> str:
    lines, line, room = [], "", first
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > room:
            lines.append(line)
            line, room = word, _LINE - 1
        else:
            line = f"{line} {word}" if line else word
    return "\r\n ".join([*lines, line])
