"""arXiv identifiers in every spelling, and one to keep.

Source: arXiv's pages on its identifier scheme, for authors and for services.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

# Archives that ever had identifiers of the old kind; "sample" is the invented papers'.
_ARCHIVES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas "
    "cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin "
    "nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con sample"
)
_OLD = (
    rf"(?P<archive>{'|'.join(sorted(map(re.escape, _ARCHIVES.split()), key=len, reverse=True))})"
    r"(?:\.[a-z]{2,}(?:-[a-z]+)*)?/(?P<number>\d{2}(?:0[1-9]|1[0-2])\d{3})"
)
_NEW = r"(?P<new>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})"
_ID = rf"(?:{_NEW}|{_OLD})(?:v(?P<version>[1-9]\d{{0,2}}))?"
_FOLDER = r"(?:abs|pdf|html|ps|src|e-print|format|papers?|overview|dvi|tb|arxiv|10\.48550)/"
# A host is read from where it begins alone: else a long row of dots would be read from each.
_PLACE = (
    r"(?:https?://)?(?<![a-z0-9_.-])(?:[a-z0-9_-]+\.)*"
    r"(?:arxiv\.org|xxx\.lanl\.gov|ar5iv\.org|alphaxiv\.org|huggingface\.co|doi\.org"
    r"|semanticscholar\.org|scirate\.com|emergentmind\.com)"
    rf"/(?:{_FOLDER})?(?:arxiv\.)?"
)
# Pages about papers are everywhere, ours among them, and most keep arXiv's folders.
_ELSEWHERE = rf"(?<=\w)/{_FOLDER}(?:\d{{4}}/)?(?:arxiv[.:])?"
_PREFIX = r"(?:oai:arxiv\.org:|arxiv:\s*|doi:\s*10\.48550/arxiv\.|10\.48550/arxiv\.)"
_WHOLE = re.compile(
    rf"(?:{_PLACE}|{_PREFIX})?{_ID}(?:\.(?:pdf|ps|gz))?/?(?:[?#].*)?", re.IGNORECASE | re.DOTALL
)
# In running text a bare number of the old four digits is a number, not a paper.
_BARE = _ID.replace("{4,5}", "{5}").replace("?P<", "?P<bare_")
_NUMBER = r"\d{4}\.\d{5}(?!\d)"  # a slash may stand between two: 2608.20065/2608.20284
_BEHIND_ONE = r"(?:(?<=\d{4}\.\d{5}/)|(?<=\d{4}\.\d{5}v\d/))"
_FOUND = re.compile(
    rf"(?:{_PLACE}|{_PREFIX}|{_ELSEWHERE}){_ID}(?![^\W_])"
    rf"|(?:(?<![\w./:-])|{_BEHIND_ONE})(?:{_BARE})(?![\w-]|\.\d|/(?!{_NUMBER})\d)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(rf"[\s,;]+|(?<=\d)/(?={_NUMBER})")
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
_LONGEST_LINK = 2_000
_PROOFPOINT = re.compile(r"https?://urldefense\.proofpoint\.com/v2/url\?u=([^&\s]+)")
"""A link as that guard of mailboxes writes it: https-3A__arxiv.org_abs_2611.01234."""
_BIBCODE = re.compile(
    r"(?:https?://\S{1,200}/)?\b\d{4}arXiv(\d{4})\.?(\d{4,5})[A-Z](?:/abstract)?(?!\w)"
)
"""How ADS names a preprint: 2026arXiv260812345S."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """The key of a paper, and the version that was named; 0 where none was.

    The key has no version, a lower-case archive and no subject class: ``math/0611800``.
    """

    arxiv_id: str
    version: int = 0

    def __str__(self) -> str:
        return f"{self.arxiv_id}v{self.version}" if self.version else self.arxiv_id


def parse(text: str) -> Identifier | None:
    """The one identifier that the text spells: bare, ``arXiv:``, ``oai:``, DOI or a link.

    A link may lead to another site's page of it, or through a mailbox's guard.  None for anything
    else, and for text with more in it than an identifier.
    """
    plain = opened(text.strip()) if len(text) < _LONGEST_LINK else ""
    if match := _WHOLE.fullmatch(plain):
        return _identifier(match)
    found = set(_each(plain)) if _LINK.fullmatch(plain) else set()
    return found.pop() if len(found) == 1 else None


def only_ids(text: str) -> tuple[str, ...]:
    """The keys of the papers that a text consists of; () where there is anything else in it."""
    found = [parse(text)] if parse(text) else [parse(w) for w in _BETWEEN.split(text) if w]
    keys = dict.fromkeys(each.arxiv_id for each in found if each)
    return () if None in found else tuple(keys)


def find_ids(text: str) -> tuple[Identifier, ...]:
    """Every paper that somebody's text names, once each, in order."""
    return tuple(dict.fromkeys(_each(opened(text))))


def opened(text: str) -> str:
    """The text with the links in it as their targets are written, and bibcodes as numbers.

    What guards a mailbox, or counts clicks, writes a link into its own, sometimes one in another.
    """
    if "-3A__" in text:
        text = _PROOFPOINT.sub(lambda link: link[1].replace("-", "%").replace("_", "/"), text)
    text = unquote(unquote(text))
    return _BIBCODE.sub(r"arXiv:\1.\2", text) if "arXiv" in text else text


def number_of(arxiv_id: str) -> tuple[int, int]:
    """(year and month, number): sorts identifiers in the order arXiv gave them.

    Identifiers of the old kind come before all others.  (0, 0) for anything else.
    """
    match = re.fullmatch(r"(\d{4})\.(\d{4,5})", arxiv_id)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _each(text: str) -> Iterator[Identifier]:
    for match in _FOUND.finditer(text):
        yield _identifier(match, "bare_" if match["bare_new"] or match["bare_archive"] else "")


def _identifier(match: re.Match[str], group: str = "") -> Identifier:
    version = int(match[group + "version"] or 0)
    new = match[group + "new"]
    if new:
        return Identifier(new, version)
    return Identifier(f"{match[group + 'archive'].lower()}/{match[group + 'number']}", version)
