"""Pages that say what was wrong and what to do instead."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bot.store import TooBroad
from bot.web.body import Body
from bot.web.rendering import render
from bot.web.selection import OddAddress

HTML = "text/html; charset=utf-8"


class Trouble(Exception):
    """A page that says what was wrong and what to do instead."""

    def __init__(self, status: int, heading: str, *lines: str, **more: object) -> None:
        super().__init__(heading)
        self.status = status
        self.values = {
            "heading": heading,
            "lines": lines,
            "near": (),
            "make": "",
            "ways": None,
            "at_arxiv": "",
            "back": None,
            **more,
        }


def page(request: Request, html: str, status: int = 200) -> Response:
    """A page as it is sent."""
    return Body(html).answer(request, HTML, status)


def trouble(request: Request, exc: Exception) -> Response:
    """Any trouble as a page."""
    if isinstance(exc, Trouble):
        return page(request, render("note.html.j2", **exc.values), exc.status)
    if isinstance(exc, OddAddress | TooBroad):
        return _note(request, 400, "That cannot be shown", str(exc))
    return _note(request, 404, "No such page", f"There is nothing at {request.url.path[:80]}.")


def refusal(
    request: Request, status: int, heading: str, said: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A refusal: a page for who reads pages, one line for any other program."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"{said}\n", status, headers)
    values = Trouble(status, heading, said).values
    return HTMLResponse(render("note.html.j2", **values), status, headers)


def failed(request: Request, exc: Exception) -> Response:
    """A fault of ours, without its details."""
    return _note(request, 500, "Something failed here", "It is in the log. Try again in a moment.")


def _note(request: Request, status: int, heading: str, *lines: str) -> Response:
    values = Trouble(status, heading, *lines).values
    return page(request, render("note.html.j2", **values), status)
