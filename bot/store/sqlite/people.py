"""Subscribers: who they are, what they follow and mute, what they saved, where they are reached."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlite_utils import Database, Migrations

from bot.model import (
    Breadth,
    Destination,
    DestinationState,
    Follow,
    Identity,
    Mute,
    MuteKind,
    Topic,
)
from bot.store.sqlite.engine import Engine, script
from bot.store.sqlite.papers import instant, seconds
from bot.store.sqlite.topics import SqliteTopics

migrations = Migrations("people")


@migrations()
def m001_people(db: Database) -> None:
    script(
        db,
        """
    CREATE TABLE subscribers (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        zone TEXT NOT NULL DEFAULT '',
        consent INTEGER NOT NULL DEFAULT 0,  -- rises whenever something is to be silent
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE identities (
        id INTEGER PRIMARY KEY,
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        kind TEXT NOT NULL, workspace TEXT NOT NULL, external_id TEXT NOT NULL,
        UNIQUE (kind, workspace, external_id)
    ) STRICT;
    CREATE TABLE follows (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        topic_id INTEGER NOT NULL REFERENCES topics,
        since INTEGER NOT NULL,              -- the highest match number when it began
        breadth TEXT NOT NULL,
        muted_until INTEGER,
        without_words TEXT NOT NULL DEFAULT '[]',
        without_authors TEXT NOT NULL DEFAULT '[]',
        created_at INTEGER NOT NULL,
        ended_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX follows_now ON follows (subscriber_id, topic_id) WHERE ended_at IS NULL;
    CREATE INDEX follows_of_topic ON follows (topic_id) WHERE ended_at IS NULL;
    CREATE TABLE mutes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        kind TEXT NOT NULL, value TEXT NOT NULL, until INTEGER NOT NULL,
        UNIQUE (subscriber_id, kind, value)
    ) STRICT;
    CREATE TABLE destinations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        channel TEXT NOT NULL, address TEXT NOT NULL,
        cadence TEXT NOT NULL, zone TEXT NOT NULL,
        next_due_at INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'active', reason TEXT NOT NULL DEFAULT '',
        last_sent_at INTEGER,
        epoch INTEGER NOT NULL DEFAULT 0,
        since INTEGER NOT NULL DEFAULT 0,       -- the highest match number when it began
        considered INTEGER NOT NULL DEFAULT 0,  -- matches up to here were told, withheld or cut
        UNIQUE (subscriber_id, channel, address)
    ) STRICT;
    CREATE INDEX destinations_due ON destinations (next_due_at) WHERE state = 'active';
    CREATE TABLE saves (
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        seq INTEGER NOT NULL REFERENCES papers, at INTEGER NOT NULL,
        PRIMARY KEY (subscriber_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE feedback (
        subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
        seq INTEGER NOT NULL REFERENCES papers, liked INTEGER NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (subscriber_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE suppressions (address TEXT PRIMARY KEY, reason TEXT NOT NULL, at INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
    """,
    )


def _known_as(identity: Identity) -> tuple[str, str, str]:
    """How an identity is kept: a mail address whatever its case, anything else as it is."""
    folded = identity.kind == "email"
    external_id = identity.external_id.casefold() if folded else identity.external_id
    return identity.kind, identity.workspace, external_id


@migrations()
def m002_due_also_while_paused(db: Database) -> None:
    script(
        db,
        """
    DROP INDEX destinations_due;
    CREATE INDEX destinations_due ON destinations (next_due_at) WHERE state != 'off';
    """,
    )


class SqlitePeople:
    """The subscribers of one database."""

    def __init__(self, engine: Engine, topics: SqliteTopics) -> None:
        self.engine = engine
        self.topics = topics

    # ---------------------------------------------------------- identities

    def find(self, identity: Identity) -> int | None:
        """The subscriber of that identity, or None."""
        found = self.engine.value(
            "SELECT subscriber_id FROM identities"
            " WHERE kind = ? AND workspace = ? AND external_id = ?",
            _known_as(identity),
        )
        return int(found) if found is not None else None

    def enrol(self, identity: Identity, zone: str, now: datetime) -> int:
        """The subscriber of that identity, made where there is none."""
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
        """A further identity of a subscriber; one that is somebody's already stays theirs."""
        self.engine.run(
            "INSERT INTO identities (subscriber_id, kind, workspace, external_id)"
            " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (subscriber_id, *_known_as(identity)),
        )

    def identities(self, subscriber_id: int) -> list[Identity]:
        """Everything a subscriber is known as."""
        rows = self.engine.rows(
            "SELECT kind, workspace, external_id FROM identities WHERE subscriber_id = ?"
            " ORDER BY id",
            (subscriber_id,),
        )
        return [Identity(r["kind"], r["workspace"], r["external_id"]) for r in rows]

    def everyone(self) -> list[int]:
        """All subscribers, oldest first."""
        return [r["id"] for r in self.engine.rows("SELECT id FROM subscribers ORDER BY id")]

    def zone(self, subscriber_id: int) -> str:
        """The subscriber's IANA zone, "" where nobody said."""
        found = self.engine.value("SELECT zone FROM subscribers WHERE id = ?", (subscriber_id,))
        return str(found or "")

    def set_zone(self, subscriber_id: int, zone: str) -> None:
        """The zone that times are shown in."""
        self.engine.run("UPDATE subscribers SET zone = ? WHERE id = ?", (zone, subscriber_id))

    def join(self, kept: int, other: int) -> None:
        """Two subscribers are one person: follows, mutes, saves and destinations are united.

        Of two silences the longer one holds.  What either was told stays told: told is kept by
        destination, and those move along; of two at one address the older stays, with all that
        the other had still to send.
        """
        if kept == other:
            return
        with self.engine.write():
            self._unite_silences(kept, other)
            self._unite_destinations(kept, other)
            for table in ("identities", "follows", "mutes", "destinations", "saves", "feedback"):
                self.engine.run(
                    f"UPDATE OR IGNORE {table} SET subscriber_id = ? WHERE subscriber_id = ?",
                    (kept, other),
                )
            self.engine.run("DELETE FROM subscribers WHERE id = ?", (other,))
            self._silenced(kept)

    def _unite_silences(self, kept: int, other: int) -> None:
        """What both muted is silent for the longer time; a topic both follow began earlier."""
        both = {"kept": kept, "other": other}
        self.engine.run(
            "UPDATE mutes SET until = max(mutes.until, o.until) FROM mutes o"
            " WHERE o.subscriber_id = :other AND mutes.subscriber_id = :kept"
            " AND (mutes.kind, mutes.value) = (o.kind, o.value)",
            both,
        )
        self.engine.run(
            "UPDATE follows SET since = min(follows.since, o.since),"
            " muted_until = nullif(max(coalesce(follows.muted_until, 0),"
            "  coalesce(o.muted_until, 0)), 0)"
            " FROM follows o WHERE o.subscriber_id = :other AND follows.subscriber_id = :kept"
            " AND o.topic_id = follows.topic_id AND o.ended_at IS NULL"
            " AND follows.ended_at IS NULL",
            both,
        )

    def _unite_destinations(self, kept: int, other: int) -> None:
        """Of two at one address the older stays: links in mail sent so far are about it."""
        pairs = self.engine.rows(
            "SELECT min(k.id, o.id) AS old, max(k.id, o.id) AS new FROM destinations k"
            " JOIN destinations o ON o.channel = k.channel AND (o.address = k.address"
            "  OR k.channel = 'email' AND lower(o.address) = lower(k.address))"
            " WHERE k.subscriber_id = :kept AND o.subscriber_id = :other",
            {"kept": kept, "other": other},
        )
        for pair in pairs:
            for table in ("told", "withheld"):
                self.engine.run(
                    f"UPDATE OR IGNORE {table} SET destination_id = :old"
                    " WHERE destination_id = :new",
                    pair,
                )
            self.engine.run(  # keys and pages stay; only the period makes room
                "UPDATE deliveries SET destination_id = :old, period = period || ' d' || :new"
                " WHERE destination_id = :new",
                pair,
            )
            self.engine.run(
                "UPDATE destinations SET since = min(destinations.since, n.since),"
                " considered = min(destinations.considered, n.considered)"
                " FROM (SELECT since, considered FROM destinations WHERE id = :new) n"
                " WHERE id = :old",
                pair,
            )
            self.engine.run("DELETE FROM destinations WHERE id = :new", pair)

    def erase(self, subscriber_id: int) -> None:
        """Forget a subscriber wholly: ledger rows, suppressions and topics of their own as well.

        What others follow stays, and so do papers.  No page of the file remembers them.
        """
        with self.engine.write():
            known = self.identities(subscriber_id)
            places = self.destinations(subscriber_id)
            for destination in places:
                self.engine.run("DELETE FROM runs WHERE subject = ?", (f"d{destination.id}",))
            self.engine.run("DELETE FROM subscribers WHERE id = ?", (subscriber_id,))
            for name in {*(d.address for d in places), *(i.external_id for i in known)}:
                self._forget_name(name)
            self._forget_topics(subscriber_id)
        self.engine.checkpoint()  # the log beside the file still holds what was there before

    def _forget_name(self, name: str) -> None:
        """Wherever else an address or a Slack user may stand."""
        self.engine.run("DELETE FROM suppressions WHERE address = ?", (name,))
        self.engine.run("DELETE FROM conversation_keepers WHERE user_id = ?", (name,))
        self.engine.run(
            "UPDATE installations SET installed_by = '' WHERE installed_by = ?", (name,)
        )
        self.engine.run("DELETE FROM runs WHERE instr(lower(reason), lower(?)) > 0", (name,))

    def _forget_topics(self, owner_id: int) -> None:
        """Topics that only they made and only they ever followed: the words are theirs.

        The bare row stays, so that its number is never used for another topic.
        """
        rows = self.engine.rows(
            "SELECT id FROM topics WHERE owner_id = ? AND origin = 'own'"
            " AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.topic_id = topics.id)",
            (owner_id,),
        )
        for row in rows:
            for table in ("matches", "topic_names"):
                self.engine.run(f"DELETE FROM {table} WHERE topic_id = :id", row)
            self.engine.run(
                "UPDATE topic_versions SET query = '', weights = '' WHERE topic_id = :id", row
            )
            self.engine.run(
                "UPDATE topics SET slug = 'forgotten-' || id, name = '', description = '',"
                " owner_id = NULL, retired_at = 0, rematch_from = NULL WHERE id = :id",
                row,
            )

    # ------------------------------------------------------------- follows

    def follow(self, follow: Follow, now: datetime) -> Follow:
        """Begin a follow; one that stands already keeps its beginning and takes the new wishes."""
        with self.engine.write():
            self.engine.run(
                "INSERT INTO follows (subscriber_id, topic_id, since, breadth, muted_until,"
                " without_words, without_authors, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, topic_id) WHERE ended_at IS NULL DO UPDATE SET"
                " breadth = excluded.breadth, without_words = excluded.without_words,"
                " without_authors = excluded.without_authors",
                (
                    follow.subscriber_id, follow.topic.id, follow.since, follow.breadth.value,
                    _until(follow.muted_until), json.dumps(follow.without_words),
                    json.dumps(follow.without_authors), seconds(now),
                ),
            )  # fmt: skip
            found = self.following(follow.subscriber_id, follow.topic.id)
        assert found is not None
        return found

    def following(self, subscriber_id: int, topic_id: int) -> Follow | None:
        """The follow of a topic by a subscriber, where not ended."""
        found = [f for f in self.follows(subscriber_id) if f.topic.id == topic_id]
        return found[0] if found else None

    def follows(self, subscriber_id: int) -> list[Follow]:
        """What a subscriber follows, oldest first."""
        rows = self.engine.rows(
            "SELECT * FROM follows WHERE subscriber_id = ? AND ended_at IS NULL ORDER BY id",
            (subscriber_id,),
        )
        topics = {t.id: t for t in self.topics.some(row["topic_id"] for row in rows)}
        return [_follow(row, topics[row["topic_id"]]) for row in rows]

    def end_follow(self, follow_id: int, now: datetime) -> None:
        """Nothing of it is sent once this has committed; `resume_follow` restores it whole."""
        with self.engine.write():
            self.engine.run(
                "UPDATE follows SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
                (seconds(now), follow_id),
            )
            self._silenced_by("follows", follow_id)

    def resume_follow(self, follow_id: int, subscriber_id: int) -> Follow | None:
        """Undo the end of a follow of this subscriber; None where there is none to undo."""
        with self.engine.write():
            row = self.engine.row(
                "SELECT * FROM follows WHERE id = ? AND subscriber_id = ?",
                (follow_id, subscriber_id),
            )
            if row is None:
                return None
            if self.following(subscriber_id, row["topic_id"]) is None:
                self.engine.run("UPDATE follows SET ended_at = NULL WHERE id = ?", (follow_id,))
                self.reconsider(subscriber_id, row["since"])
            return self.following(subscriber_id, row["topic_id"])

    def mute_follow(self, follow_id: int, until: datetime | None) -> None:
        """Silence a topic for its follower until then; None ends the silence."""
        with self.engine.write():
            self.engine.run(
                "UPDATE follows SET muted_until = ? WHERE id = ?", (_until(until), follow_id)
            )
            self._silenced_by("follows", follow_id)

    def followers(self, topic_id: int) -> int:
        """How many subscribers follow a topic."""
        return int(
            self.engine.value(
                "SELECT count(*) FROM follows WHERE topic_id = ? AND ended_at IS NULL", (topic_id,)
            )
        )

    # --------------------------------------------------------------- mutes

    def mute(self, subscriber_id: int, kind: MuteKind, value: str, until: datetime) -> None:
        """Silence an author, a phrase, a category or everything; a later end replaces it."""
        with self.engine.write():
            self.engine.run(
                "INSERT INTO mutes (subscriber_id, kind, value, until) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, kind, value) DO UPDATE SET until = excluded.until",
                (subscriber_id, kind.value, value, seconds(until)),
            )
            self._silenced(subscriber_id)

    def unmute(self, subscriber_id: int, kind: MuteKind, value: str) -> bool:
        """End such a mute; False where there was none."""
        return bool(
            self.engine.run(
                "DELETE FROM mutes WHERE subscriber_id = ? AND kind = ? AND value = ?",
                (subscriber_id, kind.value, value),
            )
        )

    def mutes(self, subscriber_id: int) -> list[Mute]:
        """The mutes of a subscriber, those that have ended included."""
        rows = self.engine.rows(
            "SELECT * FROM mutes WHERE subscriber_id = ? ORDER BY id", (subscriber_id,)
        )
        return [
            Mute(r["id"], subscriber_id, MuteKind(r["kind"]), r["value"], instant(r["until"]))
            for r in rows
        ]

    # -------------------------------------------------------- destinations

    def reach(self, destination: Destination, since: int) -> Destination:
        """A way to reach a subscriber; one that is known stays as it is.

        It hears of matches with a higher number than `since`.
        """
        with self.engine.write():
            self.engine.run(
                "INSERT INTO destinations (subscriber_id, channel, address, cadence, zone,"
                " next_due_at, state, reason, since, considered)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, channel, address) DO NOTHING",
                (
                    destination.subscriber_id, destination.channel, destination.address,
                    destination.cadence, destination.zone, seconds(destination.next_due_at),
                    destination.state.value, destination.reason, since, since,
                ),
            )  # fmt: skip
            row = self.engine.row(
                "SELECT * FROM destinations WHERE subscriber_id = ? AND channel = ?"
                " AND address = ?",
                (destination.subscriber_id, destination.channel, destination.address),
            )
        assert row is not None
        return destination_from_row(row)

    def destination(self, destination_id: int) -> Destination | None:
        """The destination of that id, or None."""
        row = self.engine.row("SELECT * FROM destinations WHERE id = ?", (destination_id,))
        return destination_from_row(row) if row else None

    def destinations(self, subscriber_id: int) -> list[Destination]:
        """All ways to reach a subscriber, oldest first."""
        rows = self.engine.rows(
            "SELECT * FROM destinations WHERE subscriber_id = ? ORDER BY id", (subscriber_id,)
        )
        return [destination_from_row(row) for row in rows]

    def at(self, channel: str, address: str) -> list[Destination]:
        """All destinations at an address: what a channel reports about it concerns them."""
        rows = self.engine.rows(
            "SELECT * FROM destinations WHERE channel = ? AND address = ? ORDER BY id",
            (channel, address),
        )
        return [destination_from_row(row) for row in rows]

    def due(self, now: datetime, limit: int = 200) -> list[Destination]:
        """Destinations whose moment has come, paused ones too; the longest waiting first."""
        rows = self.engine.rows(
            "SELECT * FROM destinations WHERE state != 'off' AND next_due_at <= ?"
            " ORDER BY next_due_at, id LIMIT ?",
            (seconds(now), limit),
        )
        return [destination_from_row(row) for row in rows]

    def coming(self, now: datetime, limit: int = 1000) -> list[Destination]:
        """Active destinations that are due after now, the soonest first."""
        rows = self.engine.rows(
            "SELECT * FROM destinations WHERE state = 'active' AND next_due_at > ?"
            " ORDER BY next_due_at, id LIMIT ?",
            (seconds(now), limit),
        )
        return [destination_from_row(row) for row in rows]

    def silent(self) -> list[Destination]:
        """Destinations that are paused or off."""
        rows = self.engine.rows("SELECT * FROM destinations WHERE state != 'active' ORDER BY id")
        return [destination_from_row(row) for row in rows]

    def schedule(
        self, destination_id: int, next_due_at: datetime, *, cadence: str = "", zone: str = ""
    ) -> None:
        """When a destination is next due, and by which cadence and zone where those change."""
        self.engine.run(
            "UPDATE destinations SET next_due_at = :at,"
            " cadence = coalesce(nullif(:cadence, ''), cadence),"
            " zone = coalesce(nullif(:zone, ''), zone) WHERE id = :id",
            {
                "at": seconds(next_due_at),
                "cadence": cadence,
                "zone": zone,
                "id": destination_id,
            },
        )

    def set_state(self, destination_id: int, state: DestinationState, reason: str = "") -> None:
        """Pause with a reason, resume, or turn off; nothing waiting is lost by any of them."""
        with self.engine.write():
            self.engine.run(
                "UPDATE destinations SET state = ?, reason = ? WHERE id = ?",
                (state.value, reason, destination_id),
            )
            if state is not DestinationState.ACTIVE:
                self._silenced_by("destinations", destination_id)

    def start_afresh(self, destination_id: int) -> None:
        """From now on only: what matched while it was off is not told later."""
        self.engine.run(
            "UPDATE destinations SET since = :now, considered = :now WHERE id = :id",
            {"now": self.topics.last_number(), "id": destination_id},
        )

    def reconsider(self, subscriber_id: int, number: int) -> None:
        """Look again at matches after a number; who was told of one is not told again."""
        self.engine.run(
            "UPDATE destinations SET considered = min(considered, max(since, ?))"
            " WHERE subscriber_id = ?",
            (number, subscriber_id),
        )

    def void_links(self, destination_id: int) -> None:
        """Links of mail sent so far stop working, those for leaving excepted."""
        self.engine.run("UPDATE destinations SET epoch = epoch + 1 WHERE id = ?", (destination_id,))

    def suppress(self, address: str, reason: str, now: datetime) -> None:
        """Never mail this address again until someone confirms it anew."""
        self.engine.run(
            "INSERT INTO suppressions (address, reason, at) VALUES (?, ?, ?)"
            " ON CONFLICT (address) DO UPDATE SET reason = excluded.reason, at = excluded.at",
            (address.casefold(), reason, seconds(now)),
        )

    def release(self, address: str) -> None:
        """End a suppression."""
        self.engine.run("DELETE FROM suppressions WHERE address = ?", (address.casefold(),))

    def suppressed(self, address: str) -> str:
        """Why an address must not be mailed, or ""."""
        found = self.engine.value(
            "SELECT reason FROM suppressions WHERE address = ?", (address.casefold(),)
        )
        return str(found or "")

    # --------------------------------------------------- saves and feedback

    def suppressions(self) -> int:
        """How many addresses must not be mailed."""
        return int(self.engine.value("SELECT count(*) FROM suppressions"))

    def census(self) -> dict[tuple[str, str], int]:
        """How many destinations there are, by channel and state."""
        rows = self.engine.rows(
            "SELECT channel, state, count(*) AS count FROM destinations GROUP BY channel, state"
        )
        return {(row["channel"], row["state"]): row["count"] for row in rows}

    def save(self, subscriber_id: int, seqs: Iterable[int], now: datetime) -> None:
        """Keep papers for a subscriber; those kept already stay as they were."""
        self.engine.many(
            "INSERT INTO saves (subscriber_id, seq, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            ((subscriber_id, seq, seconds(now)) for seq in seqs),
        )

    def unsave(self, subscriber_id: int, seqs: Iterable[int]) -> None:
        """Keep them no longer."""
        self.engine.many(
            "DELETE FROM saves WHERE subscriber_id = ? AND seq = ?",
            ((subscriber_id, seq) for seq in seqs),
        )

    def saved(self, subscriber_id: int) -> list[int]:
        """Numbers of the papers a subscriber saved, the latest first."""
        rows = self.engine.rows(
            "SELECT seq FROM saves WHERE subscriber_id = ? ORDER BY at DESC, seq DESC",
            (subscriber_id,),
        )
        return [row["seq"] for row in rows]

    def judge(self, subscriber_id: int, seq: int, now: datetime, *, liked: bool | None) -> None:
        """What a subscriber thinks of a paper; None takes it back."""
        if liked is None:
            self.engine.run(
                "DELETE FROM feedback WHERE subscriber_id = ? AND seq = ?", (subscriber_id, seq)
            )
            return
        self.engine.run(
            "INSERT INTO feedback (subscriber_id, seq, liked, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (subscriber_id, seq) DO UPDATE SET liked = excluded.liked,"
            " at = excluded.at",
            (subscriber_id, seq, int(liked), seconds(now)),
        )

    def opinions(self, topic_id: int) -> dict[int, bool]:
        """What followers of a topic saved (True) or did not want (False) of its papers."""
        rows = self.engine.rows(
            """
            SELECT o.seq, o.liked FROM (
                SELECT subscriber_id, seq, 1 AS liked FROM saves
                UNION ALL SELECT subscriber_id, seq, liked FROM feedback) o
            JOIN follows f ON f.subscriber_id = o.subscriber_id AND f.ended_at IS NULL
            JOIN matches m ON m.topic_id = f.topic_id AND m.seq = o.seq
            WHERE f.topic_id = ? ORDER BY o.seq, o.liked
            """,
            (topic_id,),
        )
        return {row["seq"]: bool(row["liked"]) for row in rows}

    def judged(self, subscriber_id: int) -> dict[int, bool]:
        """Papers a subscriber judged: number to liked."""
        rows = self.engine.rows(
            "SELECT seq, liked FROM feedback WHERE subscriber_id = ?", (subscriber_id,)
        )
        return {row["seq"]: bool(row["liked"]) for row in rows}

    # ------------------------------------------------------------- private

    def _silenced(self, subscriber_id: int) -> None:
        self.engine.run(
            "UPDATE subscribers SET consent = consent + 1 WHERE id = ?", (subscriber_id,)
        )

    def _silenced_by(self, table: str, row_id: int) -> None:
        self.engine.run(
            "UPDATE subscribers SET consent = consent + 1 WHERE id ="
            f" (SELECT subscriber_id FROM {table} WHERE id = ?)",
            (row_id,),
        )


def _follow(row: dict[str, Any], topic: Topic) -> Follow:
    return Follow(
        id=row["id"],
        subscriber_id=row["subscriber_id"],
        topic=topic,
        since=row["since"],
        breadth=Breadth(row["breadth"]),
        muted_until=instant(row["muted_until"]) if row["muted_until"] is not None else None,
        without_words=tuple(json.loads(row["without_words"])),
        without_authors=tuple(json.loads(row["without_authors"])),
        ended_at=instant(row["ended_at"]) if row["ended_at"] is not None else None,
    )


def _until(until: datetime | None) -> int | None:
    return seconds(until) if until else None


def destination_from_row(row: dict[str, Any]) -> Destination:
    """A row of `destinations` as a noun."""
    return Destination(
        id=row["id"],
        subscriber_id=row["subscriber_id"],
        channel=row["channel"],
        address=row["address"],
        cadence=row["cadence"],
        zone=row["zone"],
        next_due_at=instant(row["next_due_at"]),
        state=DestinationState(row["state"]),
        reason=row["reason"],
        last_sent_at=instant(row["last_sent_at"]) if row["last_sent_at"] is not None else None,
        epoch=row["epoch"],
    )
