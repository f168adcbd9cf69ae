"""How a digest reaches a person; this face is the contract.

console      prints
email        mails, over SMTP or into a folder
slack        messages, one call a page
"""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.digest import Digest, Notice
from bot.model import Page, Part
from bot.text import clean

__all__ = ["NOT_THERE", "Channel", "ChannelError", "Fault", "Page"]

NOT_THERE = ""
"""What the other side says of a part that it surely never took."""


class Fault(StrEnum):
    """What a refusal means for the delivery, its destination and everyone else."""

    RETRY = "retry"  # not accepted, may be accepted later (greylisting, mailbox full, 429)
    ADDRESS = "address"  # nothing will be accepted there: the destination pauses
    CONTENT = "content"  # this message will never be accepted: the delivery is held
    RECIPIENT = "recipient"  # not taken for this one; several in a row, and it is the channel
    CHANNEL = "channel"  # the way itself is out of order: everyone on it waits, no attempt counted
    UNKNOWN = "unknown"  # it may have been accepted: asked about, then sent again as it was


class ChannelError(Exception):
    """A part was not (or not surely) accepted.  The message is one sentence for the operator.

    `retry_after` is in seconds, 0 where the peer named none.  `suppress` says that the peer
    declared the address itself unknown.  `scope` says what a CHANNEL fault closes, or several of
    RECIPIENT: the addresses that begin so ("T1:", a Slack workspace) or end so ("@example.org");
    "" is the whole channel.  `reported` is the peer's own code: "550 5.1.1", "channel_not_found".
    It and the message are made such that they can be written down.
    """

    def __init__(
        self,
        message: str,
        fault: Fault,
        *,
        retry_after: float = 0.0,
        suppress: bool = False,
        scope: str = "",
        reported: str = "",
    ) -> None:
        super().__init__(clean(message))
        self.fault = fault
        self.retry_after = retry_after
        self.suppress = suppress
        self.scope = scope
        self.reported = clean(reported)


class Channel(Protocol):
    """A way to reach people.  Renders purely, sends once; decides no retry and signs no link."""

    name: str

    def render(self, digest: Digest) -> tuple[Page, ...]:
        """The digest as messages: same digest, same bytes.  Does no I/O."""
        ...

    def letter(self, notice: Notice) -> Page:
        """A notice as one message: same notice, same bytes.  Does no I/O."""
        ...

    async def send(self, part: Part) -> str:
        """Hand over one part and return the receiver's receipt.  Raises ChannelError.

        One call is at most one attempt; nothing in here sends twice.
        """
        ...

    async def find(self, part: Part, since: datetime) -> str | None:
        """The receipt of an earlier attempt of unknown outcome; NOT_THERE where none arrived.

        None where the peer cannot be asked, or cannot tell.  The first attempt came after `since`.
        Raises ChannelError where it cannot be asked just now.
        """
        ...
