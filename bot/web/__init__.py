"""The web door: topic pages, personal pages, feeds, health.

Pages are made on the server and whole without JavaScript; nothing is asked of any third party,
and no cookie is set for reading.

pages        topics, papers, search, what was saved; files, the same to take along
people       pages behind the links in mail, one's settings among them
door         what an address names; selection, which papers it asks for; trouble, what was wrong
views        what pages show, gathered from the core; searching, for a query; cache
rendering    templates to HTML
body         what is sent; middleware, what stands around it
health       whether it lives
"""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bot.core import Core
from bot.links import BadLink
from bot.store import TooBroad
from bot.web.body import Body
from bot.web.cache import Cache
from bot.web.door import Ways, query_of
from bot.web.files import Files
from bot.web.middleware import Headers, Limit
from bot.web.pages import Pages
from bot.web.people import bad_link
from bot.web.rendering import STATIC
from bot.web.selection import OddAddress
from bot.web.trouble import Trouble, failed, refusal, trouble
from bot.web.views import Library

_TYPES = {
    ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}  # fmt: skip
_ROBOTS = """User-agent: *
Disallow: /search?
Disallow: /topics/*/ask
Disallow: /papers/*/ask
Disallow: /saved?
"""
"""Whatever costs work and has no end.  Personal pages say noindex themselves: what a crawler may
not open it lists by its address."""
_FOR_EVER = "public, max-age=31536000, immutable"


class _Kind(Convertor[str]):
    """The ending of a file to take along."""

    regex = "atom|json|bib|ris|csv"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


def create(
    core: Core,
    *,
    routes: Sequence[BaseRoute] = (),
    follow_by_mail: str = "",
    in_slack: bool = True,
    a_minute: int = 0,
    stale_s: float = 60.0,
) -> Starlette:
    """The web app over a core.

    `routes` are further pages of the same app (people's, health).  `follow_by_mail` is the path
    that takes the form with an address, `in_slack` says whether Slack can be spoken to;
    `a_minute` limits the requests of one address, 0 does not.  Pages may be `stale_s` seconds
    behind while a poll writes.
    """
    register_url_convertor("kind", _Kind())
    library = Library(core, stale_s=stale_s)
    cache = Cache[Body](core.house.clock, stale_s=stale_s)
    ways = Ways(follow_by_mail, in_slack)
    pages = Pages(core, library, ways=ways, cache=cache)
    files = Files(core, library, ways=ways, cache=cache)
    app = Starlette(
        routes=[
            Route("/static/{mark}/{name}", static),
            Route("/robots.txt", robots),
            *routes,
            *files.routes(),
            *pages.routes(),
        ],
        middleware=[
            Middleware(Headers, https=core.house.links.base_url.startswith("https:")),
            Middleware(Limit, a_minute=a_minute, clock=core.house.clock),
        ],
        exception_handlers={
            Trouble: trouble,
            OddAddress: trouble,
            TooBroad: trouble,
            HTTPException: _unserved,
            ClientDisconnect: _gone,
            BadLink: bad_link,
            Exception: failed,
        },
    )
    app.router.redirect_slashes = False  # it would name the host that the asker named
    return app


def static(request: Request) -> Response:
    """A file of `static/`; its address holds a mark of its content, so it may be kept for ever."""
    path = STATIC / request.path_params["name"]
    if path.parent != STATIC or path.suffix not in _TYPES or not path.is_file():
        raise HTTPException(404)
    headers = {"Cache-Control": _FOR_EVER}
    return Response(path.read_bytes(), 200, headers, media_type=_TYPES[path.suffix])


def robots(request: Request) -> Response:
    """What crawlers are asked to leave alone (RFC 9309)."""
    return Response(_ROBOTS, media_type="text/plain")


def _gone(request: Request, exc: Exception) -> Response:
    """The client left before the end of its request: nobody reads this, and nothing is wrong."""
    return Response(status_code=400)


def _unserved(request: Request, exc: Exception) -> Response:
    if isinstance(exc, HTTPException) and exc.status_code != 404:
        said = "This page can only be read." if exc.status_code == 405 else exc.detail
        return refusal(request, exc.status_code, "That cannot be done here", said, exc.headers)
    path = request.scope["path"]
    if path.endswith("/") and path.strip("/"):  # one slash before, lest it name another host
        return RedirectResponse(f"/{quote(path.strip('/'))}{query_of(request)}")
    return trouble(request, exc)
