"""Subscribers: who they are, and how one is forgotten.

destinations  where and when they are reached; follows, with what they silence
kept          what they saved and judged; joining, two who are one person
"""

import re
from datetime import datetime

from bot.model import Identity
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.people.joining import Joining


def _known_as(identity: Identity) -> tuple[str, str, str]:
    """How an identity is stored: mail addresses without their case, anything else as it is."""
    folded = identity.kind == "email"
    external_id = identity.external_id.casefold() if folded else identity.external_id
    return identity.kind, identity.workspace, external_id


_UNANSWERED = """
SELECT id FROM subscribers s WHERE created_at < :before
    AND NOT EXISTS (SELECT 1 FROM identities WHERE subscriber_id = s.id AND kind != 'email')
    AND EXISTS (SELECT 1 FROM destinations WHERE subscriber_id = s.id)
    AND NOT EXISTS (SELECT 1 FROM destinations d WHERE subscriber_id = s.id AND NOT (
        channel = 'email' AND state = 'paused' AND confirmed_at IS NULL AND NOT EXISTS
            (SELECT 1 FROM deliveries WHERE destination_id = d.id AND made_at >= :before)))
"""
"""Who is reached by mail alone, at addresses that were asked for a yes before, and gave none."""


class SqlitePeople(Joining):
    """The subscribers of one database."""

    def find(self, identity: Identity) -> int | None:
        found = self.engine.value(
            "SELECT subscriber_id FROM identities"
            " WHERE kind = ? AND workspace = ? AND external_id = ?",
            _known_as(identity),
        )
        return int(found) if found is not None else None

    def enrol(self, identity: Identity, zone: str, now: datetime) -> int:
        with self.engine.write():
            known = self.find(identity)
            if known is not None:
                return known
            subscriber_id = self.engine.insert(
                "INSERT INTO subscribers (zone, created_at) VALUES (?, ?)", (zone, seconds(now))
            )
            self.identify(subscriber_id, identity)
        return subscriber_id

    def identify(self, subscriber_id: int, identity: Identity) -> None:
        self.engine.run(
            "INSERT INTO identities (subscriber_id, kind, workspace, external_id)"
            " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (subscriber_id, *_known_as(identity)),
        )

    def identities(self, subscriber_id: int) -> list[Identity]:
        rows = self.engine.rows(
            "SELECT kind, workspace, external_id FROM identities WHERE subscriber_id = ?"
            " ORDER BY id",
            (subscriber_id,),
        )
        return [Identity(r["kind"], r["workspace"], r["external_id"]) for r in rows]

    def everyone(self) -> list[int]:
        return self.engine.values("SELECT id FROM subscribers ORDER BY id")

    def zone(self, subscriber_id: int) -> str:
        found = self.engine.value("SELECT zone FROM subscribers WHERE id = ?", (subscriber_id,))
        return str(found or "")

    def set_zone(self, subscriber_id: int, zone: str) -> None:
        self.engine.run("UPDATE subscribers SET zone = ? WHERE id = ?", (zone, subscriber_id))

    def move(self, destination_id: int, there: int) -> None:
        left = self.destination(destination_id)
        assert left is not None
        is_slack = left.channel == "slack"
        known = Identity.in_slack(left.address) if is_slack else Identity("email", "", left.address)
        with self.engine.write():
            super().move(destination_id, there)
            self.engine.run(
                "DELETE FROM identities WHERE subscriber_id = ? AND (kind, workspace, external_id)"
                " = (?, ?, ?)",
                (left.subscriber_id, *_known_as(known)),
            )
            self._forget_offers(str(known))
            if not self.at(left.channel, left.address):
                self._forget_name(left.address)

    def erase(self, subscriber_id: int) -> None:
        with self.engine.write():
            self._forget(subscriber_id)
            self._forget_topics()
        self.engine.checkpoint()  # the log beside the file still holds what was there before

    def forget_unanswered(self, before: datetime) -> None:
        with self.engine.write():
            gone = self.engine.values(_UNANSWERED, {"before": seconds(before)})
            for subscriber in gone:
                self._forget(subscriber)
            self._forget_topics()
        if gone:
            self.engine.checkpoint()

    def _forget(self, subscriber_id: int) -> None:
        known = self.identities(subscriber_id)
        places = self.destinations(subscriber_id)
        for destination in places:
            self.engine.run("DELETE FROM runs WHERE subject = ?", (f"d{destination.id}",))
        self.engine.run("DELETE FROM subscribers WHERE id = ?", (subscriber_id,))
        # What somebody is called on the console may be any word.
        mailed = (d.address for d in places if d.channel != "console")
        called = (str(i) if i.kind == "console" else i.external_id for i in known)
        for name in {*mailed, *called}:
            self._forget_name(name)
        for each in known:
            self._forget_offers(str(each))

    def _forget_name(self, name: str) -> None:
        """Forget an address or a Slack user wherever else one may stand."""
        self._forget_offers(name)
        self.release(name)
        self.engine.run("DELETE FROM conversation_keepers WHERE user_id = ?", (name,))
        self.engine.run(
            "UPDATE installations SET installed_by = '' WHERE installed_by = ?", (name,)
        )
        held = "SELECT id, reason FROM runs WHERE instr(lower(reason), lower(?)) > 0"
        said = [row["id"] for row in self.engine.rows(held, (name,)) if _names(row["reason"], name)]
        self.engine.run("DELETE FROM runs WHERE id IN (SELECT value FROM json_each(?))", (said,))

    def _forget_topics(self) -> None:
        """Forget topics whose maker is gone and that nobody else ever followed.

        The words are theirs.  The bare row stays, so that its number is never used for another
        topic.
        """
        rows = self.engine.rows(
            "SELECT id FROM topics WHERE origin = 'own' AND owner_id IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM subscribers s WHERE s.id = topics.owner_id)"
            " AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.topic_id = topics.id)"
        )
        for row in rows:
            for table in ("matches", "let_go", "topic_names"):
                self.engine.run(f"DELETE FROM {table} WHERE topic_id = :id", row)
            self.engine.run(
                "UPDATE topic_versions SET query = '', weights = '' WHERE topic_id = :id", row
            )
            self.engine.run(
                "UPDATE topics SET slug = 'forgotten-' || id, name = '', description = '',"
                " owner_id = NULL, retired_at = 0, rematch_from = NULL, matched_after = NULL"
                " WHERE id = :id",
                row,
            )


def _names(text: str, name: str) -> bool:
    """Whether a name stands in a text by itself, and not within a word or another name."""
    alone = rf"(?<![\w@.+-]){re.escape(name)}(?![\w@]|[.+-]\w)"
    return re.search(alone, text, re.IGNORECASE) is not None
