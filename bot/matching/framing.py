"""What stands around a name: an event, a list of papers, their standing.

"ICML 2026 Workshop on Agents"        agents
"SemEval-2026 Task 5: Humor"          humor
"Best papers on state-of-the-art OCR" OCR
"awesome-multimodal-agents"           multimodal agents
"""

import re

_VENUE = r"[A-Z][A-Za-z]*[A-Z]\w*"  # two capitals: ICML, NeurIPS, BioASQ
_YEAR = r"(?:['’]\d\d|20\d\d)"
_WHICH = r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|annual|international|joint"
_HELD = "workshop|symposium|conference|special (?:issue|session)|shared task"
_RUN = "challenge|competition|lab|session|task|track|tutorial"
_WHERE = rf"(?:{_VENUE}[\s-]?)?{_YEAR}\s+"
_PRAISED = "all|best|classic|good|important|key|latest|new|position|recent|seminal|survey|top"
_TAUGHT = "courses?|introduction|lectures?|primer|talks?|tutorials?"
_ABOUT = r"\s+(?:about|for|in|of|on|to)\s+"
_FRAMES = tuple(
    (re.compile(pattern, re.I if flags else 0), inner)
    for pattern, inner, flags in (
        (rf"^{_VENUE}[\s-]?{_YEAR}\s+(?i:(?:sub)?task|track)\s*\w{{0,2}}\s*[:–—-]\s+", "", False),
        (rf"^{_VENUE}[\s-]?{_YEAR}\s+(\S.*?)\s+(?i:{_RUN}|{_HELD})$", r"\1", False),
        (rf"^(?i:the\s+)?{_WHERE}(?i:(?:{_WHICH})\s+)*(?i:{_RUN}|{_HELD})(?i:{_ABOUT})", "", False),
        (
            rf"^(?i:the\s+)?(?:{_VENUE}\s+)?(?i:(?:{_WHICH})\s+)*(?i:{_HELD})(?i:{_ABOUT})",
            "",
            False,
        ),
        (rf"\s+(?:@\s?{_VENUE}(?:\s?{_YEAR})?|(?i:at)\s+{_VENUE}\s?{_YEAR})$", "", False),
        (r"(?<=\w)\s+(?:workshop|symposium|shared task)$", "", True),
        (rf"^(?:the\s+)?(?:{_PRAISED})\s+(?:articles|papers|preprints|works?){_ABOUT}", "", True),
        (rf"^(?:(?:a|my|our|the)\s+)?(?:paper|reading)\s+list(?:{_ABOUT}|:\s+)", "", True),
        (rf"^(?:(?:a|an|the)\s+)?(?:{_TAUGHT})\s+(?:on|to)\s+", "", True),
        (rf"^open\s+(?:challenges|problems|questions){_ABOUT}", "", True),
        (rf"\b(?:state[\s-]of[\s-]the[\s-]art|SOTA)\b(?:{_ABOUT})?", " ", True),
    )
)
_AWESOME = re.compile(r"^awesome[\s-]+(?=\w)", re.I)


def unframed(name: str) -> str:
    """The name without the event or the list of papers that it stands in, where it is in one."""
    if _AWESOME.match(name):
        name = _AWESOME.sub("", name.replace("-", " ") if " " not in name else name)
    for frame, inner in _FRAMES:
        name = " ".join(frame.sub(inner, name).split()) or name
    return name
