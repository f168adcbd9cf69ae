"""Two subscribers who turn out to be one person: nothing that they silenced is lost."""

from bot.model import Breadth, Follow
from bot.store.people import Became
from bot.store.sqlite.people.follows import Follows
from bot.store.sqlite.people.kept import Kept

_NARROWEST = list(Breadth).index


class Joining(Follows, Kept):
    """Joining the subscribers of one database: a part of `SqlitePeople`."""

    def join(self, kept: int, other: int) -> list[Follow]:
        if kept == other:
            return []
        with self.engine.write():
            differed = self._unite_wishes(kept, other)
            self._unite_silences(kept, other)
            self._unite_destinations(kept, other)
            for table in ("identities", "follows", "mutes", "destinations", "saves", "feedback"):
                self.engine.run(
                    f"UPDATE OR IGNORE {table} SET subscriber_id = ? WHERE subscriber_id = ?",
                    (kept, other),
                )
            self.engine.run("UPDATE topics SET owner_id = ? WHERE owner_id = ?", (kept, other))
            self.engine.run("DELETE FROM subscribers WHERE id = ?", (other,))
            self._leave_off(kept)
            self._check_anew(kept)
        return [follow for follow in self.follows(kept) if follow.topic.id in differed]

    def move(self, destination_id: int, there: int) -> None:
        pair = {"old": destination_id, "new": there}
        with self.engine.write():
            self._compose_anew(destination_id)
            self.engine.run(
                "UPDATE destinations SET epoch = epoch + 1, (confirmed_at, last_sent_at) ="
                " (SELECT n.confirmed_at, nullif(max(coalesce(n.last_sent_at, 0),"
                "  coalesce(destinations.last_sent_at, 0)), 0)"
                "  FROM destinations n WHERE n.id = :new) WHERE id = :old",
                pair,
            )
            address = self.engine.value("SELECT address FROM destinations WHERE id = :new", pair)
            self._move_what_was_told(pair)
            self._become(pair)
            self.engine.run(
                "UPDATE destinations SET address = :address WHERE id = :old",
                {**pair, "address": address},
            )

    def became(self, destination_id: int) -> Became | None:
        row = self.engine.row("SELECT * FROM became WHERE id = ?", (destination_id,))
        return Became(row["destination_id"], row["since"], row["epoch"]) if row else None

    def _compose_anew(self, destination_id: int) -> None:
        """What waits there was composed for an address that is left: it goes stale."""
        self.engine.run(
            "UPDATE deliveries SET stale_at = 0 WHERE destination_id = ? AND kind = 'digest'"
            " AND state IN ('pending', 'sending', 'held')",
            (destination_id,),
        )

    def _unite_wishes(self, kept: int, other: int) -> set[int]:
        """A topic that both follow leaves out what either left out; returns those that differed."""
        theirs = {follow.topic.id: follow for follow in self.follows(other)}
        both = [(mine, theirs[i]) for mine in self.follows(kept) if (i := mine.topic.id) in theirs]
        differing = [(mine, its) for mine, its in both if _wishes(mine) != _wishes(its)]
        for mine, its in differing:
            self.engine.run(
                "UPDATE follows SET breadth = ?, without_words = ?, without_authors = ?"
                " WHERE id = ?",
                (
                    min(mine.breadth, its.breadth, key=_NARROWEST).value,
                    _all_of(mine.without_words, its.without_words),
                    _all_of(mine.without_authors, its.without_authors),
                    mine.id,
                ),
            )
        return {mine.topic.id for mine, _ in differing}

    def _unite_silences(self, kept: int, other: int) -> None:
        """What both muted is silent for the longer time; a topic that both follow began earlier."""
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
        self.engine.run(
            "UPDATE feedback SET liked = min(feedback.liked, o.liked) FROM feedback o"
            " WHERE o.subscriber_id = :other AND feedback.subscriber_id = :kept"
            " AND o.seq = feedback.seq",
            both,
        )

    def _unite_destinations(self, kept: int, other: int) -> None:
        """Where both have one address, the older destination stays: links in mail name it."""
        pairs = self.engine.rows(
            "SELECT min(k.id, o.id) AS old, max(k.id, o.id) AS new FROM destinations k"
            " JOIN destinations o ON o.channel = k.channel AND (o.address = k.address"
            "  OR k.channel = 'email' AND lower(o.address) = lower(k.address))"
            " WHERE k.subscriber_id = :kept AND o.subscriber_id = :other",
            {"kept": kept, "other": other},
        )
        for pair in pairs:
            self._move_what_was_told(pair)
            self._reach_back(pair)
            self._settle_hours(pair)
            self._become(pair)

    def _move_what_was_told(self, pair: dict[str, int]) -> None:
        for table in ("told", "withheld", "given_back", "left_off"):
            self.engine.run(
                f"UPDATE OR IGNORE {table} SET destination_id = :old WHERE destination_id = :new",
                pair,
            )
        self.engine.run(  # keys and pages stay; only the period makes room
            "UPDATE deliveries SET destination_id = :old, period = period || ' d' || :new"
            " WHERE destination_id = :new",
            pair,
        )

    def _reach_back(self, pair: dict[str, int]) -> None:
        """It has still to bring what either had."""
        self.engine.run(
            "UPDATE destinations SET since = min(destinations.since, n.since),"
            " considered = min(destinations.considered, n.considered)"
            " FROM (SELECT since, considered FROM destinations WHERE id = :new) n"
            " WHERE id = :old",
            pair,
        )

    def _settle_hours(self, pair: dict[str, int]) -> None:
        """It keeps the hours of the destination that is active, or else of the confirmed one."""
        self.engine.run(
            "UPDATE destinations SET (cadence, zone, next_due_at, state, reason, most) ="
            " (SELECT cadence, zone, next_due_at, state, reason, most FROM destinations d"
            "  WHERE d.id IN (:old, :new) ORDER BY d.state = 'active' DESC,"
            "  d.confirmed_at IS NOT NULL DESC, coalesce(d.last_sent_at, 0) DESC, d.id LIMIT 1),"
            " (confirmed_at, last_sent_at) = (SELECT min(confirmed_at), max(last_sent_at)"
            "  FROM destinations d WHERE d.id IN (:old, :new))"
            " WHERE id = :old",
            pair,
        )

    def _become(self, pair: dict[str, int]) -> None:
        """The new one is gone, and links to it are about the old one."""
        self.engine.run(
            "UPDATE became SET destination_id = :old, epoch = CASE WHEN became.epoch >= n.epoch"
            " THEN o.epoch ELSE -1 END FROM destinations n, destinations o"
            " WHERE became.destination_id = :new AND n.id = :new AND o.id = :old",
            pair,
        )
        self.engine.run(
            "INSERT INTO became (id, destination_id, since, epoch)"
            " SELECT n.id, o.id, n.epoch, o.epoch FROM destinations n, destinations o"
            " WHERE n.id = :new AND o.id = :old",
            pair,
        )
        self.engine.run("DELETE FROM destinations WHERE id = :new", pair)

    def _check_anew(self, subscriber_id: int) -> None:
        """What waits was checked against what only one of the two had said: check it again."""
        self._silenced(subscriber_id)
        self.engine.run(
            "UPDATE deliveries SET consent = -1 WHERE state IN ('pending', 'sending', 'held')"
            " AND destination_id IN (SELECT id FROM destinations WHERE subscriber_id = ?)",
            (subscriber_id,),
        )


def _wishes(follow: Follow) -> tuple[Breadth, set[str], set[str]]:
    return follow.breadth, set(follow.without_words), set(follow.without_authors)


def _all_of(mine: tuple[str, ...], theirs: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys((*mine, *theirs)))
