"""App Home and the windows, kept up to date with what the core says."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.block_kit.shapes import view_faults
from bot.core.reply import Overview, Reply, line
from bot.slack_app.desk import Desk, notice, seen_as
from bot.slack_app.looks import modals
from bot.slack_app.looks.home import View, first_of, home_view
from bot.slack_app.looks.messages import reply_message
from bot.slack_app.people import People, Place, place_of
from bot.slack_app.replying import InWindow
from bot.slack_app.requests import Request, Requests
from bot.slack_app.trouble import TROUBLE, patiently, trouble_of
from bot.slack_app.typed import mentioned

LATE = Reply((line("That took too long to open; press it again."),), ok=False)
NOT_HERE = notice("This window is about your own digest; type that in the conversation itself.")
MOST_LINES = 12  # of what a window's answer led to; then each command has one
OPENED = 5_000  # people whose App Home is kept current

Body = Mapping[str, Any]
log = structlog.get_logger()


class Homes:
    """The App Homes of one Slack app."""

    def __init__(self, desk: Desk, people: People, requests: Requests) -> None:
        self._desk = desk
        self._people = people
        self._requests = requests
        self._opened: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def opened(self, body: Body, client: AsyncWebClient) -> None:
        """Somebody looks at their App Home."""
        if (body.get("event") or {}).get("tab") != "home":
            return
        if not await self._desk.is_new(seen_as("event", body.get("event_id"))):
            return
        place = place_of(body)
        self._opened[place.workspace, place.user] = None
        self._opened.move_to_end((place.workspace, place.user))
        if len(self._opened) > OPENED:
            self._opened.popitem(last=False)
        await self.publish(place, client)

    async def refresh(self, place: Place, client: AsyncWebClient) -> None:
        """Bring the App Home of somebody who has looked at it up to date."""
        if (place.workspace, place.user) in self._opened:
            await self.publish(place, client)

    async def pressed(self, body: Body, client: AsyncWebClient, words: str, key: str) -> None:
        """A button of App Home: changes are shown there, what is for reading in a window."""
        place = place_of(body)
        window = _Loading(client, str(body.get("trigger_id")))
        reply = await self._personal(Request(place, client, words, window, key))
        if reply is None:
            return
        if reply.card or reply.papers or reply.quotes:
            if await window.say(reply_message(reply)):
                return
            reply = LATE
        await self.publish(place, client, reply, first_of(body.get("view") or {}))

    async def publish(
        self, place: Place, client: AsyncWebClient, said: Reply | None = None, first: int = 0
    ) -> None:
        """Show the App Home as things stand, with what the last press did; topics from `first`."""

        async def show() -> None:
            overview, zone = await self.overview(place, client)
            await client.views_publish(
                user_id=place.user, view=self._view(overview, zone, said, first)
            )

        try:
            await patiently(show)  # after a pause things may stand differently
        except TROUBLE as exc:
            log.warning("slack_home_refused", user=place.user, error=trouble_of(exc))

    def _view(self, overview: Overview, zone: str, said: Reply | None, first: int) -> View:
        lines, undo = (said.lines, said.buttons) if said else ((), ())
        view = home_view(overview, zone, said=lines, undo=undo, first=first)
        if faults := view_faults(view):
            log.error("slack_home_faulty", faults=faults[:5])
            return home_view(Overview(), zone)
        return view

    async def overview(self, place: Place, client: AsyncWebClient) -> tuple[Overview, str]:
        """Everything a person has set, and their zone."""
        actor = await self._people.actor(place, client)
        reply = await self._desk.in_thread(self._desk.core.execute, actor, "settings")
        return reply.overview or Overview(), reply.zone

    async def run(
        self, place: Place, client: AsyncWebClient, commands: Sequence[str], way: InWindow
    ) -> None:
        """Carry out what a window asked for, one by one, and show the outcome."""
        replies: list[Reply] = []
        for words in commands:
            reply = await self._personal(Request(place, client, words, way))
            if reply is None:
                return
            replies.append(reply)
            if not reply.ok:
                break
        await way.say(joined(replies))
        await self.refresh(place, client)

    async def _personal(self, asked: Request) -> Reply | None:
        """The core's reply; None for a conversation: that is changed where its members see it."""
        if mentioned(asked.words):
            await asked.way.say(NOT_HERE)
            return None
        return await self._requests.reply(asked)


class _Loading:
    """A window that opens with the first thing there is to say."""

    def __init__(self, client: AsyncWebClient, trigger: str) -> None:
        self._client = client
        self._trigger = trigger
        self._window: InWindow | None = None

    async def say(self, message: Any, *instead: Any, public: bool = False) -> bool:
        """Show a message."""
        if self._window is None:
            try:
                view = modals.loading("Papers")
                opened = await self._client.views_open(trigger_id=self._trigger, view=view)
            except TROUBLE as exc:
                log.warning("slack_window_refused", error=trouble_of(exc))
                return False
            self._window = InWindow(self._client, str(opened["view"]["id"]), "Papers")
        return await self._window.say(message, *instead)


def joined(replies: Sequence[Reply]) -> dict[str, Any]:
    """Several replies as one message."""
    if not replies:
        return notice("Nothing was changed.")
    if len(replies) == 1:
        return reply_message(replies[0])
    lines = [each for reply in replies for each in reply.lines]
    if len(lines) > MOST_LINES:
        firsts = [reply.lines[0] for reply in replies]
        left = len(firsts) - MOST_LINES
        lines = [*firsts[:MOST_LINES], *([line(f"And {left} more.")] if left > 0 else [])]
    ok = all(reply.ok for reply in replies)
    return reply_message(Reply(tuple(lines), ok=ok, zone=replies[-1].zone))
