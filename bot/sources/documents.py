"""XML as it comes over the wire: whole and harmless, or not at all."""

import re
from dataclasses import dataclass
from html.entities import html5

from lxml import etree

from bot.sources import SourceError

ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"
RAW = "{http://arxiv.org/OAI/arXivRaw/}"

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = re.compile(
    r"&(?:#(?P<decimal>\d{1,9});|#x(?P<hex>[0-9a-f]{1,8});|(?P<name>\w+;)|)", re.I
)
_NAMED = {"amp;", "lt;", "gt;", "quot;", "apos;"}  # the names that XML knows; HTML has more
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ELEMENT = re.compile(rb"<[A-Za-z_]")


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed answer.  `mended` says that characters no XML may hold were taken out, or that an
    ampersand was one of HTML's."""

    root: etree._Element
    mended: bool = False


def read(body: bytes, roots: frozenset[str]) -> Document:
    """Parse strictly, and once more without illegal characters where those are all that is wrong.

    One paper's odd character must not keep all the others of its page away for as long as it is
    shown.
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
    mended = _REFERENCE.sub(_legal, _ILLEGAL.sub("", body.decode("utf-8", "replace")))
    try:
        root = etree.fromstring(mended.encode(), _parser())
    except etree.XMLSyntaxError:
        raise SourceError(f"arXiv's answer was cut off or damaged ({problem[:80]})") from None
    return Document(root, mended=True)


def _legal(found: re.Match[str]) -> str:
    """What XML may hold in place of an ampersand and the entity that it begins."""
    if found["decimal"] or found["hex"]:
        code = int(found["decimal"] or found["hex"], 10 if found["decimal"] else 16)
        return found[0] if code < 0x110000 and not _ILLEGAL.match(chr(code)) else ""
    name = found["name"] or ""
    if name in _NAMED:
        return found[0]
    return html5.get(name) or "&amp;" + name


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
