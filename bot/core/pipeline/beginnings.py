"""Which papers are news: those numbered after the first poll of their category.

arXiv gives its numbers when it announces.  So a paper that was held for weeks is news by its late
number, and one that was announced long before we asked is none, whenever a source shows it.
"""

from collections.abc import Iterable, Mapping

from bot.core.house import House
from bot.model import Paper, Sighting
from bot.text.identifiers import number_of

ALL = "all"
BEGUN = "arxiv categories"


def begun(house: House) -> dict[str, str]:
    """The categories whose past has been read, {"all"} for all of arXiv, and their last number.

    That is "" where nobody wrote it down, and where nothing was stored.
    """
    marks = (house.store.ledger.watermark(BEGUN) or "").split()
    return {name: number for name, _, number in (mark.partition(":") for mark in marks)}


def begin(house: House, categories: Iterable[str]) -> None:
    """The past of these categories has been read: what gets a higher number from now on is news."""
    known, papers = begun(house), house.store.papers
    for category in set(categories) - set(known):
        last = "" if category == ALL else papers.highest_number(category)
        known[category] = last or papers.highest_number()
    _keep(house, known)


def end(house: House, categories: Iterable[str]) -> None:
    """Only these are asked for now; any other begins anew should it be asked for again.

    Else what was announced while nobody asked would be missing, and the last of it be news.
    """
    known = begun(house)
    asked = {each: known.get(each, known.get(ALL)) for each in categories}
    still = {each: number for each, number in asked.items() if number is not None}
    if still.keys() != known.keys():
        _keep(house, still)


def _keep(house: House, known: Mapping[str, str]) -> None:
    mark = " ".join(f"{name}:{number}" for name, number in sorted(known.items()))
    house.store.ledger.set_watermark(BEGUN, mark, house.clock())


def is_numbered_since(house: House, paper: Paper) -> bool | None:
    """Whether it got its number after any of its categories began; None where nobody knows."""
    known = begun(house)
    last = [known[each] for each in (*paper.categories, ALL) if each in known]
    if not known or not all(last):
        return None
    return any(number_of(paper.arxiv_id) > number_of(each) for each in last)


def is_listed_since(house: House, sighting: Sighting) -> bool:
    """Whether it stood in a listing that was mailed after arXiv was first asked."""
    began, day = house.store.ledger.began("poll"), sighting.paper.announced_on
    return began is None or day is None or house.calendar.mailed_for(day) >= began
