"""Conversations that are archived, left, renumbered or come back; workspaces that remove the app.

Nothing is ever deleted: a digest that cannot be brought is paused with its reason, the person who
set it up is told once, and it goes on when the conversation comes back.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.model import Clock, DestinationState, Identity
from bot.slack_app.desk import Desk, seen_as
from bot.slack_app.people import place_of
from bot.slack_app.replying import ToPerson
from bot.slack_app.workspaces import Workspaces
from bot.store import Outcome, Store

Body = Mapping[str, Any]
PAUSING = {
    "channel_archive": "the conversation is archived",
    "group_archive": "the conversation is archived",
    "channel_deleted": "the conversation was deleted",
    "group_deleted": "the conversation was deleted",
    "member_left_channel": "Paperround was removed from the conversation",
    "channel_left": "Paperround was removed from the conversation",
    "group_left": "Paperround was removed from the conversation",
}
RESUMING = frozenset({"channel_unarchive", "group_unarchive", "member_joined_channel"})
ABOUT_MEMBERS = frozenset({"member_left_channel", "member_joined_channel"})

log = structlog.get_logger()


class Lifecycle:
    """The listeners of what happens to conversations and workspaces."""

    def __init__(self, desk: Desk, store: Store, workspaces: Workspaces, clock: Clock) -> None:
        self._desk = desk
        self._store = store
        self._workspaces = workspaces
        self._clock = clock
        self._latest: dict[str, datetime] = {}  # by address, the last change that we heard of

    async def conversation(self, body: Body, client: AsyncWebClient, context: Any) -> None:
        """A conversation changed."""
        event = body.get("event") or {}
        kind = str(event.get("type"))
        if kind in ABOUT_MEMBERS and event.get("user") != context.get("bot_user_id"):
            return
        self._desk.later(self._changed(body, client, kind))

    async def renumbered(self, body: Body) -> None:
        """A private conversation is shared with other workspaces, and has another ID for good.

        Source: Slack's event `channel_id_changed`.
        """
        self._desk.later(self._renumbered(body))

    async def workspace(self, body: Body) -> None:
        """The app was removed, or its token revoked."""
        event = body.get("event") or {}
        kind = str(event.get("type"))
        if kind == "tokens_revoked" and not (event.get("tokens") or {}).get("bot"):
            return  # a person's token; we keep none
        self._desk.later(self._removed(body, kind))

    async def _changed(self, body: Body, client: AsyncWebClient, kind: str) -> None:
        if not await self._desk.is_new(seen_as("event", body.get("event_id"))):
            return
        channel = (body.get("event") or {}).get("channel")
        conversation = str(channel.get("id") if isinstance(channel, Mapping) else channel)
        workspace = place_of(body).workspace
        address = f"{workspace}:{conversation}"
        if not self._is_latest(address, _happened_at(body, self._clock())):
            return
        if kind in RESUMING:
            await self._desk.in_thread(self._resume, address)
            return
        paused = await self._desk.in_thread(self._pause, address, PAUSING[kind])
        keeper = await self._desk.keeper(workspace, conversation) if paused else ""
        if keeper:
            words = (
                f"The digest in <#{conversation}> is paused: {PAUSING[kind]}. Nothing is lost; "
                "it goes on once the conversation is back."
            )
            await ToPerson(client, keeper).say({"text": words})

    async def _renumbered(self, body: Body) -> None:
        if not await self._desk.is_new(seen_as("event", body.get("event_id"))):
            return
        event, workspace = body.get("event") or {}, place_of(body).workspace
        old, new = (str(event.get(f"{which}_channel_id") or "") for which in ("old", "new"))
        if old and new:
            await self._desk.in_thread(self._move, f"{workspace}:{old}", f"{workspace}:{new}")

    async def _removed(self, body: Body, kind: str) -> None:
        if not await self._desk.is_new(seen_as("event", body.get("event_id"))):
            return
        place = place_of(body)
        log.warning("slack_workspace_gone", workspace=place.workspace, why=kind)
        for_all = place.workspace != place.team
        enterprise = str(body.get("enterprise_id") or "")
        paused = await self._workspaces.gone(
            enterprise, "" if for_all else place.team, kind, _happened_at(body, self._clock())
        )
        if paused:
            await self._desk.in_thread(self._note, place.workspace, kind)

    def _is_latest(self, address: str, at: datetime) -> bool:
        """Whether no later change is known: Slack repeats for an hour what we missed."""
        if at < self._latest.get(address, at):
            return False
        self._latest[address] = at
        return True

    def _pause(self, address: str, reason: str) -> int:
        """Pause what is active there; return how many."""
        people, paused = self._store.people, 0
        with self._store.write():
            for each in people.at("slack", address):
                if each.state is DestinationState.ACTIVE:
                    people.set_state(each.id, DestinationState.PAUSED, reason)
                    paused += 1
        if paused:
            self._note(address, reason)
        return paused

    def _move(self, old: str, new: str) -> None:
        """What was set under the old ID stands under the new one, and what was told stays told."""
        people, here = self._store.people, Identity.in_slack(new)
        with self._store.write():
            subscriber, other = people.find(Identity.in_slack(old)), people.find(here)
            if subscriber is None:
                return
            if other is None:
                people.identify(subscriber, here)
            else:  # somebody was quicker than Slack
                people.join(subscriber, other)
            for each in people.at("slack", old):
                there = people.reach(replace(each, id=0, address=new), each.since)
                people.move(each.id, there.id)
            self._resume(new)

    def _note(self, where: str, reason: str) -> None:
        self._store.ledger.record("pause", f"slack {where}", self._clock(), Outcome.PAUSED, reason)

    def _resume(self, address: str) -> None:
        """Take up what was paused there because the conversation was away."""
        people = self._store.people
        with self._store.write():
            for each in people.at("slack", address):
                if each.state is DestinationState.PAUSED:
                    people.set_state(each.id, DestinationState.ACTIVE)


def _happened_at(body: Body, now: datetime) -> datetime:
    """When it happened, which may be an hour before we hear of it; now where Slack is silent."""
    said = body.get("event_time")
    return datetime.fromtimestamp(said, UTC) if isinstance(said, int) else now
