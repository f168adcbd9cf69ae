"""After a restore: what may have been sent since the backup is held, and nothing told twice."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.core.house import House
from bot.model import Destination, DestinationState, Paper
from bot.store import READ_TO_THE_END, Store
from bot.timetable import Cadence, next_due

RESTORED = "restored"
PERHAPS_SENT = "from a restored backup, perhaps sent before: queue retry sends it, cancel does not"


def restored(house: House) -> datetime | None:
    """When this database was put back from a backup; what was to be sent until then is held."""
    mark = house.store.ledger.watermark(RESTORED)
    return datetime.fromisoformat(mark) if mark else None


def mark_restored(
    store: Store, made_at: datetime, now: datetime, known: Mapping[tuple[str, str], datetime]
) -> None:
    """This database is put back now from a backup that was made then.

    Each destination notes the last digest that was due there, however its state and its schedule
    change before the next one: since the backup somebody may have turned on what was off in it.
    `known` are those of which something else tells, by channel and address: asked for between
    two due dates, or by a schedule of since then.
    """
    store.ledger.set_watermark(RESTORED, now.isoformat(), now)
    for each in (d for who in store.people.everyone() for d in store.people.destinations(who)):
        told = (_last_due(each, made_at, now), known.get((each.channel, each.address)))
        store.people.perhaps_sent(each.id, max(filter(None, told), default=None))


def _last_due(destination: Destination, made_at: datetime, at: datetime) -> datetime | None:
    """When a digest was last due there, up to then; None if none was since the backup.

    One that was late in the backup may have come at any hour since, with what was known by then.
    """
    if destination.next_due_at > at:
        return None
    if destination.state is DestinationState.ACTIVE and _is_late(destination, made_at):
        return at
    cadence, due = Cadence.parse(destination.cadence), destination.next_due_at
    while (following := next_due(cadence, destination.zone, due)) <= at:
        due = following
    return due


def _is_late(destination: Destination, at: datetime) -> bool:
    """Whether its digest was overdue then, or put off to an hour that is not its own."""
    due, cadence = destination.next_due_at, Cadence.parse(destination.cadence)
    return due <= at or next_due(cadence, destination.zone, due - timedelta(seconds=1)) != due


def was_known(house: House, paper: Paper, at: datetime) -> bool:
    """Whether arXiv had announced a paper and we had looked by then, as we do after a mailing."""
    calendar = house.calendar
    listed, submitted_at = paper.announced_on, paper.submitted_at
    mailing = calendar.mailed_for(listed) if listed else calendar.mailing_for(submitted_at)
    looks = (calendar.first_try(mailing), paper.first_seen_at)
    return any(look is not None and look <= at for look in looks)


def waits_for_a_look(house: House) -> bool:
    """Whether nothing may be composed yet: what was told between backup and restore is not known.

    After the first look at arXiv it is stored again, and belongs to the digests that are held.
    """
    at = restored(house)
    if at is None:
        return False
    # Not the listing: it holds one day, and says nothing where it was not changed.
    looks = (
        house.store.ledger.last("poll", source, outcomes=READ_TO_THE_END)
        for source in ("arxiv", "oai", "sweep")
    )
    return not any(look and look.at >= at for look in looks)
