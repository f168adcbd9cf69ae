"""Slack as it is reached: the workspaces that let the app in, the channel into them, the app.

Slack's own packages are half of what reaching outside imports, and a house without Slack asks for
none of them.
"""

from starlette.routing import Route

from bot import slack_app
from bot.channels.slack import Slack
from bot.config import Config
from bot.core import Core
from bot.model import Clock
from bot.slack_app import SlackApp, Socket, Workspaces
from bot.slack_app.workspaces import install
from bot.store.sqlite import SqliteStore


class InSlack:
    """The workspaces, the channel, and what the service opens to Slack."""

    def __init__(self, config: Config, store: SqliteStore, clock: Clock) -> None:
        self._config, self._store, self._clock = config, store, clock
        settings = config.slack
        self.workspaces = Workspaces(
            store.slack,
            clock,
            token=settings.bot_token.get_secret_value(),
            base_url=settings.api_url,
        )
        self.channel = Slack(self.workspaces.token, base_url=settings.api_url)

    def app(self, core: Core) -> SlackApp:
        """The Slack app, for a house where any token or a way to install it is configured."""
        return slack_app.build(
            core,
            self._store,
            self.workspaces,
            self._clock,
            signing_secret=self._config.slack.signing_secret.get_secret_value(),
        )

    def line(self, app: SlackApp) -> Socket | None:
        """The connection of Socket Mode, where Slack does not call us."""
        settings = self._config.slack
        if settings.mode != "socket":
            return None
        return app.socket(settings.app_token.get_secret_value(), self._clock)

    def routes(self, app: SlackApp) -> list[Route]:
        """Where Slack calls us: with events, and with whoever installs the app."""
        settings = self._config.slack
        if settings.mode != "http" and not settings.client_id:
            return []
        if not settings.client_id:
            return app.routes()
        return app.routes(
            install.flow(
                self.workspaces,
                self._store.slack,
                self._clock,
                client_id=settings.client_id,
                client_secret=settings.client_secret.get_secret_value(),
                redirect_uri=f"{self._config.web.address}/slack/oauth_redirect",
                secret=settings.client_secret.get_secret_value(),
            )
        )
