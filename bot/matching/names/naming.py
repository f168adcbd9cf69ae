"""A bare name understood: which facets a paper must show.

"Memory for LLM Agents"              memory · LLM agents
"Prompt and Context Compression"     prompt compression, or context compression
"Code Agents and Issue Resolution"   code agents, or issue resolution
"""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from bot.matching.concepts.facets import (
    EITHER,
    JOINTS,
    LINKS,
    Facet,
    Reading,
    clean,
    of_concept,
    pieces,
)
from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.names.alternatives import WAYS, from_the_right, telling_of
from bot.matching.names.emphasis import BROAD, NARROW, is_broad, weighed
from bot.matching.names.wording import in_words
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import spellings

_BEYOND = re.compile(r"\s+(beyond)\s+", re.I)
_WIDE = 0.03  # of all papers: a side of an "and" that nobody follows for itself
_MOST = 12  # readings of one name
_A_FEW = 0.01  # of all papers: what is followed as a whole, whatever parts of it are listed


@lru_cache(256)  # one name is derived, compiled and compared within one request
def read(name: str, thesaurus: Thesaurus) -> tuple[Reading, ...]:
    """The alternatives of a name, each a tuple of facets that must all show; () for no words."""
    name = in_words(name, thesaurus)
    whole = _segments(name, thesaurus)
    parts = _segments(name, None)
    found = _combined(whole, thesaurus)
    if parts == whole:
        turned = _turned(parts, thesaurus)
        found = turned + [r for r in found if not turned or len(telling_of(r)) > 1]
    else:  # "Memory for LLM Agents" is a concept, and a memory and an agent
        apart = _combined(parts, thesaurus)
        found += [r for r in apart if _says_enough(r)]
    found = [r for r in found if not is_broad(r)] or found
    found = _detailed(name, thesaurus) or found + _headed(name, thesaurus)
    found = _left_behind(name, thesaurus) or found
    found += [other for each in list(found) for other in from_the_right(each, name, thesaurus)]
    for way in WAYS:
        found += [other for reading in list(found) for other in way(reading, thesaurus)]
    found = [weighed(reading, name, thesaurus) for reading in found]
    return tuple(_unique(reading) for reading in found if reading)[:_MOST]


def _headed(name: str, thesaurus: Thesaurus) -> list[Reading]:
    """A name read by what follows its colon, where a motto stands before it.

    "From Words to Worlds: Spatial Intelligence" is about spatial intelligence.  () where the words
    before it name a known concept, or those behind it none that few papers are about.
    """
    motto, _, rest = name.rpartition(":")
    said = [facet for facet in pieces(motto, thesaurus) if not facet.side_by_side]
    if not said or any(facet.known for facet in said):
        return []
    tips = [replace(facet, generic=True) for facet in said]
    found = _combined(_segments(rest, thesaurus), thesaurus)
    return [(*reading, *tips) for reading in found if any(map(_is_rare, reading))]


def _detailed(name: str, thesaurus: Thesaurus) -> list[Reading]:
    """A name read by what stands before its colon, where what follows only details it.

    "Efficient Reasoning: Overthinking and Length Control" is about efficient reasoning.  () where
    what stands before the colon is wide, or all behind it is something else, and asked for besides.
    """
    head, _, rest = name.partition(":")
    sides = [side for segment in _segments(rest, thesaurus) for side in _sides(segment)]
    details = [f for side in sides for f in pieces(" ".join(side), thesaurus) if not f.side_by_side]
    found = _combined(_segments(head, thesaurus), thesaurus) if details else []
    tips = tuple(replace(facet, generic=True) for facet in details)
    rare = [(f, reading) for reading in found for f in reading if f.known and f.share < _A_FEW]
    if not any(_lies_within(each, facet) for each in details for facet, _ in rare):
        return []
    return [(*reading, *tips) for reading in found if any(each is reading for _, each in rare)]


def _left_behind(name: str, thesaurus: Thesaurus) -> list[Reading]:
    """A name read by what stands before its "beyond", where that tells enough.

    "Optimizers Beyond Adam" are optimizers.  () where it is wide, or where a known name holds both:
    "Evaluation Beyond Accuracy", "Physics Beyond the Standard Model".
    """
    head, beyond, rest = re.split(_BEYOND, name, maxsplit=1) if _BEYOND.search(name) else ("",) * 3
    if thesaurus.concept(clean(f"{beyond} {rest}")) is not None:
        return []
    tips = tuple(replace(each, generic=True) for each in pieces(rest, thesaurus))
    found = _combined(_segments(head, thesaurus), thesaurus) if tips else []
    return [(*reading, *tips) for reading in found if any(map(_is_rare, reading))]


def _lies_within(detail: Facet, facet: Facet) -> bool:
    return detail.known and not facet.terms.keys().isdisjoint(spellings(detail.label))


def _says_enough(apart: Reading) -> bool:
    """Whether a name read word by word asks for two known things or more."""
    return len(telling_of(apart)) > 1 and all(facet.known for facet in telling_of(apart))


