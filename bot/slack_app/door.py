"""What people do in Slack, each as one request to the core.

All of it runs in tasks of the desk, after the acknowledgement; see `Desk.listener`.
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
from bot.core.reply import Code, Line, Reply, line, text_of
from bot.digest import Action
from bot.slack_app import typed
from bot.slack_app.desk import UNSHOWN, Desk, broken, notice, seen_as
from bot.slack_app.homes import Homes
from bot.slack_app.looks.messages import is_face, line_leaves, reply_message
from bot.slack_app.people import People, Place, place_of
from bot.slack_app.pictures import Pictures
from bot.slack_app.presses import chosen, press_key, way_from
from bot.slack_app.replying import ByMessage, ByUrl, ToPerson, Way
from bot.slack_app.requests import Request, Requests
from bot.slack_app.trouble import TROUBLE, trouble_of
from bot.text import plural, small

Body = Mapping[str, Any]
OLD = notice("That button is from an old message. `/papers list` shows the current state.")
NO_LINK = notice("I see no link to an arXiv paper in that message.")
SAVED_AT_ONCE = 10

log = structlog.get_logger()


class Door:
    """The listeners."""

    def __init__(self, desk: Desk, people: People) -> None:
        self.desk = desk
        self.people = people
        self.pictures = Pictures()
        self.requests = Requests(desk, people)
        self.homes = Homes(desk, people, self.requests)

    # -------------------------------------------------------------- words

    async def command(self, body: Body, client: AsyncWebClient) -> None:
        """``/papers …``"""
        key = seen_as("command", body.get("trigger_id"))
        if not self.desk.first_time(key):
            return
        words = typed.plain(str(body.get("text") or ""))
        place = place_of(body)
        await self._carry_out(Request(place, client, words, _beside(body, client, place), key))

    async def other_command(self, ack: Any, body: Body) -> None:
        """A command that somebody added to the manifest."""
        await ack(f"I only know /papers, not {str(body.get('command'))[:40]}.")

    async def message(self, body: Body, client: AsyncWebClient, context: Any) -> None:
        """Words in the direct messages with the bot."""
        event = body.get("event") or {}
        if event.get("channel_type") != "im" or event.get("bot_id") or not event.get("user"):
            return
        if event.get("subtype") in (None, "file_share", "thread_broadcast"):
            way = ByMessage(client, event["channel"], thread=str(event.get("thread_ts") or ""))
            self.desk.later(self._written(body, client, context, way))

    async def mention(self, body: Body, client: AsyncWebClient, context: Any) -> None:
        """``@Papers …`` in a conversation or a thread, where slash commands do not work."""
        event = body.get("event") or {}
        if event.get("bot_id") or not event.get("user") or event.get("edited"):
            return
        user, thread = place_of(body).user, str(event.get("thread_ts") or "")
        way = ByMessage(client, event["channel"], only_for=user, thread=thread,
                        otherwise=ToPerson(client, user))  # fmt: skip
        self.desk.later(self._written(body, client, context, way))

    async def _written(self, body: Body, client: AsyncWebClient, context: Any, way: Way) -> None:
        key = seen_as("event", body.get("event_id"))
        if not self.desk.first_time(key):
            return
        text, bot_user = str(body["event"].get("text") or ""), str(context.get("bot_user_id") or "")
        words = typed.said_to(text, bot_user)
        await self._carry_out(Request(place_of(body), client, words, way, key))

    async def save_papers(self, body: Body, client: AsyncWebClient) -> None:
        """The message shortcut."""
        key = seen_as("shortcut", body.get("trigger_id"))
        if not self.desk.first_time(key):
            return
        place = place_of(body)
        way, message = _beside(body, client, place), body.get("message") or {}
        found = typed.papers(message)
        if not found:
            await way.say(NO_LINK)
            return
        words = f"save {' '.join(found[:SAVED_AT_ONCE])}"
        remark = _not_saved(found[SAVED_AT_ONCE:], typed.other_links(message))
        await self._carry_out(Request(place, client, words, way, key, remark=remark))

    # -------------------------------------------------------------- buttons

    async def press(self, body: Body, client: AsyncWebClient) -> None:
        """A button or a menu whose value is a command."""
        await self._carry_press(body, client, chosen(body))

    async def share(self, body: Body, client: AsyncWebClient) -> None:
        """Show to everyone what only one person saw."""
        await self._carry_press(body, client, chosen(body), public=True)

    async def next_page(self, body: Body, client: AsyncWebClient) -> None:
        """What did not fit into the message."""
        first, _, words = chosen(body).partition(" ")
        await self._carry_press(body, client, words, first=small(first))

    async def old_button(self, body: Body, client: AsyncWebClient) -> None:
        """A button that no version of today knows."""
        await way_from(body, client).say(OLD)

    async def turn_home(self, body: Body, client: AsyncWebClient) -> None:
        """The next or previous topics in App Home."""
        await self.homes.publish(place_of(body), client, first=small(chosen(body)))

    async def nothing(self, ack: Any) -> None:
        """Acknowledge, and that is all."""
        await ack()

    async def _carry_press(
        self, body: Body, client: AsyncWebClient, words: str, *, public: bool = False,
        first: int = 0,
    ) -> None:  # fmt: skip
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
        words = text_of(reply.notice, reply.zone)
        leaves = line_leaves(reply.notice, reply.zone)
        said = message(words, [rich(leaves)])
        try:
            await asked.client.chat_postMessage(
                channel=where, unfurl_links=False, unfurl_media=False, **said
            )
        except TROUBLE as exc:
            log.warning("slack_notice_refused", conversation=where, error=trouble_of(exc))
            if where == place.conversation:  # not a member here; the response_url still works
                await asked.way.say(said, public=True)


def _beside(body: Body, client: AsyncWebClient, place: Place) -> Way:
    """The way back to where a command was typed or a shortcut chosen."""
    return ByUrl(str(body.get("response_url")), otherwise=ToPerson(client, place.user))


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
