"""A bare name understood: which facets a paper must show.

"Memory for LLM Agents"              memory · LLM agents
"Prompt and Context Compression"     prompt compression, or context compression
"Code Agents and Issue Resolution"   code agents, or issue resolution
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from bot.matching.folding import words
from bot.matching.terms import Term, spellings, term
from bot.matching.thesaurus import Company, Concept, Thesaurus

_LINKS = (
    "a about across after against along among an as at based between beyond by during for from "
    "in into meet meets of on onto over per the their through to toward towards under upon using "
    "versus via vs with within without"
)
LINKS = frozenset(_LINKS.split())
_ENDING = re.compile(
    r"(?:ation|ition|ion|al|ally|ity|ive|ing|ed|er|or|ment|ness|able|ible|ical|ism|ist|ize|ous|ary)s?$"
)
_BROAD = 0.12  # of all papers: a word that says too little by itself
_WIDE = 0.05  # of all papers: a side of an "and" that nobody follows for itself
_NARROW = 0.02  # of all papers: a word that says enough by itself
_ROOT = 6  # letters that relatives share: cultural, culture; but not position, positive
_JOINTS = frozenset(("and", "or", "&", "/", ",", "+"))


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that the papers of a topic have in common, in all its spellings."""

    label: str
    shown: tuple[str, ...]  # the spellings to show a person, best first
    terms: Mapping[Term, float]  # strength above 0, at most 1
    signs: Mapping[Term, float] = field(default_factory=dict)
    company: Company | None = None
    generic: bool = False
    known: bool = False  # the thesaurus has it as a concept
    both: tuple[tuple[str, ...], ...] = ()  # concepts that make it up together, in several ways
    side_by_side: bool = False  # a phrase of other facets' words: it tips, and is not asked for
    share: float = 0.0  # of all papers, those that name it; 0 where unknown


Reading = tuple[Facet, ...]


def read(name: str, thesaurus: Thesaurus) -> tuple[Reading, ...]:
    """The alternatives of a name, each a tuple of facets that must all show; () for no words."""
    whole = _segments(name, thesaurus)
    parts = _segments(name, None)
    found = _combined(whole, thesaurus)
    if parts == whole:
        found = _turned(parts, thesaurus) + found
    else:  # "Memory for LLM Agents" is a concept, and a memory and an agent
        apart = _combined(parts, thesaurus)
        found += [r for r in apart if all(f.known or f.generic for f in r)]
    found = [r for r in found if not _is_broad(r)] or found
    found += [other for reading in found for other in _made_up(reading, thesaurus)]
    return tuple(_unique(reading) for reading in found if reading)


