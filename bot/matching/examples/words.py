"""What example papers share and others do not, in words as printed."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import log

from bot.matching.examples.bags import bag
from bot.matching.spelling.folding import fold
from bot.matching.spelling.terms import Term, any_of
from bot.model import Paper

_RARE, _RARER = 0.05, 0.03  # of other papers hold a phrase or a name, a plain word
_PLAIN = re.compile(r"(?!\d)[\w+#'’.-]+(?: (?!\d)[\w+#'’.-]+)*")  # no mark, no bare number
_WHOLE = re.compile(r"[^\s-]+")
_SAYING = re.compile(r"[^\W\d_]{3}")
_LOOKED_UP, _TELLING = 40, 20  # words of a paper: what may tell of it, and what is enough


def shared_words(
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
    held = [bag(paper).counts for paper in papers]
    usual = Counter(word for paper in background for word in bag(paper).counts)
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


def like_one(paper: Paper, background: Sequence[Paper], usual: Callable[[str], float]) -> str:
    """A full-text expression for papers that are like one: any of its telling words; "" for none.

    `usual` says of a full-text expression which share of all papers it finds.
    """
    held = bag(paper).counts
    others = Counter(word for each in background for word in bag(each).counts)
    weights = {
        word: counts * log((len(background) + 2) / (others[word] + 1))
        for word, counts in held.items()
        if " " not in word and _SAYING.search(word)
    }
    likely = sorted(weights, key=lambda word: (-weights[word], word))[:_LOOKED_UP]
    found = [term for word in likely if 0 < usual(any_of([term := Term(f" {word} ")])) <= _RARE]
    return any_of(found[:_TELLING])


def _as_printed(word: str, papers: Sequence[Paper]) -> str:
    """A word or pair as some paper prints it; "" if every paper has a mark between the two."""
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
