"""Sources as they are polled: what arXiv held before anybody asked for it is the past."""

from collections.abc import Callable, Iterator

from bot.core import Core
from bot.core.pipeline.beginnings import ALL, begin, begun
from bot.sources import Page, Source
from bot.sources.arxiv_api import ArxivApi


class Polling:
    """A source that first reads the window of categories asked for the first time, told to nobody.

    Without it whoever follows a topic of another field would be told of a week that was over.
    """

    name = ArxivApi.name

    def __init__(
        self,
        core: Core,
        api: Callable[[tuple[str, ...]], ArxivApi],
        categories: tuple[str, ...],
    ) -> None:
        self._core = core
        self._api = api
        self._categories = categories

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """The past of new categories, then what is new.  Raises SourceError."""
        if fresh := new_categories(self._core, self._categories):
            self._core.read_past(self._api(() if ALL in fresh else tuple(sorted(fresh))))
            opened(self._core, self._categories)
        yield from self._api(self._categories).pages(watermark)


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
        self._core.read_past(self._source)
        opened(self._core, self._categories)


def new_categories(core: Core, categories: tuple[str, ...]) -> set[str]:
    """Those that have not been read so far; {"all"} stands for all of arXiv."""
    known = set(begun(core.house))
    return set() if ALL in known else (set(categories) or {ALL}) - known


def opened(core: Core, categories: tuple[str, ...]) -> None:
    """Their past has been read."""
    begin(core.house, categories or (ALL,))
