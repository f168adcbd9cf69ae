"""What a call to Slack may end in that is no fault of ours."""

import aiohttp
from slack_sdk.errors import SlackApiError

TROUBLE = (SlackApiError, aiohttp.ClientError, OSError, TimeoutError)


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
    return float(said) if said.isdigit() else 1.0
