"""What stands around a name: an event, a list of papers, a page of somebody's interests.

"ICML 2026 Workshop on Agents"        agents
"SemEval-2026 Task 5: Humor"          humor
"Best papers on state-of-the-art OCR" OCR
"awesome-multimodal-agents"           multimodal agents
"My interests include OCR, e.g. HTR"  OCR, HTR
"Call for Papers: Workshop on Urns"   Urns
"""

import re
from collections.abc import Iterator

# Each word is read in one way only: two ways a word would be a million for twenty words.  What
# may stand before a frame is taken whole, from its first sign on, so that long rows are read once.
_VENUE = r"[A-Z](?=[A-Za-z]*[A-Z])\w+"  # two capitals: ICML, NeurIPS, BioASQ
_YEAR = r"(?:['’]\d\d|20\d\d)"
_WHICH = r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|annual|international|joint"
_HELD = "workshop|symposium|conference|special (?:issue|session)|shared task"
_RUN = "challenge|competition|lab|session|task|track|tutorial"
_WHERE = rf"(?:{_VENUE}[\s-]?)?{_YEAR}\s+"
_LEADING = rf"(?>(?:(?i:the|{_WHICH}|ieee|acm|20\d\d)|{_VENUE}|[A-Z][A-Za-z-]*['’]?\d{{2,4}})\s+)*"
_PRAISED = "all|best|classic|good|important|key|latest|new|recent|seminal|top"
_TAUGHT = "courses?|introduction|lectures?|primer|talks?|tutorials?"
_ABOUT = r"\s+(?:about|for|in|of|on|to)\s+"
_INTERESTS = (
    r"(?:(?:my|our|main|current|the)\s+)*(?:research\s+)?(?:areas?|interests?|topics?|themes?)"
    r"(?:\s+of\s+interest)?(?:\s+(?:are|is|includes?|including|span|cover)\b|:)"
)
_IN_A_CV = (
    (rf"^\W*{_INTERESTS}\W*", ""),
    (r"(?<!\W)\W*+\b(?:but\s+(?:(?:are|is)\s+)?)?not\s+limited\s+to\b\W*", " "),
    (r"^\W*call\s+for\s+(?:papers|participation|abstracts)\W+", ""),
    (r"\(\s*(?:phd|doctoral|msc|master['’]?s?)\s+(?:thesis|project)[^)]*\)", " "),
    (r"(?<![\s,(])[\s,(]*+(?<!\w)(?:e\.\s?g\.|i\.\s?e\.|such\s+as)[,:]?\s+", ", "),
    (r"^\W*only\s+|,?\s+but\s+only\s+", " "),
    (r"^\s*[•∙▪‣]\s*", ""),
    (r"\s*[•∙▪‣]\s*", ", "),
)
_OF_AN_EVENT = (
    (rf"^{_VENUE}[\s-]?{_YEAR}\s+(?i:(?:sub)?task|track)\s*\w{{0,2}}\s*[:–—-]\s+", ""),
    (rf"^{_VENUE}[\s-]?{_YEAR}\s+(\S.*?)\s+(?i:{_RUN}|{_HELD})$", r"\1"),
    (rf"^(?i:the\s+)?{_WHERE}(?i:(?:{_WHICH})\s+)*(?i:{_RUN}|{_HELD})(?i:{_ABOUT})", ""),
    (rf"^\W*{_LEADING}(?:(?i:{_HELD})(?i:{_ABOUT})|(?i:tutorial\s+(?:on|about)\s+))", ""),
    (rf"\s+(?:@\s?{_VENUE}(?:\s?{_YEAR})?|(?i:at)\s+{_VENUE}\s?{_YEAR})$", ""),
    (r"(?<=\w)\s+(?i:workshop|symposium|shared task)$", ""),
)
_OF_A_LIST = (
    (rf"^(?:the\s+)?(?:{_PRAISED})\s+(?:articles|papers|preprints|works?){_ABOUT}", ""),
    (rf"^(?:(?:a|my|our|the)\s+)?(?:paper|reading)\s+list(?:{_ABOUT}|:\s+)", ""),
    (rf"^(?:(?:a|an|the)\s+)?(?:{_TAUGHT})\s+(?:on|to)\s+", ""),
    (rf"^open\s+(?:challenges|problems|questions){_ABOUT}", ""),
    (rf"\b(?:state[\s-]of[\s-]the[\s-]art|SOTA)\b(?:{_ABOUT})?", " "),
)
_AWESOME = re.compile(r"^awesome[\s-]+(?=\w)", re.I)


def _frames() -> Iterator[tuple[re.Pattern[str], str]]:
    """Each pattern and what replaces it; only for events do capitals matter."""
    for table, flags in ((_IN_A_CV, re.I), (_OF_AN_EVENT, re.NOFLAG), (_OF_A_LIST, re.I)):
        yield from ((re.compile(pattern, flags), inner) for pattern, inner in table)


_FRAMES = tuple(_frames())


def unframed(name: str) -> str:
    """The name without the event, the list or the page that it stands in, if any."""
    name = " ".join(name.split()) or name
    if _AWESOME.match(name):
        name = _AWESOME.sub("", name.replace("-", " ") if " " not in name else name)
    for frame, inner in _FRAMES:
        name = " ".join(frame.sub(inner, name).split()) or name
    return name
