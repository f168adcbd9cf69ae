"""Slack's Web API as slack_sdk asks it, for the channel and the door alike."""

from typing import Any

from aiohttp import ClientTimeout
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.proxy_env_variable_loader import load_http_proxy_from_env
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

_ODD = (AttributeError, LookupError, UnicodeError, RecursionError)
"""What slack_sdk raises of a text, a list, or bytes of an unknown alphabet, with status 200."""


class NotSlack(SlackClientError):
    """Somebody answered in Slack's place: a proxy, a portal that wants a login.

    Nothing was accepted.  `status` is the one of HTTP, 0 where slack_sdk does not tell.
    """

    def __init__(self, status: int = 0) -> None:
        said = f" (HTTP {status})" if status else ""
        super().__init__(f"something else answers in Slack's place{said}")
        self.status = status


class Client(AsyncWebClient):
    """A client that never posts twice by itself, and believes only what Slack says."""

    def __init__(self, token: str | None, base_url: str, timeout_s: int) -> None:
        super().__init__(
            token, base_url=base_url, timeout=timeout_s, retry_handlers=[], proxy=proxy()
        )

    async def _request(self, *, req_args: dict[str, Any], **said: Any) -> dict[str, Any]:
        """Where no connection comes about in time that is told apart: nothing was handed over."""
        patience = ClientTimeout(total=self.timeout, connect=self.timeout * 2 / 3)
        answer = await super()._request(req_args={**req_args, "timeout": patience}, **said)
        return dict(answer)

    async def api_call(self, api_method: str, **said: Any) -> AsyncSlackResponse:
        """One call.  Raises SlackApiError for what Slack refuses, NotSlack for anybody else's."""
        try:
            answer = await super().api_call(api_method, **said)
        except SlackApiError as exc:
            status = status_of(exc)
            # An empty 429 or a gateway's own 5xx says something, whoever said it.
            if error_of(exc) or status == 429 or status >= 500:
                raise
            raise NotSlack(status) from exc
        except _ODD as exc:
            raise NotSlack from exc
        if not isinstance(answer.data, dict):
            raise NotSlack(answer.status_code)
        return answer


def proxy() -> str | None:
    """The proxy that the environment names, with a scheme: many write it without, as others take
    it so."""
    named = load_http_proxy_from_env()
    return f"http://{named}" if named and "://" not in named else named


def error_of(exc: SlackApiError) -> str:
    """Slack's code for what went wrong, "" where it gives none."""
    data = getattr(exc.response, "data", None)
    return str(data.get("error") or "") if isinstance(data, dict) else ""


def status_of(exc: SlackApiError) -> int:
    """The status of HTTP."""
    said = exc.response
    return int(getattr(said, "status_code", None) or getattr(said, "status", 0) or 0)
