"""A paper as a bag of words: which words and pairs of neighbours it holds, and what each counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.matching.evidence.seen import IN_ABSTRACT, IN_TITLE, again
from bot.matching.spelling.folding import fold
from bot.model import Paper

_SMALL = (
    "a about across after al all also among an and any apply approach are as at available "
    "based be been being between both but by can compared contrast current demonstrate do "
    "does e each effective et evaluate existing experiment extensive first for from further "
    "furthermore g github has have how however i if improve in including into introduce is it "
    "its key many method might more moreover most new not novel of on one only or other our "
    "outperform over paper perform performance present propose proposed provide recent remain "
    "result s same several show significant significantly so some state study such t than "
    "that the their them then there these they thi this those three through thu to two under "
    "up us use used using various ver via wa we well were what when where wherea which while "
    "who will with within without work yet"
)
SMALL = frozenset(_SMALL.split())


@dataclass(frozen=True, slots=True)
class Bag:
    """The words and pairs of a paper, each with what it counts, and the length of its text."""

    counts: Mapping[str, float]
    length: int  # characters, folded


def bag(paper: Paper) -> Bag:
    """The bag of a paper's title and abstract, without the small words of the language."""
    folded = fold(paper.title, paper.abstract)
    found: dict[str, float] = {}
    weight, before = IN_TITLE / IN_ABSTRACT, ""
    for word in folded.plain.split():
        if word == "|":
            weight, before = 1.0, ""
            continue
        small = word in SMALL or len(word) < 2
        if not small:
            found.setdefault(word, weight)
            if before:
                found.setdefault(f"{before} {word}", weight)
        before = "" if small else word
    for word, more in again(folded).items():
        if word in found:
            found[word] += more / IN_ABSTRACT
    return Bag(found, len(folded.plain))
