"""Topics, the versions of their queries, the names that lead to them, and what matched.

matches     what matched which topic; missed, what is still to be matched
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.model import Origin, Topic
from bot.store.sqlite.instants import seconds
from bot.store.sqlite.topics.matches import Matches
from bot.store.topics import Name

TOPIC = """t.id, t.slug, t.name, t.description, t.field, t.origin, t.version, t.derived,
    v.query, v.weights,
    (SELECT json_group_array(printed) FROM topic_names n
        WHERE n.topic_id = t.id AND n.printed != t.name) AS aliases
    FROM topics t JOIN topic_versions v ON v.topic_id = t.id AND v.version = t.version"""

_IS_FOLLOWED = "EXISTS (SELECT 1 FROM follows f WHERE f.topic_id = t.id AND f.ended_at IS NULL)"


class SqliteTopics(Matches):
    """The topics of one database and their matches."""

    def put(
        self, topic: Topic, names: Mapping[str, str], now: datetime, owner_id: int = 0
    ) -> Topic:
        with self.engine.write():
            row = self.engine.row(
                "SELECT t.id, t.name, v.query FROM topics t JOIN topic_versions v"
                " ON v.topic_id = t.id AND v.version = t.version WHERE slug = ?",
                (topic.slug,),
            )
            topic_id = row["id"] if row else self._create(topic, owner_id)
            self.bring_back([topic_id])
            self.engine.run(
                "UPDATE topics SET name = ?, description = ?, field = ?, derived = ? WHERE id = ?",
                (topic.name, topic.description, topic.field, topic.derived, topic_id),
            )
            if row is None or row["query"] != topic.query:
                self._new_version(topic_id, topic.query, topic.weights, now)
                self._match_anew(topic_id)
            elif row["name"] != topic.name:  # whoever keeps it in memory looks at its version
                self._new_version(topic_id, topic.query, topic.weights, now)
            self._lead_to(topic_id, names)
            found = self.get(topic_id)
        assert found is not None
        return found

    def leave_names(self, topic_id: int, kept: Iterable[str]) -> None:
        self.engine.run(
            "DELETE FROM topic_names WHERE topic_id = ?"
            " AND folded NOT IN (SELECT value FROM json_each(?))",
            (topic_id, list(kept)),
        )

    def to_learn(self, before: datetime) -> list[Topic]:
        return self._many(
            f"WHERE coalesce(t.learned_at, 0) < ? AND t.rematch_from IS NULL AND {_IS_FOLLOWED}"
            " ORDER BY coalesce(t.learned_at, 0), t.id",
            (seconds(before),),
        )

    def learn(self, topic_id: int, weights: str, now: datetime) -> None:
        with self.engine.write():
            self.engine.run(
                "UPDATE topics SET learned_at = ? WHERE id = ?", (seconds(now), topic_id)
            )
            known = self.get(topic_id)
            if known and known.weights != weights:
                self._new_version(topic_id, known.query, weights, now)

    def get(self, topic_id: int) -> Topic | None:
        return self._one("WHERE t.id = ?", (topic_id,))

    def some(self, topic_ids: Iterable[int]) -> list[Topic]:
        """Topics by id; unknown ids are left out."""
        return self._many(
            "WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id",
            (sorted(set(topic_ids)),),
        )

    def by_slug(self, slug: str) -> Topic | None:
        return self._one("WHERE t.slug = ? AND t.retired_at IS NULL", (slug,))

    def by_name(self, folded: str) -> Topic | None:
        return self._one(
            "JOIN topic_names n ON n.topic_id = t.id WHERE n.folded = ? AND t.retired_at IS NULL",
            (folded,),
        )

    def all(self, *, own: bool = True) -> list[Topic]:
        where = "WHERE t.retired_at IS NULL" + ("" if own else " AND t.origin = 'catalogue'")
        return self._many(f"{where} ORDER BY t.name")

    def followed(self) -> list[Topic]:
        return self._many(f"WHERE {_IS_FOLLOWED} ORDER BY t.name")

    def names(self) -> list[Name]:
        return [
            Name(row["printed"], row["topic_id"])
            for row in self.engine.rows(
                "SELECT n.printed, n.topic_id FROM topic_names n JOIN topics t ON t.id = n.topic_id"
                " WHERE t.retired_at IS NULL AND t.origin = 'catalogue'"
            )
        ]

    def stamp(self) -> str:
        return str(
            self.engine.value(
                "SELECT count(*) || '.' || coalesce(sum(version), 0) || '.' ||"
                " coalesce(sum(retired_at IS NULL), 0) FROM topics"
            )
        )

    def stale(self) -> list[Topic]:
        return self._many(f"WHERE t.rematch_from IS NOT NULL ORDER BY {_IS_FOLLOWED} DESC, t.id")

    def _create(self, topic: Topic, owner_id: int) -> int:
        return self.engine.insert(
            "INSERT INTO topics (slug, name, origin, owner_id, version) VALUES (?, ?, ?, ?, 0)",
            (topic.slug, topic.name, topic.origin.value, owner_id or None),
        )

    def _lead_to(self, topic_id: int, names: Mapping[str, str]) -> None:
        self.engine.many(
            "INSERT INTO topic_names (folded, printed, topic_id) VALUES (?, ?, ?)"
            " ON CONFLICT (folded) DO UPDATE SET topic_id = excluded.topic_id,"
            " printed = excluded.printed WHERE topic_names.topic_id IN"
            " (SELECT id FROM topics WHERE retired_at IS NOT NULL)",
            ((folded, printed, topic_id) for folded, printed in names.items()),
        )

    def _match_anew(self, topic_id: int) -> None:
        """A new query has matched nothing of the past yet; see `matched_after`."""
        self.engine.run(
            "UPDATE topics SET matched_after = (SELECT max(submitted_at) FROM papers) WHERE id = ?",
            (topic_id,),
        )

    def _new_version(self, topic_id: int, query: str, weights: str, now: datetime) -> None:
        self.engine.run(
            "UPDATE topics SET version = version + 1,"
            " rematch_from = (SELECT max(seq) FROM papers) WHERE id = ?",
            (topic_id,),
        )
        self.engine.run(
            "INSERT INTO topic_versions (topic_id, version, query, weights, made_at)"
            " SELECT id, version, ?, ?, ? FROM topics WHERE id = ?",
            (query, weights, seconds(now), topic_id),
        )
        self.engine.run(
            "UPDATE topic_versions SET weights = '' WHERE topic_id = ? AND weights != ''"
            " AND version < (SELECT version FROM topics WHERE id = ?)",
            (topic_id, topic_id),
        )

    def _one(self, where: str, params: tuple[Any, ...]) -> Topic | None:
        return next(iter(self._many(where, params)), None)

    def _many(self, where: str, params: tuple[Any, ...] = ()) -> list[Topic]:
        return [_topic(row) for row in self.engine.rows(f"SELECT {TOPIC} {where}", params)]


def _topic(row: dict[str, Any]) -> Topic:
    return Topic(
        id=row["id"],
        slug=row["slug"],
        name=row["name"],
        query=row["query"],
        description=row["description"],
        aliases=tuple(json.loads(row["aliases"])),
        field=row["field"],
        origin=Origin(row["origin"]),
        version=row["version"],
        weights=row["weights"],
        derived=bool(row["derived"]),
    )
