"""What a restored house keeps back until somebody decides: all that was perhaps sent since."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.core.pipeline.recovering import PERHAPS_SENT, mark_restored
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.replaced import digests_since


@dataclass(frozen=True, slots=True)
class HeldBack:
    """How many deliveries are held, and whether the replaced database told of later digests."""

    deliveries: int = 0
    is_known: bool = True


def hold_back(store: SqliteStore, replaced: Path, made_at: datetime, now: datetime) -> HeldBack:
    """Hold what waited in the backup, and note until when each digest was perhaps sent.

    The replaced database tells of those that no schedule tells of, if it can still be read.
    """
    made = digests_since(replaced, made_at)
    with store.write():
        mark_restored(store, made_at, now, made or {})
        store.outbox.recover(now, PERHAPS_SENT)  # being sent when the backup was made
        return HeldBack(store.outbox.hold(PERHAPS_SENT), made is not None)
