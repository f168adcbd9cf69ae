"""A loopback arXiv with invented papers and faults to order: API, RSS and OAI-PMH."""

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit
from xml.sax.saxutils import escape, quoteattr

NAMESPACES = (
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns="http://www.w3.org/2005/Atom"'
)


@dataclass(frozen=True)
class Printed:
    """A paper as arXiv would print it."""

    arxiv_id: str
    submitted_at: datetime
    title: str = "An invented title"
    abstract: str = "  An invented abstract\nof two lines."
    version: int = 1
    updated_at: datetime | None = None
    authors: tuple[str, ...] = ("Ada Lovelace", "Mary Somerville")
    categories: tuple[str, ...] = ("cs.LG",)
    comment: str = ""
    announced: str = "new"
    withdrawn: bool = False
    modified_on: date | None = None  # OAI's datestamp
    raw: str = ""  # an entry word for word, in place of all that

    @property
    def datestamp(self) -> date:
        return self.modified_on or (self.updated_at or self.submitted_at).date()


@dataclass
class Fault:
    """What happens instead of a good answer; `edit` changes the body of one."""

    status: int = 200
    body: bytes | None = None
    kind: str = "application/atom+xml; charset=UTF-8"
    headers: dict[str, str] = field(default_factory=dict)
    edit: Callable[[bytes], bytes] | None = None
    change: Callable[[list[Printed]], list[Printed]] | None = None  # the page's papers
    total: int | None = None
    start: int | None = None  # served whatever was asked
    empty: bool = False
    reset: bool = False
    silent_s: float = 0.0
    drip: bool = False  # chunks that never end
    trickle: str = ""  # "head" or "body" comes byte by byte, for ever
    short: bool = False  # promise more bytes than come
    times: int = 1
    match: str = "/"


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    path: str
    args: dict[str, str]
    headers: dict[str, str]
    at: float


