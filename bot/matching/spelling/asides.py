"""What an abstract says aside: what it gives as an example, or as what it does not do.

    "domains such as finance and law, we …"    finance and law
    "unlike federated learning, we …"          federated learning

A thing that is named there alone is hardly what the paper is about.
"""

import re

_EXAMPLES = "such as ", "including ", "e.g."
_CONTRASTS = "nlike ", "ather than ", "nstead of ", "without relying on "  # some begin a sentence
_GOES_ON = (
    "we|this|these|our|which|that|it|they|has|have|is|are|was|were|can|cannot|often|remain|"
    "remains|require|requires|rely|relies"
)
_TO_THE_VERB = re.compile(rf"(?:(?!,? (?:{_GOES_ON}) )[^.;()])*")
_TO_THE_COMMA = re.compile(r"[^,.;:()]*")
_LEADS = (
    *((lead, _TO_THE_VERB) for lead in _EXAMPLES),
    *((lead, _TO_THE_COMMA) for lead in _CONTRASTS),
)


def asides(abstract: str) -> list[str]:
    """The stretches of an abstract that name things aside."""
    found = []
    for lead, end in _LEADS:
        start = abstract.find(lead)
        while start >= 0:
            start += len(lead)
            if stretch := end.match(abstract, start):
                found.append(stretch[0])
            start = abstract.find(lead, start)
    return found
