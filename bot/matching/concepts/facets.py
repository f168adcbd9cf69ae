"""Facets: what each concept or word of a name asks a paper to show, in all its spellings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bot.matching.concepts.compounds import BY, BY_MEANS_OF, is_generic, sides_of
from bot.matching.concepts.thesaurus import HINT, KIN, SAME, Company, Concept, Thesaurus
from bot.matching.spelling.folding import JOINING, words
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import UNITS, Term, spellings

_LINKS = (
    "a about above across after against along among an as at based below between beyond by during "
    "for from in into meet meets of on onto over per the their through to toward towards under "
    "upon using versus via vs with within without"
)
LINKS = frozenset(_LINKS.split())
_SAID_BESIDE = (
    "am anything are be been being by can could did do does had has have how i interested is it "
    "its latest like looking may me might must my new news our papers please shall should some "
    "that there these they this us want was we were what when where which who why will would you"
)
_ASIDES = frozenset(_SAID_BESIDE.split())
EITHER = frozenset(("or", "/", ","))
JOINTS = EITHER | {"and", "&", "+"}
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)*")
_UNIT = re.compile(UNITS)
_FORMS = (
    ("iz", ("", "ed", "ing", "ation", "er", "able")),
    ("if", ("y", "ied", "ying", "ication", "ier")),
    ("ur", ("e", "al")),
    ("ion", ("", "al", "ary", "ed")),
    ("ment", ("", "al")),
    ("ab", ("le", "ility")),
    ("ib", ("le", "ility")),
    ("is", ("m", "t")),
    ("", ("e", "ed", "ing", "ement")),
    ("", ("y", "ic", "ical")),
)
"""Endings of one word as noun, adjective and verb, after the letters that all have.

