"""The words that a topic's best papers share and others lack, by relevance feedback.

The centre of the good papers, each for as much as it scores, less the centre of the others, over
words and pairs of neighbours weighed by their rarity; kept as text, and read back as a `Learned`.
Each counts for the root of its difference: one word that nearly all share is not all they share.
(Rocchio, "Relevance feedback in information retrieval", 1971.)
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import copysign, log, sqrt
from statistics import fmean, pstdev

from bot.matching.concepts.thesaurus import Company
from bot.matching.evidence.seen import IN_ABSTRACT, Seen
from bot.matching.examples.bags import Bag
from bot.matching.spelling.terms import Term

VERSION = 3
BEST, BACKGROUND = 50, 1_000  # papers to learn from, and others to compare them with
LEAST, OTHERS = 8, 50  # so many of either at least, or nothing is learned
FEW = 3  # matches: with so many, papers that come close are believed too, if fewer than LEAST match
_WORDS = 200
_SCALE = 1000  # weights are whole numbers, the greatest of them this
_LIKED = 3  # a paper that a reader kept counts for this many of the best
_CERTAIN = 10  # unwanted papers that count for half of what any number of them can
_SHORT = 150  # characters added to every text, so that a mere title is no outlier
_TRUST = 0.6  # log-odds of a standard deviation
_SUREST = 6.0  # log-odds at most
_AHEAD = 2.7  # standard deviations above other papers that leave the odds as they are

Centre = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """A good paper's words, and how surely it is one."""

    bag: Bag
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Learned:
    """Words with their weights, and what other papers hold of them."""

    company: Company
    usual: float
    spread: float

    def odds(self, seen: Seen) -> float:
        """The log-odds that a paper's words add to those of the topic's name."""
        ahead = (_shown(seen.told(self.company), len(seen.folded.plain)) - self.usual) / self.spread
        return max(-_SUREST, min(_SUREST, _TRUST * (ahead - _AHEAD)))


def learn(
    best: Sequence[Example],
    others: Sequence[Bag],
    *,
    liked: Sequence[Bag] = (),
    disliked: Sequence[Bag] = (),
) -> str:
    """What tells the best papers from the others, as text; "" where there are too few of either."""
    good = (*best, *_LIKED * (*map(Example, liked),))
    if len(good) < LEAST or len(others) < OTHERS:
        return ""
    rarity = _rarity(good, others)
    rest, bad = ([Example(each) for each in bags] for bags in (others, disliked))
    centres = [_centre(examples, rarity) for examples in (good, rest, bad)]
    centre = _telling(*centres, unwanted=len(bad))
    most = max((abs(centre[word] * rarity[word]) for word in centre), default=0.0)
    if not most:
        return ""
    words = {word: round(_SCALE * each * rarity[word] / most) for word, each in centre.items()}
    shown = [_shown(_total(each, words), each.length) for each in others]
    model = {"version": VERSION, "usual": round(fmean(shown), 2),
             "spread": round(pstdev(shown), 2), "words": words}  # fmt: skip
    return json.dumps(model, ensure_ascii=False, separators=(",", ":"))


def load(text: str) -> Learned | None:
    """What `learn` wrote; None for text of another version or kind: it is learned anew."""
    try:
        stored = json.loads(text)
        if stored["version"] != VERSION or not stored["spread"] > 0:
            return None
        weights = {Term(f" {word} "): int(weight) for word, weight in stored["words"].items()}
        return Learned(Company(weights, 0), float(stored["usual"]), float(stored["spread"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _rarity(good: Sequence[Example], others: Sequence[Bag]) -> Mapping[str, float]:
    """How much each word says: the log of how few others hold it.  Words of one paper drop out."""
    here = Counter(word for each in good for word in each.bag.counts)
    elsewhere = Counter(word for each in others for word in each.counts)
    told = {word for held in (here, elsewhere) for word, count in held.items() if count > 1}
    return {word: log((len(others) + 1) / (elsewhere[word] + 0.5)) for word in told}


def _centre(examples: Sequence[Example], rarity: Mapping[str, float]) -> Centre:
    """The mean of some papers, each of length one whatever the length of its text."""
    centre: dict[str, float] = defaultdict(float)
    total = sum(each.score for each in examples)
    for each in examples:
        weighed = {w: count * rarity[w] for w, count in each.bag.counts.items() if w in rarity}
        length = sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
        for word, weight in weighed.items():
            centre[word] += weight / length * each.score / total
    return centre


def _telling(good: Centre, others: Centre, bad: Centre, *, unwanted: int) -> Centre:
    """The words in which the good differ most from the others, and from those that are unwanted.

    What the unwanted share with the good says nothing against it, and few of them say little: the
    words of a single paper are mostly its own.
    """
    trust = unwanted / (unwanted + _CERTAIN)
    apart = {
        word: (1 + trust) * good.get(word, 0.0) - others.get(word, 0.0) - trust * bad.get(word, 0.0)
        for word in {**good, **others, **bad}
    }
    best = sorted(apart, key=lambda word: (-abs(apart[word]), word))[:_WORDS]
    return {word: copysign(sqrt(abs(apart[word])), apart[word]) for word in best if apart[word]}


def _total(each: Bag, words: Mapping[str, int]) -> float:
    return IN_ABSTRACT * sum(words[w] * count for w, count in each.counts.items() if w in words)


def _shown(total: float, length: int) -> float:
    """How much of the words a text shows for its length: long texts hold more of everything."""
    return total / sqrt(length + _SHORT)
