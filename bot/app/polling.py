"""Sources as they are polled: what arXiv held before anybody asked for it is the past."""

from collections.abc import Callable, Iterator

from bot.core import Core
from bot.core.heat import WEEKS, observed_from
from bot.core.pipeline.papers.news import ALL, attempt, begin, begun, end
from bot.sources import Page, Source
from bot.sources.arxiv_api import ArxivApi

FURTHEST = 7 * WEEKS
"""Days; what is older is in no chart."""

Api = Callable[[tuple[str, ...], int], ArxivApi]
"""The API for some categories, and for so many days back; 0 is as many as every poll reads."""


class Polling:
    """A source that first reads the past of categories asked for the first time, told to nobody.

    Else somebody who follows a topic of another field would be told of past weeks.
    """

    name = ArxivApi.name

    def __init__(self, core: Core, api: Api, categories: tuple[str, ...]) -> None:
        self._core = core
        self._api = api
        self._categories = categories

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """The past of new categories, then what is new.  Raises SourceError."""
        read_past_of_new(self._core, self._api, self._categories)
        end(self._core.house, self._categories or (ALL,))
        yield from self._api(self._categories, 0).pages(watermark)


class Past:
    """The past of categories that a topic newly needs, read at once.

    If it were read with the next mailing, that mailing would count as past.
    """

    name = "past"

    def __init__(self, core: Core, api: Api, categories: tuple[str, ...]) -> None:
        self._core = core
        self._api = api
        self._categories = categories

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """Nothing that is new.  Raises SourceError."""
        read_past_of_new(self._core, self._api, self._categories)
        yield from ()


class FirstLook:
    """A source whose first look is the past where no other source has been read before."""

    def __init__(self, core: Core, source: Source, categories: tuple[str, ...]) -> None:
        self.name = source.name
        self._core = core
        self._source = source
        self._categories = categories

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """What is new; nothing where all of it was the past.  Raises SourceError."""
        if begun(self._core.house):
            yield from self._source.pages(watermark)
            return
        attempt(self._core.house, self._categories or (ALL,))
        self._core.read_past(self._source)
        opened(self._core, self._categories)


def read_past_of_new(core: Core, api: Api, categories: tuple[str, ...]) -> None:
    """Read new categories as far back as the others were, told to nobody.  Raises SourceError.

    Else a topic of theirs would seem to emerge on the day on which somebody follows it.
    """
    fresh = new_categories(core, categories)
    if not fresh:
        return
    attempt(core.house, fresh)
    today = core.house.clock().date()
    since = observed_from(core.house.store.ledger, today) if begun(core.house) else None
    days = (today - since).days if since else 0
    core.read_past(api(() if ALL in fresh else tuple(sorted(fresh)), min(days, FURTHEST)))
    opened(core, categories)


def new_categories(core: Core, categories: tuple[str, ...]) -> set[str]:
    """Those that have not been read so far; {"all"} stands for all of arXiv."""
    known = set(begun(core.house))
    return set() if ALL in known else (set(categories) or {ALL}) - known


def opened(core: Core, categories: tuple[str, ...]) -> None:
    """Their past has been read."""
    begin(core.house, categories or (ALL,))