Others lead astray: a proposal to all that propose, a director to what is direct.
"""
_ROOT = 6  # letters that the forms of one word share
_USUAL = 0.005  # of all papers: a word that says little without the one behind it


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
    in_title: bool = False  # of a concept's name: it brings what has all of them in its title

    @property
    def in_passing(self) -> bool:
        """Whether it is a plain word that many papers hold and few are about: "era", "creation"."""
        return not self.known and self.company is not None and not self.company.weights


Reading = tuple[Facet, ...]


def pieces(text: str, thesaurus: Thesaurus, *, besides: str = "") -> Reading:
    """The facets of neighbouring words: the longest known concepts, then single words.

    `besides` is a name that is not to be taken as one.
    """
    parts = [p for p in re.split(r"[\s,;:]+", text) if re.search(r"[^\W_]", p)]
    taken = list(_taken(parts, thesaurus, besides))
    found = [
        of_word(typed, thesaurus) if concept is None else of_typed(typed, concept, thesaurus)
        for typed, concept in taken
    ]
    typed = [each for each, _ in taken]
    compounds = [part for part in map(clean, parts) if part != besides]
    return (*found, *_side_by_side(typed, found), *_compounds(compounds, typed, thesaurus))


def _compounds(parts: list[str], typed: list[str], thesaurus: Thesaurus) -> Iterator[Facet]:
    """The phrases that were typed as one word and are read as several."""
    for part in parts:
        if sides_of(part, thesaurus) and not any(part in each for each in typed):
            yield of_phrase(part)


def _side_by_side(typed: list[str], found: list[Facet]) -> list[Facet]:
    """The telling words as a phrase, where all are plain and at least one is unknown."""
    telling = [word for word, facet in zip(typed, found, strict=True) if not facet.generic]
    unknown = any(not facet.known and not facet.generic for facet in found)
    plain = not any(re.search(r"[\s\d]", word) for word in typed)
    return [of_phrase(" ".join(telling))] if unknown and plain and len(telling) > 1 else []


def _taken(
    parts: list[str], thesaurus: Thesaurus, besides: str
) -> Iterator[tuple[str, Concept | None]]:
    """What is looked up, word after word, each with the concept that it names."""
    start = 0
    while start < len(parts):
        count, typed, concept = _longest(parts[start:], thesaurus, besides)
        if concept is None and typed != besides and (sides := sides_of(typed, thesaurus)):
            parts = [*parts[:start], *sides, *parts[start + 1 :]]
            continue
        rest = parts[start:]
        if concept is None and (_goes_on(rest) or _makes_a_name(rest, thesaurus)):
            count, typed = 2, f"{typed} {clean(parts[start + 1])}"
        if concept is not None or not _is_small(parts[start]):
            yield typed, concept
        start += count


def _longest(
    parts: list[str], thesaurus: Thesaurus, besides: str
) -> tuple[int, str, Concept | None]:
    for count in range(min(len(parts), thesaurus.longest), 0, -1):
        whole = clean(" ".join(parts[:count]))
        rest = whole if thesaurus.company_of(whole) else BY.sub("", whole)
        for typed in dict.fromkeys((whole, BY_MEANS_OF.sub("", whole), rest)):
            concept = thesaurus.concept(typed) if typed != besides else None
            if concept is not None:
                return count, typed, concept
    return 1, clean(parts[0]), None


def _goes_on(parts: list[str]) -> bool:
    """Whether a number belongs to its neighbour, "Llama 3", "21 cm", or a prefix: "multi stage"."""
    if len(parts) < 2 or _is_small(parts[0]) or _is_small(parts[1]):
        return False
    first, second = map(clean, parts[:2])
    return bool(
        (first[-2:].isalpha() and _NUMBER.fullmatch(second))
        or (_NUMBER.fullmatch(first) and _UNIT.fullmatch(second))
        or (first.lower() in JOINING and len(words(f"{first} {second}")) == 1)
    )


def _makes_a_name(parts: list[str], thesaurus: Thesaurus) -> bool:
    """Whether a usual word names something only together with the next: "type theory"."""
    if len(parts) < 2 or stem(clean(parts[1])) not in thesaurus.naming:
        return False
    usual = thesaurus.company_of(clean(parts[0]))
    if usual is None or usual.share < _USUAL or is_generic(clean(parts[0]), thesaurus):
        return False
    return _longest(parts[1:], thesaurus, "")[2] is None


def _is_small(part: str) -> bool:
    """Whether a word only links others, or says what somebody wants with them."""
    low = clean(part).lower()
    return low in LINKS or low in JOINTS or (low in _ASIDES and not part[1:].isupper())


def of_concept(concept: Concept, typed: str = "") -> Facet:
    """The facet of a known concept."""
    spelled = (concept.name, *concept.abbreviations, *concept.same, *concept.narrower, *concept.kin)
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
    """The facet of a concept as somebody calls it: what is typed counts most.

    Where that means much less than the concept, the concept's other terms only rank papers.
    """
    if thesaurus.is_narrower(typed):
        beside = (*concept.same, *concept.narrower, *concept.kin)
        spelled = [each for each in beside if _is_short_for(typed, each, thesaurus)]
        return at_its_word((typed, *spelled), concept, thesaurus)
    return replace(of_concept(concept, typed), terms=thesaurus.terms_as_typed(typed, concept))


def at_its_word(names: tuple[str, ...], concept: Concept, thesaurus: Thesaurus) -> Facet:
    """The facet of some names of a concept alone: whatever else it is called only orders."""
    own = {term: SAME for text in names for term in thesaurus.terms_of(text)}
    signs = {term: HINT for term in (*concept.terms, *concept.signs) if term not in own}
    return Facet(names[0], _distinct(names), own, signs, known=True)


def _is_short_for(one: str, other: str, thesaurus: Thesaurus) -> bool:
    """Whether one of two names holds the initials of the other: OCT and optical coherence …"""
    if _initials(other) == one.lower():
        return True
    return thesaurus.is_capital(other) and _initials(one) == other.lower()


def _initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"[^\W_]+", text)).lower()


def of_word(word: str, thesaurus: Thesaurus) -> Facet:
    """The facet of a word that names no concept: its family, other forms, words in company."""
    generic = is_generic(word, thesaurus)
    company = None if generic else thesaurus.company_of(BY_MEANS_OF.sub("", word))
    share = company.share if company else 0.0
    terms = _terms_of(word, thesaurus)
    return Facet(word, (word,), terms, company=company, generic=generic, share=share)


@lru_cache(maxsize=1 << 12)
def _terms_of(word: str, thesaurus: Thesaurus) -> Mapping[Term, float]:
    """One object for every topic that names the word, so that the terms are looked for once."""
    terms: dict[Term, float] = {}
    for found in thesaurus.family(word):
        terms.setdefault(found, 1.0 if not terms else 0.9)
    for found in spellings(word, cased=thesaurus.is_capital(word)):
        terms[found] = 1.0
    first, _, last = word.rpartition(" ")
    for relative in thesaurus.relatives(last) if first else ():
        terms.setdefault(Term(f" {' '.join(words(f'{first} {relative}'))} "), 0.9)
    if is_generic(word, thesaurus):
        return terms
    for found in _other_forms(word):
        terms.setdefault(found, 0.8)
    means = BY_MEANS_OF.sub("", word)
    if means != word and not is_generic(means, thesaurus):
        for found in thesaurus.family(means):
            terms.setdefault(found, KIN)
    return terms


def _other_forms(word: str) -> list[Term]:
    """The word as other parts of speech: "cultural" for "culture"."""
    stems = words(word) if word.islower() or word.istitle() else []
    for before, endings in _FORMS if len(stems) == 1 else ():
        for ending in endings:
            root = stems[0].removesuffix(ending)
            if stems[0].endswith(before + ending) and len(root) >= _ROOT:
                return [Term(f" {root}{each} ") for each in endings]
    return []


def of_phrase(text: str) -> Facet:
    """The facet of words side by side: a paper that holds them like that fits better."""
    return Facet(text, (), dict.fromkeys(spellings(text), 1.0), side_by_side=True)


def _distinct(shown: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[frozenset[Term], str] = {}
    for text in shown:
        found.setdefault(frozenset(spellings(text)), text)
    return tuple(found.values())


def clean(text: str) -> str:
    return re.sub(r"['’]s$", "", text.strip(".,;:!?'`"))
