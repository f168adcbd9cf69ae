"""A folder of .eml and .html files instead of a mail server."""

import asyncio
import os
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from bot.channels import ChannelError, Fault


class Folder:
    """Writes each mail as NAME.eml and NAME.html.  The same mail twice is the same two files."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def carry(self, name: str, sender: str, recipient: str, raw: bytes) -> str:
        """The path of the .eml, once both files are whole on disk.  Raises ChannelError."""
        try:
            return str(await asyncio.to_thread(self._write, name, raw))
        except OSError as wrong:
            raise ChannelError(
                f"the mail folder {self._path} cannot be written ({wrong.strerror}); "
                "free some space or mend its permissions",
                Fault.CHANNEL,
                reported=wrong.strerror or "",
            ) from wrong

    async def close(self) -> None:
        """Nothing is held open."""

    def _write(self, name: str, raw: bytes) -> Path:
        # Whoever reads a mail can do what its links do; a folder that is there has its owner's say.
        self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:120].lstrip(".") or "mail"
        # The .eml comes last: where it stands, the mail is complete.
        self._put(f"{plain}.html", _html_of(raw))
        return self._put(f"{plain}.eml", raw)

    def _put(self, name: str, content: bytes) -> Path:
        draft, whole = self._path / f".{name}.new", self._path / name
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(whole)
        return whole


def _html_of(raw: bytes) -> bytes:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("html", "plain"))
    return str(body.get_content()).encode("utf-8", "replace") if body else b""
