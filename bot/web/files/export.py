"""Papers to take along: BibTeX, RIS, CSV, JSON.  Pure."""

import csv
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

from bot.model import Paper
from bot.text import is_group, latin
from bot.text.glyphs import maths

_SMALL = "a an the on of for in to and with towards toward from at by is are"
_STOP = frozenset(_SMALL.split())
# BibTeX counts braces even behind a backslash: one without its partner would cut the file short.
_LATEX = {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
          "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$",
          "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}  # fmt: skip
_AND = re.compile(r"\band\b", re.IGNORECASE)
# A DOI is an address: read as it stands, and a brace in it counts all the same.
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def bibtex(papers: Sequence[Paper]) -> str:
    """BibTeX entries as arXiv itself gives them (`@misc` with `eprint`), each with its own key."""
    taken: set[str] = set()
    return "\n".join(_entry(paper, taken) for paper in papers)


def _entry(paper: Paper, taken: set[str]) -> str:
    fields = {
        "title": f"{{{_tex(paper.title)}}}",  # a second pair of braces keeps the capitals
        "author": " and ".join(_tex_name(author.name) for author in paper.authors),
        "year": str(paper.submitted_at.year),
        "month": f"{paper.submitted_at:%b}".lower(),
        "eprint": "" if paper.is_sample else paper.arxiv_id,
        "archivePrefix": "" if paper.is_sample else "arXiv",
        "primaryClass": _tex(paper.primary),
        "doi": paper.doi.translate(_VERBATIM),
        "note": _tex(paper.journal_ref or paper.comment),
        "abstract": _tex(" ".join(paper.abstract.split())),
        "url": paper.url,
    }
    said = ",\n".join(
        f"  {name} = {value if name == 'month' else f'{{{value}}}'}"
        for name, value in fields.items()
        if value
    )
    return f"@misc{{{_key(paper, taken)},\n{said}\n}}\n"


def _key(paper: Paper, taken: set[str]) -> str:
    """ "lovelace2026stepwise", with a letter behind it where two papers would share it."""
    words = re.findall(r"[a-z0-9]+", _ascii(paper.title))
    word = next((w for w in words if w not in _STOP), "paper")
    last = (
        re.sub(r"[^a-z]", "", _ascii(_last_first(paper.authors[0].name)[0]))
        if paper.authors
        else ""
    )
    key = base = f"{last or 'anonymous'}{paper.submitted_at.year}{word}"
    number = 2
    while key in taken:
        key, number = f"{base}-{number}", number + 1
    taken.add(key)
    return key


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", latin(text)).encode("ascii", "ignore").decode()
    return plain.casefold()


def _tex(text: str) -> str:
    """Text as LaTeX reads it.  Accented letters stay: pdfLaTeX knows them, but no mathematics."""
    return "".join(_LATEX.get(char) or maths(char) for char in text)


def _tex_name(name: str) -> str:
    # A group's name, or one that holds "and", must not be parted into people.
    return f"{{{_tex(name)}}}" if _is_whole(name) else _tex(_as_bibtex(name))


def _is_whole(name: str) -> bool:
    return is_group(name) or bool(_AND.search(name))


def _as_bibtex(name: str) -> str:
    """A name in the order that BibTeX reads rightly: with a suffix, or parted by its comma."""
    last, first = _last_first(name)
    family, suffix = _without_suffix(last)
    if not suffix and "," not in name:
        return name
    return ", ".join(part for part in (family, suffix, first) if part)


def ris(papers: Sequence[Paper]) -> str:
    """RIS records of unpublished work, one field a line."""
    return "\n".join(_record(paper) for paper in papers)


def _record(paper: Paper) -> str:
    lines = [
        ("TY", "UNPB"),
        ("TI", paper.title),
        *(("AU", _ris_name(author.name)) for author in paper.authors),
        ("PY", str(paper.submitted_at.year)),
        ("DA", f"{paper.submitted_at:%Y/%m/%d}"),
        ("AB", paper.abstract),
        *(("KW", category) for category in paper.categories),
        ("AN", paper.arxiv_id if paper.is_sample else f"arXiv:{paper.arxiv_id}"),
        ("DO", paper.doi),
        ("N1", paper.journal_ref),
        ("N1", paper.comment),
        ("UR", paper.url),
    ]
    said = [f"{tag}  - {' '.join(value.split())}" for tag, value in lines if value]
    return "\n".join([*said, "ER  - ", ""])


def _ris_name(name: str) -> str:
    if _is_whole(name):
        return name
    last, first = _last_first(name)
    return f"{last}, {first}" if first else last


def _last_first(name: str) -> tuple[str, str]:
    """A printed name as (family name, the rest); "van der Berg" and "Jr." are kept whole."""
    family, comma, given = name.partition(",")
    if comma and given.strip(" .") not in _SUFFIXES:
        return " ".join(family.split()), " ".join(given.replace(",", "").split())
    words = name.replace(",", "").split()
    end = len(words)
    while end > 1 and words[end - 1].rstrip(".") in _SUFFIXES:
        end -= 1
    start = max(end - 1, 0)
    while start > 1 and words[start - 1].islower():
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start])