def _turned(parts: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    """A name read with its last part first, where that is a known concept.

    "Evaluation of Large Language Models" is LLM evaluation.
    """
    for place, (first, last) in enumerate(pairwise(map(" ".join, parts))):
        known = thesaurus.concept(clean(last))
        names = (last, *known.abbreviations, known.name) if known else (last,)
        for name in names:
            concept = thesaurus.concept(clean(f"{name} {first}"))
            if concept is not None:
                around = _combined([*parts[:place], *parts[place + 2 :]], thesaurus)
                return [(of_concept(concept), *reading) for reading in around]
    return []


def _combined(segments: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    readings: list[Reading] = [()]
    for segment in segments:
        others = [" ".join(other) for other in segments if other is not segment]
        options = _segment(segment, others, thesaurus)
        if options:
            readings = [(*left, *right) for left in readings for right in options][:8]
    return readings


def _segments(name: str, thesaurus: Thesaurus | None) -> list[list[str]]:
    """Words between prepositions; a known concept that holds one ("mixture of experts") stays."""
    text = name.replace(";", " , ").replace(":", " for ")
    parts = [p for p in text.split() if p in JOINTS or re.search(r"[^\W_]", p)]
    found: list[list[str]] = [[]]
    start = 0
    while start < len(parts):
        begun = thesaurus and not _ends_a_name(found[-1][-1:], parts[start], thesaurus)
        end = _joined_concept(parts, start, thesaurus) if thesaurus and begun else 0
        if end:
            found += [parts[start:end], []]
        elif clean(parts[start]).lower() in LINKS:
            found.append([])
        else:
            found[-1].append(parts[start])
        start = end or start + 1
    return [segment for segment in found if segment]


def _ends_a_name(before: list[str], part: str, thesaurus: Thesaurus) -> bool:
    """Whether a word belongs to the one before it: "knowledge graphs and LLMs"."""
    first = clean(before[0]) if before else ""
    if not first or thesaurus.concept(first) or stem(first) in thesaurus.generic:
        return False
    return thesaurus.concept(clean(f"{first} {part}")) is not None


def _joined_concept(parts: list[str], start: int, thesaurus: Thesaurus) -> int:
    """Where a known concept that begins here and holds a preposition or an "and" ends, or 0."""
    for end in range(min(len(parts), start + thesaurus.longest), start + 2, -1):
        inner = {part.lower() for part in parts[start + 1 : end - 1]}
        if (
            "," not in inner
            and inner & (LINKS | JOINTS)
            and thesaurus.concept(clean(" ".join(parts[start:end])))
        ):
            return end
    return 0


def _segment(parts: list[str], others: list[str], thesaurus: Thesaurus) -> list[Reading]:
    whole = " ".join(parts)
    if thesaurus.concept(clean(whole)) is not None:
        return [pieces(whole, thesaurus)]
    *firsts, last = _sides(parts)
    options = [_first_side(side, last, thesaurus) for side in firsts]
    options.append(_last_side(firsts, last, thesaurus))
    least = BROAD if EITHER & {part.lower() for part in parts} else _WIDE
    options = [option for option in options if option]
    telling = [option for option in options if not all(f.generic for f in option)]
    is_told = any(_is_narrow(other, thesaurus) for other in others)
    if is_told and len(telling) > 1 and all(map(_is_wide, telling)):
        return telling  # "Datasets and Benchmarks" for what few papers are about
    return _with_context(options, telling, least)


def _with_context(options: list[Reading], telling: list[Reading], least: float) -> list[Reading]:
    """The narrow sides of an "and", each together with all wide ones.

    "RAG and Reasoning" asks for both, since reasoning alone is too wide.  Wide is a side that at
    least that share of papers shows.
    """
    narrow = [option for option in telling if not is_broad(option, least)]
    wide = [f for option in telling if option not in narrow for f in option if not f.generic]
    if not wide:
        return telling or options
    return [(*option, *wide) for option in narrow] or [tuple(wide)]


def _is_wide(option: Reading) -> bool:
    """Whether it is too wide to follow: nothing but concepts and words of many papers."""
    return all((f.known or f.in_passing) and f.share >= _WIDE for f in telling_of(option))


def _is_narrow(text: str, thesaurus: Thesaurus) -> bool:
    """Whether it holds a concept that few papers are about."""
    return any(map(_is_rare, pieces(text, thesaurus)))


def _is_rare(facet: Facet) -> bool:
    return facet.known and facet.share < NARROW


def _first_side(side: list[str], last: list[str], thesaurus: Thesaurus) -> Reading:
    """A side before the last, with the words that the last one lends it.

    "Prompt and Context Compression" speaks of prompt compression, and "Cold Start and Cross-Domain
    Recommendation" of cold start recommendation; but "Superposition and Sparse Autoencoders" of
    superposition, since "sparse autoencoders" is one concept.
    """
    shared = " ".join([*side, *last[1:]])
    lends = len(side) == 1 and thesaurus.concept(clean(" ".join(last))) is None
    if lends or thesaurus.concept(clean(shared)) is not None:
        return pieces(shared, thesaurus)
    return pieces(" ".join(side), thesaurus)


def _last_side(firsts: list[list[str]], last: list[str], thesaurus: Thesaurus) -> Reading:
    """The last side, with the words that the one before lends it.

    "Agent Safety and Security" speaks of agent security, not of security at large.
    """
    alone = pieces(" ".join(last), thesaurus)
    if len(last) > 1 or not firsts or len(firsts[-1]) == 1:
        return alone
    if alone and alone[0].known and not NARROW < alone[0].share < BROAD:
        return alone
    return pieces(" ".join([*firsts[-1][:-1], *last]), thesaurus)


def _sides(parts: list[str]) -> list[list[str]]:
    sides: list[list[str]] = [[]]
    for part in parts:
        if part.lower() in JOINTS:
            sides.append([])
        else:
            sides[-1].append(part)
    return [side for side in sides if side] or [[]]


def _unique(reading: Reading) -> Reading:
    return tuple({id(facet.terms): facet for facet in reading}.values())


def titled(name: str) -> str:
    """A spelled-out name with capitals as in a title: "Mixture of Experts"."""
    small = LINKS | {"and", "or"}
    return " ".join(w if w in small else w[:1].upper() + w[1:] for w in name.split())
