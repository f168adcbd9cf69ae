"""One phrasing for names that say the same: "LLMs in law", "large language models for law"."""

from collections.abc import Iterable, Mapping

_SPELLED_OUT = (
    (("artificial", "intelligence"), "ai"),
    (("large", "language", "model"), "llm"),
    (("language", "model"), "llm"),
)
LONGER = max(len(spelled) for spelled, _ in _SPELLED_OUT) - 1  # words, of a name spelled out
_BETWEEN = ("for", "in", "of")
_VARIED = frozenset((*_BETWEEN, *(word for spelled, _ in _SPELLED_OUT for word in spelled)))

Key = tuple[str, ...]


def phrased(key: Key) -> Key:
    """The key with "llm" for "large language model" and the like, and one link word for all."""
    found: list[str] = []
    place = 0
    while place < len(key):
        count, word = _shortest(key, place)
        found.append(_BETWEEN[0] if word in _BETWEEN else word)
        place += count
    return tuple(found)


def by_phrasing(keys: Iterable[Key]) -> Mapping[Key, Key]:
    """The keys that can be phrased in several ways, by the one phrasing that `phrased` gives."""
    return {phrased(key): key for key in keys if not _VARIED.isdisjoint(key)}


def _shortest(key: Key, place: int) -> tuple[int, str]:
    for spelled, short in _SPELLED_OUT:
        if key[place : place + len(spelled)] == spelled:
            return len(spelled), short
    return 1, key[place]
