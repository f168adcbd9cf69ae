"""Whether a conversation that somebody names can be configured by them, and reached by us."""

import re
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack_app.people import Place
from bot.slack_app.trouble import TROUBLE, trouble_of

PAGES = 10
LETTING_GO = frozenset(
    {"unfollow", "unsubscribe", "unmute", "mute", "snooze", "list", "ls", "following", "settings"}
    | {"status", "help", "resume", "stop", "pause", "vacation", "holiday", "quiet", "silence"}
)

_BY_NAME = re.compile(r"\sin (#[\w.-]+)$")
BY_NAME = (
    "I can't tell which conversation {} is: names change, so Slack must say its id. "
    "Type # and choose it from Slack's list, then send this again."
)
CANNOT_SEE = (
    "I can't see that channel: it is private, or I'm not invited. "
    "Type `/invite @Papers` there, then run this again."
)


async def objection(
    named: tuple[str, ...], place: Place, words: str, client: AsyncWebClient
) -> str:
    """Why these words cannot be carried out for the conversations they name; "" where they can.

    Words that let go of something are never kept from working because a conversation was
    archived, renamed or lost: then the core alone decides.
    """
    lets_go = words.partition(" ")[0].casefold() in LETTING_GO or " off " in f" {words} "
    if not named and (by_name := _BY_NAME.search(words)):
        return BY_NAME.format(by_name[1])
    for conversation in named:
        if not lets_go and (trouble := await _unreachable(conversation, client)):
            return trouble
        if conversation != place.conversation and await _is_stranger(
            conversation, place.user, client
        ):
            return f"Only members of <#{conversation}> can change its digests."
    return ""


async def _unreachable(conversation: str, client: AsyncWebClient) -> str:
    try:
        answer = await client.conversations_info(channel=conversation)
    except SlackApiError as exc:
        error = trouble_of(exc)
        if error in ("channel_not_found", "not_in_channel"):
            return CANNOT_SEE
        return f"Slack does not say whether I can post there ({error}). Nothing was changed."
    except (aiohttp.ClientError, OSError, TimeoutError):
        return "Slack does not answer just now. Nothing was changed; try again in a minute."
    known: dict[str, Any] = answer.get("channel") or {}
    if known.get("is_archived"):
        return f"<#{conversation}> is archived. Nothing was changed."
    if not known.get("is_member"):
        return f"I'm not in <#{conversation}>. Type `/invite @Papers` there, then run this again."
    return ""


async def _is_stranger(conversation: str, user: str, client: AsyncWebClient) -> bool:
    """Whether Slack says that a person is no member there; where it says nothing, they are not
    kept from letting go."""
    cursor = ""
    for _ in range(PAGES):
        try:
            answer = await client.conversations_members(
                channel=conversation, limit=1000, cursor=cursor or None
            )
        except TROUBLE:
            return False
        if user in (answer.get("members") or ()):
            return False
        cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            return True
    return True
