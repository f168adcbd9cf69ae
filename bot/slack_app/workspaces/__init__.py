"""The workspaces that Paperround speaks in, and the token it speaks with in each.

Either one token from the configuration, or one for each workspace that installed the app.  Bolt's
own authorisation would call auth.test for every request; here what is known is kept.

install     the pages on which an admin installs the app
lifecycle   conversations and workspaces that go and come back
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import structlog
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.installation_store.models.installation import (
    Installation as SlackInstallation,
)
from slack_sdk.web.async_client import AsyncWebClient

from bot.model import Clock
from bot.slack_app.trouble import TROUBLE, trouble_of
from bot.slack_client import Client
from bot.store import Installation, SlackDesk

KEPT = timedelta(minutes=10)

log = structlog.get_logger()


class Workspaces(AsyncInstallationStore):
    """Who may speak where.  Also the installation store of Bolt's OAuth pages."""

    def __init__(
        self, desk: SlackDesk, clock: Clock, *, token: str = "", base_url: str = ""
    ) -> None:
        self._desk = desk
        self._clock = clock
        self._token = token
        self._base_url = base_url or AsyncWebClient.BASE_URL
        self._kept: dict[tuple[str, str], tuple[datetime, AuthorizeResult]] = {}

    def token(self, team: str) -> str | None:
        """The token that speaks in a workspace (or organisation), None where there is none.

        Blocks; for worker threads.
        """
        if self._token:
            return self._token
        found = self._installation(team, team if team.startswith("E") else "")
        return found.token if found else None

    def _installation(self, team_id: str, enterprise_id: str) -> Installation | None:
        """The installation there, unless the app was removed since.  Blocks."""
        found = self._desk.installation(team_id, enterprise_id)
        return found if found and found.gone_at is None else None

    def client(self, token: str | None = None) -> Client:
        """A client that never posts twice by itself."""
        return Client(token, self._base_url, 20)

    async def authorize(
        self, enterprise_id: str | None, team_id: str | None, context: Any = None
    ) -> AuthorizeResult | None:
        """Bolt's question: with which token is this request answered?  None for a stranger."""
        teams = [team_id or "", str((context or {}).get("message_team") or "")]
        known_as = str((context or {}).get("known_as") or "")
        for team in dict.fromkeys(teams):
            found = await self._authorized(enterprise_id or "", team, known_as)
            if found:
                return found
        return None

    async def own_of(self, team: str) -> Installation | None:
        """The installation in a team (or organisation) alone, None where there is none."""
        if self._token or not team:
            return None
        where = ("", team) if team.startswith("E") else (team, "")
        return await asyncio.to_thread(self._installation, *where)

    def forget(self) -> None:
        """Forget the tokens that were looked up, so that all are looked up anew."""
        self._kept.clear()

    async def gone(self, enterprise_id: str, team_id: str, why: str, at: datetime) -> int:
        """The app was removed there at that instant: digests pause; return how many.

        Follows and settings stay.
        """
        self.forget()
        return await asyncio.to_thread(self._desk.gone, team_id, enterprise_id, why, at)

    def begin(self) -> None:
        """Count a start with a configured token as an installation: Slack tells nobody.  Blocks."""
        if self._token:
            self._desk.back()

    async def _authorized(
        self, enterprise_id: str, team_id: str, known_as: str
    ) -> AuthorizeResult | None:
        key = (enterprise_id, team_id)
        kept = self._kept.get(key)
        if kept and self._clock() - kept[0] < KEPT:
            return kept[1]
        found = await self._looked_up(enterprise_id, team_id, known_as)
        if found and found.bot_id:
            self._kept[key] = (self._clock(), found)
        return found

    async def _looked_up(
        self, enterprise_id: str, team_id: str, known_as: str
    ) -> AuthorizeResult | None:
        if self._token:
            return await self._the_only_one(enterprise_id, team_id, known_as)
        found = await asyncio.to_thread(self._installation, team_id, enterprise_id)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id or None,
            team_id=team_id or None,
            bot_token=found.token,
            bot_id=found.bot_id,
            bot_user_id=found.bot_user_id,
        )

    async def _the_only_one(
        self, enterprise_id: str, team_id: str, known_as: str
    ) -> AuthorizeResult:
        who = await self._who_we_are()
        return AuthorizeResult(
            enterprise_id=enterprise_id or None,
            team_id=team_id or None,
            bot_token=self._token,
            bot_id=str(who.get("bot_id") or ""),
            bot_user_id=str(who.get("user_id") or known_as),
        )

    async def _who_we_are(self) -> dict[str, Any]:
        """What auth.test says of our token; {} where Slack cannot say just now.

        Raises SlackApiError where the token is no good.
        """
        for _, known in self._kept.values():
            return {"bot_id": known.bot_id, "user_id": known.bot_user_id}
        try:
            answer = await self.client(self._token).auth_test()
        except TROUBLE as exc:
            if isinstance(exc, SlackApiError) and trouble_of(exc) != "ratelimited":
                raise
            log.warning("slack_unknown_to_itself", error=trouble_of(exc))
            return {}
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    # -------------------------------------------------------------- Bolt's OAuth pages

    async def async_save(self, installation: SlackInstallation) -> None:
        """Somebody installed the app."""
        for_all = bool(installation.is_enterprise_install)
        kept = Installation(
            enterprise_id=installation.enterprise_id or "",
            team_id="" if for_all else installation.team_id or "",
            name=installation.team_name or installation.enterprise_name or "",
            token=installation.bot_token or "",
            bot_id=installation.bot_id or "",
            bot_user_id=installation.bot_user_id or "",
            installed_by=installation.user_id,
            installed_at=self._clock(),
        )
        await asyncio.to_thread(self._desk.install, kept)
        self.forget()

    async def async_find_bot(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        is_enterprise_install: bool | None = False,
    ) -> Bot | None:
        """The installation that speaks for a workspace, as the SDK writes it."""
        team = "" if is_enterprise_install else team_id or ""
        found = await asyncio.to_thread(self._installation, team, enterprise_id or "")
        if found is None:
            return None
        return Bot(
            enterprise_id=found.enterprise_id or None,
            team_id=found.team_id or None,
            bot_token=found.token,
            bot_id=found.bot_id,
            bot_user_id=found.bot_user_id,
            installed_at=found.installed_at.timestamp(),
            is_enterprise_install=not found.team_id,
        )

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        """Slack revoked the bot's token: the installation is gone, what people set stays."""
        await self.gone(enterprise_id or "", team_id or "", "tokens_revoked", self._clock())

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        """A person's token was revoked: we keep none, so nothing changes."""
