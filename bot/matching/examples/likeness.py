"""Which names are like a text: by the telling words that they share, misspelt ones too."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log
from types import MappingProxyType

from rapidfuzz.distance import OSA

from bot.matching.examples.bags import SMALL
from bot.matching.spelling.folding import words

LEAST = 0.2  # of the weight of both names' words: what they must share
_SHORT = 4  # letters: shorter words are alike only where they are the same
_SURE = 5  # letters: of shorter ones one is dropped, doubled or exchanged with its neighbour
_LONG = 8  # letters: longer words may hold two slips
_SLIP = 0.9  # what a misspelt word counts for one


def likest(text: str, names: Sequence[str], dull: Collection[str] = ()) -> list[int]:
    """The places of the names that share a telling word with the text, the most alike first.

    Words that few names hold weigh more; one of the `dull` is not enough by itself.
    """
    told = [_telling(name) for name in names]
    usual = Counter(word for each in told for word in each)
    wanted = {word: alike(word, usual) for word in _telling(text)}
    rated = [(_likeness(wanted, each, usual, len(names), dull), place)
             for place, each in enumerate(told)]  # fmt: skip
    rated.sort(key=lambda each: (-each[0], each[1]))
    return [place for likeness, place in rated if likeness >= LEAST]


def shared(text: str, name: str) -> float:
    """The share of a text's telling words that a name has, misspelt ones included."""
    wanted, there = _telling(text), _telling(name)
    return sum(bool(alike(word, there)) for word in wanted) / len(wanted) if wanted else 0.0


def alike(word: str, among: Collection[str]) -> Mapping[str, float]:
    """The words that a word may mean: those that begin with it, or that it misspells."""
    if word in among and len(word) < _SHORT:
        return {word: 1.0}
    found = {other: _SLIP for other in among if len(word) >= _SHORT and other.startswith(word)}
    if word in among:
        return found | {word: 1.0}
    return found | dict.fromkeys(misspelt(word, among), _SLIP)


def misspelt(
    word: str, among: Collection[str], usual: Mapping[str, int] = MappingProxyType({})
) -> list[str]:
    """The words a slip or two away, the nearest first, and the more usual first among those.

    "lerning" is learning before it is leaning.  Nobody mistakes the first letter.
    """
    slips = 1 + (len(word) >= _LONG)
    near = [
        (distance, -usual.get(other, 0), abs(len(word) - len(other)), other)
        for other in among
        if other[0] == word[0] and _may_slip(word, other)
        if (distance := OSA.distance(word, other, score_cutoff=slips)) <= slips
    ]
    return [other for *_, other in sorted(near)]


def _may_slip(word: str, other: str) -> bool:
    """Short words differ by a letter too often to be taken for each other: poker, power."""
    if max(len(word), len(other)) > _SURE:
        return True
    long_enough = max(len(word), len(other)) >= _SHORT
    return long_enough and (len(word) != len(other) or sorted(word) == sorted(other))


def _telling(text: str) -> frozenset[str]:
    return frozenset(w for w in words(text) if len(w) > 1 and not w.isdecimal()) - SMALL


def _likeness(
    wanted: Mapping[str, Mapping[str, float]], name: frozenset[str], usual: Mapping[str, int],
    names: int, dull: Collection[str],
) -> float:  # fmt: skip
    """0 to 1: the weight of the shared words, of all words of both."""

    def weight(word: str) -> float:
        return log((names + 1) / (usual.get(word, 0) + 1)) + 1

    shared: dict[str, float] = {}
    for found in wanted.values():
        for word in found.keys() & name:
            shared[word] = max(shared.get(word, 0.0), found[word])
    if not shared or all(word in dull for word in shared):
        return 0.0
    strange = [word for word, found in wanted.items() if not found.keys() & name]
    whole = sum(map(weight, name)) + sum(map(weight, strange))
    return sum(weight(word) * how for word, how in shared.items()) / whole
