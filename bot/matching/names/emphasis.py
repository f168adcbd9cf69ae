"""What of a reading is asked for, and what only tips the balance.

"Deepfakes in the wild"            deepfakes; "wild" tips
"Machine learning for audio"       audio; the field at large tips
"Liquid crystal alignment"         the word alone, not the alignment of models
"Structured data understanding"    either pair, as no word of it says enough by itself
"""

from dataclasses import replace
from itertools import pairwise

from bot.matching.concepts.facets import Facet, Reading, at_its_word, of_phrase, of_word
from bot.matching.concepts.thesaurus import Concept, Thesaurus
from bot.matching.names.alternatives import telling_of
from bot.matching.spelling.stems import stem

BROAD = 0.12  # of all papers: a word that says too little by itself
NARROW = 0.02  # of all papers: a word that says enough by itself
_VAGUE = frozenset(("foundation", "wild"))  # of a wide thing they say which part
_HOW_WELL = frozenset(("efficient", "fast", "lightweight", "accurate", "reliable", "practical"))
_FEW = 0.003  # of all papers: a thing is that rare
_PAIR = 2  # words
_SAYING = 0.003  # of all papers: a plain word that says enough by itself


def weighed(reading: Reading, name: str, thesaurus: Thesaurus) -> Reading:
    """The reading of a name without asking for what says little, where the rest tells enough."""
    found = _at_large(_in_order(_abroad(reading, thesaurus)), thesaurus)
    return _beside(_together(found, thesaurus) if len(name.split()) == _PAIR else found)


def is_broad(reading: Reading, least: float = BROAD) -> bool:
    """Whether too many papers show what the reading asks for: "models", "language models"."""
    return all(facet.known and facet.share >= least for facet in telling_of(reading))


def _in_order(reading: Reading) -> Reading:
    """The reading without asking for vague words, where the others tell enough.

    "Deepfakes in the wild" asks for deepfakes, "efficient tractography" for tractography.
    """
    slight = _VAGUE
    if any(facet.known and 0 < facet.share < _FEW for facet in reading if not facet.side_by_side):
        slight |= _HOW_WELL
    rest = [facet for facet in telling_of(reading) if stem(facet.label) not in slight]
    if not rest or is_broad(tuple(rest)):
        return reading
    return tuple(replace(f, generic=True) if stem(f.label) in slight else f for f in reading)


def _at_large(reading: Reading, thesaurus: Thesaurus) -> Reading:
    """The reading without asking for whole fields, where another facet tells enough by itself.

    Papers on machine learning for audio hardly say that they are on machine learning.
    """
    wide = [facet for facet in reading if _is_at_large(facet, thesaurus)]
    if not any(_tells_by_itself(facet) for facet in telling_of(reading) if facet not in wide):
        return reading
    return tuple(replace(facet, generic=True) if facet in wide else facet for facet in reading)


def _abroad(reading: Reading, thesaurus: Thesaurus) -> Reading:
    """The reading with words that mean something else in other fields at their word beside those.

    The alignment of liquid crystals is not that of language models.
    """
    concepts = [thesaurus.concept(facet.label) if facet.known else None for facet in reading]
    if not any(concept and concept.archive for concept in concepts):
        return reading
    return tuple(
        _at_its_word(facet, concept, thesaurus)
        if concept and not concept.archive and stem(facet.label) in thesaurus.elsewhere
        else facet
        for facet, concept in zip(reading, concepts, strict=True)
    )


def _at_its_word(facet: Facet, concept: Concept, thesaurus: Thesaurus) -> Facet:
    names = (facet.label, *thesaurus.relatives(facet.label))
    return replace(at_its_word(names, concept, thesaurus), share=facet.share, part=facet.part)


def _is_at_large(facet: Facet, thesaurus: Thesaurus) -> bool:
    concept = thesaurus.concept(facet.label) if facet.known else None
    return concept is not None and concept.name in thesaurus.at_large


def _tells_by_itself(facet: Facet) -> bool:
    return facet.share < NARROW and not facet.in_passing


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