class ArxivServer:
    """Serves `papers` on a free port of 127.0.0.1, over `tls` if given, until the block ends."""

    def __init__(self, papers: Sequence[Printed] = (), tls: ssl.SSLContext | None = None) -> None:
        self.papers = list(papers)
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.page_limit = 2000
        self.oai_page = 3
        self.before: Callable[[int], None] = lambda n: None  # called with the request's number
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"arxiv": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._scheme = "https" if tls else "http"
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/query"

    def fail(self, **fault: Any) -> None:
        """Order a fault for the next request (`times`, `match` for others)."""
        self.faults.append(Fault(**fault))

    def next_fault(self, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and fault.match in path:
                fault.times -= 1
                return fault
        return None

    # ------------------------------------------------------------------ the three interfaces

    def api(self, args: dict[str, str], fault: Fault) -> tuple[int, str]:
        start, size = int(args.get("start", 0)), int(args.get("max_results", 10))
        start = start if fault.start is None else fault.start
        found = self._search(args)
        page = found[start : start + min(size, self.page_limit)]
        total = len(found) if fault.total is None else fault.total
        if fault.empty:
            page, total = [], fault.total or 0
        if fault.change:
            page = fault.change(page)
        return 200, atom(page, total, start)

    def _search(self, args: dict[str, str]) -> list[Printed]:
        query = args.get("search_query", "")
        found = sorted(self.papers, key=lambda p: (p.submitted_at, p.arxiv_id))
        if ids := [i for i in args.get("id_list", "").split(",") if i]:
            return [p for p in reversed(found) if p.arxiv_id in ids]
        if days := re.search(r"submittedDate:\[(\d{12}) TO (\d{12})\]", query):
            low, high = (
                datetime.strptime(d, "%Y%m%d%H%M").replace(tzinfo=UTC) for d in days.groups()
            )
            found = [p for p in found if low <= p.submitted_at < high + timedelta(minutes=1)]
        if wanted := set(re.findall(r"cat:([\w.-]+)", query)):
            found = [p for p in found if wanted & set(p.categories)]
        return found

    def rss(self, form: str, wanted: list[str]) -> tuple[int, str]:
        rows = [p for p in self.papers if set(wanted) & set(p.categories)]
        return 200, (rss if form == "rss" else atom_listing)(rows, "+".join(wanted))

    def oai(self, args: dict[str, str]) -> tuple[int, str]:
        skip = 0
        if token := args.get("resumptionToken"):
            args = {k: v[0] for k, v in parse_qs(unquote(token)).items()}
            if "skip" not in args:
                return 200, oai_error("badResumptionToken", "Token structure is invalid.")
            skip = int(args["skip"])
        since, until = args.get("from", "2005-09-16"), args.get("until", "9999")
        rows = sorted(
            (
                p
                for p in self.papers
                if since <= p.datestamp.isoformat() <= until
                and any(in_set(c, args.get("set", "")) for c in p.categories)
            ),
            key=lambda p: (p.datestamp, p.arxiv_id),
        )
        page, more = rows[skip : skip + self.oai_page], rows[skip + self.oai_page :]
        if not page:
            return 200, oai_error("noRecordsMatch", "The list is empty.")
        return 200, oai_list(page, self._token(args, page, more, skip))

    def _token(
        self, args: dict[str, str], page: list[Printed], more: list[Printed], skip: int
    ) -> str:
        """As arXiv does it: `from` moves to the next row's day, `skip` counts its rows shown."""
        if not more:
            return ""
        day = more[0].datestamp
        onward = dict(args)
        if day.isoformat() == args.get("from"):
            onward["skip"] = str(skip + len(page))
        else:
            onward |= {"from": day.isoformat(), "skip": str(sum(p.datestamp == day for p in page))}
        return quote(urlencode(onward))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    arxiv: ArxivServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        args = {k: v[-1] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        with self.arxiv.lock:
            self.arxiv.before(len(self.arxiv.requests))
            self.arxiv.requests.append(
                Request(unquote(self.path), args, dict(self.headers), time.monotonic())
            )
            fault = self.arxiv.next_fault(unquote(self.path)) or Fault()
        if fault.reset:
            self._reset()
        elif fault.drip:
            self._drip()
        elif fault.trickle:
            self._trickle(fault.trickle)
        else:
            time.sleep(fault.silent_s)
            self._answer(fault, *self._body(url.path, args, fault))

    def _body(self, path: str, args: dict[str, str], fault: Fault) -> tuple[int, bytes]:
        if fault.body is not None or fault.status != 200:
            return fault.status, fault.body or b""
        if path == "/api/query":
            status, text = self.arxiv.api(args, fault)
        elif path == "/oai":
            status, text = self.arxiv.oai(args)
        else:
            _, form, spec = path.split("/", 2)
            status, text = self.arxiv.rss(form, unquote(spec).split("+"))
        return status, fault.edit(text.encode()) if fault.edit else text.encode()

    def _answer(self, fault: Fault, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", fault.kind)
        self.send_header("Content-Length", str(len(body) + (1000 if fault.short else 0)))
        for name, value in fault.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = fault.short

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.close_connection = True
        self.connection.close()

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/atom+xml")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _ in range(200):
            self.wfile.write(b"1\r\n \r\n")
            time.sleep(0.02)
        self.close_connection = True

    def _trickle(self, part: str) -> None:
        """As promised, and no faster: a peer that is never silent for long."""
        length = "Content-Length: 100000\r\n\r\n" if part == "body" else "X-Slow: "
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml\r\n{length}"
        self.wfile.write(head.encode())
        for _ in range(1_000):
            self.wfile.write(b" ")
            time.sleep(0.02)
        self.close_connection = True


# ---------------------------------------------------------------------- what arXiv writes


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entry(p: Printed) -> str:
    if p.raw:
        return p.raw
    about = f"http://arxiv.org/abs/{p.arxiv_id}v{p.version}"
    authors = "".join(f"<author><name>{escape(a)}</name></author>" for a in p.authors)
    categories = "".join(f"<category term={quoteattr(c)}/>" for c in p.categories)
    comment = f"<arxiv:comment>{escape(p.comment)}</arxiv:comment>" if p.comment else ""
    return (
        f"<entry><id>{about}</id><title>{escape(p.title)}</title>"
        f"<updated>{stamp(p.updated_at or p.submitted_at)}</updated>"
        f'<link href="{about}" rel="alternate"/><summary>{escape(p.abstract)}</summary>'
        f"{categories}<published>{stamp(p.submitted_at)}</published>{comment}"
        f"<arxiv:primary_category term={quoteattr(p.categories[0])}/>{authors}</entry>"
    )


def atom(page: Sequence[Printed], total: int | None, start: int = 0) -> str:
    totals = "" if total is None else f"<opensearch:totalResults>{total}</opensearch:totalResults>"
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<feed {NAMESPACES}><title>arXiv Query</title>"
        f"{totals}<opensearch:startIndex>{start}</opensearch:startIndex>"
        f"{''.join(map(entry, page))}</feed>"
    )


def error_entry(message: str, *, published: bool = False) -> Printed:
    dated = (
        f"<published>{stamp(datetime(2026, 11, 1, tzinfo=UTC))}</published>" if published else ""
    )
    raw = (
        f"<entry><id>https://arxiv.org/api/errors#{quote(message)}</id><title>Error</title>"
        f"<updated>2026-11-01T00:00:00Z</updated>{dated}<summary>{escape(message)}</summary>"
        "</entry>"
    )
    return Printed("errors", datetime(2026, 11, 1, tzinfo=UTC), raw=raw)


def atom_listing(rows: Sequence[Printed], spec: str) -> str:
    items = "".join(
        f"<entry><id>oai:arXiv.org:{p.arxiv_id}v{p.version}</id><title>{escape(p.title)}</title>"
        f"<updated>2026-11-24T05:00:00+00:00</updated><summary>{escape(_described(p))}</summary>"
        + "".join(f"<category term={quoteattr(c)}/>" for c in p.categories)
        + f"<published>2026-11-24T00:00:00-05:00</published>{_listed(p)}</entry>"
        for p in rows
    )
    return f"<feed {NAMESPACES}><title>{spec} updates on arXiv.org</title>{items}</feed>"


def rss(rows: Sequence[Printed], spec: str) -> str:
    items = "".join(
        f"<item><title>{escape(p.title)}</title><link>https://arxiv.org/abs/{p.arxiv_id}</link>"
        f"<description>{escape(_described(p))}</description>"
        + "".join(f"<category>{escape(c)}</category>" for c in p.categories)
        + f"<guid>oai:arXiv.org:{p.arxiv_id}v{p.version}</guid>"
        f"<pubDate>Tue, 24 Nov 2026 00:00:00 -0500</pubDate>{_listed(p)}</item>"
        for p in rows
    )
    names = NAMESPACES.rpartition(" ")[0]
    return (
        f'<rss {names} version="2.0"><channel><title>{spec} updates on arXiv.org</title>'
        f"<pubDate>Tue, 24 Nov 2026 00:00:00 -0500</pubDate>{items}</channel></rss>"
    )


def _described(p: Printed) -> str:
    return f"arXiv:{p.arxiv_id}v{p.version} Announce Type: {p.announced} \nAbstract: {p.abstract}"


def _listed(p: Printed) -> str:
    return (
        f"<arxiv:announce_type>{p.announced}</arxiv:announce_type>"
        f"<dc:creator>{escape(', '.join(p.authors))}</dc:creator>"
    )


def in_set(category: str, wanted: str) -> bool:
    archive, _, leaf = category.partition(".")
    group = archive if archive in ("cs", "econ", "eess", "math", "stat") else "physics"
    name = f"{group}:{archive}" + (f":{leaf}" if leaf else "")
    return not wanted or name == wanted or name.startswith(wanted + ":")


def oai_list(page: Sequence[Printed], token: str) -> str:
    return _envelope(
        f"<ListRecords>{''.join(map(record, page))}"
        f"<resumptionToken>{escape(token)}</resumptionToken></ListRecords>"
    )


def oai_error(code: str, message: str) -> str:
    return _envelope(f"<error code='{code}'>{message}</error>")


def mail_date(at: datetime) -> str:
    return f"{at.astimezone(UTC):%a, %d %b %Y %H:%M:%S} GMT"


def record(p: Printed) -> str:
    if p.raw:
        return p.raw
    later = p.updated_at or p.submitted_at
    versions = "".join(
        f'<version version="v{n}"><date>{mail_date(p.submitted_at if n == 1 else later)}</date>'
        f"<size>9kb</size><source_type>{'I' if p.withdrawn and n == p.version else 'D'}"
        "</source_type></version>"
        for n in range(1, p.version + 1)
    )
    comment = f"<comments>{escape(p.comment)}</comments>" if p.comment else ""
    return (
        f"<record><header><identifier>oai:arXiv.org:{p.arxiv_id}</identifier>"
        f"<datestamp>{p.datestamp}</datestamp></header><metadata>"
        f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{p.arxiv_id}</id>{versions}'
        f"<title>{escape(p.title)}</title><authors>{escape(', '.join(p.authors))}</authors>"
        f"<categories>{' '.join(p.categories)}</categories>{comment}"
        f"<abstract>{escape(p.abstract)}</abstract></arXivRaw></metadata></record>"
    )


def _envelope(inside: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{inside}</OAI-PMH>'
    )


def many(count: int, day: datetime, **more: Any) -> list[Printed]:
    """That many papers, one a minute from `day` on."""
    first = Printed("", day, **more)
    return [
        replace(
            first,
            arxiv_id=f"{day:%y%m}.{int(day.strftime('%d')) * 1000 + n:05d}",
            submitted_at=day + timedelta(minutes=n),
            title=f"Invented paper {n} of {day:%d %B}",
        )
        for n in range(count)
    ]


def dumped(server: ArxivServer) -> str:
    """The requests so far, for a failing test to show."""
    return json.dumps([r.path for r in server.requests], indent=1)
