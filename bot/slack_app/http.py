"""Signed requests over HTTP, for those who prefer that Slack calls them.  Same listeners."""

from time import monotonic
from urllib.parse import parse_qs

import structlog
from slack_bolt.adapter.starlette.async_handler import (
    to_async_bolt_request,
    to_starlette_response,
)
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.signature import SignatureVerifier
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

MOST_BYTES = 1_000_000
APART_S = 60.0  # between two lines of the log about what anybody may send

log = structlog.get_logger()


class _Signatures:
    """Whether requests come from Slack.

    Looked at before anything else is: of a stranger's request nothing is parsed, and its words
    are not written down.
    """

    def __init__(self, secret: str) -> None:
        self._verifier = SignatureVerifier(secret)
        self._told_at = -APART_S

    def hold(self, request: Request, body: bytes) -> bool:
        """Whether Slack signed it, within five minutes."""
        try:
            holds = self._verifier.is_valid_request(body, dict(request.headers))
        except (
            TypeError,
            ValueError,
            OverflowError,
        ):  # a time that is none, bytes that are no text
            holds = False
        if not holds and monotonic() - self._told_at >= APART_S:
            self._told_at = monotonic()
            log.warning("slack_request_unsigned", todo="if it was Slack, see slack.signing_secret")
        return holds


def routes(app: AsyncApp, secret: str, flow: AsyncOAuthFlow | None = None) -> list[Route]:
    """``/slack/events`` and, where workspaces may install the app, the pages for that.

    Requests are believed that Slack signed with the `secret`.
    """
    signatures = _Signatures(secret)

    async def events(request: Request) -> Response:
        body = None if _too_long(request) else await _body(request)
        if body is None:
            return PlainTextResponse("too long", 413)
        if _is_about_tls(body):
            return PlainTextResponse("")
        if not signatures.hold(request, body):
            return PlainTextResponse("not signed", 401)
        try:
            asked = to_async_bolt_request(request, body)
            return to_starlette_response(await app.async_dispatch(asked))
        except Exception:
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


def _is_about_tls(body: bytes) -> bool:
    """Whether Slack only looks at our certificate: it signs nothing then, and nothing is done."""
    return len(body) < 1_000 and parse_qs(body).get(b"ssl_check") == [b"1"]


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
