"""What the Slack door remembers: the contract."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

REMOVED = "Paperround was removed from the workspace; install it there again and this goes on"
"""How the reason of a pause begins that the next installation ends."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Paperround in one Slack workspace, or in a whole organisation (then `team_id` is "").

    `gone_at` says since when Slack no longer accepts its token.
    """

    enterprise_id: str  # "" outside of an Enterprise Grid
    team_id: str
    name: str
    token: str
    bot_id: str
    bot_user_id: str
    installed_by: str
    installed_at: datetime
    gone_at: datetime | None = None
    gone_why: str = ""


class SlackDesk(Protocol):
    """What the Slack door remembers: requests it has seen, workspaces it is installed in."""

    def knows(self, key: str) -> bool:
        """Whether a request came before.  Only reads: never waits for one who writes."""
        ...

    def seen(self, key: str, now: datetime) -> bool:
        """Whether a request came before; from now on it did."""
        ...

    def install(self, installation: Installation) -> None:
        """Paperround was installed (again) in a workspace or an organisation: it goes on there."""
        ...

    def installation(self, team_id: str, enterprise_id: str = "") -> Installation | None:
        """The installation that speaks for a workspace: its own, else its organisation's."""
        ...

    def installations(self) -> list[Installation]:
        """All installations, those that are gone included, oldest first."""
        ...

    def gone(self, team_id: str, enterprise_id: str, why: str, at: datetime) -> int:
        """Paperround was removed there: its digests pause until it is installed again.

        Nothing is deleted.  A removal before the latest installation is no news.  Return how
        many paused.
        """
        ...

    def back(self, workspace: str = "") -> int:
        """What paused because Paperround was removed there, or anywhere, goes on; how many."""
        ...

    def keep(self, workspace: str, conversation: str, user: str, now: datetime) -> None:
        """A person set up a conversation's digest: they are told when it cannot be brought."""
        ...

    def keeper(self, workspace: str, conversation: str) -> str:
        """Who set up a conversation's digest last, or ""."""
        ...

    def kept_by(self, user: str) -> list[str]:
        """The conversations, as addresses, whose digest a person set up last."""
        ...
