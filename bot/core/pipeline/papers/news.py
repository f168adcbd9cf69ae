"""Which papers are news: those numbered after the first poll of their category.

arXiv gives its numbers when it announces.  So a paper that was held for weeks is news by its late
number, and one that was announced long before we asked is not, whenever a source shows it.
What is announced while the past of a category is still being read, perhaps through a day of
failures and restarts, does not belong to that past.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from bot.core.house import House
from bot.model import Announced, Paper, Sighting
from bot.text.identifiers import number_of

ALL = "all"
BEGUN = "arxiv categories"
READING = "arxiv categories being read"

OLD = timedelta(days=60)
"""A paper submitted longer ago and not announced now is stored, and told to nobody: a bulk
re-stamp of old records must not reach anyone."""

BEFORE = timedelta(days=8)
"""The first look reads so far back; what is older was announced before anybody could ask."""

_TOLD = (Announced.NEW, Announced.CROSS)


def begun(house: House) -> dict[str, str]:
    """The categories whose past has been read, {"all"} for all of arXiv, and their last number.

    That is "" where nobody wrote it down, and where nothing was stored.
    """
    marks = (house.store.ledger.watermark(BEGUN) or "").split()
    return {name: number for name, _, number in (mark.partition(":") for mark in marks)}


def being_read(house: House) -> dict[str, datetime]:
    """The categories whose past is still being read, and since when."""
    marks = (house.store.ledger.watermark(READING) or "").split()
    each = (mark.partition("=") for mark in marks)
    return {name: datetime.fromisoformat(since) for name, _, since in each}


def attempt(house: House, categories: Iterable[str]) -> None:
    """The past of these categories is to be read; what is mailed from now on is news."""
    known = being_read(house)
    _keep_reading(house, dict.fromkeys(categories, house.clock()) | known)


def begin(house: House, categories: Iterable[str]) -> None:
    """The past of these categories has been read: what gets a higher number from now on is news."""
    known, papers, reading = begun(house), house.store.papers, being_read(house)
    for category in set(categories) - set(known):
        first = _first_since(house, reading.pop(category, None)) or ""
        last = "" if category == ALL else papers.highest_number(category, below=first)
        known[category] = last or papers.highest_number(below=first)
    _keep(house, known)
    _keep_reading(house, reading)


def end(house: House, categories: Iterable[str]) -> None:
    """Only these are asked for now; any other begins anew when it is asked for again.

    Otherwise the last of what was announced while nobody asked would count as news.
    """
    known, reading = begun(house), being_read(house)
    categories = list(categories)
    _keep_reading(house, {name: since for name, since in reading.items() if name in categories})
    asked = {each: known.get(each, known.get(ALL)) for each in categories}
    still = {each: number for each, number in asked.items() if number is not None}
    if still.keys() != known.keys():
        _keep(house, still)


def _keep(house: House, known: Mapping[str, str]) -> None:
    mark = " ".join(f"{name}:{number}" for name, number in sorted(known.items()))
    house.store.ledger.set_watermark(BEGUN, mark, house.clock())


def _keep_reading(house: House, reading: Mapping[str, datetime]) -> None:
    if reading != being_read(house):
        mark = " ".join(f"{name}={since.isoformat()}" for name, since in sorted(reading.items()))
        house.store.ledger.set_watermark(READING, mark, house.clock())


def is_news(house: House, sighting: Sighting, now: datetime) -> bool:
    """Whether it was announced since we began to look, however long ago it was submitted."""
    if is_announced_since(house, sighting):
        return True
    paper = sighting.paper
    if now - paper.submitted_at >= OLD:
        return False
    numbered = is_numbered_since(house, paper)
    return _is_young(house, paper, now) if numbered is None else numbered


def is_news_meanwhile(house: House, sighting: Sighting, now: datetime) -> bool:
    """`is_news` for what a reading of the past shows, which may have begun days ago.

    It may also bring news of a category that was read before.
    """
    paper = sighting.paper
    if now - paper.submitted_at >= OLD:
        return False
    return is_numbered_since(house, paper) is True or _came_meanwhile(house, paper)


def no_news(_house: House, _sighting: Sighting, _now: datetime) -> bool:
    """A backfill brings none."""
    return False


def _came_meanwhile(house: House, paper: Paper) -> bool:
    reading = being_read(house)
    tried = [reading[each] for each in (*paper.categories, ALL) if each in reading]
    opened = _opened_since(house, min(tried, default=None))
    if opened is None:
        return False
    first = house.store.papers.lowest_number(opened)
    late = first is not None and number_of(paper.arxiv_id) > number_of(first)
    return paper.submitted_at >= opened or late


def _first_since(house: House, tried: datetime | None) -> str | None:
    """The lowest stored number that was given since reading the past was first tried."""
    opened = _opened_since(house, tried)
    return house.store.papers.lowest_number(opened) if opened else None


def _opened_since(house: House, tried: datetime | None) -> datetime | None:
    """When submission opened for the first mailing since then; None before that mailing."""
    mailing = house.calendar.next_mailing(tried) if tried else None
    if mailing is None or mailing > house.clock():
        return None
    return house.calendar.opens_for(mailing)


def _is_young(house: House, paper: Paper, now: datetime) -> bool:
    """`is_numbered_since` by date, for when the last number of the past is not known."""
    began = (house.store.ledger.began("poll") or now) - BEFORE
    if paper.submitted_at >= began:
        return True
    first = house.store.papers.lowest_number(began)
    return first is not None and "/" not in paper.arxiv_id and paper.arxiv_id > first


def is_numbered_since(house: House, paper: Paper) -> bool | None:
    """Whether it got its number after any of its categories began; None where nobody knows."""
    known = begun(house)
    last = [known[each] for each in (*paper.categories, ALL) if each in known]
    if not known or not all(last):
        return None
    return any(number_of(paper.arxiv_id) > number_of(each) for each in last)


def is_announced_since(house: House, sighting: Sighting) -> bool:
    """Whether it came new into a listing that was mailed after arXiv was first asked."""
    if sighting.announced not in _TOLD:
        return False
    began, day = house.store.ledger.began("poll"), sighting.paper.announced_on
    return began is None or day is None or house.calendar.mailed_for(day) >= began


def was_unknown_before(house: House, paper: Paper) -> bool:
    """Whether nobody here had seen a paper before the listing that named it first was mailed."""
    day, seen_at = paper.announced_on, paper.first_seen_at
    return bool(day and seen_at and seen_at >= house.calendar.mailed_for(day))
