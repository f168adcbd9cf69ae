"""What a clock that was ahead has written, brought back to the present."""

from datetime import datetime, timedelta

from bot.store.sqlite.engine import Engine
from bot.store.sqlite.instants import seconds

LONGEST_WAIT_S = int(timedelta(days=1).total_seconds())
"""No delivery waits longer for its next attempt."""

_TIMES = (
    ("runs", "at"),
    ("watermarks", "at"),
    ("backfill_slices", "at"),
    ("papers", "first_seen_at"),
    ("topics", "learned_at"),
    ("destinations", "last_sent_at"),
    ("deliveries", "made_at"),
    ("deliveries", "due_at"),
    ("deliveries", "sent_at"),
)
"""When something was done: never after now."""


def set_back(engine: Engine, now: datetime) -> None:
    """What was done after `now` counts as done now, and what waits to be sent may go.

    What is not sent yet is judged anew before it goes: a mute that seemed to be over is not.
    A look at a source stays readable in the ledger under another kind: the source is to be read
    again, and no schedule may go by it.
    """
    at = {"now": seconds(now)}
    with engine.write():
        engine.run("UPDATE runs SET kind = 'ahead ' || kind WHERE kind = 'poll' AND at > :now", at)
        engine.run(
            "UPDATE deliveries SET stale_at = stale_at - (made_at - :now) WHERE made_at > :now", at
        )
        engine.run(
            "UPDATE deliveries SET consent = -1 WHERE state IN ('pending', 'sending', 'held')"
        )
        engine.run(
            "UPDATE deliveries SET try_at = :now"
            " WHERE state IN ('pending', 'sending') AND try_at > :latest",
            {**at, "latest": seconds(now) + LONGEST_WAIT_S},
        )
        for table, column in _TIMES:
            engine.run(f"UPDATE {table} SET {column} = :now WHERE {column} > :now", at)
