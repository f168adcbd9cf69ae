"""What a digest says besides its papers: that the source was incomplete, what became of others."""

from datetime import datetime

from bot.core.house import House
from bot.core.pipeline.stillness import last_heard, silence_of
from bot.model import Completeness, Destination
from bot.store import READ_TO_THE_END, Revision, Run
from bot.text import short_day


def tidings(house: House, destination: Destination, now: datetime) -> tuple[str, ...]:
    """Lines for a digest of this destination; () when there is nothing to say."""
    return (*source_notes(house, now), *revision_notes(house, destination, now))


def source_notes(house: House, now: datetime) -> tuple[str, ...]:
    """That papers are missing because arXiv could not be read; () where all is here.

    A source that failed and was healed by another one is not spoken of.
    """
    if not silence_of(house, now).expected:
        heard = last_heard(house)
        assert heard is not None  # where nothing was ever read, nothing is amiss
        since = short_day(heard.date())
        return (f"arXiv could not be read since {since}; what is missing comes later.",)
    last = house.store.ledger.last("poll", "arxiv")
    if last and _is_cut_short(last) and not _is_healed(house, now):
        return ("arXiv was read only in part; what is missing comes with the next digest.",)
    return ()


def _is_healed(house: House, now: datetime) -> bool:
    """Whether another source was read to its end since the last mailing."""
    good = house.store.ledger.last("poll", "oai", outcomes=READ_TO_THE_END)
    return good is not None and good.at >= house.calendar.last_mailing(now)


def _is_cut_short(look: Run) -> bool:
    return look.outcome not in READ_TO_THE_END or look.completeness is Completeness.PART


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
