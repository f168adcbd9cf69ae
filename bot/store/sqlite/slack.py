"""Slack: which requests were seen already, and the workspaces Paperround is installed in."""

from datetime import datetime
from typing import Any

from bot.store.slack import REMOVED, Installation
from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import instant, instant_or_none, seconds

_OF_WORKSPACE = "substr(address, 1, length(:scope) + 1) = :scope || ':'"


class SqliteSlack:
    """The Slack desk of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def knows(self, key: str) -> bool:
        return self.engine.value("SELECT 1 FROM inbox WHERE key = ?", (key,)) is not None

    def seen(self, key: str, now: datetime) -> bool:
        added = self.engine.run(
            "INSERT INTO inbox (key, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (key, seconds(now))
        )
        return not added

    def forget(self, before: datetime) -> None:
        """Forget requests seen before an instant: Slack gives up repeating them much sooner."""
        self.engine.run("DELETE FROM inbox WHERE at < ?", (seconds(before),))

    def install(self, installation: Installation) -> None:
        with self.engine.write():
            self.engine.run(
                "INSERT INTO installations (enterprise_id, team_id, name, token, bot_id,"
                " bot_user_id, installed_by, installed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (enterprise_id, team_id) DO UPDATE SET name = excluded.name,"
                " token = excluded.token, bot_id = excluded.bot_id,"
                " bot_user_id = excluded.bot_user_id, installed_by = excluded.installed_by,"
                " installed_at = excluded.installed_at, gone_at = NULL, gone_why = ''",
                (
                    installation.enterprise_id, installation.team_id, installation.name,
                    installation.token, installation.bot_id, installation.bot_user_id,
                    installation.installed_by, seconds(installation.installed_at),
                ),
            )  # fmt: skip
            self.back(installation.team_id or installation.enterprise_id)

    def installation(self, team_id: str, enterprise_id: str = "") -> Installation | None:
        return self._first(team_id, enterprise_id, "gone_at IS NOT NULL, ")

    def installations(self) -> list[Installation]:
        rows = self.engine.rows("SELECT * FROM installations ORDER BY installed_at, team_id")
        return [_installation(row) for row in rows]

    def gone(self, team_id: str, enterprise_id: str, why: str, at: datetime) -> int:
        speaker = self._first(team_id, enterprise_id)
        if speaker and seconds(at) < seconds(speaker.installed_at):
            return 0
        with self.engine.write():
            if speaker:
                self.engine.run(
                    "UPDATE installations SET gone_at = ?, gone_why = ?"
                    " WHERE team_id = ? AND enterprise_id = ? AND gone_at IS NULL",
                    (seconds(at), why, speaker.team_id, speaker.enterprise_id),
                )
                team_id, enterprise_id = speaker.team_id, speaker.enterprise_id
            return self.engine.run(
                "UPDATE destinations SET state = 'paused', reason = :reason"
                f" WHERE channel = 'slack' AND state = 'active' AND {_OF_WORKSPACE}",
                {"scope": team_id or enterprise_id, "reason": f"{REMOVED} ({why})"},
            )

    def back(self, workspace: str = "") -> int:
        return self.engine.run(
            "UPDATE destinations SET state = 'active', reason = '' WHERE channel = 'slack'"
            " AND state = 'paused' AND substr(reason, 1, length(:removed)) = :removed"
            f" AND (:scope = '' OR {_OF_WORKSPACE})",
            {"scope": workspace, "removed": REMOVED},
        )

    def _first(self, team_id: str, enterprise_id: str, before: str = "") -> Installation | None:
        """What speaks for a workspace: its own before its organisation's, and the latest.

        `before` is what is ordered by first.
        """
        row = self.engine.row(
            "SELECT * FROM installations WHERE (team_id = :team AND team_id != '')"
            " OR (team_id = '' AND enterprise_id = :enterprise AND enterprise_id != '')"
            f" ORDER BY {before}team_id = '', installed_at DESC LIMIT 1",
            {"team": team_id, "enterprise": enterprise_id},
        )
        return _installation(row) if row else None

    def keep(self, workspace: str, conversation: str, user: str, now: datetime) -> None:
        self.engine.run(
            "INSERT INTO conversation_keepers (workspace, conversation, user_id, at)"
            " VALUES (?, ?, ?, ?) ON CONFLICT (workspace, conversation)"
            " DO UPDATE SET user_id = excluded.user_id, at = excluded.at",
            (workspace, conversation, user, seconds(now)),
        )

    def keeper(self, workspace: str, conversation: str) -> str:
        found = self.engine.value(
            "SELECT user_id FROM conversation_keepers WHERE workspace = ? AND conversation = ?",
            (workspace, conversation),
        )
        return str(found or "")

    def kept_by(self, user: str) -> list[str]:
        rows = self.engine.rows(
            "SELECT workspace || ':' || conversation AS address FROM conversation_keepers"
            " WHERE user_id = ? ORDER BY at, address",
            (user,),
        )
        return [row["address"] for row in rows]


def _installation(row: dict[str, Any]) -> Installation:
    return Installation(
        enterprise_id=row["enterprise_id"],
        team_id=row["team_id"],
        name=row["name"],
        token=row["token"],
        bot_id=row["bot_id"],
        bot_user_id=row["bot_user_id"],
        installed_by=row["installed_by"],
        installed_at=instant(row["installed_at"]),
        gone_at=instant_or_none(row["gone_at"]),
        gone_why=row["gone_why"],
    )
