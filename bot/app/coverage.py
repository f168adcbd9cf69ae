"""What is asked of arXiv: the operator's categories, and those that followed topics need."""

from collections.abc import Iterable
from functools import cache, lru_cache

from bot import config
from bot.matching import Language, QueryError
from bot.model import Topic
from bot.text.categories import classes

USUAL = (*classes("cs"), *classes("eess"), "stat.ML")
"""What is polled where nobody says otherwise, spelled out as the API knows no wildcards; the
categories of followed topics come on top."""


def polled(wanted: Iterable[str], followed: Iterable[Topic], language: Language) -> tuple[str, ...]:
    """The categories to ask arXiv for; () is all of it.

    Besides those wanted, they are those of a followed topic's field in the catalogue, and those
    that its query names or its words belong to.
    """
    listed = set(wanted) or set(USUAL)
    if "all" in listed:
        return ()
    for topic in followed:
        listed.update(field_categories().get(topic.field, ()))
        listed.update(_of_words(language, topic.query, topic.name))
    return tuple(sorted(listed))


@cache
def field_categories() -> dict[str, tuple[str, ...]]:
    """Which categories must be polled for the topics of a field."""
    return {table["field"]: tuple(table.get("categories", ())) for table in config.catalogue()}


@lru_cache(maxsize=1 << 12)
def _of_words(language: Language, query: str, name: str) -> frozenset[str]:
    try:
        return language.categories(query, name=name)
    except QueryError:  # written by an older version: it asks for nothing until it is edited
        return frozenset()
