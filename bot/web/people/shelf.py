"""What one person saved: page by page on their own page, and whole to take along."""

from dataclasses import dataclass

from bot.core import Core
from bot.model import Identity, Paper

PAGE = 50  # papers a page


@dataclass(frozen=True, slots=True)
class Shelf:
    """A page of saved papers, the latest saved first, out of `total`."""

    papers: tuple[Paper, ...]
    total: int
    page: int
    pages: int

    @property
    def first(self) -> int:
        """The place of the page's first paper among all, from 1."""
        return (self.page - 1) * PAGE + 1


def shelf(core: Core, identity: Identity, page: int) -> Shelf:
    """That page of what someone saved, or the nearest that there is."""
    seqs = _saved(core, identity)
    pages = max(1, -(-len(seqs) // PAGE))
    page = min(max(1, page), pages)
    shown = seqs[(page - 1) * PAGE : page * PAGE]
    return Shelf(tuple(core.house.papers(shown)), len(seqs), page, pages)


def everything(core: Core, identity: Identity) -> tuple[Paper, ...]:
    """All that someone saved, the latest first."""
    return tuple(core.house.papers(_saved(core, identity)))


def _saved(core: Core, identity: Identity) -> list[int]:
    people = core.house.store.people
    return people.saved(people.find(identity) or 0)
