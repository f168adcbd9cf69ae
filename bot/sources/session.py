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

from lxml import etree

from bot.model import utc_now
from bot.sources import Limiter, SourceError, SourceFault, clocks, documents
from bot.sources.limiter import in_words
from bot.sources.wire import Reply, Wire

QUARTER_HOUR, TWO_HOURS, SIX_HOURS, DAY = 900.0, 7200.0, 21_600.0, 86_400.0
BACK_OFF_S = (10.0, 30.0, 90.0)
MAX_BYTES = 50 << 20
REDIRECTIONS = 4

_SUMMARY = re.compile(rb"<summary[^>]*>(.{1,500}?)</summary>", re.DOTALL)
_RATE_EXCEEDED = re.compile(rb"rate (?:limit )?exceeded|too many requests", re.IGNORECASE)


class Refused(SourceError):
    """arXiv answered with an error status."""

    def __init__(
        self, message: str, fault: SourceFault, status: int, retry_after: float = 0.0
    ) -> None:
        super().__init__(message, fault, retry_after)
        self.status = status

    @property
    def is_for_the_question(self) -> bool:
        """Whether the question alone was refused, so that another one may be answered."""
        return self.status in (400, 413, 414)


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
        now: Callable[[], datetime] = utc_now,
        doubted: Callable[[], datetime] | None = None,
    ) -> None:
        self.limiter = limiter
        self.timeout = timeout
        self.tries = tries
        self.back_off_s = back_off_s
        self.sleep = sleep
        self.now = now
        self.doubted = doubted
        self.unwell: Callable[[str], None] = lambda _: None  # hears why, and when, it asks again
        self.clock_is_off = False  # by arXiv's own clock, when it last answered
        self._wire = Wire(user_agent, deadline_s=deadline_s, max_bytes=max_bytes)

    @property
    def deadline_s(self) -> float:
        """Seconds for a whole answer."""
        return self._wire.deadline_s

    @deadline_s.setter
    def deadline_s(self, seconds: float) -> None:
        self._wire.deadline_s = seconds

    def close(self) -> None:
        """Let go of the connection."""
        self._wire.close()

    def get(
        self,
        url: str,
        *roots: str,
        etag: str = "",
        read_timeout: float = 0.0,
        tries: int = 0,
    ) -> Answer:
        """The document at `url`, whose element must be one of `roots`.

        Trouble that may pass is met by another try after 10, 30 and 90 seconds.  `tries` and
        `read_timeout` are the session's where they are 0; a session that tries once tries no more
        than once.  Raises SourceError; a 429 pauses every process for 15 minutes to 2 hours, a
        403 for a day.
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
        reply = self._asked(url, {}, self.timeout)
        self._checked(reply, feed=False)
        self.limiter.answered()
        return reply.body

    # ------------------------------------------------------------------ one request

    def _once(self, url: str, roots: frozenset[str], etag: str, read_timeout: float) -> Answer:
        headers = {"If-None-Match": etag} if etag else {}
        timeout = (self.timeout[0], read_timeout or self.timeout[1])
        return self._judged(self._asked(url, headers, timeout), roots, etag)

    def _asked(self, url: str, headers: Mapping[str, str], timeout: tuple[float, float]) -> Reply:
        """The answer at the end of all redirections; each is a request, and waits for its turn."""
        at, reply = url, self._wire.ask(url, headers, timeout)
        for _ in range(REDIRECTIONS):
            if not reply.onward:
                return reply
            _refuse_open(at, reply.onward)
            self.limiter.wait()
            at, reply = reply.onward, self._wire.ask(reply.onward, headers, timeout)
        if reply.onward:
            raise SourceError(
                f"{url[:80]} cannot be asked: it leads on and on", SourceFault.PERMANENT
            )
        return reply

    def _judged(self, reply: Reply, roots: frozenset[str], etag: str) -> Answer:
        if reply.status == 304 and etag:
            return Answer(None, reply.headers.get("ETag", ""))
        self._checked(reply, feed=True)
        document = documents.read(reply.body, roots)
        at = clocks.http_date(reply.headers.get("Date", ""))
        self._compare(at)
        return Answer(document.root, reply.headers.get("ETag", ""), document.mended, at)

    def _checked(self, reply: Reply, *, feed: bool) -> None:
        """Raises SourceError unless arXiv answered what was asked for."""
        status, kind = reply.status, reply.headers.get("Content-Type", "").lower()
        retry_after = _retry_after(reply.headers, self.now())
        plain = feed and not reply.body.lstrip().startswith(b"<")
        if status == 429 or (plain and _RATE_EXCEEDED.search(reply.body[:500])):
            raise self._slowed_down(status, retry_after)
        if status == 403:
            raise self._shut_out()
        if status != 200:
            raise _refused(status, reply.body, retry_after)
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
        rest = max(own * (1 + random.random() / 4), trouble.retry_after)
        self.unwell(f"{trouble}; asking again in {in_words(rest)}")
        self.sleep(rest)

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


def _refuse_open(url: str, onward: str) -> None:
    """Raises SourceError where a redirection gives up TLS: then anybody may answer."""
    if url.lower().startswith("https:") and not onward.lower().startswith("https:"):
        raise SourceError(f"arXiv leads away from https, to {onward[:80]}; it is not followed")


def _refused(status: int, body: bytes, retry_after: float) -> Refused:
    passing = status >= 500 or status in (304, 408, 425)
    fault = SourceFault.TRANSIENT if passing else SourceFault.PERMANENT
    said = _SUMMARY.search(body)
    why = f": {_one_line(said[1])}" if said else ""
    return Refused(f"arXiv answered {status}{why}", fault, status, retry_after)


def _one_line(raw: bytes) -> str:
    return " ".join(html.unescape(raw.decode("utf-8", "replace")).split())[:200]


def _retry_after(headers: Mapping[str, str], now: datetime) -> float:
    """Seconds that the peer asks us to wait, at most six hours; 0 where it does not say."""
    value = headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return min(float(value[:9]), SIX_HOURS)
    at = clocks.http_date(value)
    return min(max((at - now).total_seconds(), 0.0), SIX_HOURS) if at else 0.0
