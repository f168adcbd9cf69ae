"""An abstract's sentences, cut so that each is a piece of it word for word.  Pure."""

import re

# What ends with a full stop without ending a sentence.
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|et al|al|fig|figs|eq|eqs|sec|secs|no|nos|ref|refs"
    r"|thm|prop|def|dr|prof|st|w\.r\.t|a\.k\.a|i\.i\.d|s\.t)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?][\"”’')\]]*\s+(?=[\"“‘'(\[]?[A-Z0-9$\\Α-Ω])")
_LEAST = 12  # characters: less is a list number or a cut abbreviation, not a sentence


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text` in order, without the blanks between them.

    Abbreviations ("e.g.", "et al."), initials and decimals do not end one; nothing is changed,
    so that every sentence is found in `text` as it stands.
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.end()].strip()
        if len(piece) < _LEAST or _SHORT.search(piece):
            continue
        found.append(piece)
        start = end.end()
    rest = text[start:].strip()
    return (*found, rest) if rest else tuple(found)
