"""The Atom of arXiv's API: a page of a search as papers and as what could not be read."""

import re
from dataclasses import dataclass

import arxiv
from arxiv import _feed
from lxml import etree

from bot.model import Paper
from bot.sources import Rejected, Sighting, SourceFault, printed
from bot.sources.documents import ATOM, OPENSEARCH, text_of
from bot.sources.session import Refused
from bot.text.identifiers import parse

_ERROR = "/api/errors"
_COUNT = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Feed:
    """One page.  `total` is what the server says the whole search finds; None where it does not.

    `count` is how many entries the page had, readable or not: paging goes by it.
    """

    sightings: tuple[Sighting, ...]
    rejected: tuple[Rejected, ...]
    count: int
    total: int | None
    mended: bool = False


def feed(root: etree._Element, *, mended: bool = False) -> Feed:
    """Read a page.  Raises Refused for the error entry that arXiv sends with status 200."""
    entries = root.findall(ATOM + "entry")
    found = printed.entries(entries, _sighting)
    written = text_of(root, OPENSEARCH + "totalResults").strip()
    total = int(written) if _COUNT.fullmatch(written) else None
    return Feed(found.sightings, found.rejected, len(entries), total, mended)


def _sighting(entry: etree._Element) -> Sighting:
    if _ERROR in text_of(entry, ATOM + "id"):
        said = " ".join(text_of(entry, ATOM + "summary").split())
        raise Refused(f"arXiv refuses the search: {said[:200]}", SourceFault.PERMANENT, 400)
    return Sighting(paper_from_entry(entry))


def paper_from_entry(entry: etree._Element) -> Paper:
    """One entry as a paper.  Raises ValueError saying what it lacks."""
    result = _result(entry)
    identifier = parse(result.entry_id)
    if identifier is None:
        raise printed.Unusable(f"“{result.entry_id[:80]}” is no identifier")
    primary = [result.primary_category] if result.primary_category else []
    return printed.paper(
        identifier,
        title=result.title,
        abstract=result.summary,
        authors=[(author.name, author.affiliation) for author in result.authors],
        categories=[*primary, *result.categories],
        submitted_at=result.published,
        updated_at=result.updated,
        comment=result.comment or "",
        doi=result.doi or "",
        journal_ref=result.journal_ref or "",
    )


def _result(entry: etree._Element) -> arxiv.Result:
    """The entry as the arxiv package reads it, from the element that we parsed strictly.

    The package's own door, `Client.results`, parses with recovery and takes a feed that was cut
    off for a whole one.
    """
    if not entry.findtext(ATOM + "id"):
        raise printed.Unusable("no identifier")
    printed.instant(text_of(entry, ATOM + "published"), "submission")
    printed.instant(text_of(entry, ATOM + "updated"), "the version")
    result: arxiv.Result | None = _feed._build_result(entry)
    if result is None:
        raise printed.Unusable("the arxiv package finds no paper in it")
    return result
