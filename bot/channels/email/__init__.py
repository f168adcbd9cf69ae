"""Digests as e-mail.  Rendering is pure; sending is a transport's: a server, or a folder.

message      a mail as exact bytes; html and pieces, how it looks
smtp         carries it, at a pace; connecting finds the address that answers, and logs in
smtp_errors  what a mail server's refusal means
folder       keeps it where no server is set
"""

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from bot.addresses import writer
from bot.channels import Page
from bot.channels.email.html import digest_wire, notice_html
from bot.channels.email.message import Letter, quoted_printable, wire
from bot.digest import Action, Digest, Notice
from bot.digest.reading import as_text, letter_as_text
from bot.model import Part


class Transport(Protocol):
    """What carries a finished mail to one recipient."""

    async def carry(self, name: str, sender: str, recipient: str, raw: bytes) -> str:
        """Hand `raw` over from the envelope's `sender` and return a receipt.

        `name` is the part's key, for those that file it.  Raises ChannelError.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Email:
    """The channel "email".

    `sender` is what From says ("Paper Digest <digest@example.org>"), `domain` stands in
    Message-ID and List-Id.  With a `bounce_key` each delivery gets an envelope sender of its own
    (``digest+17.4f…@example.org``), that a returned mail names;
    not where `own_returns` is False, for relays that let nothing but `sender` itself pass.
    Raises AddressError for a `sender` or a `reply_to` that no server would take.
    """

    name = "email"

    def __init__(
        self,
        transport: Transport,
        sender: str,
        domain: str = "",
        bounce_key: bytes = b"",
        *,
        reply_to: str = "",
        own_returns: bool = True,
    ) -> None:
        self._transport = transport
        self._sender_name, self._sender = writer(sender)
        self._domain = domain or self._sender.rpartition("@")[2]
        self._bounce_key = bounce_key
        self._reply_to = writer(reply_to) if reply_to else None
        self._own_returns = own_returns and bool(bounce_key)

    def render(self, digest: Digest) -> tuple[Page, ...]:
        """One mail of at most 80 KB of HTML, and what it offers behind its links.

        Same digest, same bytes, same Message-ID.
        """
        letter = replace(
            self._letter(digest, as_text(digest), digest_wire(digest)),
            # RFC 5322 §3.6.1; a late one dated when it was due looks like junk, or is refused.
            at=digest.composed_at or digest.due_at,
            list_name=self._sender_name or "Paper digest",
            list_id=f"{digest.list_id}.{self._domain}" if digest.list_id else "",
            one_click=_link(digest.actions, "one-click"),
            help_url=_link(digest.actions, "Change"),
            feedback_id=f"{digest.due_at:%G-W%V}:digest:paperround:{self._feedback_sender()}",
        )
        return (Page(wire(letter)), *_rest(digest))

    def letter(self, notice: Notice) -> Page:
        """A notice as one mail.  Same notice, same bytes."""
        html = quoted_printable(notice_html(notice))
        return Page(wire(self._letter(notice, letter_as_text(notice), html)))

    def _letter(self, said: Digest | Notice, text: str, html: bytes) -> Letter:
        return Letter(
            self._sender_name,
            self._sender,
            said.address,
            said.title,
            said.due_at,
            self._message_id(said.key),
            text=quoted_printable(text),
            html=html,
            reply_to=self._reply_to,
        )

    async def send(self, part: Part) -> str:
        """Hand the mail over once and return what the transport answered.  Raises ChannelError."""
        sender = self.envelope_sender(part.delivery_id)
        return await self._transport.carry(part.key, sender, part.address, part.content)

    async def find(self, part: Part, since: datetime) -> str | None:
        """None: a mail server cannot be asked what it has taken."""
        return None

    async def close(self) -> None:
        """Let go of the transport's connections."""
        await self._transport.close()

    def envelope_sender(self, delivery_id: int) -> str:
        """Where a mail that cannot be delivered returns to, signed; it names its delivery.

        For whoever reads that mailbox: Paperround does not.  The sender itself where that is long.
        """
        if not self._own_returns:
            return self._sender
        local, _, domain = self._sender.rpartition("@")
        own = f"{local}+{delivery_id}.{self._mac(f'bounce {delivery_id}')[:16]}"
        # RFC 5321 §4.5.3.1.1: 64 octets before the @; cut short, it would be another's mailbox.
        return f"{own}@{domain}" if len(own) <= 64 else self._sender

    def _message_id(self, key: str) -> str:
        # The mac keeps two installations of one domain apart: mail servers drop repeated ids.
        return f"{key}.{self._mac(f'id {key}')[:16]}@{self._domain}"

    def _mac(self, text: str) -> str:
        return hmac.new(self._bounce_key, text.encode(), hashlib.sha256).hexdigest()

    def _feedback_sender(self) -> str:
        """Five to fifteen letters that stay the same (Gmail's Feedback-ID)."""
        return re.sub(r"[^a-z0-9]", "", self._domain.lower())[:15].ljust(5, "x")


def _rest(digest: Digest) -> tuple[Page, ...]:
    """What is shown of each topic once its reader asks for it: the papers, in reading order."""
    kept = (section.rest for section in digest.sections if section.is_kept)
    ids = [tuple(entry.paper.arxiv_id for entry in rest) for rest in kept]
    return tuple(Page(json.dumps(each).encode(), offered=True, papers=each) for each in ids)


def _link(actions: Sequence[Action], label: str) -> str:
    return next((action.url for action in actions if action.label == label), "")
