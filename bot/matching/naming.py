"""A bare name understood: which facets a paper must show.

"Memory for LLM Agents"              memory · LLM agents
"Prompt and Context Compression"     prompt compression, or context compression
"Code Agents and Issue Resolution"   code agents, or issue resolution
"""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from bot.matching.facets import (
    EITHER,
    JOINTS,
    LINKS,
    Facet,
    Reading,
    clean,
    of_concept,
    of_phrase,
    of_word,
    pieces,
)
from bot.matching.otherwise import WAYS, telling_of
from bot.matching.stems import stem
from bot.matching.thesaurus import Thesaurus
from bot.matching.wording import in_words

_BROAD = 0.12  # of all papers: a word that says too little by itself
_WIDE = 0.03  # of all papers: a side of an "and" that nobody follows for itself
_MOST = 12  # readings of one name
_VAGUE = frozenset(("foundation", "wild"))  # of a wide thing they say which part
_HOW_WELL = frozenset(("efficient", "fast", "lightweight", "accurate", "reliable", "practical"))
_FEW = 0.003  # of all papers: a thing is that rare
_PAIR = 2  # words
_SAYING = 0.003  # of all papers: a plain word that says enough by itself
_NARROW = 0.02  # of all papers: a word that says enough by itself


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
    found = [r for r in found if not _is_broad(r)] or found
    found += _headed(name, thesaurus)
    for way in WAYS:
        found += [other for reading in list(found) for other in way(reading, thesaurus)]
    found = [_at_large(_in_order(reading), thesaurus) for reading in found]
    if len(name.split()) == _PAIR:
        found = [_together(reading, thesaurus) for reading in found]
    return tuple(_unique(_beside(reading)) for reading in found if reading)[:_MOST]


def _headed(name: str, thesaurus: Thesaurus) -> list[Reading]:
    """A name read by what stands behind its colon, where a motto stands before it.

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


def _is_broad(reading: Reading, least: float = _BROAD) -> bool:
    """Whether too many papers show what the reading asks for: "models", "language models"."""
    return all(facet.known and facet.share >= least for facet in telling_of(reading))


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
    least = _BROAD if EITHER & {part.lower() for part in parts} else _WIDE
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
    narrow = [option for option in telling if not _is_broad(option, least)]
    wide = [f for option in telling if option not in narrow for f in option if not f.generic]
    if not wide:
        return telling or options
    return [(*option, *wide) for option in narrow] or [tuple(wide)]


def _is_wide(option: Reading) -> bool:
    """Whether it is too wide to be followed by itself: concepts and words of many papers only."""
    return all((f.known or f.in_passing) and f.share >= _WIDE for f in telling_of(option))


def _is_narrow(text: str, thesaurus: Thesaurus) -> bool:
    """Whether a concept is in it that few papers are about."""
    return any(map(_is_rare, pieces(text, thesaurus)))


def _is_rare(facet: Facet) -> bool:
    return facet.known and facet.share < _NARROW


def _first_side(side: list[str], last: list[str], thesaurus: Thesaurus) -> Reading:
    """A side before the last, with what the last one lends it.

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
    """The last side, with what the one before lends it.

    "Agent Safety and Security" speaks of agent security, not of security at large.
    """
    alone = pieces(" ".join(last), thesaurus)
    if len(last) > 1 or not firsts or len(firsts[-1]) == 1:
        return alone
    if alone and alone[0].known and not _NARROW < alone[0].share < _BROAD:
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


def _in_order(reading: Reading) -> Reading:
    """The reading with what says little asked for no more, where the others tell enough.

    "Deepfakes in the wild" asks for deepfakes, "efficient tractography" for tractography.
    """
    slight = _VAGUE
    if any(facet.known and 0 < facet.share < _FEW for facet in reading if not facet.side_by_side):
        slight |= _HOW_WELL
    rest = [facet for facet in telling_of(reading) if stem(facet.label) not in slight]
    if not rest or _is_broad(tuple(rest)):
        return reading
    return tuple(replace(f, generic=True) if stem(f.label) in slight else f for f in reading)


def _at_large(reading: Reading, thesaurus: Thesaurus) -> Reading:
    """The reading with fields at large asked for no more, where another facet tells by itself.

    Papers on machine learning for audio hardly say that they are on machine learning.
    """
    wide = [facet for facet in reading if _is_at_large(facet, thesaurus)]
    if not any(_tells_by_itself(facet) for facet in telling_of(reading) if facet not in wide):
        return reading
    return tuple(replace(facet, generic=True) if facet in wide else facet for facet in reading)


def _is_at_large(facet: Facet, thesaurus: Thesaurus) -> bool:
    concept = thesaurus.concept(facet.label) if facet.known else None
    return concept is not None and concept.name in thesaurus.at_large


def _tells_by_itself(facet: Facet) -> bool:
    return facet.share < _NARROW and not facet.in_passing


def _together(reading: Reading, thesaurus: Thesaurus) -> Reading:
    """A pair of a generic and a usual word as one facet: "model reduction" is no mere reduction."""
    said = [facet for facet in reading if not facet.side_by_side]
    telling = [facet for facet in said if not facet.generic]
    if len(said) != _PAIR or len(telling) != 1 or not telling[0].label.isalpha():
        return reading
    if telling[0].known or telling[0].share < _SAYING:
        return reading
    return (of_word(" ".join(facet.label for facet in said), thesaurus),)


def _beside(reading: Reading) -> Reading:
    """The reading with pairs of neighbours, where no word of it says enough by itself.

    "Structured data understanding" asks for "structured data" or "data understanding".
    """
    words = [facet.label for facet in reading if not facet.side_by_side]
    if len(words) < 2 or not all(facet.generic or facet.in_passing for facet in reading):
        return reading
    pairs = [of_phrase(" ".join(pair)) for pair in pairwise(words)]
    terms = {term: strength for pair in pairs for term, strength in pair.terms.items()}
    return (*reading, replace(of_phrase(" ".join(words)), terms=terms))


def _unique(reading: Reading) -> Reading:
    return tuple({id(facet.terms): facet for facet in reading}.values())


def titled(name: str) -> str:
    """A spelled-out name with capitals as in a title: "Mixture of Experts"."""
    small = LINKS | {"and", "or"}
    return " ".join(w if w in small else w[:1].upper() + w[1:] for w in name.split())
