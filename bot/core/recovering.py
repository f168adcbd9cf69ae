"""After a restore: what may have been sent since the backup is held, and nothing told twice."""

from datetime import datetime

from bot.core.house import House
from bot.store import READ_TO_THE_END

RESTORED = "restored"
PERHAPS_SENT = "from a restored backup, perhaps sent before: queue retry sends it, cancel does not"


def restored(house: House) -> datetime | None:
    """When this database was put back from a backup; what was due until then is held."""
    mark = house.store.ledger.watermark(RESTORED)
    return datetime.fromisoformat(mark) if mark else None


def waits_for_a_look(house: House) -> bool:
    """Whether nothing may be composed yet: what was told between backup and restore is not known.

    After the first look at arXiv it is stored again, and belongs to the digests that are held.
    """
    at = restored(house)
    if at is None:
        return False
    # Not the listing: it holds one day, and says nothing where it was not changed.
    good = [
        run
        for source in ("arxiv", "oai", "sweep")
        for run in house.store.ledger.runs("poll", source, outcomes=READ_TO_THE_END, limit=1)
    ]
    return not any(run.at >= at for run in good)
