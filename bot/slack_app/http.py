"""Signed requests over HTTP, for those who prefer that Slack calls them.  Same listeners."""

import structlog
from slack_bolt.adapter.starlette.async_handler import (
    to_async_bolt_request,
    to_starlette_response,
)
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

MOST_BYTES = 1_000_000

log = structlog.get_logger()


def routes(app: AsyncApp, flow: AsyncOAuthFlow | None = None) -> list[Route]:
    """``/slack/events`` and, where workspaces may install the app, the pages for that."""

    async def events(request: Request) -> Response:
        body = None if _too_long(request) else await _body(request)
        if body is None:
            return PlainTextResponse("too long", 413)
        try:
            asked = to_async_bolt_request(request, body)
            return to_starlette_response(await app.async_dispatch(asked))
        except Exception:
            # Only what does not come from Slack: a body that cannot be read.
            log.exception("slack_request_unreadable")
            return PlainTextResponse("not readable", 400)

    made = [Route("/slack/events", events, methods=["POST"])]
    if flow is None:
        return made

    async def install(request: Request) -> Response:
        asked = to_async_bolt_request(request, b"")
        return to_starlette_response(await flow.handle_installation(asked))

    async def redirected(request: Request) -> Response:
        asked = to_async_bolt_request(request, b"")
        return to_starlette_response(await flow.handle_callback(asked))

    return [
        *made,
        Route("/slack/install", install, methods=["GET"]),
        Route("/slack/oauth_redirect", redirected, methods=["GET"]),
    ]


def _too_long(request: Request) -> bool:
    said = request.headers.get("content-length", "0")
    return not said.isdecimal() or int(said) > MOST_BYTES


async def _body(request: Request) -> bytes | None:
    """The body, or None if it is too long: anybody may send one, without an end."""
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > MOST_BYTES:
            return None
    return bytes(read)
