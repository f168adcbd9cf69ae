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
    that its query names or its words belong to: a name that holds the subject of a topic of
    another field, "quantum error correction decoders", asks for that field.
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


@cache
def _by_concept(language: Language) -> dict[str, frozenset[str]]:
    """Which categories must be polled for the subjects of fields beside computer science."""
    found: dict[str, frozenset[str]] = {}
    for table in config.catalogue():
        for topic in () if table.get("covered", True) else table["topic"]:
            for name in (topic["name"], *topic.get("aliases", ())):
                concept = language.concept_of(name)
                found[concept] = found.get(concept, frozenset()) | set(table["categories"])
    return found


@lru_cache(maxsize=1 << 12)
def _of_words(language: Language, query: str, name: str) -> frozenset[str]:
    known = _by_concept(language)
    try:
        of_fields = (known.get(each, frozenset()) for each in language.concepts_in(name))
        return language.categories(query, name=name).union(*of_fields)
    except QueryError:  # written by an older version: it asks for nothing until it is edited
        return frozenset()
