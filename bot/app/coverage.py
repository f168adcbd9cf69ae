"""What is asked of arXiv: the operator's categories, and those that followed topics need."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from bot import config
from bot.core.pipeline.papers.news import ALL
from bot.matching import Language, QueryError
from bot.matching.queries.categories import names_of, nearest
from bot.matching.queries.condition import category_key
from bot.model import Topic
from bot.text.categories import classes, leaves

USUAL = (*classes("cs"), *classes("eess"), "stat.ML")
"""What is polled where nobody says otherwise, spelled out as the API knows no wildcards; the
categories of followed topics come on top."""


def meant(written: Iterable[str]) -> tuple[str, ...]:
    """The categories that an operator wrote, as arXiv writes them; of an archive all its classes.

    "all" stands for itself.  Raises ValueError for what arXiv does not know, with the nearest.
    """
    names = {ALL: ALL} | names_of()
    return tuple(leaf for each in written for leaf in leaves(_listed(each, names)))


def _listed(text: str, names: Mapping[str, str]) -> str:
    found = names.get(category_key(text))
    if found is None:
        near = nearest(text, names)
        like = f"did you mean {near}?" if near else "they look like cs.LG, quant-ph"
        raise ValueError(f"“{text}” is not a category of arXiv; {like}")
    return found


def polled(wanted: Iterable[str], followed: Iterable[Topic], language: Language) -> tuple[str, ...]:
    """The categories to ask arXiv for, those that followed topics need besides; () is all of it.

    Raises ValueError as `meant` does.
    """
    listed = set(meant(wanted)) or set(USUAL)
    return () if ALL in listed else tuple(sorted(listed | needed(followed, language)))


def needed(followed: Iterable[Topic], language: Language) -> set[str]:
    """The categories that topics ask for.

    They are those of a topic's field in the catalogue, and those that its query names or its
    words belong to: a name that holds the subject of a topic of another field, "quantum error
    correction decoders", asks for that field.
    """
    found: set[str] = set()
    for topic in followed:
        found.update(field_categories().get(topic.field, ()))
        found.update(_of_words(language, topic.query, topic.name))
    return found


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
