"""Compounds: what a word with a hyphen says that hardly any paper writes so.

"agent-system"        an agent, a system
"user-centric"        a user
"LLM-generated"       an LLM
"""

import re

from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.spelling.folding import words

BY_MEANS_OF = re.compile(r"(?<!agent)-(?:aided|assisted|aware|based|driven|enabled|powered)$", re.I)
"""What "RIS-aided" says beside RIS; "agent-based" is another thing than an agent."""
BY = re.compile(
    r"-(?:augmented|conditioned|enhanced|generated|grounded|guided|informed|inspired|simulated)$",
    re.I,
)
"""The same where the compound itself is hardly ever written: "LLM-generated"."""

_SIDE, _END = 5, 2  # letters of each side of a compound that is read as two words; of its ends
_ADDS = re.compile(r"([^-]+)-(?:centric|oriented|level|wise|specific|style|like)", re.I)
"""What a compound says beside the word that it is made of; "free" and "agnostic" turn it round."""


def sides_of(typed: str, thesaurus: Thesaurus) -> list[str]:
    """The known words of a compound that is hardly ever written: "agent-system", "text-to-sound".

    None for any other word: "on-policy", "real-time" and "agent-based" say more than their sides,
    and no paper holds the sides of what is one word where it is folded, "cross-domain".
    """
    sides = _apart(typed) if len(words(typed)) > 1 else []
    if not sides or thesaurus.company_of(typed) or BY_MEANS_OF.search(typed):
        return []
    if "-to-" in typed and not any(map(thesaurus.concept, sides)):  # "time-to-event"
        return []
    return sides if all(is_counted(side, thesaurus) for side in sides) else []


def _apart(compound: str) -> list[str]:
    sides = compound.split("-")
    if len(sides) < 2 or not all(map(str.isalpha, sides)):
        return []
    first, *within, last = sides
    if added := _ADDS.fullmatch(compound):
        return [added[1]]
    if within == ["to"]:
        return [first, last] if first != last and min(len(first), len(last)) > _END else []
    return sides if not within and min(len(first), len(last)) >= _SIDE else []


def is_counted(word: str, thesaurus: Thesaurus) -> bool:
    """Whether papers say a word, as far as the thesaurus knows."""
    return bool(
        thesaurus.concept(word) or is_generic(word, thesaurus) or thesaurus.company_of(word)
    )


def is_generic(word: str, thesaurus: Thesaurus) -> bool:
    """Whether a word says little about what a paper is about: "model", "data"."""
    return all(each in thesaurus.generic or each.isdecimal() for each in words(word))
