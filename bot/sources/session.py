"""One polite HTTP session for all of arXiv's interfaces.

Every request waits for its turn, has a timeout and a deadline, says who asks, and is judged
before anyone parses it.  Source of the manners: arXiv's terms of use for its APIs, and what
others met in 2025 and 2026 (429 without Retry-After, 503 in the hour after an announcement).
"""

import html
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import requests
from lxml import etree
from requests import exceptions
from requests.adapters import HTTPAdapter

from bot.model import utc_now
from bot.sources import Limiter, SourceError, SourceFault, clocks, documents
from bot.sources.limiter import in_words

QUARTER_HOUR, TWO_HOURS, SIX_HOURS, DAY = 900.0, 7200.0, 21_600.0, 86_400.0
BACK_OFF_S = (10.0, 30.0, 90.0)
MAX_BYTES = 50 << 20

_SUMMARY = re.compile(rb"<summary[^>]*>(.{1,500}?)</summary>", re.DOTALL)
_RATE_EXCEEDED = re.compile(rb"rate (?:limit )?exceeded|too many requests", re.IGNORECASE)
_NETWORK = (
    exceptions.ConnectionError,
    exceptions.Timeout,
    exceptions.ChunkedEncodingError,
    exceptions.ContentDecodingError,
    exceptions.StreamConsumedError,
)


class Refused(SourceError):
    """arXiv answered with an error status."""

    def __init__(
        self, message: str, fault: SourceFault, status: int, retry_after: float = 0.0
    ) -> None:
        super().__init__(message, fault, retry_after)
        self.status = status


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole, well-formed document; `root` is None where nothing changed since `etag`."""

    root: etree._Element | None
    etag: str = ""
    mended: bool = False
    at: datetime | None = None  # by the server's clock

    @property
    def document(self) -> etree._Element:
        """The document of an answer that must have one."""
        assert self.root is not None
        return self.root


class Session:
    """Asks arXiv, one request at a time.

    `user_agent` names the product and a contact.  `timeout` is seconds to connect and between
    two reads, `deadline_s` for a whole answer.  While the clock that is `doubted` is days apart
    from arXiv's, no answer is believed.  Not for use by two threads at once.
    """

    def __init__(
        self,
        limiter: Limiter,
        *,
        user_agent: str,
        timeout: tuple[float, float] = (10.0, 60.0),
        deadline_s: float = 300.0,
        max_bytes: int = MAX_BYTES,
        tries: int = 4,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        doubted: Callable[[], datetime] | None = None,
    ) -> None:
        self.limiter = limiter
        self.timeout = timeout
        self.deadline_s = deadline_s
        self.max_bytes = max_bytes
        self.tries = tries
        self.back_off_s = back_off_s
        self.sleep = sleep
        self.monotonic = monotonic
        self.now = now
        self.doubted = doubted
        self.clock_is_off = False  # by arXiv's own clock, when it last answered
        self._http = requests.Session()
        self._http.headers.update({"User-Agent": user_agent, "Accept-Encoding": "gzip, deflate"})
        for scheme in ("https://", "http://"):
            self._http.mount(scheme, HTTPAdapter(max_retries=0, pool_maxsize=1))
        self._http.max_redirects = 4

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def get(
        self,
        url: str,
        *roots: str,
        etag: str = "",
        read_timeout: float = 0.0,
        tries: int = 0,
    ) -> Answer:
        """The document at `url`, whose element must be one of `roots`.

        What may pass is tried again after 10, 30 and 90 seconds, each time in turn.  `tries` and
        `read_timeout` are the session's where they are 0, and never more where it has but one
        try.  Raises SourceError; a 429 pauses every process for 15 minutes to 2 hours, a 403 for
        a day.
        """
        tries = self.tries if self.tries == 1 else tries or self.tries
        for attempt in range(tries):
            self.limiter.wait()
            try:
                answer = self._once(url, frozenset(roots), etag, read_timeout)
            except SourceError as trouble:
                if trouble.fault is not SourceFault.TRANSIENT or attempt == tries - 1:
                    raise
                self._rest(attempt, trouble)
            else:
                self.limiter.answered()
                return answer
        raise AssertionError("tries must be at least 1")

    def page(self, url: str) -> bytes:
        """The HTML page at `url`, as it came; asked for once, since nothing waits for it.

        Raises SourceError; pauses everybody as `get` does.
        """
        self.limiter.wait()
        try:
            with self._http.get(
                url, timeout=self.timeout, stream=True, proxies=_proxies(url)
            ) as response:
                body = self._body(response, self.monotonic() + self.deadline_s)
        except _NETWORK as error:
            self._http.close()
            raise SourceError(_network_trouble(error, self.timeout[1])) from None
        self._checked(response, body, feed=False)
        self.limiter.answered()
        return body

    # ------------------------------------------------------------------ one request

    def _once(self, url: str, roots: frozenset[str], etag: str, read_timeout: float) -> Answer:
        timeout = (self.timeout[0], read_timeout or self.timeout[1])
        headers = {"If-None-Match": etag} if etag else {}
        try:
            with self._http.get(
                url, timeout=timeout, stream=True, headers=headers, proxies=_proxies(url)
            ) as response:
                body = self._body(response, self.monotonic() + max(self.deadline_s, timeout[1]))
        except _NETWORK as error:
            self._http.close()  # a dead connection must not be taken from the pool again
            raise SourceError(_network_trouble(error, timeout[1])) from None
        except exceptions.RequestException as error:
            raise SourceError(
                f"{url[:80]} cannot be asked: {error}", SourceFault.PERMANENT
            ) from None
        return self._judged(response, body, roots)

    def _body(self, response: requests.Response, deadline: float) -> bytes:
        """The whole body.  Raises SourceError where it is too large or takes too long."""
        parts: list[bytes] = []
        size = 0
        for part in response.iter_content(1 << 16):
            size += len(part)
            if size > self.max_bytes:
                raise SourceError(f"arXiv's answer is larger than {self.max_bytes >> 20} MB")
            if self.monotonic() > deadline:
                self._http.close()
                raise SourceError(f"arXiv's answer took longer than {in_words(self.deadline_s)}")
            parts.append(part)
        return b"".join(parts)

    def _judged(self, response: requests.Response, body: bytes, roots: frozenset[str]) -> Answer:
        if response.status_code == 304:
            return Answer(None, response.headers.get("ETag", ""))
        self._checked(response, body, feed=True)
        document = documents.read(body, roots)
        at = clocks.http_date(response.headers.get("Date", ""))
        self._compare(at)
        return Answer(document.root, response.headers.get("ETag", ""), document.mended, at)

    def _checked(self, response: requests.Response, body: bytes, *, feed: bool) -> None:
        """Raises SourceError unless arXiv answered what was asked for."""
        status, kind = response.status_code, response.headers.get("Content-Type", "").lower()
        retry_after = _retry_after(response.headers, self.now())
        plain = feed and not kind.startswith(("application/", "text/xml"))
        if status == 429 or (plain and _RATE_EXCEEDED.search(body[:500])):
            raise self._slowed_down(status, retry_after)
        if status == 403:
            raise self._shut_out()
        if status != 200:
            raise _refused(status, body, retry_after)
        if feed and kind.startswith(("text/html", "text/plain")):
            raise SourceError(f"arXiv answered with {kind.split(';')[0]} instead of a feed")

    def _compare(self, theirs: datetime | None) -> None:
        """Raises SourceError where our clock cannot be right."""
        if self.doubted and theirs:
            trouble = clocks.apart(self.doubted(), theirs)
            self.clock_is_off = bool(trouble)
            if trouble:
                raise SourceError(trouble)

    # ------------------------------------------------------------------ setbacks

    def _rest(self, attempt: int, trouble: SourceError) -> None:
        """Wait before the next try: longer each time, never all installations at once."""
        own = self.back_off_s[min(attempt, len(self.back_off_s) - 1)] if self.back_off_s else 0.0
        if trouble.retry_after > QUARTER_HOUR:
            self.limiter.pause(trouble.retry_after, str(trouble))
            raise trouble
        self.sleep(max(own * (1 + random.random() / 4), trouble.retry_after))

    def _slowed_down(self, status: int, retry_after: float) -> Refused:
        own = min(QUARTER_HOUR * 2 ** self.limiter.pauses(), TWO_HOURS)
        pause = min(max(own * (1 + random.random() / 10), retry_after), SIX_HOURS)
        reason = f"arXiv asked for fewer requests ({status})"
        self.limiter.pause(pause, reason)
        return Refused(
            f"{reason}; asking again in {in_words(pause)}", SourceFault.RATE_LIMITED, status, pause
        )

    def _shut_out(self) -> Refused:
        reason = (
            "arXiv refuses us (403): look at the contact in the user agent, then write to arXiv"
        )
        self.limiter.pause(DAY, reason)
        return Refused(f"{reason}; nothing is asked for a day", SourceFault.BLOCKED, 403, DAY)


def _proxies(url: str) -> dict[str, str]:
    """The environment's, but never one between us and a server on this machine."""
    host = urlsplit(url).hostname or ""
    loopback = host == "localhost" or host.startswith("127.") or host == "::1"
    return {"http": "", "https": ""} if loopback else {}


