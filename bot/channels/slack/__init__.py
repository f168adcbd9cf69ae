"""Digests to Slack: direct messages and conversations, one call a page.

Learnt from slack_sdk and from Slack: the SDK posts again by itself after a dropped connection
(so no retry handlers here), Slack knows no idempotency key (so every message carries its key as
metadata, and a message of unknown outcome is looked for), a refused block loses the whole
message (so a plain one is sent instead), and limits are per workspace and method.

pages        a digest as messages
history      whether one stands in a conversation already
errors       what a refusal means
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, cast

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.block_kit.shapes import message_faults
from bot.channels import (
    NOT_THERE,
    ChannelError,
    Fault,
    Page,
)
from bot.channels.slack import errors, history, pages
from bot.digest import Digest, Notice
from bot.model import Identity, Part
from bot.slack_client import Client, NotSlack, error_of, status_of

APART_S = 1.0  # between two messages to one conversation
TIMEOUT_S = 30

Monotonic = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
Token = Callable[[str], str | None]


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


class Slack:
    """Slack as a channel.  An address is ``team:conversation`` or ``team:user``.

    `token` gives a workspace's bot token, None where Paperround is not installed (any more); it
    is asked from a worker thread.  `monotonic` and `sleep` measure and spend the pauses between
    messages.
    """

    name = "slack"

    def __init__(
        self,
        token: Token,
        *,
        base_url: str = "https://slack.com/api/",
        timeout_s: int = TIMEOUT_S,
        monotonic: Monotonic = _loop_time,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._token = token
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._monotonic = monotonic
        self._sleep = sleep
        self._free_at: dict[str, float] = {}  # by address: when the next message may go
        self._closed_until: dict[tuple[str, str], float] = {}  # by workspace and method
        self._direct: dict[str, str] = {}  # user's address -> the conversation with them

    def render(self, digest: Digest) -> tuple[Page, ...]:
        """The digest as messages: same digest, same bytes.  Does no I/O."""
        reached = Identity.in_slack(digest.address)
        return pages.pages(digest, conversation=reached.is_conversation)

    def letter(self, notice: Notice) -> Page:
        """A notice as one message: same notice, same bytes.  Does no I/O."""
        return pages.letter(notice)

    async def send(self, part: Part) -> str:
        """Post one page and return its timestamp.  Raises ChannelError.

        A page whose blocks Slack refused for certain goes once more as plain text; one for direct
        messages that are closed by now, to those opened anew.
        """
        team, _, where = part.address.partition(":")
        client = await self._client(team)
        remembered = part.address in self._direct
        try:
            return await self._sent(team, where, client, part)
        except ChannelError as exc:
            if not remembered or exc.fault is not Fault.ADDRESS:
                raise
            # An app that was installed anew speaks as somebody else, and has other conversations.
            self._direct.pop(part.address, None)
            return await self._sent(team, where, client, part)

    async def _sent(self, team: str, where: str, client: AsyncWebClient, part: Part) -> str:
        conversation = await self._conversation(client, team, where)
        message = _message(part, conversation)
        address = f"{team}:{conversation}"
        await self._pace(address)
        if message_faults(message):
            message = _without_blocks(message)
        try:
            return await self._post(team, client, message)
        finally:  # from its arrival on, which may have been late
            later = self._monotonic() + APART_S
            self._free_at[address] = max(later, self._free_at.get(address, later))

    async def _post(self, team: str, client: AsyncWebClient, message: dict[str, Any]) -> str:
        try:
            answer = await self._call(team, "chat.postMessage", client.chat_postMessage, message)
        except ChannelError as exc:
            if exc.reported not in errors.TOO_MUCH or "blocks" not in message:
                raise
            plain = _without_blocks(message)
            answer = await self._call(team, "chat.postMessage", client.chat_postMessage, plain)
        return str(answer.get("ts", ""))

    async def find(self, part: Part, since: datetime) -> str | None:
        """The timestamp of an earlier attempt, where the conversation's history can be read.

        NOT_THERE where it shows that none arrived; None where it cannot be read (no such scope in
        conversations) or does not show enough.  Raises ChannelError where Slack cannot be asked
        just now.
        """
        team, _, where = part.address.partition(":")
        client = await self._client(team)
        conversation = await self._conversation(client, team, where)
        wanted: dict[str, Any] = {
            "channel": conversation,
            "limit": history.SHOWN,
            "include_all_metadata": True,
        }
        ask: Callable[..., Awaitable[Any]] = client.conversations_history
        method = "conversations.history"
        if part.parent:
            ask, method = client.conversations_replies, "conversations.replies"
            wanted["ts"] = part.parent
        try:
            answer = await self._asked(team, method, ask, wanted)
        except ChannelError as exc:
            if exc.reported in errors.UNREADABLE:
                return None
            if exc.reported == history.GONE_THREAD:
                return NOT_THERE
            raise
        return history.receipt_in(answer, part, since)

    async def _client(self, team: str) -> AsyncWebClient:
        token = await asyncio.to_thread(self._token, team)
        if not token:
            raise ChannelError(
                f"Paperround is not installed in Slack workspace {team}; install it there again "
                "and its digests go on",
                Fault.CHANNEL,
                scope=f"{team}:",
                reported="not_installed",
            )
        return Client(token, self._base_url, self._timeout_s)

    async def _conversation(self, client: AsyncWebClient, team: str, where: str) -> str:
        """The conversation to post in; a person's direct messages are opened once."""
        if where[:1] not in "UW":
            return where
        known = self._direct.get(f"{team}:{where}")
        if known:
            return known
        answer = await self._asked(
            team, "conversations.open", client.conversations_open, {"users": where}
        )
        opened = str((answer.get("channel") or {}).get("id") or where)
        self._direct[f"{team}:{where}"] = opened
        return opened

    async def _pace(self, address: str) -> None:
        """Wait until a second has passed since the last message to that conversation."""
        now = self._monotonic()
        at = max(now, self._free_at.get(address, now))
        self._free_at[address] = at + APART_S  # reserved before waiting: others queue behind
        if at > now:
            await self._sleep(at - now)
        if len(self._free_at) > 10_000:
            self._free_at = {k: v for k, v in self._free_at.items() if v > now}

    async def _asked(
        self, team: str, method: str, call: Callable[..., Awaitable[Any]], values: dict[str, Any]
    ) -> Mapping[str, Any]:
        """One question, which posts nothing: lost, it is asked again.  Raises ChannelError."""
        try:
            return await self._call(team, method, call, values)
        except ChannelError as exc:
            if exc.fault is not Fault.UNKNOWN:
                raise
            raise ChannelError(str(exc), Fault.RETRY, reported=exc.reported) from exc

    async def _call(
        self, team: str, method: str, call: Callable[..., Awaitable[Any]], values: dict[str, Any]
    ) -> Mapping[str, Any]:
        """One request, once.  Raises ChannelError."""
        wait = self._closed_until.get((team, method), 0.0) - self._monotonic()
        if wait > 0:
            raise errors.limited(team, method, wait)
        try:
            answer = await call(**values)
        except SlackApiError as exc:
            raise self._refused(team, method, exc) from exc
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as exc:
            why = getattr(exc, "os_error", "it does not answer")
            raise ChannelError(
                f"Slack cannot be reached ({why}); digests wait",
                Fault.CHANNEL,
                scope="",
                reported="unreachable",
            ) from exc
        except NotSlack as exc:
            words = f"{exc}; look at the proxy, if there is one; digests wait"
            raise ChannelError(words, Fault.CHANNEL, reported="not_slack") from exc
        except (aiohttp.ClientError, SlackClientError, TimeoutError, OSError) as exc:
            raise ChannelError(
                f"the connection to Slack broke during {method} ({type(exc).__name__}); "
                "the message may have arrived",
                Fault.UNKNOWN,
                reported=type(exc).__name__,
            ) from exc
        return cast(Mapping[str, Any], answer.data)

    def _refused(self, team: str, method: str, exc: SlackApiError) -> ChannelError:
        status, error = status_of(exc), error_of(exc)
        if status == 429 or error in ("ratelimited", "rate_limited"):
            wait = errors.pause(getattr(exc.response, "headers", {}) or {})
            self._closed_until[team, method] = self._monotonic() + wait
            return errors.limited(team, method, wait)
        return errors.refusal(team, method, status, error)


def _message(part: Part, conversation: str) -> dict[str, Any]:
    message: dict[str, Any] = {
        **json.loads(part.content),
        "channel": conversation,
        "unfurl_links": False,
        "unfurl_media": False,
        "metadata": {"event_type": history.EVENT, "event_payload": {"key": part.key}},
    }
    return {**message, "thread_ts": part.parent} if part.parent else message


def _without_blocks(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "blocks"}
