"""A bare name understood: which facets a paper must show.

"Memory for LLM Agents"              memory · LLM agents
"Prompt and Context Compression"     prompt compression, or context compression
"Code Agents and Issue Resolution"   code agents, or issue resolution
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from bot.matching.facets import (
    EITHER,
    JOINTS,
    LINKS,
    Facet,
    Reading,
    clean,
    of_concept,
    pieces,
)
from bot.matching.stems import stem
from bot.matching.thesaurus import Thesaurus

_BROAD = 0.12  # of all papers: a word that says too little by itself
_WIDE = 0.03  # of all papers: a side of an "and" that nobody follows for itself
_MOST = 12  # readings of one name
_NEAR = 200  # characters before an abbreviation that may spell it out
_TINY = 0.001  # of all papers: a concept whose name is hardly ever used
_NARROW = 0.02  # of all papers: a word that says enough by itself
_SIGN = re.compile(r"([/,&])")
_SHORT, _SHORTEST = 4, 2  # letters beside a sign that makes one word of them: AT&T, TCP/IP
_SHORTHANDS = (
    (re.compile(r"(?<!\S)w/o(?!\S)", re.I), "without"),
    (re.compile(r"(?<!\S)w/", re.I), "with "),
    (re.compile(r"\b(deep|neural)[ -]net(?=s?\b)", re.I), r"\1 network"),
    (re.compile(r"(?<!\S)(\w+)-\s+(and|or)\s+(\w+)-(\w+)", re.I), r"\1-\4 \2 \3-\4"),
    (re.compile(r"\b(?:(?:best|good|new|right) )?ways? (?:to|of)\b", re.I), " "),
)
_DOTTED = re.compile(r"(?<![\w.])(?:[a-z]\.){2,}(?:[a-z](?!\w))?", re.I)
_CAPITALS = re.compile(r"(?<!\S)([A-Z][A-Za-z]{0,6}[A-Z])s?$")


def read(name: str, thesaurus: Thesaurus) -> tuple[Reading, ...]:
    """The alternatives of a name, each a tuple of facets that must all show; () for no words."""
    name = _parted(_said_once(written_out(name, thesaurus), thesaurus), thesaurus)
    whole = _segments(name, thesaurus)
    parts = _segments(name, None)
    found = _combined(whole, thesaurus)
    if parts == whole:
        turned = _turned(parts, thesaurus)
        found = turned + [r for r in found if not turned or len(_telling(r)) > 1]
    else:  # "Memory for LLM Agents" is a concept, and a memory and an agent
        apart = _combined(parts, thesaurus)
        found += [r for r in apart if _says_enough(r)]
    found = [r for r in found if not _is_broad(r)] or found
    for otherwise in (_made_up, _loosened):
        found += [other for reading in list(found) for other in otherwise(reading, thesaurus)]
    return tuple(_unique(reading) for reading in found if reading)[:_MOST]


def _says_enough(apart: Reading) -> bool:
    """Whether a name read word by word still asks for two things: not "networks on graphs"."""
    return len(_telling(apart)) > 1 and all(facet.known for facet in _telling(apart))


def _telling(reading: Reading) -> list[Facet]:
    return [facet for facet in reading if not facet.generic and not facet.side_by_side]


def written_out(name: str, thesaurus: Thesaurus) -> str:
    """The name without shorthands: "music w/ diffusion", "deep nets", "R.A.G."."""
    for short, long in _SHORTHANDS:
        name = short.sub(long, name)
    return _DOTTED.sub(lambda found: _undotted(found[0], thesaurus), name)


def _undotted(text: str, thesaurus: Thesaurus) -> str:
    """An abbreviation without its full stops, where it is known that way."""
    letters = text.replace(".", "")
    short = letters.removesuffix("s").upper() if text.endswith(".s") else letters.upper()
    return short if _is_sayable(short, thesaurus) else text


def _parted(name: str, thesaurus: Thesaurus) -> str:
    """The name with its signs for "and" and "or" standing apart: "RAG/agents", but "R&D"."""
    return " ".join(
        part if _is_one_word(part, thesaurus) else _SIGN.sub(r" \1 ", part) for part in name.split()
    )


def _is_one_word(part: str, thesaurus: Thesaurus) -> bool:
    """Whether a sign within is part of the word, as in "Q&A", "TCP/IP"; not in "AI/ML"."""
    sides = re.findall(r"[^/&]+", clean(part))
    if len(sides) != 2 or any(len(side) > _SHORT or _is_sayable(side, thesaurus) for side in sides):
        return False
    if "&" in part and all(map(str.isupper, sides)):
        return True
    return any(side.isalpha() and len(side) <= _SHORTEST for side in sides)


def _is_sayable(side: str, thesaurus: Thesaurus) -> bool:
    """Whether it says something by itself: a concept, a generic word, an "and"."""
    known = thesaurus.concept(side) is not None or stem(side) in thesaurus.generic
    return known or side.lower() in JOINTS


def _said_once(name: str, thesaurus: Thesaurus) -> str:
    """The name without what it says again in parentheses: "Mixture of Experts (MoE)".

    What the thesaurus does not know spelled out, papers are better known for by the abbreviation.
    """
    said = ""
    for before, short in re.findall(r"([^()]*)(?:\(([^()]*)\))?", name):
        said = f"{said} {before}".rstrip()
        if (abbreviation := _CAPITALS.search(said)) and _spells_out(short, abbreviation[1]):
            better = _better_known(short, abbreviation[1], thesaurus)
            said = said[: abbreviation.start()] + better
            continue
        count = _restated(said, short.strip(), thesaurus) if short else 0
        spelled = re.search(rf"(?:[^\W_]+[\W_]*){{{count}}}$", said[-_NEAR:]) if count else None
        if not spelled:
            said = f"{said} {short}"
        elif thesaurus.concept(spelled[0]) is None:
            said = said.removesuffix(spelled[0]) + short
    return said.strip()


def _spells_out(text: str, abbreviation: str) -> bool:
    """Whether words say what an abbreviation before them stands for, as in "MPC (secure
    multiparty computation)": its letters are in them in that order, the first begins a word."""
    spelled = [word.lower() for word in re.findall(r"[^\W_]+", text[:_NEAR])]
    inner = ".*?".join(abbreviation.lower())
    begun = re.search(rf"(?:^| ){inner}", " ".join(spelled))
    return len(spelled) > 1 and begun is not None


