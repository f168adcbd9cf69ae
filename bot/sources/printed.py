"""From what arXiv prints to a Paper: clean text, names, categories, links to code."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from lxml import etree

from bot import text
from bot.model import Author, Paper, Rejected, Sighting
from bot.text.identifiers import Identifier

# arXiv's categories, not the ACM and MSC classes that its API lists beside them.
_CATEGORY = re.compile(r"[a-z][a-z-]*(?:\.[A-Za-z][A-Za-z-]*)?")
_WITHDRAWN = re.compile(
    r"(?:(?:has|have|is|was|been)\s+withdrawn|^\s*withdrawn"
    r"|\bwithdrawn (?:by|due|because|from arxiv)"
    r"|(?:paper|article|manuscript|submission|preprint) withdrawn)",
    re.IGNORECASE,
)
_WITHDRAWN_ABSTRACT = re.compile(
    r"^\W*(?:withdrawn|(?:this|the) (?:paper|article|manuscript|submission|preprint|work)\s+"
    r"(?:\([^)]*\)\s+)?(?:has been|was|is)\s+withdrawn)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?:https?://)?(?:www\.)?(?P<place>(?:github|gitlab|codeberg)\.(?:com|org)/[\w.-]+/[\w.-]+"
    r"|huggingface\.co/(?!papers/)[\w.-]+/[\w.-]+|(?<![\w-])[\w-]+\.github\.io(?:/[\w./~-]*)?)",
    re.IGNORECASE,
)
# Looked for first: the pattern alone took more than half of the time that a paper takes.
_CODE_HOSTS = ("github", "gitlab", "codeberg", "huggingface")
_LONGEST_RAW = 20_000


class Unusable(ValueError):
    """An entry lacks something a paper must have; the message says what."""


class Entries(NamedTuple):
    """What some entries held, and those that could not be read."""

    sightings: tuple[Sighting, ...]
    rejected: tuple[Rejected, ...]


def entries(
    elements: Iterable[etree._Element], read: Callable[[etree._Element], Sighting]
) -> Entries:
    """Read each entry; one that raises ValueError costs only itself."""
    sightings: list[Sighting] = []
    rejected: list[Rejected] = []
    for element in elements:
        try:
            sightings.append(read(element))
        except ValueError as problem:
            raw = etree.tostring(element, encoding="unicode")[:_LONGEST_RAW]
            rejected.append(Rejected(raw, str(problem)))
    return Entries(tuple(sightings), tuple(rejected))


def paper(
    identifier: Identifier,
    *,
    title: str,
    abstract: str,
    authors: Iterable[tuple[str, Sequence[str]]],
    categories: Sequence[str],
    submitted_at: datetime,
    updated_at: datetime,
    comment: str = "",
    doi: str = "",
    journal_ref: str = "",
    withdrawn: bool = False,
) -> Paper:
    """A paper from printed fields: names with affiliations, the primary category first.

    Raises Unusable where there is no title.
    """
    shown = _plain(title)
    if not shown:
        raise Unusable("no title")
    remark, summary = _plain(comment), _plain(abstract)
    return Paper(
        arxiv_id=identifier.arxiv_id,
        version=identifier.version or 1,
        title=shown,
        abstract=summary,
        authors=tuple(_authors(authors)),
        categories=tuple(dict.fromkeys(c for c in categories if _CATEGORY.fullmatch(c))),
        submitted_at=submitted_at,
        updated_at=max(updated_at, submitted_at),
        withdrawn=withdrawn or is_withdrawn(remark, summary),
        comment=remark,
        doi=text.clean(doi),
        journal_ref=_plain(journal_ref),
        code_url=code_url(remark, summary),
    )


def instant(written: str, what: str) -> datetime:
    """An instant as arXiv writes it, in UTC.  Raises Unusable naming `what`."""
    written = written.strip()
    if not written:
        raise Unusable(f"no date of {what}")
    try:
        at = datetime.fromisoformat(written)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unusable(f"“{written[:40]}” is no date of {what}") from None


def is_withdrawn(comment: str, abstract: str) -> bool:
    """Whether the authors or arXiv say that the paper was withdrawn.

    The API knows no flag: the reason stands in the comments, in old papers in the abstract.
    """
    return bool(_WITHDRAWN.search(comment) or _WITHDRAWN_ABSTRACT.search(abstract))


def code_url(*texts: str) -> str:
    """The first repository that the texts name, else the first project page, else ""."""
    texts = tuple(each for each in texts if any(host in each.lower() for host in _CODE_HOSTS))
    found = [match["place"].rstrip(".,/") for each in texts for match in _CODE.finditer(each)]
    best = [place for place in found if not place.partition("/")[0].endswith(".github.io")]
    return f"https://{(best or found)[0].removesuffix('.git')}" if found else ""


def authors_from_line(line: str) -> list[tuple[str, tuple[str, ...]]]:
    """Names and affiliations from one line: "A. Foo (Univ. X), B. Bar and C. Baz (1)"."""
    line = re.sub(r"\(\(1\).*$", "", " ".join(line.split()))
    parts: list[tuple[str, tuple[str, ...]]] = []
    for entry in _top_level(line):
        places = tuple(p.strip() for p in re.findall(r"\(([^()]*)\)", entry))
        name = re.sub(r"\s*\([^()]*\)", "", entry).strip()
        if re.fullmatch(r"(?:Jr|Sr|I{1,3}|IV)\.?", name) and parts:
            parts[-1] = (f"{parts[-1][0]}, {name}", parts[-1][1])
        elif name:
            parts.append((name, tuple(p for p in places if re.search(r"[^\W\d_]{2}", p))))
    return parts


def _top_level(line: str) -> list[str]:
    """Split at commas, semicolons and "and" outside of parentheses."""
    entries, depth, start = [], 0, 0
    for match in re.finditer(r"[()]|,\s*(?:and\s+)?|;\s*|\s+and\s+|:\s+", line):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth = max(depth - 1, 0)
        elif not depth:
            entries.append(line[start : match.start()].strip())
            start = match.end()
    entries.append(line[start:].strip())
    return [entry for entry in entries if entry]


def _authors(printed: Iterable[tuple[str, Sequence[str]]]) -> Iterable[Author]:
    for entry, places in printed:
        affiliations = tuple(filter(None, map(_plain, places))) if places else ()
        for name in text.people((entry,)):
            yield Author(name, affiliations)


def _plain(written: str) -> str:
    return text.clean(text.unicode_from_latex(written)) if written else ""
