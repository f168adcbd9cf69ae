"""Mail addresses: one, strictly read, ready to send to, and folded for identity.  Pure."""

import re
import unicodedata
from email.utils import getaddresses

import idna

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]+"
_LOCAL = re.compile(rf"{_ATOM}(\.{_ATOM})*")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_WITHOUT_DOTS = frozenset({"gmail.com", "googlemail.com"})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"})


class AddressError(ValueError):
    """The text is not one mail address.  The message is one sentence for the person."""


def normalise_address(text: str) -> str:
    """The one address in `text`, as it is sent to.  Raises AddressError.

    The domain becomes lower-case ASCII (IDNA 2008), so that any server takes it; the part before
    the @ keeps its case and its plus-tag, because its server may care.  Letters of double width
    and curled apostrophes are those that a keyboard made of plain ones.  Lists, names, quotes, IP
    numbers, comments and anything invisible are refused.  RFC 5321 §4.5.3.1: 64 and 254 octets.
    """
    address = unicodedata.normalize("NFKC", text.strip()).replace("’", "'")
    if any(unicodedata.category(character) in _UNSEEN for character in address):
        raise _refused(text)
    local, at, domain = address.rpartition("@")
    if not at or not _LOCAL.fullmatch(local) or len(local.encode()) > 64:
        raise _refused(text)
    whole = f"{local}@{_ascii_domain(domain, text)}"
    if len(whole.encode()) > 254:
        raise _refused(text)
    return whole


def writer(text: str) -> tuple[str, str]:
    """Name and address of whoever writes mail: “Paper Digest <digest@example.org>”.

    The address is all ASCII, so that any server takes what it writes.  Raises AddressError.
    """
    found = getaddresses([text])
    if len(found) != 1:
        raise _no_writer(text)
    name, address = found[0]
    try:
        plain = normalise_address(address)
    except AddressError as wrong:
        raise _no_writer(text) from wrong
    if not plain.isascii():
        raise AddressError(
            f"“{_shown(text)}” cannot write to every server; "
            "take an address with plain letters before the @"
        )
    return name, plain


def identity_of(address: str) -> str:
    """The address by which a person is known: "Ada@Example.org" and "ada@example.org" are one.

    Takes what `normalise_address` returned.  Plus-tags stay: they are mailboxes of their own.
    """
    return address.casefold()


def mailbox_of(address: str) -> str:
    """The mailbox behind plus-tags, and behind Gmail's dots, for counting how often it was
    written to unasked."""
    local, _, domain = identity_of(address).rpartition("@")
    mailbox = local.partition("+")[0] or local
    if domain in _WITHOUT_DOTS:
        return f"{mailbox.replace('.', '')}@gmail.com"
    return f"{mailbox}@{domain}"


def masked(address: str) -> str:
    """The address as a page shows it: "r…@example.org"."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def _ascii_domain(domain: str, text: str) -> str:
    try:
        plain = idna.encode(domain, uts46=True, transitional=False).decode().lower()
    except (idna.IDNAError, UnicodeError) as wrong:
        raise _refused(text) from wrong
    labels = plain.split(".")
    known = plain == "localhost" or (len(labels) > 1 and not labels[-1].isdigit())
    if not known or not all(_LABEL.fullmatch(label) for label in labels):
        raise _refused(text)
    return plain


def _refused(text: str) -> AddressError:
    return AddressError(
        f"“{_shown(text)}” is not one mail address; write it like reader@example.org"
    )


def _no_writer(text: str) -> AddressError:
    return AddressError(
        f"“{_shown(text)}” is no sender; write it like Paper Digest <digest@example.org>"
    )


def _shown(text: str) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in text.strip())
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
