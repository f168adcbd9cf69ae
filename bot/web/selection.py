"""Which of a topic's papers a page shows, as its address says it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from bot.text import small

PAGE = 30  # papers a page
LAST_PAGE = 10_000
SORTS = ("new", "score")
VIEWS = ("cards", "compact")


class OddAddress(ValueError):
    """The address asks for something that is not; the message says what it may ask for."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters, order, page and view of a list of papers."""

    words: str = ""
    category: str = ""
    title_only: bool = False
    sort: str = "new"
    page: int = 1
    view: str = "cards"

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> "Selection":
        """Read the query of an address.  Raises OddAddress; unknown keys are ignored."""
        words = " ".join(query.get("words", "").split())
        if len(words) > 200:
            raise OddAddress("The words to filter by are too long; 200 characters are enough.")
        return cls(
            words=words.replace("\0", ""),
            category=_category(query.get("cat", "")),
            title_only=query.get("title", "") not in ("", "0"),
            sort=_one_of("sort", query.get("sort") or "new", SORTS),
            page=_page(query.get("page") or "1"),
            view=_one_of("view", query.get("view") or "cards", VIEWS),
        )

    @property
    def offset(self) -> int:
        """How many papers stand on the pages before."""
        return (self.page - 1) * PAGE

    @property
    def narrowed(self) -> bool:
        """Whether some papers of the topic are left out."""
        return bool(self.words or self.category)

    @property
    def query(self) -> str:
        """As the end of an address: "?words=…&page=2", or "" where all is as usual."""
        parts = {
            "words": self.words,
            "cat": self.category,
            "title": "1" if self.title_only else "",
            "sort": self.sort if self.sort != "new" else "",
            "view": self.view if self.view != "cards" else "",
            "page": str(self.page) if self.page > 1 else "",
        }
        said = urlencode({key: value for key, value in parts.items() if value})
        return f"?{said}" if said else ""

    def on_page(self, page: int) -> "Selection":
        """The same list, another page."""
        return replace(self, page=page)

    def viewed(self, view: str) -> "Selection":
        """The same papers, another view."""
        return replace(self, view=view)

    @property
    def cleared(self) -> "Selection":
        """The same view of all papers."""
        return Selection(sort=self.sort, view=self.view)

    @property
    def exported(self) -> "Selection":
        """The same papers for a file."""
        return replace(self, page=1, view="cards")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise OddAddress(f"“{value[:40]}” is not a {name}; it may be {' or '.join(known)}.")
    return value


def _page(text: str) -> int:
    number = small(text)
    if not 1 <= number <= LAST_PAGE:
        raise OddAddress(f"There is no page “{text[:40]}”; pages count from 1.")
    return number


def _category(text: str) -> str:
    plain = text.strip()
    if len(plain) > 30 or not all(c.isalnum() or c in ".-" for c in plain):
        raise OddAddress(f"“{plain[:40]}” is not a category; they look like cs.LG.")
    return plain
