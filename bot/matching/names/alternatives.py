"""Other ways to take a reading: by the words of a name that means something else, or is rare.

"Emotional Speech Synthesis"  emotions and speech synthesis, beside emotional speech
"Update Policy of Agents"     an update and a policy, beside the age of information
"KV Cache Eviction"           the compression of a KV cache, and eviction
"Robot Safety"                embodied AI and AI safety, which make it up
"Agent Trajectory Analysis"   an agent and a trajectory in the title, as hardly any names it
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from bot.matching.concepts.compounds import is_counted, is_generic
from bot.matching.concepts.facets import Facet, Reading, of_concept, of_phrase, of_typed, pieces
from bot.matching.concepts.thesaurus import NARROWS_NOTHING, Concept, Thesaurus
from bot.matching.spelling.folding import words

_TINY = 0.001  # of all papers: a concept whose name is hardly ever used


def telling_of(reading: Reading) -> list[Facet]:
    """The facets that a reading asks for: no generic words, no words side by side."""
    return [facet for facet in reading if not facet.generic and not facet.side_by_side]


def from_the_right(reading: Reading, name: str, thesaurus: Thesaurus) -> list[Reading]:
    """Readings in which the last word of a concept goes with the next one, if that is a concept.

    "Emotional Speech Synthesis": emotional, and speech synthesis.  But "Web Agents: Benchmarks" has
    no agent benchmarks, as these do not stand side by side.
    """
    found = []
    for place, (facet, after) in enumerate(pairwise(reading)):
        before, _, shared = facet.label.rpartition(" ")
        pair = f"{shared} {after.label}"
        typed = before and re.search(rf"(?<!\w){re.escape(pair)}(?!\w)", name)
        concept = thesaurus.concept(pair) if typed else None
        if concept and facet.known and not is_generic(shared, thesaurus):
            first, second = pieces(before, thesaurus), of_typed(pair, concept, thesaurus)
            found.append((*reading[:place], *first, second, *reading[place + 2 :]))
    return found


def _at_home(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """A reading by plain words, where the other name of a field's concept is made of usual ones.

    Only beside what belongs to no field: "Update Policy of Agents" is hardly about the age of
    information, which is also called update policy.
    """
    named = [thesaurus.concept(facet.label) if facet.known else None for facet in reading]
    if not any(concept and not concept.archive for concept in named):
        return []
    for place, (facet, concept) in enumerate(zip(reading, named, strict=True)):
        if concept and concept.archive and _is_everyday(facet.label, concept, thesaurus):
            plain = _plain(facet.label, thesaurus)
            return [(*reading[:place], *plain, *reading[place + 1 :])]
    return []


def _is_everyday(label: str, concept: Concept, thesaurus: Thesaurus) -> bool:
    """Whether a label is another name of a concept, made of words that papers on anything use."""
    if " " not in label or set(words(concept.name)) <= set(words(label)):
        return False
    return all(is_counted(part, thesaurus) for part in label.split())


def _plain(label: str, thesaurus: Thesaurus) -> Reading:
    """The words of a label, or the whole where only one of them says something."""
    whole = of_phrase(label)
    apart = pieces(label, thesaurus, besides=label)
    if len(telling_of(apart)) < 2:
        return (replace(whole, shown=(label,), side_by_side=False),)
    return (*(facet for facet in apart if not facet.side_by_side), whole)


def _made_up(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """The reading with a concept replaced by those that make it up, one reading for each way."""
    found = []
    for place, facet in enumerate(reading):
        for way in facet.both:
            parts = _parts(of_concept(thesaurus.concepts[name]) for name in way)
            found.append((*reading[:place], *parts, *reading[place + 1 :]))
    return found


def _within(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """A narrow name read as its wide concept together with the words that it adds to that.

    "KV cache eviction": KV-cache compression that speaks of eviction.  What is said in passing has
    to be in the title: "stable diffusion".  Where all its words name something by themselves, they
    do: "VLA token pruning" is a VLA and token pruning.
    """
    found = []
    for place, facet in enumerate(reading):
        concept = thesaurus.concept(facet.label)
        if concept is not None and thesaurus.is_narrower(facet.label):
            parts = _wider(facet.label, concept, thesaurus)
            found += [(*reading[:place], *parts, *reading[place + 1 :])] if parts else []
    return found


def _wider(label: str, concept: Concept, thesaurus: Thesaurus) -> Reading:
    """The concept and what a label adds to it, or the label's parts; () where it has none."""
    apart = telling_of(pieces(label, thesaurus, besides=label))
    held = NARROWS_NOTHING.union(*map(words, (concept.name, *concept.abbreviations)))
    added = [each for each in apart if not held.issuperset(words(each.label))]
    if len(apart) < 2 or not added:
        return ()
    if all(each.known for each in apart):
        return _parts(apart)
    added = [replace(each, in_title=each.in_passing) for each in added]
    return _parts((of_concept(concept), *added))


def _loosened(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """A name that is one concept, which hardly any paper names, read by its words as well.

    All in the title, they mean it; in an abstract "speech" and "translation" are far apart, and
    not all that is emergent there is emergent misalignment.
    """
    telling = telling_of(reading)
    if len(telling) != 1 or not 0 < telling[0].share < _TINY or telling[0].both:
        return []
    (facet,) = telling
    concept = thesaurus.concept(facet.label)
    if concept is not None and concept.listed:  # papers elsewhere name it: it is not that rare
        return []
    apart = _parts(pieces(facet.label, thesaurus, besides=facet.label))
    if len(telling_of(apart)) < 2:
        return []
    return [tuple(replace(each, in_title=True) for each in apart)]


def _parts(facets: Iterable[Facet]) -> Reading:
    return tuple(replace(facet, part=True) for facet in facets)


WAYS = (_at_home, _made_up, _within, _loosened)
"""Each gives further readings for one, in this order."""
