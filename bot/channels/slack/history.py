"""Whether a message of ours stands in a conversation, from what Slack shows of it."""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from bot.channels import NOT_THERE
from bot.model import Part

EVENT = "paperround_digest"
SHOWN = 100  # messages that are read
GONE_THREAD = "thread_not_found"

_CLOCKS_APART = timedelta(hours=1)  # Slack's and ours, at most
_FIRST_WORDS = 8


def receipt_in(answer: Mapping[str, Any], part: Part, since: datetime) -> str | None:
    """The timestamp of the message that carries the part's key; NOT_THERE where none does.

    None where it may be further back than what is shown, or one that has lost its key, and where
    the answer is of a shape that Slack does not promise.
    """
    try:
        return _sought(answer, part, since)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _sought(answer: Mapping[str, Any], part: Part, since: datetime) -> str | None:
    messages = answer.get("messages") or ()
    found = next((str(each["ts"]) for each in messages if _key(each) == part.key), None)
    if found is not None:
        return found
    sure = _reaches_back(answer, part, since) and not any(_alike(each, part) for each in messages)
    return NOT_THERE if sure else None


def _reaches_back(answer: Mapping[str, Any], part: Part, since: datetime) -> bool:
    """Whether the answer shows all that was said since then."""
    if answer.get("has_more") is False:
        return True
    shown = [float(each["ts"]) for each in answer.get("messages") or ()]
    # A thread is shown from its beginning, a conversation from its end.
    reached = min(shown, default=None) if not part.parent else None
    return reached is not None and reached < (since - _CLOCKS_APART).timestamp()


def _alike(message: Mapping[str, Any], part: Part) -> bool:
    """Whether an app said the same without any key: Slack may have lost it, or never kept it."""
    if not message.get("bot_id") or _key(message) is not None:
        return False
    return _words(str(message.get("text") or "")) == _words(json.loads(part.content)["text"])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)[:_FIRST_WORDS]


def _key(message: Mapping[str, Any]) -> str | None:
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT:
        return None
    return str((metadata.get("event_payload") or {}).get("key"))
