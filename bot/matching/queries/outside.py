"""What a query asks for outside of the text, authors and categories, and how it is proposed.

Full-text search knows titles and abstracts only.  For a query that names none of their words, the
store is asked for names and categories instead: for a few too many, never for too few.
"""

from dataclasses import dataclass

from bot.matching.queries.condition import (
    All,
    Any,
    ByAuthor,
    Condition,
    Listed,
    Name,
    name_keys,
    within,
)


@dataclass(frozen=True, slots=True)
class Outside:
    """Authors and categories; every paper that meets a condition has at least one of them.

    An author is all the ways to sign with the name.
    """

    authors: tuple[tuple[Name, ...], ...] = ()
    categories: tuple[str, ...] = ()

    @property
    def beginnings(self) -> list[tuple[str, ...]]:
        """For each spelling of each author the first letters of its words, in lower case."""
        return [tuple(map(_beginning, way)) for ways in self.authors for way in ways]

    def is_author(self, printed: str) -> bool:
        """Whether a name as printed is one of the authors'."""
        return any(way in ways for way in name_keys(printed) for ways in self.authors)

    def is_category(self, category: str) -> bool:
        """Whether a category is one of those asked for, or lies in an archive that is."""
        return any(within(category, wanted) for wanted in self.categories)


def outside(condition: Condition) -> Outside | None:
    """The authors and categories that the papers of a condition have; None where unknown."""
    if isinstance(condition, ByAuthor):
        return Outside(authors=(condition.names,))
    if isinstance(condition, Listed):
        return Outside(categories=(condition.category,))
    if isinstance(condition, All):
        known = [found for part in condition.parts if (found := outside(part))]
        return min(known, key=lambda found: len(found.categories), default=None)
    if isinstance(condition, Any):
        branches = [outside(part) for part in condition.parts]
        known = [found for found in branches if found]
        return _united(known) if len(known) == len(branches) else None
    return None


def listings(condition: Condition) -> frozenset[str]:
    """The categories and archives that a condition asks for, anywhere in it."""
    if isinstance(condition, Listed):
        return frozenset((condition.category,))
    if isinstance(condition, All | Any):
        return frozenset[str]().union(*map(listings, condition.parts))
    return frozenset()


def _united(branches: list[Outside]) -> Outside:
    return Outside(
        tuple(name for each in branches for name in each.authors),
        tuple(category for each in branches for category in each.categories),
    )


def _beginning(word: str) -> str:
    """The letters at the beginning of a word that every spelling of it shares."""
    return word[:2] if len(word) == 3 and word.endswith("y") else word[:3]
