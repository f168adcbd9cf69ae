"""What a call to Slack may end in that is no fault of ours."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError

# Of a file that its upload address did not take, slack_sdk says no more than SlackRequestError.
TROUBLE = (SlackClientError, aiohttp.ClientError, OSError, TimeoutError)
LONGEST_PAUSE_S = 30.0

T = TypeVar("T")


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Call Slack; where it asks for patience, once more after the pause.  Raises TROUBLE."""
    try:
        return await call()
    except SlackApiError as exc:
        if trouble_of(exc) != "ratelimited":
            raise
        await asyncio.sleep(min(pause_of(exc), LONGEST_PAUSE_S))
    return await call()


def trouble_of(exc: BaseException) -> str:
    """Slack's error code, or what kind of trouble it was."""
    if not isinstance(exc, SlackApiError):
        return type(exc).__name__
    data = getattr(exc.response, "data", None)
    return str(data.get("error") or "") if isinstance(data, dict) else str(exc)[:100]


def pause_of(exc: BaseException) -> float:
    """The seconds that Slack asks for; 1 where it names none."""
    headers = getattr(getattr(exc, "response", None), "headers", None) or {}
    said = next((str(v) for k, v in headers.items() if str(k).lower() == "retry-after"), "")
    return float(said) if said.isdecimal() else 1.0