def _without_suffix(last: str) -> tuple[str, str]:
    """ "King Jr." as ("King", "Jr.")."""
    words = last.split()
    if len(words) > 1 and words[-1].rstrip(".") in _SUFFIXES:
        return " ".join(words[:-1]), words[-1]
    return last, ""


_SUFFIXES = ("Jr", "Sr", "II", "III", "IV")


def table(papers: Sequence[Paper]) -> str:
    """CSV with a heading line.  A cell that a spreadsheet would compute gets an apostrophe.

    The mark at its beginning tells Excel that it is UTF-8.
    """
    out = StringIO()
    out.write("\ufeff")
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(_COLUMNS)
    for paper in papers:
        rows.writerow([_safe(str(value)) for value in _plain(paper)])
    return out.getvalue()


_CELL = 32_000
"""The characters of a cell.  Excel ends one at 32,767 and tears its row there."""
_COLUMNS = ("arxiv_id", "version", "title", "authors", "categories", "submitted", "url", "pdf",
            "code", "doi", "journal_ref", "comment", "abstract")  # fmt: skip


def _plain(paper: Paper) -> tuple[object, ...]:
    return (
        paper.arxiv_id, paper.version, paper.title, _listed(paper),
        " ".join(paper.categories), paper.submitted_at.date().isoformat(), paper.url,
        paper.pdf_url, paper.code_url, paper.doi, paper.journal_ref, paper.comment,
        " ".join(paper.abstract.split()),
    )  # fmt: skip


def _listed(paper: Paper) -> str:
    """The authors in a cell; of thousands as many as a spreadsheet has room for."""
    names = [author.name for author in paper.authors]
    whole = "; ".join(names)
    if len(whole) <= _CELL:
        return whole
    room = whole[: _CELL - len("; and 99999 others")]
    shown = room.count("; ")  # the last one may be cut
    return "; ".join([*names[:shown], f"and {len(names) - shown} others"])


def _safe(cell: str) -> str:
    cell = cell[:_CELL]
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


FILES: Mapping[str, Callable[[Sequence[Paper]], str]] = {
    "bib": bibtex,
    "ris": ris,
    "csv": table,
}
"""What papers are taken along as, by the ending of the file."""

MEDIA = {
    "bib": "application/x-bibtex; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}


def json_feed(
    papers: Sequence[Paper],
    *,
    title: str,
    home: str,
    feed: str,
    tags: Mapping[str, Sequence[str]],
) -> str:
    """JSON Feed 1.1 (jsonfeed.org), with arXiv's own fields under `_arxiv`."""
    return json.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": title,
            "home_page_url": home,
            "feed_url": feed,
            "language": "en",
            "items": [_item(paper, tags.get(paper.arxiv_id, ())) for paper in papers],
        },
        ensure_ascii=False,
        indent=1,
    )


def _item(paper: Paper, tags: Sequence[str]) -> dict[str, object]:
    return {
        "id": paper.url,
        "url": paper.url,
        "title": paper.title,
        "content_text": paper.abstract,
        "date_published": paper.submitted_at.isoformat(),
        "date_modified": paper.updated_at.isoformat(),
        "authors": [{"name": author.name} for author in paper.authors],
        "tags": list(tags),
        "_arxiv": {
            "id": paper.arxiv_id,
            "version": paper.version,
            "categories": list(paper.categories),
            "pdf": paper.pdf_url,
            "code": paper.code_url,
            "doi": paper.doi,
            "journal_ref": paper.journal_ref,
            "comment": paper.comment,
            "withdrawn": paper.withdrawn,
            "affiliations": {a.name: list(a.affiliations) for a in paper.authors if a.affiliations},
        },
    }
