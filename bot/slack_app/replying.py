"""Ways back to the person who asked.

Slack accepts five answers to a response_url within thirty minutes, works with it where the bot
is no member, and refuses a whole message for one bad block: so answers are checked before they
go, sent as plain text where they are refused, and fall back to a direct message.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.block_kit.build import clean, rich, say
from bot.block_kit.shapes import message_faults
from bot.slack_app.looks import modals
from bot.slack_app.trouble import TROUBLE, patiently, trouble_of
from bot.slack_client import proxy

USES = 5

Message = Mapping[str, Any]
log = structlog.get_logger()


class Way(Protocol):
    """A way back."""

    async def say(self, message: Message, *instead: Message, public: bool = False) -> bool:
        """Show a message to the person, or to everyone there; False where it did not arrive.

        Where Slack refuses it, the messages `instead` are tried, and its plain reading last.
        """
        ...


class ByUrl:
    """Through a response_url: ephemeral, five times."""

    def __init__(self, url: str, *, thread: str = "", otherwise: Way | None = None) -> None:
        self._url = url
        self._thread = thread
        self._otherwise = otherwise
        self._left = USES

    async def say(self, message: Message, *instead: Message, public: bool = False) -> bool:
        """Show a message; in direct messages where the address is used up or gone."""
        for attempt in _attempts(message, instead):
            if self._left <= 0:
                break
            self._left -= 1
            status = await self._post(attempt, public=public)
            if status == 200:
                return True
            log.warning("slack_answer_refused", status=status, blocks="blocks" in attempt)
            if status in (0, 403, 404, 410):  # lost, expired or used up: no other text helps
                break
        if self._otherwise and not public:
            return await self._otherwise.say(message, *instead)
        return False

    async def _post(self, message: Message, *, public: bool) -> int:
        body: dict[str, Any] = {
            **message,
            "response_type": "in_channel" if public else "ephemeral",
            "replace_original": False,
            "unfurl_links": False,
            "unfurl_media": False,
        }
        if self._thread:
            body["thread_ts"] = self._thread
        webhook = AsyncWebhookClient(self._url, timeout=10, retry_handlers=[], proxy=proxy())
        try:
            return (await webhook.send_dict(body)).status_code
        except TROUBLE as exc:
            log.warning("slack_answer_lost", error=trouble_of(exc))
            return 0


class ByMessage:
    """A message of the bot: in direct messages, or ephemeral where somebody mentioned it."""

    def __init__(
        self,
        client: AsyncWebClient,
        conversation: str,
        *,
        only_for: str = "",
        thread: str = "",
        otherwise: Way | None = None,
    ) -> None:
        self._client = client
        self._conversation = conversation
        self._only_for = only_for
        self._thread = thread
        self._otherwise = otherwise

    async def say(self, message: Message, *instead: Message, public: bool = False) -> bool:
        """Show a message, after the pause that Slack asks for; else in direct messages."""
        for attempt in _attempts(message, instead):
            error = await self._tried(attempt, public=public)
            if not error:
                return True
            log.warning("slack_answer_refused", error=error, conversation=self._conversation)
            if "block" not in error:
                break
        if self._otherwise and not public:
            return await self._otherwise.say(message, *instead)
        return False

    async def _tried(self, message: Message, *, public: bool) -> str:
        """Why a message was not taken, "" where it was."""
        try:
            await patiently(lambda: self._post(message, public=public))
        except TROUBLE as exc:
            return trouble_of(exc) or "no reason"
        return ""

    async def _post(self, message: Message, *, public: bool) -> None:
        values: dict[str, Any] = {**message, "channel": self._conversation}
        if self._thread:
            values["thread_ts"] = self._thread
        if self._only_for and not public:
            await self._client.chat_postEphemeral(user=self._only_for, **values)
        else:
            await self._client.chat_postMessage(unfurl_links=False, unfurl_media=False, **values)


class ToPerson:
    """A direct message, opened when it is needed."""

    def __init__(self, client: AsyncWebClient, user: str) -> None:
        self._client = client
        self._user = user

    async def say(self, message: Message, *instead: Message, public: bool = False) -> bool:
        """Show a message in the person's direct messages, whatever `public` says."""
        try:
            opened = await self._client.conversations_open(users=self._user)
        except TROUBLE as exc:
            log.warning("slack_person_unreachable", user=self._user, error=trouble_of(exc))
            return False
        conversation = str((opened.get("channel") or {}).get("id") or self._user)
        return await ByMessage(self._client, conversation).say(message, *instead)


class InWindow:
    """In a window that is open already, in place of what it shows."""

    def __init__(self, client: AsyncWebClient, view_id: str, title: str) -> None:
        self._client = client
        self._view_id = view_id
        self._title = title

    async def say(self, message: Message, *instead: Message, public: bool = False) -> bool:
        """Show a message."""
        for attempt in _attempts(message, instead):
            blocks = attempt.get("blocks") or [rich([say(clean(attempt["text"]))])]
            update = partial(
                self._client.views_update,
                view_id=self._view_id,
                view=modals.result(self._title, blocks),
            )
            try:
                await patiently(update)
                return True
            except TROUBLE as exc:
                log.warning("slack_window_refused", error=trouble_of(exc))
        return False


def _attempts(message: Message, instead: Sequence[Message]) -> Iterator[Message]:
    """The messages to try, in order: each unlike the one before."""
    before: Message = {}
    for each in (*map(checked, (message, *instead)), plain(message)):
        if each != before:
            yield each
        before = each


def checked(message: Message) -> Message:
    """The message, or its plain reading where Slack would refuse it."""
    faults = message_faults(message)
    if faults:
        log.error("slack_message_faulty", faults=faults[:5])
        return plain(message)
    return message


def plain(message: Message) -> Message:
    """The message without its blocks."""
    return {"text": str(message.get("text") or "…")[:3_900]}
