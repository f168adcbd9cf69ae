"""Papers as an Atom feed (RFC 4287).  Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from lxml import etree

from bot.model import Paper

_ATOM = "http://www.w3.org/2005/Atom"


def atom(
    papers: Sequence[Paper],
    *,
    title: str,
    home: str,
    feed: str,
    tags: Mapping[str, Sequence[str]],
    empty_at: datetime,
) -> bytes:
    """A feed of `papers` in their order.

    `feed` is the feed's own address and identity, `home` its page, `tags` name the topics of a
    paper by arXiv id; `empty_at` is when a feed without papers was last true.  The same papers
    give the same bytes.
    """
    root = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})  # type: ignore[dict-item]  # the stubs lag
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    _add(root, "id", feed)
    _add(root, "title", title)
    _add(root, "updated", _instant(newest(papers) or empty_at))
    _add(root, "link", rel="self", type="application/atom+xml", href=feed)
    _add(root, "link", rel="alternate", type="text/html", href=home)
    _add(_add(root, "author"), "name", "Paperround")
    _add(root, "rights", "Abstracts are their authors’; arXiv’s metadata are in the public domain.")
    for paper in papers:
        _entry(root, paper, tags.get(paper.arxiv_id, ()))
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def newest(papers: Sequence[Paper]) -> datetime | None:
    """When the latest of these papers was first seen or last changed; None for none."""
    return max((max(p.updated_at, p.first_seen_at or p.updated_at) for p in papers), default=None)


def _entry(root: etree._Element, paper: Paper, tags: Sequence[str]) -> None:
    entry = _add(root, "entry")
    _add(entry, "id", paper.url)
    _add(entry, "title", paper.title)
    _add(entry, "updated", _instant(paper.updated_at))
    _add(entry, "published", _instant(paper.submitted_at))
    _add(entry, "link", rel="alternate", type="text/html", href=paper.url)
    _add(entry, "link", rel="related", type="application/pdf", href=paper.pdf_url, title="PDF")
    for author in paper.authors[:100]:  # 3,000 names would be most of the feed
        _add(_add(entry, "author"), "name", author.name)
    for category in paper.categories:
        _add(entry, "category", term=category, scheme="http://arxiv.org/schemas/atom")
    for tag in tags:
        _add(entry, "category", term=tag)
    _add(entry, "summary", paper.abstract or paper.title)


def _add(parent: etree._Element, name: str, said: str = "", **attributes: str) -> etree._Element:
    child = etree.SubElement(parent, f"{{{_ATOM}}}{name}")
    child.text = _legal(said) or None
    for key, value in attributes.items():
        child.set(key, _legal(value))
    return child


def _legal(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(c for c in text if c in "\t\n\r" or ("\x20" <= c <= "\ud7ff") or c >= "\ue000")


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
