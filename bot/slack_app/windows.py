"""Windows: opened within three seconds, filled afterwards, answered in place."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.core.reply import Overview
from bot.model import Clock
from bot.slack_app import typed
from bot.slack_app.desk import Desk, seen_as
from bot.slack_app.homes import LATE, Homes
from bot.slack_app.looks import modals
from bot.slack_app.looks.home import first_of
from bot.slack_app.looks.messages import reply_message
from bot.slack_app.people import Place, place_of
from bot.slack_app.presses import chosen, press_key, way_from
from bot.slack_app.replying import InWindow
from bot.slack_app.requests import OUTSIDE
from bot.slack_app.trouble import TROUBLE, patiently, trouble_of
from bot.timetable import zone_of

Body = Mapping[str, Any]
View = Callable[[Overview, str], modals.View]  # from how things stand, and the person's zone
log = structlog.get_logger()


class Windows:
    """The listeners of windows."""

    def __init__(self, desk: Desk, homes: Homes, clock: Clock) -> None:
        self._desk = desk
        self._homes = homes
        self._clock = clock

    # -------------------------------------------------------------- opening

    async def open_settings(self, body: Body, client: AsyncWebClient) -> None:
        """Open the window for a person's settings."""

        def view(overview: Overview, zone: str) -> modals.View:
            return modals.settings(overview, zone, _context(body))

        await self._filled(body, client, "Settings", view)

    async def open_ask(self, body: Body, client: AsyncWebClient) -> None:
        """Open the window for a question about the topic that the button names."""
        await self._open(body, client, modals.ask(chosen(body), _context(body)))

    async def open_follow(self, body: Body, client: AsyncWebClient) -> None:
        """Open the window for a topic to follow."""
        await self._open(body, client, modals.follow(_context(body)))

    async def open_mute(self, body: Body, client: AsyncWebClient, slug: str) -> None:
        """Open the window for the end of a mute."""
        name = _beside(body) or slug

        def view(_: Overview, zone: str) -> modals.View:
            context = {**_context(body), "zone": zone}
            return modals.mute_until(slug, name, self._today(zone), context)

        await self._filled(body, client, "Mute", view)

    async def _open(self, body: Body, client: AsyncWebClient, view: modals.View) -> str:
        """Open a window and return its id, "" where Slack did not let us."""
        if not await self._desk.is_new(press_key(body)):
            return ""
        if place_of(body).outside:
            await way_from(body, client).say(OUTSIDE)
            return ""
        try:
            opened = await client.views_open(trigger_id=str(body.get("trigger_id")), view=view)
        except TROUBLE as exc:
            log.warning("slack_window_refused", error=trouble_of(exc))
            await self._say_late(body, client)
            return ""
        return str(opened["view"]["id"])

    async def _say_late(self, body: Body, client: AsyncWebClient) -> None:
        view = body.get("view") or {}
        if view.get("type") == "home":
            await self._homes.publish(place_of(body), client, LATE, first_of(view))
        else:
            await way_from(body, client).say(reply_message(LATE))

    async def _filled(self, body: Body, client: AsyncWebClient, title: str, view: View) -> None:
        """Open a window at once and fill it with what depends on how things stand."""
        view_id = await self._open(body, client, modals.loading(title))
        if not view_id:
            return
        filled = view(*await self._homes.overview(_personal(body), client))
        try:
            await patiently(partial(client.views_update, view_id=view_id, view=filled))
        except TROUBLE as exc:
            log.warning("slack_window_refused", error=trouble_of(exc))

    def _today(self, zone: str) -> date:
        return self._clock().astimezone(zone_of(zone)).date()

    # -------------------------------------------------------------- answers

    async def settings_answered(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """Carry out the settings that were entered, or say beside a field what is wrong there."""
        entered = modals.values(body["view"])
        if errors := modals.settings_errors(entered):
            await ack(response_action="errors", errors=errors)
            return
        await ack(response_action="update", view=modals.loading("Settings"))
        self._desk.later(self._settings_answered(body, client, entered))

    async def mute_answered(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """Mute until the day that was entered, which must be after today in the person's zone."""
        until = modals.values(body["view"]).get("until", "")
        zone = modals.context_of(body["view"]).get("zone", "UTC")
        if until <= self._today(zone).isoformat():
            await ack(response_action="errors", errors={"until": "Choose a day to come."})
            return
        await ack(response_action="update", view=modals.loading("Mute"))
        slug = modals.context_of(body["view"]).get("slug", "")
        self._desk.later(self._answered(body, client, "Mute", f"mute {slug} until {until}"))

    async def ask_answered(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """Ask the core the question, and show in the window what it finds."""
        await ack(response_action="update", view=modals.loading("Ask"))
        question = " ".join(modals.values(body["view"]).get("question", "").split())
        subject = modals.context_of(body["view"]).get("subject", "")
        self._desk.later(self._answered(body, client, "Ask", f"ask {subject}: {question}"))

    async def follow_answered(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """Follow the topic as if that had been typed."""
        await ack(response_action="update", view=modals.loading("Follow a topic"))
        topic = " ".join(modals.values(body["view"]).get("topic", "").split())
        self._desk.later(self._answered(body, client, "Follow a topic", f"follow {topic}"))

    async def _answered(self, body: Body, client: AsyncWebClient, title: str, words: str) -> None:
        if await self._is_new(body):
            way = InWindow(client, str(body["view"].get("id")), title)
            await self._homes.run(_personal(body), client, [words], way)

    async def _settings_answered(
        self, body: Body, client: AsyncWebClient, entered: Mapping[str, str]
    ) -> None:
        if not await self._is_new(body):
            return
        place = _personal(body)
        overview, _ = await self._homes.overview(place, client)
        commands = modals.settings_commands(entered, overview)
        way = InWindow(client, str(body["view"].get("id")), "Settings")
        await self._homes.run(place, client, commands, way)

    async def _is_new(self, body: Body) -> bool:
        view = body["view"]
        return await self._desk.is_new(seen_as("view", view.get("id"), view.get("hash")))


def _personal(body: Body) -> Place:
    """The place of the person: windows are about them, wherever they were opened."""
    place = place_of(body)
    return Place(place.workspace, place.team, place.user, outside=place.outside)


def _beside(body: Body) -> str:
    """The name at the beginning of the line whose menu was used, "" where Slack does not say."""
    pressed = str((body.get("actions") or [{}])[0].get("block_id"))
    shown = (body.get("view") or body.get("message") or {}).get("blocks") or ()
    for block in shown:
        if block.get("block_id") == pressed:
            words = str((block.get("text") or {}).get("text") or "")
            return typed.plain(words.partition(" · ")[0].strip("*"))
    return ""


def _context(body: Body) -> dict[str, str]:
    conversation = place_of(body).conversation
    return {"conversation": conversation} if conversation else {}
