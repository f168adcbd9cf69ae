"""What example papers are about, as far as the thesaurus knows it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from bot.matching.concepts.facets import Facet, of_concept
from bot.matching.concepts.thesaurus import KIN, Concept, Thesaurus
from bot.matching.evidence.scoring import named_in, presence
from bot.matching.evidence.seen import Seen
from bot.matching.spelling.folding import words
from bot.model import Paper

_TOO_USUAL = 0.03  # of all papers: what says nothing about a few of them
_UNCOUNTED = 0.002  # of all papers, where nobody counted
_NARROW, _FURTHER = 0.01, 2  # of all papers: what is narrow enough; concepts beside it
_SHOWN = 0.5  # how surely a paper shows what it is about


@dataclass(frozen=True, slots=True)
class Shared:
    """A concept, which of the example papers show it, and how much that tells."""

    concept: Concept
    papers: frozenset[int]  # by place
    weight: float

    @property
    def name(self) -> str:
        """Its name as a bare word of a query, which the thesaurus widens."""
        return self.concept.name


def concepts_of(
    papers: Sequence[Paper], thesaurus: Thesaurus, *, nearly: bool = False
) -> list[Shared]:
    """The concepts that the papers show, the most telling first: what few other papers name.

    Where they share something `nearly`, one calls it by its name and others name parts of it.
    """
    seen = [Seen(paper) for paper in papers]
    found = (_shared(concept, seen, nearly=nearly) for concept in thesaurus.concepts.values())
    return sorted(filter(None, found), key=lambda each: (-each.weight, each.name))


def _shared(concept: Concept, seen: Sequence[Seen], *, nearly: bool) -> Shared | None:
    share = concept.share or _UNCOUNTED
    if share > _TOO_USUAL:
        return None
    facet = of_concept(concept)
    named = {place: presence(facet, each) for place, each in enumerate(seen)
             if named_in(facet, each)}  # fmt: skip
    shown = {place: how for place, how in named.items()
             if how >= _SHOWN and _says_its_name(facet, seen[place])}  # fmt: skip
    if not shown:
        return None
    if nearly:
        shown = named
    return Shared(concept, frozenset(shown), sum(shown.values()) * log(1 / share))


def _says_its_name(facet: Facet, paper: Seen) -> bool:
    return any(facet.terms[named.term] > KIN for named in named_in(facet, paper))


def covering(found: Sequence[Shared], count: int, most: int) -> Iterator[Shared]:
    """A few concepts that together cover `count` papers; none where it takes too many."""
    left = frozenset(range(count))
    chosen: list[Shared] = []
    while left and len(chosen) < most:
        best = max(found, key=lambda each: len(each.papers & left), default=None)
        if best is None or not best.papers & left:
            return
        chosen.append(best)
        left -= best.papers
    if not left:
        yield from chosen


def narrowed(found: Sequence[Shared], rare: Iterable[str], count: int) -> Iterator[str]:
    """Queries of what `count` papers share, the narrowest first: the most telling concept with
    rare words or further concepts, and by itself."""
    first, *others = found
    apart = [each for each in rare if not _is_in(each, first.name)]
    if not apart and (count == 1 or first.concept.share > _NARROW):
        apart = [each.name for each in others if not _is_in(each.name, first.name)][:_FURTHER]
    if apart:
        yield narrow([first.name, *apart])
    yield first.name


def nearly_shared(papers: Sequence[Paper], thesaurus: Thesaurus) -> Iterator[str]:
    """Concepts that one of the papers calls by name while the others name parts of them."""
    found = concepts_of(papers, thesaurus, nearly=True)
    yield from (each.name for each in found if len(each.papers) == len(papers))


def either(some: Sequence[Shared]) -> str:
    """The query for any of some concepts; "" for none."""
    return " OR ".join(f"({each.name})" if len(some) > 1 else each.name for each in some)


def narrow(parts: Sequence[str]) -> str:
    """The query for the first of some parts with one of the others."""
    first, *others = parts
    if len(others) > 1:
        return f"{first} AND ({' OR '.join(others)})"
    return " AND ".join(parts)


def _is_in(text: str, name: str) -> bool:
    return set(words(text)) <= set(words(name))
