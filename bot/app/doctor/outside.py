"""What an examination asks of others: arXiv once, in its turn, and Slack.

Nothing is sent to anybody.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime

from bot.app.doctor.findings import Check, State
from bot.app.wiring import Rooms
from bot.model import utc_now
from bot.sources import SourceError, SourceFault

CLOCK_OFF_S = 30.0


def arxiv(rooms: Rooms) -> Iterator[Check]:
    """Whether arXiv answers, and could reach us."""
    if not rooms.config.arxiv.contact:
        yield Check("contact", State.WARN, "arxiv.contact is not set",
                    "set it to an address of yours: arXiv writes before it blocks")  # fmt: skip
    url = f"{rooms.config.arxiv.api_url}?search_query=cat:cs.LG&start=0&max_results=1"
    try:
        answer = rooms.reach().session.get(url, "feed", tries=1)
    except SourceError as error:
        lasting = error.fault is SourceFault.PERMANENT
        do = "mend that, and restart" if lasting else "it is tried again by itself"
        yield Check("arXiv", State.WARN, str(error), do)
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
    """Whether Slack knows each token."""
    tokens = _slack_tokens(rooms)
    if not tokens:
        yield Check("slack", State.SKIPPED, "no token is set", "see Slack in the README")
        return
    from bot.app.doctor import in_slack  # noqa: PLC0415 - few houses are, and it is slow to import

    for name, token in tokens:
        yield asyncio.run(in_slack.recognised(name, token, rooms.config.slack.api_url))


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
        from bot.app.doctor import in_slack  # noqa: PLC0415 - as above

        yield asyncio.run(in_slack.offered(token, settings.api_url))
