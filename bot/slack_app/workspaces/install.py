"""Several workspaces: the pages on which an admin installs the app, with Bolt's OAuth flow.

The state that guards against forged installations is a signed, timed word; it is spent once, in
the same inbox that keeps other requests from being carried out twice.
"""

import asyncio
import secrets

from itsdangerous import BadSignature, TimestampSigner
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from bot.model import Clock
from bot.slack_app.workspaces import Workspaces
from bot.store import SlackDesk

SCOPES = (
    "commands",
    "chat:write",
    "im:write",
    "im:history",
    "app_mentions:read",
    "channels:read",
    "groups:read",
    "users:read",
    "files:write",
)
STATE_S = 600


class States(AsyncOAuthStateStore):
    """States of installations under way."""

    def __init__(self, secret: str, inbox: SlackDesk, clock: Clock) -> None:
        self._signer = TimestampSigner(secret, salt="slack-install")
        self._inbox = inbox
        self._clock = clock

    async def async_issue(self, *args: object, **kwargs: object) -> str:
        """A fresh state."""
        return self._signer.sign(secrets.token_urlsafe(16)).decode()

    async def async_consume(self, state: str) -> bool:
        """Whether a state is ours, not older than ten minutes, and used for the first time."""
        try:
            self._signer.unsign(state, max_age=STATE_S)
        except BadSignature:
            return False
        return not await asyncio.to_thread(self._inbox.seen, f"state:{state}", self._clock())


def flow(
    workspaces: Workspaces,
    inbox: SlackDesk,
    clock: Clock,
    *,
    client_id: str,
    client_secret: str,
    redirect_uri: str,
    secret: str,
    authorization_url: str | None = None,
) -> AsyncOAuthFlow:
    """The pages ``/slack/install`` and ``/slack/oauth_redirect``."""
    return AsyncOAuthFlow(
        client=workspaces.client(),
        settings=AsyncOAuthSettings(
            client_id=client_id,
            client_secret=client_secret,
            scopes=list(SCOPES),
            redirect_uri=redirect_uri,
            installation_store=workspaces,
            state_store=States(secret, inbox, clock),
            authorization_url=authorization_url,
            state_expiration_seconds=STATE_S,
        ),
    )
