"""Signed links that let a reader act from a mail without logging in.  Pure.

A link is its own credential: whoever holds it may do the one thing it names.  It never expires,
because a mail may be left years after it came; raising a destination's epoch voids its links.
"""

import hmac
import re
from base64 import urlsafe_b64decode
from binascii import b2a_base64
from dataclasses import dataclass

from itsdangerous import BadSignature, Signer

PURPOSES = ("act", "leave", "one-click", "stop-all", "person", "confirm")
"""What a link may be for: to do one command; to leave this destination (a page asks first, or,
for the mail program's own button, at once); to end all mail; to open the personal page; to say
yes to a first mail."""

_LETTERS = dict(zip("alospc", PURPOSES, strict=True))
_LETTER_OF = {purpose: letter for letter, purpose in _LETTERS.items()}
_TOKEN = re.compile(r"([alospc])([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{20,60})", re.ASCII)
_IN_ADDRESSES = bytes.maketrans(b"+/", b"-_")
_CLAIM = re.compile(r"(\d{1,18})\.(\d{1,9})\.(.*)", re.DOTALL | re.ASCII)


class BadLink(Exception):
    """The link was altered, cut off, or was not made here."""

    def __init__(self) -> None:
        super().__init__(
            "This link is not complete or was not made here; open it again from the mail."
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """What a link says.  Whether its `epoch` still holds is for the core to judge."""

    purpose: str
    destination_id: int
    epoch: int
    command: str = ""


class Links:
    """Makes links and reads them back.

    `base_url` is where the web pages are reached ("https://digest.example.org"); "" means that
    there are none, and every link is "".  `key` is the installation's secret, at least 16 bytes.
    """

    def __init__(self, base_url: str, key: bytes) -> None:
        if len(key) < 16:
            raise ValueError("the key that signs links must have at least 16 bytes")
        self.base_url = base_url.rstrip("/")
        self._signers = {letter: _signer(key, purpose) for letter, purpose in _LETTERS.items()}
        self._seals = {
            letter: hmac.new(signer.derive_key(), digestmod="sha1")
            for letter, signer in self._signers.items()
        }

    def url(self, purpose: str, destination_id: int, epoch: int, command: str = "") -> str:
        """The address of a link, or "" without a web address.  Raises KeyError on a new purpose."""
        token = self.token(purpose, destination_id, epoch, command)
        return f"{self.base_url}/l/{token}" if self.base_url else ""

    def token(self, purpose: str, destination_id: int, epoch: int, command: str = "") -> str:
        """The signed part of a link: letters, digits, ``_``, ``-`` and one dot."""
        letter = _LETTER_OF[purpose]
        said = _armour(f"{destination_id}.{epoch}.{command}".encode("utf-8", "replace"))
        # Word for word what Signer.sign gives, with the key taken in once: a mail holds a hundred.
        seal = self._seals[letter].copy()
        seal.update(said.encode())
        return f"{letter}{said}.{_armour(seal.digest())}"

    def read(self, token: str) -> Claim:
        """What a token says.  Raises BadLink unless every byte of it is as it was made."""
        parts = _TOKEN.fullmatch(token)
        if not parts:
            raise BadLink
        letter = parts[1]
        try:
            signed = self._signers[letter].unsign(token[1:])
            said = _CLAIM.fullmatch(_unarmour(signed))
        except (BadSignature, ValueError) as wrong:
            raise BadLink from wrong
        if not said:
            raise BadLink
        claim = Claim(_LETTERS[letter], int(said[1]), int(said[2]), said[3])
        # Base64 lets the last letter vary without a change of meaning; one token, one spelling.
        if self.token(claim.purpose, claim.destination_id, claim.epoch, claim.command) != token:
            raise BadLink
        return claim


def _signer(key: bytes, purpose: str) -> Signer:
    """A key for each purpose: a signature made for one link opens no other kind.

    It is derived once, not for each of the hundred links in a mail.
    """
    own = Signer(key, salt=f"paperround.links.{purpose}", key_derivation="hmac").derive_key()
    return Signer(own, salt=purpose, key_derivation="none")


def _armour(raw: bytes) -> str:
    return b2a_base64(raw, newline=False).translate(_IN_ADDRESSES).rstrip(b"=").decode()


def _unarmour(text: bytes) -> str:
    return urlsafe_b64decode(text + b"=" * (-len(text) % 4)).decode()
