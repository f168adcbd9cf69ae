"""The words that some papers share and others lack, as a small linear model.

A logistic regression over words and pairs of neighbouring words, trained on a few hundred
papers; what it learns is kept as text and read back as the company of a topic.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import exp, log, sqrt

from bot.matching.folding import fold
from bot.matching.terms import Term
from bot.matching.thesaurus import Company
from bot.model import Paper

VERSION = 1
_WORDS = 80
_ROUNDS = 60
_LEAST = 8  # papers to learn anything from
_RARE, _RARER = 0.05, 0.03  # of other papers hold a phrase or a name, a plain word
IN_TITLE = 1.6  # what a word in the title counts for one in the abstract

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
_PLAIN = re.compile(r"(?!\d)[\w+#'’.-]+(?: (?!\d)[\w+#'’.-]+)*")  # no mark, no bare number
_WHOLE = re.compile(r"[^\s-]+")

Features = Mapping[str, float]


def features(paper: Paper) -> Features:
    """The words and pairs of a paper, with what each counts."""
    plain = fold(paper.title, paper.abstract).plain.split()
    found: dict[str, float] = {}
    in_title, before = True, ""
    for word in plain:
        if word == "|":
            in_title, before = False, ""
            continue
        small = word in SMALL or len(word) < 2
        if not small:
            weight = IN_TITLE if in_title else 1.0
            found.setdefault(word, weight)
            if before:
                found.setdefault(f"{before} {word}", weight)
        before = "" if small else word
    return found


def learn(
    positive: Sequence[Paper],
    negative: Sequence[Paper],
    *,
    liked: Sequence[Paper] = (),
    disliked: Sequence[Paper] = (),
) -> str:
    """A model of the positives as text; "" where there are too few papers to learn from."""
    good = [features(paper) for paper in (*positive, *liked, *liked)]
    bad = [features(paper) for paper in (*negative, *disliked, *disliked, *disliked)]
    if len(good) < _LEAST or len(bad) < _LEAST:
        return ""
    chosen = _telling(good, bad, _WORDS)
    weights, bias = _fit(good, bad, chosen)
    kept = {word: round(100 * weight) for word, weight in weights.items() if abs(weight) >= 0.05}
    return json.dumps(
        {"version": VERSION, "bias": round(100 * bias), "words": kept},
        ensure_ascii=False,
        separators=(",", ":"),
    )


def load(text: str) -> Company | None:
    """What `learn` wrote; None for text of another version or kind: it is learned anew."""
    try:
        stored = json.loads(text)
        if stored["version"] != VERSION:
            return None
        weights = {Term(f" {word} "): int(weight) for word, weight in stored["words"].items()}
        return Company(weights, int(stored["bias"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def shared(
    papers: Sequence[Paper],
    background: Sequence[Paper],
    *,
    least: int,
    is_name: Callable[[str], bool],
    most: int = 6,
) -> tuple[str, ...]:
    """Words and phrases as printed that `least` of the papers hold and few others do.

    The most telling come first; what has a name of its own says more than other words.
    """
    held = [features(paper) for paper in papers]
    usual = Counter(word for paper in background for word in features(paper))
    scored: dict[str, tuple[float, str]] = {}
    for word, count in Counter(word for each in held for word in each).items():
        text = _as_printed(word, papers) if count >= least else ""
        is_close = is_name(text) or " " in word
        if text and usual[word] <= (_RARE if is_close else _RARER) * max(20, len(background)):
            rarity = log((len(background) + 2) / (usual[word] + 1))
            weight = (1.5 if " " in word else 1) * (2 if is_name(text) else 1)
            scored[word] = sum(each.get(word, 0) for each in held) * rarity * weight, text
    found: list[str] = []
    for word in sorted(scored, key=lambda each: (-scored[each][0], each)):
        if not any(word in known or known in word for known in found):
            found.append(word)
    return tuple(scored[word][1] for word in found[:most])


def _as_printed(word: str, papers: Sequence[Paper]) -> str:
    """A word or pair as a paper prints it; "" where a mark stands between the two in each."""
    for paper in papers:
        folded = fold(paper.title, paper.abstract)
        place = folded.plain.find(f" {word} ")
        text = folded.as_printed(place, f" {word} ", cased=False) if place >= 0 else ""
        if _PLAIN.fullmatch(text):
            return _WHOLE.sub(lambda part: part[0] if _is_short(part[0]) else part[0].lower(), text)
    return ""


def _is_short(part: str) -> bool:
    """Whether its capitals say something: LLM, but not Language."""
    return sum(map(str.isupper, part)) > 1


def _telling(good: Sequence[Features], bad: Sequence[Features], most: int) -> dict[str, float]:
    """The words that tell good from bad, each with its rarity: common words count for less."""
    inside = Counter(word for each in good for word in each)
    outside = Counter(word for each in bad for word in each)
    total = len(bad)
    found: dict[str, tuple[float, float]] = {}
    for word in inside.keys() | outside.keys():
        if inside[word] < 3 and outside[word] < total / 10:
            continue
        rarity = log((total + 10) / (outside[word] + 1)) / 6
        difference = inside[word] / len(good) - outside[word] / total
        found[word] = (abs(difference) * max(rarity, 0.05), max(rarity, 0.05))
    best = sorted(found, key=lambda word: (-found[word][0], word))[:most]
    return {word: found[word][1] for word in best}


def _fit(
    good: Sequence[Features], bad: Sequence[Features], rarity: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """Balanced logistic regression by AdaGrad; the same papers give the same model."""
    order = list(rarity)
    at = {word: index for index, word in enumerate(order)}
    rows = [(_row(each, at, rarity), 1.0, 0.5 / len(good)) for each in good]
    rows += [(_row(each, at, rarity), 0.0, 0.5 / len(bad)) for each in bad]
    weights, squares = [0.0] * len(order), [1e-8] * len(order)
    bias, bias_square = 0.0, 1e-8
    for _ in range(_ROUNDS):
        slope, bias_slope = [1e-4 * weight for weight in weights], 0.0
        for row, label, share in rows:
            total = bias + sum(weights[index] * value for index, value in row)
            error = share * (1 / (1 + exp(-max(-30.0, min(30.0, total)))) - label)
            bias_slope += error
            for index, value in row:
                slope[index] += error * value
        for index, value in enumerate(slope):
            squares[index] += value * value
            weights[index] -= 0.5 * value / sqrt(squares[index])
        bias_square += bias_slope * bias_slope
        bias -= 0.5 * bias_slope / sqrt(bias_square)
    return {word: weights[i] * rarity[word] for word, i in at.items()}, bias


def _row(
    each: Features, at: Mapping[str, int], rarity: Mapping[str, float]
) -> list[tuple[int, float]]:
    return [(at[word], value * rarity[word]) for word, value in each.items() if word in at]
