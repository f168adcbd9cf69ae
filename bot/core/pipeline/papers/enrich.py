"""What a paper's own page adds to it: the authors' institutes.  Optional, never in the way."""

from datetime import timedelta
from typing import Protocol

from bot.core.house import House
from bot.model import Author, Paper
from bot.sources import SourceError, SourceFault

RECENT = timedelta(days=14)


class AuthorsPage(Protocol):
    """Somewhere that a paper's authors are printed with their institutes."""

    def authors(self, paper: Paper) -> tuple[Author, ...]:
        """The authors with what is printed beside them.  Blocks.  Raises SourceError."""
        ...


def enrich_next(house: House, page: AuthorsPage) -> Paper | None:
    """Look up one recent paper of a followed topic; None where nothing is left, or not now.

    Each paper is asked about once, whatever came of it, unless the trouble may pass.
    """
    now = house.clock()
    paper = house.store.places.wanting(now - RECENT)
    if paper is None:
        return None
    try:
        authors = page.authors(paper)
    except SourceError as trouble:
        if trouble.fault is not SourceFault.PERMANENT:
            return None
        authors = paper.authors
    house.store.places.put(paper.seq, authors, house.clock())
    return paper
