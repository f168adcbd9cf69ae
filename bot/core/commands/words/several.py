"""Several topics in one request: they are followed, or silenced, one by one."""

import re
from collections.abc import Callable, Sequence

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.naming import known, shown
from bot.digest import Action
from bot.matching import QueryError
from bot.matching.names.framing import unframed
from bot.model import Topic

ONE = "the topic"
"""Said before commas that do not separate topics."""

_BETWEEN = re.compile(r"\s*[,;]\s*(?:(?:and|&|plus)\s+)?(?=\S)", re.IGNORECASE)
_BEFORE_LAST = re.compile(r"\s+(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_EXAMPLES = re.compile(
    r"(?<!\w)(?:e\.\s?g\.|i\.\s?e\.|(?:like|such\s+as|including)(?!\w))", re.IGNORECASE
)
"""Words that introduce parts or examples of one thing."""
_FEWEST = 3  # topics, from which on not all need to be known
_MOST = 30  # topics that are looked at: more are no request of a person


def one_by_one(requests: Sequence[str], what: str, *others: Action) -> Refused:
    """An offer of several requests; nothing is done until one is chosen."""
    return refused(
        f"These are {len(requests)} {what}; press them, or send them one by one.",
        buttons=(*(Action(shown(each, 40), each) for each in requests), *others),
    )


def several(errand: Errand, text: str) -> Refused | None:
    """A follow of each where commas stand between topics, and of the whole as one topic; or None.

    A name is taken as it stands behind "the topic".
    """
    listed = unframed(text)
    if errand.said.casefold().startswith(f"{ONE} ") or _EXAMPLES.search(text):
        return None
    parts = _parts(listed, lambda part: _is_known(errand, part))
    if len(parts) > _MOST or not _are_topics(errand, listed, parts):
        return None
    together = f"follow {errand.instead(text, f'{ONE} {text}')}"
    requests = [f"follow {errand.instead(text, part)}" for part in parts]
    return one_by_one(requests, "topics", Action("As one topic", together))


def which_of(errand: Errand, text: str, verb: str) -> Refused | None:
    """A request for each of several known topics side by side; or None."""

    def is_one(part: str) -> bool:
        return known(errand.house, part, errand.subscriber) is not None

    parts = _parts(text, is_one)
    if not 1 < len(parts) <= _MOST or not all(map(is_one, parts)):
        return None
    return one_by_one([f"{verb} {errand.instead(text, part)}" for part in parts], "topics")


def both_of(errand: Errand, topic: Topic) -> list[str]:
    """The two topics on either side of an "and" in a name that needs both; or none."""
    parts = [each.strip() for each in _BEFORE_LAST.split(topic.name)]
    if len(parts) != 2 or ") AND (" not in topic.query or _BETWEEN.search(topic.name):
        return []
    return parts if all(_is_known(errand, part) for part in parts) else []


def _parts(text: str, is_one: Callable[[str], bool]) -> list[str]:
    """The items between commas and around the last "and", unless that is part of a name."""
    *firsts, last = _BETWEEN.split(text.strip(" ,;"))
    lasts = [last] if is_one(last) else _BEFORE_LAST.split(last)
    return [each.strip(" .") for each in (*firsts, *lasts) if each.strip(" .")]


def _is_known(errand: Errand, part: str) -> bool:
    house = errand.house
    return house.language.knows(part) or known(house, part, errand.subscriber) is not None


def _are_topics(errand: Errand, text: str, parts: Sequence[str]) -> bool:
    """Whether each of the parts is a topic by itself: not "memory, planning and acting of agents".

    Words without a comma are one topic.
    """
    if len(parts) < 2 or "(" in text or not _BETWEEN.search(text):
        return False
    of_which = sum(_is_known(errand, part) for part in parts)
    if of_which == len(parts) or len(parts) < _FEWEST:
        return of_which == len(parts)
    is_bare = not _BEFORE_LAST.search(text)
    return (is_bare and 2 * of_which >= len(parts)) or _stand_apart(errand, text, parts)


def _stand_apart(errand: Errand, text: str, parts: Sequence[str]) -> bool:
    """Whether the whole would be read as any of the parts, none of which lends a word to others."""
    language = errand.house.language
    try:
        return language.derive(text) == " OR ".join(_shown(language.derive(p)) for p in parts)
    except QueryError:  # it will be refused in words when it is followed
        return False


def _shown(query: str) -> str:
    return f"({query})" if " OR " in query else query
