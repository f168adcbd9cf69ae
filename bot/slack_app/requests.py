"""One request of somebody in Slack: whether they may ask, and what the core replies."""

from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.core.commands.words.subject import placed
from bot.core.reply import Line, Reply
from bot.slack_app.desk import Desk, notice
from bot.slack_app.people import People, Place, is_person
from bot.slack_app.permission import objection
from bot.slack_app.replying import Way

LOOKING = notice("Looking …")
OUTSIDE = notice(
    "You are in another workspace. Ask its admins to install Paperround there; "
    "here only members of this workspace can use it."
)


@dataclass(frozen=True, slots=True)
class Request:
    """Words that somebody typed or pressed, and the way back to them.

    `key` is what two deliveries of it have in common, `client` speaks for the workspace.  What
    comes of it is shown from the `first` paper on, to everyone there where `public`, with a
    `remark` behind it where it was done.
    """

    place: Place
    client: AsyncWebClient
    words: str
    way: Way
    key: str = ""
    public: bool = False
    first: int = 0
    remark: Line = ()


class Requests:
    """The requests of one Slack app, from wherever they come."""

    def __init__(self, desk: Desk, people: People) -> None:
        self._desk = desk
        self._people = people

    async def reply(self, asked: Request) -> Reply | None:
        """The core's reply; None if the person was told why it was not asked, or that it failed."""
        place, client, way = asked.place, asked.client, asked.way
        if not is_person(place.user) or await self._people.is_outside(place, client):
            await way.say(OUTSIDE)
            return None
        words = placed(asked.words, place.conversation)
        actor = await self._people.actor(place, client)
        if trouble := await objection(place, actor, words, client):
            await way.say(notice(trouble))
            return None
        return await self._desk.carry_out(actor, words, way, LOOKING, asked.key)