def _refused(status: int, body: bytes, retry_after: float) -> Refused:
    passing = status >= 500 or status in (408, 425)
    fault = SourceFault.TRANSIENT if passing else SourceFault.PERMANENT
    said = _SUMMARY.search(body)
    why = f": {_one_line(said[1])}" if said else ""
    return Refused(f"arXiv answered {status}{why}", fault, status, retry_after)


def _one_line(raw: bytes) -> str:
    return " ".join(html.unescape(raw.decode("utf-8", "replace")).split())[:200]


def _network_trouble(error: Exception, read_timeout: float) -> str:
    if isinstance(error, exceptions.ConnectTimeout):
        return "arXiv cannot be reached (no connection in time)"
    if isinstance(error, exceptions.Timeout) or "Read timed out" in str(error):
        return f"arXiv was silent for {in_words(read_timeout)}"
    if isinstance(error, exceptions.ChunkedEncodingError | exceptions.ContentDecodingError):
        return "arXiv's answer broke off"
    if isinstance(error, exceptions.SSLError):
        return "the connection to arXiv is not trusted (TLS)"
    return "arXiv cannot be reached (connection refused, reset or no such host)"


def _retry_after(headers: Mapping[str, str], now: datetime) -> float:
    """Seconds that the peer asks us to wait, at most six hours; 0 where it does not say."""
    value = headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return min(float(value[:9]), SIX_HOURS)
    at = clocks.http_date(value)
    return min(max((at - now).total_seconds(), 0.0), SIX_HOURS) if at else 0.0
