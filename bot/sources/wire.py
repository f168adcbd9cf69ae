"""One request and its whole answer before a deadline, or a SourceError saying why not."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests import exceptions
from requests.adapters import HTTPAdapter

from bot.sources import SourceError, SourceFault
from bot.sources.limiter import in_words

_NETWORK = (
    exceptions.ConnectionError,
    exceptions.Timeout,
    exceptions.ChunkedEncodingError,
    exceptions.ContentDecodingError,
    exceptions.StreamConsumedError,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.  `onward` is where a redirection leads, "" for any other answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    onward: str = ""


class Wire:
    """One connection to a host at a time.  Follows no redirection, tries nothing twice.

    `deadline_s` is for a whole answer: a peer that sends a byte a minute meets it too.
    """

    def __init__(self, user_agent: str, *, deadline_s: float, max_bytes: int) -> None:
        self.deadline_s = deadline_s
        self.max_bytes = max_bytes
        self._http = _Session()
        self._http.headers.update({"User-Agent": user_agent, "Accept-Encoding": "gzip, deflate"})
        self._adapter = _Adapter(max_retries=0, pool_maxsize=1)
        for scheme in ("https://", "http://"):
            self._http.mount(scheme, self._adapter)

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def ask(self, url: str, headers: Mapping[str, str], timeout: tuple[float, float]) -> Reply:
        """The answer, whatever its status.  Raises SourceError where none came whole."""
        try:
            with self._deadline(max(self.deadline_s, timeout[1])), self._http.get(
                url, timeout=timeout, stream=True, headers=dict(headers), proxies=_proxies(url),
                allow_redirects=False,
            ) as response:  # fmt: skip
                body = self._body(response)
                onward = urljoin(url, response.headers.get("Location", ""))
        except _NETWORK as error:
            self._http.close()  # a dead connection must not be taken from the pool again
            raise SourceError(_network_trouble(error, timeout[1])) from None
        except (exceptions.RequestException, ValueError) as error:  # not an address
            raise SourceError(_unaskable(url, error), SourceFault.PERMANENT) from None
        moved = response.is_redirect  # a redirection that says where to
        return Reply(response.status_code, response.headers, body, onward if moved else "")

    @contextmanager
    def _deadline(self, seconds: float) -> Iterator[None]:
        """Cut the connection after so long.  Raises SourceError then, whatever was read."""
        met = threading.Event()

        def cut() -> None:
            met.set()
            self._adapter.cut()

        timer = threading.Timer(seconds, cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except _NETWORK:
            if not met.is_set():
                raise
        finally:
            timer.cancel()
        if met.is_set():  # without a length, what was cut off looks whole
            self._http.close()
            raise SourceError(f"arXiv's answer took longer than {in_words(self.deadline_s)}")

    def _body(self, response: requests.Response) -> bytes:
        """The whole body.  Raises SourceError where it is too large."""
        parts: list[bytes] = []
        size = 0
        for part in response.iter_content(1 << 16):
            size += len(part)
            if size > self.max_bytes:
                raise SourceError(f"arXiv's answer is larger than {self.max_bytes >> 20} MB")
            parts.append(part)
        return b"".join(parts)


class _Session(requests.Session):
    """Leaves redirections to whoever asked, even those that lead to no address."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None, wherever it leads."""


class _Adapter(HTTPAdapter):
    """Knows the socket that is being read, so that another thread can cut it.

    A timeout is for the silence between two reads: a slow drip never meets it.
    """

    _reading: socket.socket | None = None

    def get_connection_with_tls_context(self, *given: Any, **named: Any) -> Any:
        """The pool; its connections show their sockets."""
        pool: Any = super().get_connection_with_tls_context(*given, **named)
        kind, adapter = type(pool).ConnectionCls, self

        class Shown(kind):  # type: ignore[misc, valid-type]
            def getresponse(self) -> Any:
                adapter._reading = self.sock
                return super().getresponse()

        pool.ConnectionCls = Shown
        return pool

    def cut(self) -> None:
        """Cut what is being read short: its reader finds the end of the stream."""
        if self._reading is not None:
            with suppress(OSError):  # closed meanwhile
                socket.socket.shutdown(self._reading, socket.SHUT_RDWR)


def _proxies(url: str) -> dict[str, str]:
    """The environment's, but never one between us and a server on this machine."""
    host = urlsplit(url).hostname or ""
    loopback = host == "localhost" or host.startswith("127.") or host == "::1"
    return {"http": "", "https": ""} if loopback else {}


def _unaskable(url: str, error: Exception) -> str:
    if "proxy" in str(error).lower() or "SOCKS" in str(error):
        return (
            f"arXiv cannot be asked through the proxy of HTTPS_PROXY ({str(error).rstrip('.')}); "
            "name one as http://host:port"
        )
    return f"{url[:80]} cannot be asked: {error}"


def _network_trouble(error: Exception, read_timeout: float) -> str:
    if isinstance(error, exceptions.ConnectTimeout):
        return "arXiv cannot be reached (no connection in time)"
    if isinstance(error, exceptions.Timeout) or "Read timed out" in str(error):
        return f"arXiv was silent for {in_words(read_timeout)}"
    if isinstance(error, exceptions.ChunkedEncodingError | exceptions.ContentDecodingError):
        return "arXiv's answer broke off"
    if isinstance(error, exceptions.SSLError):
        return (
            "the connection to arXiv is not trusted (TLS); where a proxy of yours opens it, let "
            "REQUESTS_CA_BUNDLE name its authority"
        )
    why = "connection refused, reset or no such host"
    if isinstance(error, exceptions.ProxyError):
        return f"the proxy of HTTPS_PROXY does not lead to arXiv ({why})"
    return f"arXiv cannot be reached ({why})"
