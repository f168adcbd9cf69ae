"""What an examination asks of others: arXiv once, in its turn, and Slack.

Nothing is sent to anybody.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime

from slack_sdk.errors import SlackApiError

from bot.app.doctor.findings import Check, State
from bot.app.service.line import advice
from bot.app.wiring import Rooms
from bot.model import utc_now
from bot.slack_app.trouble import PASSING, TROUBLE, trouble_of
from bot.slack_client import Client, error_of
from bot.sources import SourceError

CLOCK_OFF_S = 30.0
SCOPES = {"chat:write", "commands", "im:write", "users:read"}


def arxiv(rooms: Rooms) -> Iterator[Check]:
    """Whether arXiv answers, and could reach us."""
    if not rooms.config.arxiv.contact:
        yield Check("contact", State.WARN, "arxiv.contact is not set",
                    "set it to an address of yours: arXiv writes before it blocks")  # fmt: skip
    url = f"{rooms.config.arxiv.api_url}?search_query=cat:cs.LG&start=0&max_results=1"
    try:
        answer = rooms.reach().session.get(url, "feed", tries=1)
    except SourceError as error:
        yield Check("arXiv", State.WARN, str(error), "it is tried again by itself")
        return
    yield Check("arXiv", State.OK, "answers")
    if answer.at:
        yield clock_check(answer.at, utc_now())


def clock_check(theirs: datetime, ours: datetime) -> Check:
    """Our clock against arXiv's."""
    off = (ours - theirs).total_seconds()
    if abs(off) > CLOCK_OFF_S:
        return Check("clock", State.WARN, f"{off:+.0f} s from arXiv's",
                     "set the time of this machine: digests come at the wrong moment")  # fmt: skip
    return Check("clock", State.OK, "agrees with arXiv's")


def slack(rooms: Rooms) -> Iterator[Check]:
    tokens = _slack_tokens(rooms)
    if not tokens:
        yield Check("slack", State.SKIPPED, "no token is set", "see Slack in the README")
    for name, token in tokens:
        yield asyncio.run(_recognised(name, token, rooms.config.slack.api_url))


def _slack_tokens(rooms: Rooms) -> list[tuple[str, str]]:
    configured = rooms.config.slack.bot_token.get_secret_value()
    installed = [(i.name or i.team_id, i.token) for i in rooms.store.slack.installations()
                 if i.gone_at is None]  # fmt: skip
    return ([("the configured token", configured)] if configured else []) + installed


def slack_line(rooms: Rooms) -> Iterator[Check]:
    """Whether Slack would open a line to us; none is opened."""
    settings = rooms.config.slack
    token = settings.app_token.get_secret_value()
    if token and settings.mode == "socket":
        yield asyncio.run(_offered(token, settings.api_url))


async def _offered(token: str, base_url: str) -> Check:
    try:
        await Client("", base_url, 20).apps_connections_open(app_token=token)
    except TROUBLE as wrong:
        trouble = trouble_of(wrong)
        passing = not isinstance(wrong, SlackApiError) or trouble in ("", *PASSING)
        return Check("slack line", State.WARN if passing else State.BAD,
                     f"Slack opens none to us ({trouble})", advice(trouble))  # fmt: skip
    return Check("slack line", State.OK, "Slack opens one to us")


async def _recognised(name: str, token: str, base_url: str) -> Check:
    try:
        answer = await Client(token, base_url, 20).auth_test()
    except TROUBLE as wrong:
        error = error_of(wrong) if isinstance(wrong, SlackApiError) else ""
        if error and error not in PASSING:
            return Check("slack", State.BAD, f"{name}: {error}",
                         "install the app again, or set slack.bot_token")  # fmt: skip
        return Check("slack", State.WARN, f"{name}: Slack cannot be reached ({error or wrong})",
                     "it is tried again by itself")  # fmt: skip
    granted = set(str(answer.headers.get("x-oauth-scopes", "")).split(","))
    missing = SCOPES - granted if granted != {""} else set()
    if missing:
        return Check("slack", State.WARN, f"{name}: lacks {', '.join(sorted(missing))}",
                     "update the app from slack-manifest.yaml and install it again")  # fmt: skip
    return Check("slack", State.OK, f"{name}: {answer.get('team')} knows us")