def _better_known(spelled: str, abbreviation: str, thesaurus: Thesaurus) -> str:
    """What papers are found by: the words, unless only the abbreviation is known or neither."""
    known, meant = thesaurus.concept(spelled), thesaurus.concept(abbreviation)
    return abbreviation if known is meant else spelled


def _restated(said: str, short: str, thesaurus: Thesaurus) -> int:
    """How many of the last words an abbreviation stands for; 0 where it is none of them."""
    parts = re.findall(r"[^\W_]+", said[-_NEAR:])
    letters = short.removesuffix("s").lower()
    if letters and "".join(part[0] for part in parts[-len(letters) :]).lower() == letters:
        return len(letters)
    meant = thesaurus.concept(short) if short else None
    for count in range(1, min(len(parts), thesaurus.longest) + 1) if meant else ():
        if thesaurus.concept(" ".join(parts[-count:])) is meant:
            return count
    return 0


def _turned(parts: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    """ "Evaluation of Large Language Models" is LLM evaluation, where that is a concept."""
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
    return all(facet.known and facet.share >= least for facet in _telling(reading))


def _made_up(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """The reading with a concept replaced by those that make it up, for each that has such."""
    found = []
    for place, facet in enumerate(reading):
        for way in facet.both:
            parts = _parts(of_concept(thesaurus.concepts[name]) for name in way)
            found.append((*reading[:place], *parts, *reading[place + 1 :]))
    return found


def _loosened(reading: Reading, thesaurus: Thesaurus) -> list[Reading]:
    """A name that is one concept, which hardly any paper names, read by its words as well."""
    telling = _telling(reading)
    if len(telling) != 1 or not 0 < telling[0].share < _TINY or telling[0].both:
        return []
    (facet,) = telling
    concept = thesaurus.concept(facet.label)
    if concept is not None and concept.listed:  # papers elsewhere name it: it is not that rare
        return []
    words = _parts(pieces(facet.label, thesaurus, besides=facet.label))
    return [words] if len(_telling(words)) > 1 else []


def _parts(facets: Iterable[Facet]) -> Reading:
    return tuple(replace(facet, part=True) for facet in facets)


def _combined(segments: list[list[str]], thesaurus: Thesaurus) -> list[Reading]:
    readings: list[Reading] = [()]
    for segment in segments:
        options = _segment(segment, thesaurus)
        if options:
            readings = [(*left, *right) for left in readings for right in options][:8]
    return readings


def _segments(name: str, thesaurus: Thesaurus | None) -> list[list[str]]:
    """Words between prepositions; a known concept that holds one ("mixture of experts") stays."""
    text = re.sub(r"[:;]", " for ", name)
    parts = [p for p in text.split() if p in JOINTS or re.search(r"[^\W_]", p)]
    found: list[list[str]] = [[]]
    start = 0
    while start < len(parts):
        end = _joined_concept(parts, start, thesaurus) if thesaurus else 0
        if end:
            found += [parts[start:end], []]
        elif clean(parts[start]).lower() in LINKS:
            found.append([])
        else:
            found[-1].append(parts[start])
        start = end or start + 1
    return [segment for segment in found if segment]


def _joined_concept(parts: list[str], start: int, thesaurus: Thesaurus) -> int:
    """Where a known concept that begins here and holds a preposition or an "and" ends, or 0."""
    for end in range(min(len(parts), start + thesaurus.longest), start + 2, -1):
        inner = {part.lower() for part in parts[start + 1 : end - 1]}
        if inner & (LINKS | JOINTS) and thesaurus.concept(clean(" ".join(parts[start:end]))):
            return end
    return 0


def _segment(parts: list[str], thesaurus: Thesaurus) -> list[Reading]:
    whole = " ".join(parts)
    if thesaurus.concept(clean(whole)) is not None:
        return [pieces(whole, thesaurus)]
    *firsts, last = _sides(parts)
    options = [_first_side(side, last, thesaurus) for side in firsts]
    options.append(_last_side(firsts, last, thesaurus))
    least = _BROAD if EITHER & {part.lower() for part in parts} else _WIDE
    return _with_context([option for option in options if option], least)


def _with_context(options: list[Reading], least: float) -> list[Reading]:
    """ "RAG and Reasoning" is not about RAG, or about any reasoning: a wide side is asked too.

    A side is wide that at least that share of papers shows.
    """
    telling = [option for option in options if not all(f.generic for f in option)]
    narrow = [option for option in telling if not _is_broad(option, least)]
    wide = [f for option in telling if option not in narrow for f in option if not f.generic]
    if not wide:
        return telling or options
    return [(*option, *wide) for option in narrow] or [tuple(wide)]


def _first_side(side: list[str], last: list[str], thesaurus: Thesaurus) -> Reading:
    """ "Prompt and Context Compression" speaks of prompt compression, "Superposition and Sparse
    Autoencoders" of superposition."""
    shared = " ".join([*side, *last[1:]]) if len(side) == 1 else ""
    own = thesaurus.concept(clean(shared)) is None and thesaurus.concept(clean(" ".join(last)))
    return pieces(shared if shared and not own else " ".join(side), thesaurus)


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
