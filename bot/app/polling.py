"""The API as it is polled: what a category held before anybody asked for it is the past."""

from collections.abc import Callable, Iterator

from bot.core import Core
from bot.sources import Page
from bot.sources.arxiv_api import ArxivApi

ALL = "all"
OPENED = "arxiv categories"


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


def new_categories(core: Core, categories: tuple[str, ...]) -> set[str]:
    """Those that have not been read so far; {"all"} stands for all of arXiv."""
    known = set((core.house.store.ledger.watermark(OPENED) or "").split())
    return set() if ALL in known else (set(categories) or {ALL}) - known


def opened(core: Core, categories: tuple[str, ...]) -> None:
    """Their past has been read."""
    ledger = core.house.store.ledger
    known = set((ledger.watermark(OPENED) or "").split())
    ledger.set_watermark(
        OPENED, " ".join(sorted(known | (set(categories) or {ALL}))), core.house.clock()
    )
