"""Where a paper's authors work, from arXiv's HTML page of the paper.

arXiv's feeds name almost no affiliations; its HTML pages, made by LaTeXML, do for about half of
the papers.  They ask for 15 seconds between two pages: give the session a limiter of that gap.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from lxml import etree, html

from bot.model import Author, Paper
from bot.sources.session import Refused, Session
from bot.text import latin, places

GAP_S = 15.0

_MARK = re.compile(r"⟦([^⟦⟧]*)⟧")
_PLACES = ("ltx_role_affiliation", "ltx_role_institute", "ltx_role_institutetext")
_BREAKS = ("br", "p", "div", "tr", "li")


class HtmlPage:
    """Reads affiliations, one paper at a time."""

    def __init__(self, session: Session, *, base_url: str = "https://arxiv.org") -> None:
        self._session = session
        self._base_url = base_url.rstrip("/")

    def authors(self, paper: Paper) -> tuple[Author, ...]:
        """The paper's authors with the institutes printed on its page.

        As they were where there is no page, or it names none.  Raises SourceError.
        """
        try:
            body = self._session.page(f"{self._base_url}/html/{paper.arxiv_id}")
        except Refused as refusal:
            if refusal.status == 404:  # no HTML was made of this paper
                return paper.authors
            raise
        return affiliated(body, paper.authors)


def affiliated(body: bytes, authors: Sequence[Author]) -> tuple[Author, ...]:
    """`authors` with the places that a LaTeXML page prints beside their names."""
    found: dict[str, list[str]] = {}
    for name, printed in _printed(body):
        found.setdefault(_folded(name), []).extend(printed)
    return tuple(
        replace(author, affiliations=places(found[_folded(author.name)]))
        if _folded(author.name) in found and not author.affiliations
        else author
        for author in authors
    )


def _printed(body: bytes) -> Iterator[tuple[str, list[str]]]:
    """(name, affiliations as printed) for each author of a page."""
    try:
        parser = html.HTMLParser(encoding="utf-8")
        page = cast(html.HtmlElement, html.document_fromstring(body, parser=parser))
    except (etree.ParserError, ValueError):
        return
    for creator in page.find_class("ltx_role_author"):
        beside = [each for kind in _PLACES for each in creator.find_class(kind)]
        own = [_text(each).replace("⟦", " ").replace("⟧", " ") for each in beside]
        for name in creator.find_class("ltx_personname"):
            yield from _in_lump(_text(name), own)


def _in_lump(text: str, own: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Names and places out of one block: "Ada⟦1⟧, Mary⟦2⟧ / ⟦1⟧Example Labs / ⟦2⟧Acme"."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    legend: dict[str, str] = {}
    for line in lines:
        if line.startswith("⟦"):
            pieces = _MARK.split(line)[1:]
            for marks, place in zip(pieces[::2], pieces[1::2], strict=False):
                legend.update(dict.fromkeys(_marks(marks), place))
    named = [line for line in lines if not line.startswith("⟦")]
    if legend:
        for line in named:
            for name, marks in _marked(line):
                yield name, [legend[m] for m in _marks(marks) if m in legend] + own
    elif named:
        first = _MARK.sub("", named[0])
        yield first, own + named[1:]


def _marked(line: str) -> Iterator[tuple[str, str]]:
    """Each name of a line with the marks behind it.

    One pass: whoever writes a paper may fill its lines with anything.
    """
    pieces = _MARK.split(line)
    for before, marks in zip(pieces[::2], pieces[1::2], strict=False):
        if name := before.rstrip(", "):
            yield name, marks


def _marks(text: str) -> list[str]:
    return [mark for mark in re.split(r"[\s,;]+", text) if mark]


def _text(element: html.HtmlElement) -> str:
    """The words of an element: raised marks in ⟦ ⟧, breaks as line ends, notes left out."""
    lines = "".join(_within(element)).split("\n")
    return "\n".join(" ".join(line.split()) for line in lines)


def _within(element: html.HtmlElement) -> Iterator[str]:
    """The text inside an element, and of each child what is shown of it."""
    yield element.text or ""
    for child in element:
        yield from _shown(child)
        yield child.tail or ""


def _shown(element: html.HtmlElement) -> Iterator[str]:
    kind = element.get("class") or ""
    if not isinstance(element.tag, str) or "ltx_note" in kind or "ltx_author_notes" in kind:
        return
    if element.tag in ("sup", "math") or "ltx_Math" in kind:
        marks = "".join(element.itertext()).strip(" {}^*†‡")
        yield f"⟦{marks}⟧" if marks and len(marks) < 12 else ""
        return
    if element.tag in _BREAKS:
        yield "\n"
    yield from _within(element)


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", latin(name).casefold())
    return " ".join(
        re.findall(r"[a-z]+", "".join(c for c in plain if not unicodedata.combining(c)))
    )
