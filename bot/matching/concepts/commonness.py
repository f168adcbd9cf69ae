"""How common words are, as far as the thesaurus knows: a query waits for its rarest ones."""

from functools import lru_cache

from bot.matching.concepts.compounds import is_generic
from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.spelling.terms import Term

_GENERIC, _UNCOUNTED = 0.15, 0.002  # of all papers: those that hold such a word
_A_LETTER = 0.3  # of all papers: those that hold a word beginning with it; less for each further
_TOGETHER = 0.1  # of the papers that hold its rarest word, those that hold a phrase


@lru_cache(maxsize=1 << 14)
def share_of(term: Term, thesaurus: Thesaurus) -> float:
    """Roughly which share of all papers holds a term."""
    words = term.needle.strip()
    concept = thesaurus.concept(words)
    if concept is not None and concept.share:
        return concept.share
    rarest = min((_share_of(word.lower(), thesaurus) for word in term.words), default=1.0)
    if term.is_prefix:
        return max(rarest, _A_LETTER / max(1, len(words)))
    return rarest * _TOGETHER if " " in words else rarest


@lru_cache(maxsize=1 << 14)
def _share_of(word: str, thesaurus: Thesaurus) -> float:
    if is_generic(word, thesaurus):
        return _GENERIC
    counted = thesaurus.company_of(word)
    return counted.share if counted and counted.share else _UNCOUNTED
