"""What a digest says besides its papers: that the source was incomplete, what became of others."""

from datetime import datetime

from bot.core.house import House
from bot.core.pipeline.silence import source_notes
from bot.model import Destination
from bot.store import Revision


def notes(house: House, destination: Destination, now: datetime) -> tuple[str, ...]:
    """Lines for a digest of this destination; () when there is nothing to say."""
    return (*source_notes(house, now), *revision_notes(house, destination, now))


def revision_notes(house: House, destination: Destination, now: datetime) -> tuple[str, ...]:
    """What became of papers that this reader saved or was told of, since the last digest.

    Withdrawals are told to whoever saved the paper; new titles only where the operator wishes.
    """
    return tuple(
        said
        for each in house.store.outbox.revisions(destination.id, now)
        if (said := _said(each, titles=house.wishes.revisions))
    )


def _said(revision: Revision, *, titles: bool) -> str:
    paper = revision.paper
    if revision.withdrawn:
        return (
            f"“{paper.title}” ({paper.arxiv_id}), which you saved, was withdrawn." * revision.saved
        )
    if not titles or paper.withdrawn:
        return ""
    return f"“{revision.before}” was revised; it is now “{paper.title}”."
