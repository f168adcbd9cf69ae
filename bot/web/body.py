"""What is sent: bytes, squeezed where the asker can, or not at all where it has them already."""

import gzip
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

_WORTH = 2_000  # bytes from which squeezing is worth its time


class Body:
    """The bytes of an answer with their mark; `changed` is when what they tell last changed."""

    def __init__(self, content: str | bytes, changed: datetime | None = None) -> None:
        raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
        self.changed = changed
        self.mark = sha256(raw).hexdigest()[:20]
        self._gzipped = len(raw) >= _WORTH
        # Thousands of these are kept; a fifth of the memory holds them squeezed.
        self._held = gzip.compress(raw, 4, mtime=0) if self._gzipped else raw

    @property
    def raw(self) -> bytes:
        """The bytes as they were made."""
        return gzip.decompress(self._held) if self._gzipped else self._held

    def answer(self, request: Request, kind: str, status: int = 200) -> Response:
        """The response: 304 where the asker's copy is this one."""
        squeeze = self._gzipped and takes_gzip(request.headers.get("accept-encoding", ""))
        headers = {
            "ETag": f'"{self.mark}-gz"' if squeeze else f'"{self.mark}"',
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
        }
        if self.changed:
            headers["Last-Modified"] = format_datetime(self.changed, usegmt=True)
        if status == 200 and self._is_known(request):
            return Response(status_code=304, headers=headers)
        if squeeze:
            headers["Content-Encoding"] = "gzip"
        return Response(self._held if squeeze else self.raw, status, headers, kind)

    def _is_known(self, request: Request) -> bool:
        """Whether the asker has this body: by its mark, else by its date (RFC 9110, 13.2.2)."""
        if marks := request.headers.get("if-none-match", ""):
            return marks.strip() == "*" or self.mark in marks
        try:
            since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        except ValueError:
            return False
        return bool(self.changed and since.tzinfo and self.changed.replace(microsecond=0) <= since)


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding takes gzip: by its name, else by "*" (RFC 9110, 12.5.3)."""
    weights = dict(map(_weighed, accepted.lower().split(",")))
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


def _weighed(choice: str) -> tuple[str, float]:
    name, _, given = choice.partition(";")
    key, _, value = given.partition("=")
    try:
        return name.strip(), float(value) if key.strip() == "q" else 1.0
    except ValueError:
        return name.strip(), 0.0
