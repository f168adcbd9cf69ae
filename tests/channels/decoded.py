"""Pages of mails as the programs of their readers decode them."""

from binascii import a2b_qp

from bot.channels.email.html import LIMIT, digest_wire
from bot.digest import Digest


def digest_html(digest: Digest, limit: int = LIMIT) -> str:
    """The document that `digest_wire` encodes."""
    return a2b_qp(digest_wire(digest, limit)).decode().replace("\r\n", "\n").rstrip("\n")