def _turned(parts: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    """ "Evaluation of Large Language Models" is LLM evaluation, where that is a concept."""
    for place, (first, last) in enumerate(pairwise(map(" ".join, parts))):
        known = thesaurus.concept(_clean(last))
        names = (last, *known.abbreviations, known.name) if known else (last,)
        for name in names:
            concept = thesaurus.concept(_clean(f"{name} {first}"))
            if concept is not None:
                around = _combined([*parts[:place], *parts[place + 2 :]], thesaurus)
                return [(of_concept(concept), *reading) for reading in around]
    return []


def _is_broad(reading: Reading, least: float = _BROAD) -> bool:
    """Whether too many papers show what the reading asks for: "models", "language models"."""
    telling = [facet for facet in reading if not facet.generic and not facet.side_by_side]
    return all(facet.known and facet.share >= least for facet in telling)


def _made_up(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """The reading with a concept replaced by those that make it up, for each that has such."""
    found = []
    for place, facet in enumerate(reading):
        for way in facet.both:
            parts = tuple(of_concept(thesaurus.concepts[name]) for name in way)
            found.append((*reading[:place], *parts, *reading[place + 1 :]))
    return found


def _combined(segments: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    readings: list[Reading] = [()]
    for segment in segments:
        options = _segment(segment, thesaurus)
        if options:
            readings = [(*left, *right) for left in readings for right in options][:8]
    return readings


def pieces(text: str, thesaurus: Thesaurus) -> Reading:
    """The facets of neighbouring words: the longest known concepts, then single words."""
    found: list[Facet] = []
    parts = [p for p in re.split(r"[\s,;:]+", text) if re.search(r"[^\W_]", p)]
    start = 0
    single: list[str] = []
    while start < len(parts):
        for end in range(min(len(parts), start + thesaurus.longest), start, -1):
            concept = thesaurus.concept(_clean(" ".join(parts[start:end])))
            if concept is not None:
                found.append(of_concept(concept, _clean(" ".join(parts[start:end]))))
                break
        else:
            end = start + 1
            if parts[start].lower() not in LINKS | _JOINTS:
                found.append(of_word(_clean(parts[start]), thesaurus))
        if found and end == start + 1 and parts[start].lower() not in LINKS | _JOINTS:
            single.append(parts[start])
        start = end
    unknown = any(not facet.known and not facet.generic for facet in found)
    if unknown and len(found) == len(single) > 1:
        telling = [word for word, facet in zip(single, found, strict=True) if not facet.generic]
        found.append(of_phrase(" ".join(telling if len(telling) > 1 else single)))
    return tuple(found)


def of_concept(concept: Concept, typed: str = "") -> Facet:
    """The facet of a known concept."""
    spelled = (concept.name, *concept.abbreviations, *concept.same, *concept.kin)
    return Facet(
        typed or concept.name,
        _distinct((typed, *spelled) if typed else spelled),
        concept.terms,
        concept.signs,
        concept.company,
        known=True,
        share=concept.share,
        both=concept.both,
    )


def of_word(word: str, thesaurus: Thesaurus) -> Facet:
    """The facet of a word that no concept has: its family, its relatives, its company."""
    generic = _is_generic(word, thesaurus)
    company = None if generic else thesaurus.company_of(word)
    share = company.share if company else 0.0
    terms = _terms_of(word, thesaurus)
    return Facet(word, (word,), terms, company=company, generic=generic, share=share)


def _is_generic(word: str, thesaurus: Thesaurus) -> bool:
    return all(each in thesaurus.generic for each in words(word))


@lru_cache(maxsize=1 << 12)
def _terms_of(word: str, thesaurus: Thesaurus) -> Mapping[Term, float]:
    """The same terms for every topic that names the word, so that they are looked for once."""
    terms: dict[Term, float] = {}
    for found in thesaurus.family(word):
        terms.setdefault(found, 1.0 if not terms else 0.9)
    for found in spellings(word, cased=thesaurus.is_capital(word)):
        terms[found] = 1.0
    root = _ENDING.sub("", word.lower())
    named = not _is_generic(word, thesaurus)
    if named and word.islower() | word.istitle() and len(root) >= _ROOT and root != word:
        relatives = term(root, prefix=True)
        if relatives is not None:
            terms.setdefault(relatives, 0.8)
    return terms


def of_phrase(text: str) -> Facet:
    """The facet of unknown words side by side: a paper that has them so is closer."""
    return Facet(text, (), dict.fromkeys(spellings(text), 1.0), side_by_side=True)


def _segments(name: str, thesaurus: Thesaurus | None) -> list[list[str]]:
    """Words between prepositions; a known concept that holds one ("mixture of experts") stays."""
    text = re.sub(r"([/,&])", r" \1 ", re.sub(r"[:;]", " for ", name))
    parts = [p for p in text.split() if p in _JOINTS or re.search(r"[^\W_]", p)]
    found: list[list[str]] = [[]]
    start = 0
    while start < len(parts):
        end = _joined_concept(parts, start, thesaurus) if thesaurus else 0
        if end:
            found += [parts[start:end], []]
        elif parts[start].lower() in LINKS:
            found.append([])
        else:
            found[-1].append(parts[start])
        start = end or start + 1
    return [segment for segment in found if segment]


def _joined_concept(parts: list[str], start: int, thesaurus: Thesaurus) -> int:
    """Where a known concept that begins here and holds a preposition or an "and" ends, or 0."""
    for end in range(min(len(parts), start + thesaurus.longest), start + 2, -1):
        inner = {part.lower() for part in parts[start + 1 : end - 1]}
        if inner & (LINKS | _JOINTS) and thesaurus.concept(_clean(" ".join(parts[start:end]))):
            return end
    return 0


def _segment(parts: list[str], thesaurus: Thesaurus) -> list[Reading]:
    whole = " ".join(parts)
    if thesaurus.concept(_clean(whole)) is not None:
        return [pieces(whole, thesaurus)]
    *firsts, last = _sides(parts)
    options = [_first_side(side, last, thesaurus) for side in firsts]
    options.append(_last_side(firsts, last, thesaurus))
    return _with_context([option for option in options if option])


def _with_context(options: list[Reading]) -> list[Reading]:
    """ "RAG and Reasoning" is not about RAG, or about any reasoning: a wide side is asked too."""
    telling = [option for option in options if not all(f.generic for f in option)]
    narrow = [option for option in telling if not _is_broad(option, _WIDE)]
    wide = [f for option in telling if option not in narrow for f in option if not f.generic]
    if not wide:
        return telling or options
    return [(*option, *wide) for option in narrow] or [tuple(wide)]


def _first_side(side: list[str], last: list[str], thesaurus: Thesaurus) -> Reading:
    """ "Prompt and Context Compression" speaks of prompt compression."""
    shared = last[1:] if len(side) == 1 else []
    return pieces(" ".join([*side, *shared]), thesaurus)


def _last_side(firsts: list[list[str]], last: list[str], thesaurus: Thesaurus) -> Reading:
    """ "Agent Safety and Security" speaks of agent security, and not of any."""
    alone = pieces(" ".join(last), thesaurus)
    if len(last) > 1 or not firsts or len(firsts[-1]) == 1:
        return alone
    if alone and alone[0].known and not _NARROW < alone[0].share < _BROAD:
        return alone
    return pieces(" ".join([*firsts[-1][:-1], *last]), thesaurus)


def _sides(parts: list[str]) -> list[list[str]]:
    sides: list[list[str]] = [[]]
    for part in parts:
        if part.lower() in _JOINTS:
            sides.append([])
        else:
            sides[-1].append(part)
    return [side for side in sides if side] or [[]]


def _unique(reading: Reading) -> Reading:
    return tuple({facet.label.lower(): facet for facet in reading}.values())


def _distinct(shown: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[tuple[Term, ...], str] = {}
    for text in shown:
        found.setdefault(spellings(text), text)
    return tuple(found.values())


def _clean(text: str) -> str:
    return text.strip(".,;:!?'`")


def titled(name: str) -> str:
    """A spelled-out name with capitals as in a title: "Mixture of Experts"."""
    small = LINKS | {"and", "or"}
    return " ".join(w if w in small else w[:1].upper() + w[1:] for w in name.split())
