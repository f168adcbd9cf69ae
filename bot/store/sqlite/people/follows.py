"""What subscribers follow, and what they silence."""

import json
from datetime import datetime
from typing import Any

from bot.model import Breadth, Follow, Mute, MuteKind, Topic
from bot.store.sqlite.instants import instant, instant_or_none, seconds, seconds_or_none
from bot.store.sqlite.people.destinations import Destinations


class Follows(Destinations):
    """The follows and mutes of one database: a part of `SqlitePeople`."""

    def follow(self, follow: Follow, now: datetime) -> Follow:
        with self.engine.write():
            self.engine.run(  # what a topic missed while nobody followed it is no news
                "UPDATE topics SET missed_after = NULL WHERE id = :id AND NOT EXISTS"
                " (SELECT 1 FROM follows WHERE topic_id = :id AND ended_at IS NULL)",
                {"id": follow.topic.id},
            )
            self.engine.run(
                "INSERT INTO follows (subscriber_id, topic_id, since, breadth, muted_until,"
                " without_words, without_authors, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, topic_id) WHERE ended_at IS NULL DO UPDATE SET"
                " breadth = excluded.breadth, without_words = excluded.without_words,"
                " without_authors = excluded.without_authors",
                (
                    follow.subscriber_id, follow.topic.id, follow.since, follow.breadth.value,
                    seconds_or_none(follow.muted_until), follow.without_words,
                    follow.without_authors, seconds(now),
                ),
            )  # fmt: skip
            self.topics.bring_back([follow.topic.id])
            self._silenced(follow.subscriber_id)  # it may leave out more than before
            found = self.following(follow.subscriber_id, follow.topic.id)
        assert found is not None
        return found

    def following(self, subscriber_id: int, topic_id: int) -> Follow | None:
        found = [f for f in self.follows(subscriber_id) if f.topic.id == topic_id]
        return found[0] if found else None

    def is_theirs(self, subscriber_id: int, topic_id: int) -> bool:
        return bool(
            self.engine.value(
                "SELECT EXISTS (SELECT 1 FROM follows WHERE subscriber_id = :who AND topic_id = :id"
                " UNION ALL SELECT 1 FROM topics WHERE id = :id AND owner_id = :who)",
                {"who": subscriber_id, "id": topic_id},
            )
        )

    def follows(self, subscriber_id: int) -> list[Follow]:
        return self._followed(subscriber_id, "ended_at IS NULL")

    def unfollowed(self, subscriber_id: int) -> list[Follow]:
        return self._followed(subscriber_id, "ended_at IS NOT NULL")

    def topics_made(self, subscriber_id: int) -> list[Topic]:
        rows = self.engine.rows(
            "SELECT id FROM topics WHERE origin = 'own' AND owner_id = ? ORDER BY id",
            (subscriber_id,),
        )
        return sorted(self.topics.some(row["id"] for row in rows), key=lambda topic: topic.id)

    def _followed(self, subscriber_id: int, which: str) -> list[Follow]:
        rows = self.engine.rows(
            f"SELECT * FROM follows WHERE subscriber_id = ? AND {which} ORDER BY id",
            (subscriber_id,),
        )
        topics = {t.id: t for t in self.topics.some(row["topic_id"] for row in rows)}
        return [_follow(row, topics[row["topic_id"]]) for row in rows]

    def end_follow(self, follow_id: int, now: datetime) -> None:
        with self.engine.write():
            ended = self.engine.row(
                "UPDATE follows SET ended_at = ? WHERE id = ? AND ended_at IS NULL"
                " RETURNING subscriber_id",
                (seconds(now), follow_id),
            )
            if ended:
                self._leave_off(ended["subscriber_id"])
            self._silenced_by("follows", follow_id)

    def given_up(self, subscriber_id: int) -> Follow | None:
        row = self.engine.row(
            "SELECT * FROM follows f WHERE subscriber_id = ? AND ended_at IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM follows s WHERE s.subscriber_id = f.subscriber_id"
            "  AND s.topic_id = f.topic_id AND s.ended_at IS NULL)"
            " ORDER BY ended_at DESC, id DESC LIMIT 1",
            (subscriber_id,),
        )
        topics = self.topics.some([row["topic_id"]]) if row else []
        return _follow(row, topics[0]) if row and topics else None

    def resume_follow(self, follow_id: int, subscriber_id: int) -> Follow | None:
        with self.engine.write():
            row = self.engine.row(
                "SELECT * FROM follows WHERE id = ? AND subscriber_id = ?",
                (follow_id, subscriber_id),
            )
            if row is None:
                return None
            if self.following(subscriber_id, row["topic_id"]) is None:
                self.engine.run("UPDATE follows SET ended_at = NULL WHERE id = ?", (follow_id,))
                self.topics.bring_back([row["topic_id"]])
            return self.following(subscriber_id, row["topic_id"])

    def mute_follow(self, follow_id: int, until: datetime | None) -> None:
        with self.engine.write():
            self.engine.run(
                "UPDATE follows SET muted_until = ? WHERE id = ?",
                (seconds_or_none(until), follow_id),
            )
            self._silenced_by("follows", follow_id)

    def followers(self, topic_id: int) -> int:
        return self.engine.count(
            "SELECT count(*) FROM follows WHERE topic_id = ? AND ended_at IS NULL", (topic_id,)
        )

    # --------------------------------------------------------------- mutes

    def mute(self, subscriber_id: int, kind: MuteKind, value: str, until: datetime) -> None:
        with self.engine.write():
            self.engine.run(
                "INSERT INTO mutes (subscriber_id, kind, value, until) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (subscriber_id, kind, value) DO UPDATE SET until = excluded.until",
                (subscriber_id, kind.value, value, seconds(until)),
            )
            self._silenced(subscriber_id)

    def unmute(self, subscriber_id: int, kind: MuteKind, value: str) -> bool:
        return bool(
            self.engine.run(
                "DELETE FROM mutes WHERE subscriber_id = ? AND kind = ? AND value = ?",
                (subscriber_id, kind.value, value),
            )
        )

    def mutes(self, subscriber_id: int) -> list[Mute]:
        rows = self.engine.rows(
            "SELECT * FROM mutes WHERE subscriber_id = ? ORDER BY id", (subscriber_id,)
        )
        return [
            Mute(r["id"], subscriber_id, MuteKind(r["kind"]), r["value"], instant(r["until"]))
            for r in rows
        ]


def _follow(row: dict[str, Any], topic: Topic) -> Follow:
    return Follow(
        id=row["id"],
        subscriber_id=row["subscriber_id"],
        topic=topic,
        since=row["since"],
        breadth=Breadth(row["breadth"]),
        muted_until=instant_or_none(row["muted_until"]),
        without_words=tuple(json.loads(row["without_words"])),
        without_authors=tuple(json.loads(row["without_authors"])),
        ended_at=instant_or_none(row["ended_at"]),
    )
