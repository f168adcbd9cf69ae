"""Facets: what each concept or word of a name asks a paper to show, in all its spellings."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bot.matching.folding import words
from bot.matching.terms import Term, spellings, term
from bot.matching.thesaurus import Company, Concept, Thesaurus

_LINKS = (
    "a about across after against along among an as at based between beyond by during for from "
    "in into meet meets of on onto over per the their through to toward towards under upon using "
    "versus via vs with within without"
)
LINKS = frozenset(_LINKS.split())
_SAID_BESIDE = (
    "am anything are be by do does how i interested is it its latest like looking me my new news "
    "our papers please some that these this want was we what where which who why"
)
_ASIDES = frozenset(_SAID_BESIDE.split())
EITHER = frozenset(("or", "/", ","))
JOINTS = EITHER | {"and", "&", "+"}
_ENDING = re.compile(
    r"(?:ation|ition|ion|al|ally|ity|ive|ing|ed|er|or|ment|ness|able|ible|ical|ism|ist|ize|ous|ary)s?$"
)
_ROOT = 6  # letters that relatives share: cultural, culture; but not position, positive


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
    part: bool = False  # of what was typed as one thing


Reading = tuple[Facet, ...]


def pieces(text: str, thesaurus: Thesaurus, *, besides: str = "") -> Reading:
    """The facets of neighbouring words: the longest known concepts, then single words.

    `besides` is a name that is not to be taken as one.
    """
    found: list[Facet] = []
    parts = [p for p in re.split(r"[\s,;:]+", text) if re.search(r"[^\W_]", p)]
    start = 0
    single: list[str] = []
    while start < len(parts):
        for end in range(min(len(parts), start + thesaurus.longest), start, -1):
            typed = clean(" ".join(parts[start:end]))
            concept = thesaurus.concept(typed) if typed != besides else None
            if concept is not None:
                found.append(of_typed(typed, concept, thesaurus))
                break
        else:
            end = start + 1
            if not _is_small(parts[start]):
                found.append(of_word(clean(parts[start]), thesaurus))
        if found and end == start + 1 and not _is_small(parts[start]):
            single.append(parts[start])
        start = end
    unknown = any(not facet.known and not facet.generic for facet in found)
    if unknown and len(found) == len(single) > 1:
        telling = [word for word, facet in zip(single, found, strict=True) if not facet.generic]
        found.append(of_phrase(" ".join(telling if len(telling) > 1 else single)))
    return tuple(found)


def _is_small(part: str) -> bool:
    """Whether a word only holds others together, or says what somebody wants with them."""
    low = part.lower()
    return low in LINKS or low in JOINTS or (low in _ASIDES and not part[1:].isupper())


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


def of_typed(typed: str, concept: Concept, thesaurus: Thesaurus) -> Facet:
    """The facet of a concept as somebody calls it: what is typed counts most."""
    return replace(of_concept(concept, typed), terms=thesaurus.terms_as_typed(typed, concept))


def of_word(word: str, thesaurus: Thesaurus) -> Facet:
    """The facet of a word that no concept has: its family, its relatives, its company."""
    generic = _is_generic(word, thesaurus)
    company = None if generic else thesaurus.company_of(word)
    share = company.share if company else 0.0
    terms = _terms_of(word, thesaurus)
    return Facet(word, (word,), terms, company=company, generic=generic, share=share)


def _is_generic(word: str, thesaurus: Thesaurus) -> bool:
    return all(each in thesaurus.generic or each.isdecimal() for each in words(word))


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


def _distinct(shown: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[tuple[Term, ...], str] = {}
    for text in shown:
        found.setdefault(spellings(text), text)
    return tuple(found.values())


def clean(text: str) -> str:
    return re.sub(r"['’]s$", "", text.strip(".,;:!?'`"))
