"""Slack as it is reached: the workspaces that let the app in, and the channel into them.

Slack's own packages are half of what reaching outside imports, and a house without Slack asks for
none of them.
"""

from bot.channels.slack import Slack
from bot.config import Config
from bot.model import Clock
from bot.slack_app import Workspaces
from bot.store.sqlite import SqliteStore


class InSlack:
    """The workspaces, and the channel."""

    def __init__(self, config: Config, store: SqliteStore, clock: Clock) -> None:
        settings = config.slack
        self.workspaces = Workspaces(
            store.slack,
            clock,
            token=settings.bot_token.get_secret_value(),
            base_url=settings.api_url,
        )
        self.channel = Slack(self.workspaces.token, base_url=settings.api_url)
