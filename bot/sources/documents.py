"""XML as it comes over the wire: whole and harmless, or not at all."""

import re
from dataclasses import dataclass

from lxml import etree

from bot.sources import SourceError

ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"
RAW = "{http://arxiv.org/OAI/arXivRaw/}"

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ILLEGAL_REFERENCE = re.compile(
    r"&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));", re.I
)
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ELEMENT = re.compile(rb"<[A-Za-z_]")


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed answer.  `mended` says that characters no XML may hold were taken out."""

    root: etree._Element
    mended: bool = False


def read(body: bytes, roots: frozenset[str]) -> Document:
    """Parse strictly, and once more without illegal characters where those are all that is wrong.

    `roots` are the names the document element may have.  Raises SourceError for anything cut
    off, for a document type (entity bombs live there), and for another kind of document.
    """
    if not body.strip():
        raise SourceError("arXiv's answer was empty")
    prolog = body[: match.start()] if (match := _ELEMENT.search(body)) else body[:4096]
    if _DECLARATION.search(prolog):
        raise SourceError("arXiv's answer declares a document type, which it never does; not read")
    document = _parsed(body)
    if document.root.getroottree().docinfo.internalDTD is not None:
        raise SourceError("arXiv's answer declares a document type, which it never does; not read")
    name = etree.QName(document.root).localname
    if name not in roots:
        raise SourceError(f"arXiv answered with a page of another kind (<{name[:40]}>)")
    return document


def text_of(parent: etree._Element, path: str) -> str:
    """The text of a child, or ""."""
    return parent.findtext(path) or ""


def _parsed(body: bytes) -> Document:
    try:
        return Document(etree.fromstring(body, _parser()))
    except etree.XMLSyntaxError as broken:
        problem = broken.msg or "not well-formed"
    mended = _ILLEGAL_REFERENCE.sub("", _ILLEGAL.sub("", body.decode("utf-8", "replace")))
    try:
        root = etree.fromstring(mended.encode(), _parser())
    except etree.XMLSyntaxError:
        raise SourceError(f"arXiv's answer was cut off or damaged ({problem[:80]})") from None
    return Document(root, mended=True)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
