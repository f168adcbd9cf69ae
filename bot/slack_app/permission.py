"""Whether somebody may ask at all, may configure the conversations they name, and we reach them."""

import re
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.core.commands.executing import MEMBERS_ONLY, UNKNOWN
from bot.core.commands.requests import meant
from bot.core.reply import Actor
from bot.slack_app.people import Place
from bot.slack_app.trouble import PASSING, TROUBLE, trouble_of
from bot.slack_app.typed import mentioned

PAGES = 10
LETTING_GO = frozenset(
    {"unfollow", "mute", "unmute", "list", "settings", "status", "help", "resume"}
)

SILENCING = frozenset({"unfollow", "mute"})
"""Of these, what somebody may do where Slack no longer shows whether they are a member; it shows
them nothing that only members should see."""

_BY_NAME = re.compile(r"\sin (#[\w.-]+)$")
BY_NAME = (
    "I can't tell which conversation {} is: names change, so Slack must say its id. "
    "Type # and choose it from Slack's list, then send this again."
)
STRANGER = "Only members of <#{}> can change its digests."
CANNOT_TELL = (
    "Slack does not say just now whether you are in <#{0}>. Nothing was changed; type this in "
    "<#{0}> itself, or try again in a minute."
)
CANNOT_ASK = (
    "Slack does not say just now whether I can post there ({}). Nothing was changed; try again "
    "in a minute."
)
CANNOT_SEE = (
    "I can't see that channel: it is private, or I'm not invited. "
    "Type `/invite @Papers` there, then run this again."
)


async def objection(place: Place, actor: Actor, words: str, client: AsyncWebClient) -> str:
    """Why these words cannot be carried out for the conversations they name, or "".

    Words that let go of something are never kept from working because a conversation was
    archived, renamed or lost: then the core alone decides.
    """
    named = mentioned(words)
    if not named and (by_name := _BY_NAME.search(words)):
        return BY_NAME.format(by_name[1])
    if named and not actor.may_configure:
        return UNKNOWN if actor.unknown else MEMBERS_ONLY
    for conversation in named:
        trouble = "" if _lets_go(words) else await _unreachable(conversation, client)
        trouble = trouble or await _not_theirs(conversation, place, words, client)
        if trouble:
            return trouble
    return ""


def _lets_go(words: str, verbs: frozenset[str] = LETTING_GO) -> bool:
    word, _, rest = words.partition(" ")
    verb, rest = meant(word.casefold(), rest)
    return verb in verbs or (verb == "digest" and " off " in f" {rest} ")


async def _not_theirs(conversation: str, place: Place, words: str, client: AsyncWebClient) -> str:
    """Why they may not change it: they are not a member, or nobody can tell."""
    if conversation == place.conversation:
        return ""
    try:
        member = await _is_member(conversation, place.user, client)
    except TROUBLE as exc:
        lost = isinstance(exc, SlackApiError) and trouble_of(exc) not in PASSING
        return "" if lost and _lets_go(words, SILENCING) else CANNOT_TELL.format(conversation)
    if member is None:
        return CANNOT_TELL.format(conversation)
    return "" if member else STRANGER.format(conversation)


async def _unreachable(conversation: str, client: AsyncWebClient) -> str:
    try:
        answer = await client.conversations_info(channel=conversation)
    except TROUBLE as exc:
        if (error := trouble_of(exc)) in ("channel_not_found", "not_in_channel"):
            return CANNOT_SEE
        return CANNOT_ASK.format(error)
    known: dict[str, Any] = answer.get("channel") or {}
    if known.get("is_archived"):
        return f"<#{conversation}> is archived. Nothing was changed."
    if not known.get("is_member"):
        return f"I'm not in <#{conversation}>. Type `/invite @Papers` there, then run this again."
    return ""


async def _is_member(conversation: str, user: str, client: AsyncWebClient) -> bool | None:
    """Whether a person is a member there; None if there are too many members to read."""
    cursor = ""
    for _ in range(PAGES):
        answer = await client.conversations_members(
            channel=conversation, limit=1000, cursor=cursor or None
        )
        if user in (answer.get("members") or ()):
            return True
        cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            return False
    return None
