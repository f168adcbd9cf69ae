"""What a call to Slack may end in that is no fault of ours."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack_client import error_of

# Of a file that its upload address did not take, slack_sdk says no more than SlackRequestError.
TROUBLE = (SlackClientError, aiohttp.ClientError, OSError, TimeoutError)
PASSING = frozenset(
    {"ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}
)
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
    return error_of(exc) if isinstance(exc, SlackApiError) else type(exc).__name__


def pause_of(exc: BaseException) -> float:
    """The seconds that Slack asks for; 1 where it names none."""
    headers = getattr(getattr(exc, "response", None), "headers", None) or {}
    said = next((str(v) for k, v in headers.items() if str(k).lower() == "retry-after"), "")
    return float(said) if said.isdecimal() else 1.0
