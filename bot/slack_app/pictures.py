"""A topic's chart as a picture in Slack: uploaded once a week and workspace, then pointed at."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot import charts
from bot.core.reply import TopicCard
from bot.slack_app.trouble import TROUBLE, trouble_of

KEPT = 2_000
PATIENCE_S = 5.0

Draw = Callable[[TopicCard], bytes]
log = structlog.get_logger()


def drawn(card: TopicCard) -> bytes:
    """The chart of a topic as PNG."""
    return charts.png(card.momentum, title=card.topic.name)


class Pictures:
    """File ids of charts by workspace and content; without a conversation a file stays private."""

    def __init__(self, draw: Draw = drawn) -> None:
        self._draw = draw
        self._ids: OrderedDict[tuple[object, ...], str] = OrderedDict()

    async def of(self, card: TopicCard, team: str, client: AsyncWebClient) -> str:
        """The file id of a topic's chart, "" where there is none to be had now."""
        counts = tuple((week.monday, week.papers, week.observed) for week in card.momentum.weeks)
        key = (team, card.topic.name, counts)
        known = self._ids.get(key)
        if known or not counts:
            return known or ""
        try:
            uploaded = await asyncio.wait_for(self._upload(card, client), PATIENCE_S)
        except TROUBLE as exc:
            log.warning("slack_chart_missing", error=trouble_of(exc))
            return ""
        self._ids[key] = uploaded
        if len(self._ids) > KEPT:
            self._ids.popitem(last=False)
        return uploaded

    async def _upload(self, card: TopicCard, client: AsyncWebClient) -> str:
        content = await asyncio.to_thread(self._draw, card)
        answer = await client.files_upload_v2(
            content=content, filename="momentum.png", title=f"{card.topic.name}: papers a week"
        )
        files = answer.get("files") or [answer.get("file") or {}]
        return str(files[0].get("id") or "")
