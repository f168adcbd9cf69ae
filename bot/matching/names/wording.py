"""A name as somebody types it, in words: without numbering, shorthands, signs and repetitions.

"III. Agents (continued)"       Agents
"Mixture of Experts (MoE)"      Mixture of Experts
"LLM4Code w/ RAG/agents"        LLM for Code with RAG / agents
"Compression (pruning, LoRA)"   Compression: pruning, LoRA
"""

import re
from collections.abc import Iterator
from itertools import combinations

from bot.matching.concepts.facets import JOINTS, clean
from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.names.framing import unframed
from bot.matching.queries.tokens import is_query
from bot.matching.spelling.folding import words
from bot.matching.spelling.stems import stem

_A_NAME = 8  # words of a name that a topic of the catalogue may have
_NEAR = 200  # characters before an abbreviation that may spell it out
_SIGN = re.compile(r"([/,&])")
_SHORT, _SHORTEST = 4, 2  # letters beside a sign that makes one word of them: AT&T, TCP/IP
_SHORTHANDS = (
    (re.compile(r"^\W*[A-Z]?\d{1,2}(?:\.\d+)*\s+[–—]\s+"), ""),
    (re.compile(r"^\W*[IVX]{2,4}\.\s+(?=\w)"), ""),
    (
        re.compile(r"^\W*(?:appendix|chapter|part|section)\s+\w{1,4}(?:\.\w+)*\s*[:.–—-]\s+", re.I),
        "",
    ),
    (re.compile(r"\((?:continued|cont['’]?d?\.?)\)", re.I), " "),
    (re.compile(r"(?<=\s)/(?=\s)"), "or"),
    (re.compile(r"(?<=\s)(?:[–—·]|--?)(?=\s)"), ":"),
    (re.compile(r"(?<!\S)w/o(?!\S)", re.I), "without"),
    (re.compile(r"(?<!\S)w/", re.I), "with "),
    (re.compile(r"\b(deep|neural)[ -]net(?=s?\b)", re.I), r"\1 network"),
    (re.compile(r"(?<!\S)(\w+)-\s+(and|or)\s+(\w+)-(\w+)", re.I), r"\1-\4 \2 \3-\4"),
    (re.compile(r"\b(?:(?:best|good|new|right) )?ways? (?:to|of)\b", re.I), " "),
)
_DOTTED = re.compile(r"(?<![\w.])(?:[a-z]\.){2,}(?:[a-z](?!\w))?", re.I)
_CAPITALS = re.compile(r"(?<!\S)([A-Z][A-Za-z]{0,6}[A-Z])s?$")
_NUMBERED = re.compile(r"\b([A-Za-z]{2,})([24])([A-Za-z]{2,})\b")
_MEANT = {"2": "{}-to-{}", "4": "{} for {}"}


def in_words(name: str, thesaurus: Thesaurus) -> str:
    """The name with a word for each shorthand, and with signs for "and" and "or" apart."""
    return _parted(_said_once(written_out(name, thesaurus), thesaurus), thesaurus)


def written_out(name: str, thesaurus: Thesaurus) -> str:
    """The name alone, in English, without shorthands: "music w/ diffusion", "R.A.G."."""
    name = thesaurus.english.of(unframed(name))
    for short, long in _SHORTHANDS:
        name = short.sub(long, name).strip() or name
    name = _NUMBERED.sub(lambda found: _unnumbered(found, thesaurus), name)
    return _DOTTED.sub(lambda found: _undotted(found[0], thesaurus), name)


def said_otherwise(name: str, thesaurus: Thesaurus) -> Iterator[str]:
    """The name with one thing by its own name or its abbreviations: "deep RL", "LLM cascades".

    Other names of a thing may mean less than it does, so only those are exchanged; and the words
    of a query stay as they are.
    """
    parts = name.split()
    if len(parts) > _A_NAME or is_query(name):
        return
    for start, end in combinations(range(len(parts) + 1), 2):
        typed = " ".join(parts[start:end])
        concept = thesaurus.concept(typed)
        own = (concept.name, *concept.abbreviations) if concept else ()
        if words(typed) in map(words, own):
            yield from (" ".join([*parts[:start], each, *parts[end:]]) for each in own)


def _unnumbered(found: re.Match[str], thesaurus: Thesaurus) -> str:
    """ "LLM4Code" and "Video2Text" in words, where nothing is called so."""
    first, sign, last = found.groups()
    if thesaurus.concept(found[0]) is not None or not _is_sayable(first, thesaurus):
        return found[0]
    return _MEANT[sign].format(first, last)


def _undotted(text: str, thesaurus: Thesaurus) -> str:
    """An abbreviation without its full stops, where it is known that way."""
    letters = text.replace(".", "")
    short = letters.removesuffix("s").upper() if text.endswith(".s") else letters.upper()
    return short if _is_sayable(short, thesaurus) else text


def _parted(name: str, thesaurus: Thesaurus) -> str:
    """The name with its signs for "and" and "or" standing apart: "RAG/agents", but "R&D"."""
    apart = (
        part if _is_one_word(part, thesaurus) else _SIGN.sub(r" \1 ", part) for part in name.split()
    )
    return " ".join(" ".join(apart).split()).replace(" & ", " and ")


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
    """The name without what its parentheses repeat: "Mixture of Experts (MoE)".

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
            said = f"{said}: {short}" if said and "," in short else f"{said} {short}"
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
    """How many of the last words an abbreviation stands for; 0 where it stands for none."""
    parts = re.findall(r"[^\W_]+", said[-_NEAR:])
    letters = short.removesuffix("s").lower()
    if letters and "".join(part[0] for part in parts[-len(letters) :]).lower() == letters:
        return len(letters)
    meant = thesaurus.concept(short) if short else None
    for count in range(1, min(len(parts), thesaurus.longest) + 1) if meant else ():
        if thesaurus.concept(" ".join(parts[-count:])) is meant:
            return count
    return 0
