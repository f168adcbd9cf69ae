"""What people do in Slack, each as one request to the core.

Every listener acknowledges first and does nothing else that could fail; the work follows in a
task of the desk.  (Bolt loses an acknowledgement when a listener raises right after it.)
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot import charts
from bot.block_kit.build import message, rich
from bot.core.reply import Code, Line, Reply, line
from bot.digest import Action
from bot.model import Clock
from bot.slack_app import typed
from bot.slack_app.desk import UNSHOWN, Desk, broken, notice, seen_as
from bot.slack_app.homes import Homes
from bot.slack_app.people import People, place_of
from bot.slack_app.pictures import Pictures
from bot.slack_app.presses import chosen, press_key, way_from
from bot.slack_app.replying import ByMessage, ByUrl, ToPerson
from bot.slack_app.requests import Request, Requests
from bot.slack_app.shown import is_face, line_leaves, line_words, reply_message
from bot.slack_app.trouble import TROUBLE, trouble_of
from bot.text import plural, small

Body = Mapping[str, Any]
OLD = notice("That button is from an old message. `/papers list` shows the current state.")
NO_LINK = notice("I see no link to an arXiv paper in that message.")
SAVED_AT_ONCE = 10

log = structlog.get_logger()


class Door:
    """The listeners."""

    def __init__(
        self, desk: Desk, people: People, clock: Clock, verbs: tuple[str, ...] = ()
    ) -> None:
        self.desk = desk
        self.people = people
        self.pictures = Pictures()
        self.requests = Requests(desk, people)
        self.homes = Homes(desk, people, self.requests, verbs)
        self._clock = clock
        self._verbs = verbs

    # -------------------------------------------------------------- words

    async def command(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """``/papers …``"""
        await ack()
        self.desk.later(self._commanded(body, client))

    async def other_command(self, ack: Any, body: Body) -> None:
        """A command that somebody added to the manifest."""
        await ack(f"I only know /papers, not {str(body.get('command'))[:40]}.")

    async def message(self, body: Body, client: AsyncWebClient, context: Any) -> None:
        """Words in the direct messages with the bot."""
        self.desk.later(self._written(body, client, str(context.get("bot_user_id") or "")))

    async def mention(self, body: Body, client: AsyncWebClient, context: Any) -> None:
        """``@Papers …`` in a conversation or a thread, where slash commands do not work."""
        self.desk.later(self._mentioned(body, client, str(context.get("bot_user_id") or "")))

    async def save_papers(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """The message shortcut."""
        await ack()
        self.desk.later(self._save_papers(body, client))

    # -------------------------------------------------------------- buttons

    async def press(self, ack: Any, body: Body, client: AsyncWebClient, action: Body) -> None:
        """A button or a menu whose value is a command."""
        await ack()
        self.desk.later(self.carry_press(body, client, chosen(action)))

    async def share(self, ack: Any, body: Body, client: AsyncWebClient, action: Body) -> None:
        """Show to everyone what only one person saw."""
        await ack()
        self.desk.later(self.carry_press(body, client, chosen(action), public=True))

    async def next_page(self, ack: Any, body: Body, client: AsyncWebClient, action: Body) -> None:
        """What did not fit into the message."""
        await ack()
        first, _, words = chosen(action).partition(" ")
        self.desk.later(self.carry_press(body, client, words, first=small(first)))

    async def old_button(self, ack: Any, body: Body, client: AsyncWebClient) -> None:
        """A button that no version of today knows."""
        await ack()
        self.desk.later(self._say_old(body, client))

    async def home_opened(self, body: Body, client: AsyncWebClient) -> None:
        """Somebody looks at their App Home."""
        self.desk.later(self.homes.opened(body, client))

    async def turn_home(self, ack: Any, body: Body, client: AsyncWebClient, action: Body) -> None:
        """The next or previous topics in App Home."""
        await ack()
        first = small(chosen(action))
        self.desk.later(self.homes.publish(place_of(body), client, first=first))

    async def nothing(self, ack: Any) -> None:
        """Acknowledge, and that is all."""
        await ack()

    # -------------------------------------------------------------- the work

    async def _commanded(self, body: Body, client: AsyncWebClient) -> None:
        key = seen_as("command", body.get("trigger_id"))
        if not self.desk.first_time(key):
            return
        place = place_of(body)
        way = ByUrl(str(body.get("response_url")), otherwise=ToPerson(client, place.user))
        words = typed.plain(str(body.get("text") or ""))
        await self._carry_out(Request(place, client, words, way, key))

    async def _written(self, body: Body, client: AsyncWebClient, bot_user: str) -> None:
        event = body.get("event") or {}
        if event.get("channel_type") != "im" or event.get("bot_id") or not event.get("user"):
            return
        if event.get("subtype") not in (None, "file_share", "thread_broadcast"):
            return
        key = seen_as("event", body.get("event_id"))
        if not self.desk.first_time(key):
            return
        place = place_of(body)
        way = ByMessage(client, event["channel"], thread=str(event.get("thread_ts") or ""))
        words = typed.said_to(str(event.get("text") or ""), bot_user, self._verbs)
        await self._carry_out(Request(place, client, words, way, key))

    async def _mentioned(self, body: Body, client: AsyncWebClient, bot_user: str) -> None:
        event = body.get("event") or {}
        if event.get("bot_id") or not event.get("user") or event.get("edited"):
            return
        key = seen_as("event", body.get("event_id"))
        if not self.desk.first_time(key):
            return
        place = place_of(body)
        words = typed.said_to(str(event.get("text") or ""), bot_user, self._verbs)
        thread = str(event.get("thread_ts") or "")
        way = ByMessage(client, event["channel"], only_for=place.user, thread=thread,
                        otherwise=ToPerson(client, place.user))  # fmt: skip
        await self._carry_out(Request(place, client, words, way, key))

    async def _save_papers(self, body: Body, client: AsyncWebClient) -> None:
        key = seen_as("shortcut", body.get("trigger_id"))
        if not self.desk.first_time(key):
            return
        place = place_of(body)
        way = ByUrl(str(body.get("response_url")), otherwise=ToPerson(client, place.user))
        message = body.get("message") or {}
        found = typed.papers(message)
        if not found:
            await way.say(NO_LINK)
            return
        words = f"save {' '.join(found[:SAVED_AT_ONCE])}"
        remark = _not_saved(found[SAVED_AT_ONCE:], typed.other_links(message))
        await self._carry_out(Request(place, client, words, way, key, remark=remark))

    async def carry_press(
        self,
        body: Body,
        client: AsyncWebClient,
        words: str,
        *,
        public: bool = False,
        first: int = 0,
    ) -> None:
        """Carry out the command of a press, where this is its first delivery."""
        key = press_key(body)
        if not self.desk.first_time(key):
            return
        if (body.get("view") or {}).get("type") == "home":
            await self.homes.pressed(body, client, words, key)
            return
        way = way_from(body, client)
        if not words:
            await way.say(OLD)
            return
        await self._carry_out(
            Request(place_of(body), client, words, way, key, public=public, first=first)
        )

    async def _say_old(self, body: Body, client: AsyncWebClient) -> None:
        await way_from(body, client).say(OLD)

    # -------------------------------------------------------------- one request

    async def _carry_out(self, asked: Request) -> None:
        """Carry out a request and show what came of it."""
        reply = await self.requests.reply(asked)
        if reply is None:
            return
        if asked.remark and reply.ok:
            reply = replace(reply, lines=(*reply.lines, asked.remark))
        try:
            await self._show(reply, asked)
        except Exception:
            await asked.way.say(broken("slack_reply_unshown", UNSHOWN, words=asked.words[:200]))
        await self._tell_everyone(reply, asked)
        if reply.ok and not asked.public:
            await self.homes.refresh(asked.place, asked.client)

    async def _show(self, reply: Reply, asked: Request) -> None:
        """Show a reply; its chart as a picture where Slack takes it, else as a line of bars."""
        place, way, public = asked.place, asked.way, asked.public
        page = reply.data.get("page")
        if isinstance(page, bytes):
            await way.say(json.loads(page))
            return
        share = bool((is_face(reply) or reply.quotes) and place.conversation and not public)
        by: Line = ()
        if public:
            reply, by = shared(reply), line(f"<@{place.user}> shows ", Code(asked.words))
        shown = partial(
            reply_message, reply, words=asked.words, share=share, first=asked.first, by=by,
            verbs=self._verbs,
        )  # fmt: skip
        plainly = shown()
        if reply.card is None or not is_face(reply) or not charts.is_drawable(reply.card.momentum):
            await way.say(plainly, public=public)
            return
        chart = await self.pictures.of(reply.card, place.team, asked.client)
        await way.say(shown(chart=chart), plainly, public=public)

    async def _tell_everyone(self, reply: Reply, asked: Request) -> None:
        """The one visible line where a conversation's settings changed."""
        if reply.notice is None:
            return
        place, named = asked.place, typed.mentioned(asked.words)
        where = reply.conversation.external_id if reply.conversation else ""
        where = where or (named[-1] if named else place.conversation)
        if not where:
            return
        await self.desk.keep(place.workspace, where, place.user)
        words = line_words(reply.notice, reply.zone)
        leaves = line_leaves(reply.notice, reply.zone, self._verbs)
        said = message(words, [rich(leaves)])
        try:
            await asked.client.chat_postMessage(
                channel=where, unfurl_links=False, unfurl_media=False, **said
            )
        except TROUBLE as exc:
            log.warning("slack_notice_refused", conversation=where, error=trouble_of(exc))
            if where == place.conversation:  # not a member here; the response_url still works
                await asked.way.say(said, public=True)


def _not_saved(further: Sequence[str], others: int) -> Line:
    """What of a message was not saved; () where nothing was left out."""
    said: list[str | Code] = []
    if others:
        named = "names" if others == 1 else "name"
        said.append(f"{plural(others, 'other link')} in it {named} no paper. ")
    if further:
        said += [f"It names {plural(len(further), 'more paper')}: ",
                 Code(f"save {' '.join(further[:SAVED_AT_ONCE])}")]  # fmt: skip
    return line(*said) if said else ()


def shared(reply: Reply) -> Reply:
    """A reply as everyone may see it: nothing of the settings of who shows it."""
    if reply.card is None:
        return replace(reply, buttons=())
    follow = Action("Follow", f"follow {reply.card.topic.slug}")
    card = replace(reply.card, followed=False, muted_until=None)
    return replace(reply, card=card, buttons=(follow,))
