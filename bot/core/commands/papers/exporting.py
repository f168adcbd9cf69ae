"""Papers to take along: links to the files of what was saved, of a topic, or of some papers."""

import re
from collections.abc import Iterator, Sequence

from bot.core.commands.errand import Errand, refused
from bot.core.commands.papers.shelf import is_of_papers, papers_named
from bot.core.commands.words.lookup import must_know
from bot.core.reply import Code, Line, Link, Reply, Strong, joined, line
from bot.text import plural

_FORMS = (("BibTeX", "bib"), ("RIS", "ris"), ("CSV", "csv"))
_AT_ONCE = 200  # papers of one link, which is to pass wherever it is shown
_SAID_BESIDE = re.compile(
    r"\b(?:a|all|as|atom|feed|for|rss|bibtex|bookmarks?|citations?|csv|data|everything|file|from|in|into|library|list|me"
    r"|my|of|papers?|please|ris|saved|the|to|topic|zotero)\b|[^\w\s-]",
    re.IGNORECASE,
)


def export(errand: Errand, text: str) -> Reply:
    """`export`, `export TOPIC`, `export 2501.01234`: the links of BibTeX, RIS and CSV."""
    base = errand.house.links.base_url
    if not base:
        raise refused("Papers are taken along from the web pages, and none are set here; ask "
                      "whoever runs Paperround to set web.address.")  # fmt: skip
    if is_of_papers(errand, text):
        papers = papers_named(errand, text)
        return errand.reply(*_of_papers(base, [p.arxiv_id for p in papers], "paper"))
    if name := " ".join(_SAID_BESIDE.sub(" ", text).split()):
        return _of_topic(errand, base, name)
    saved = errand.house.papers(errand.house.store.people.saved(errand.subscriber))
    if not saved:
        return errand.reply(line("No saved papers. Keep one with ", Code("save 2501.01234")))
    return errand.reply(*_of_papers(base, [p.arxiv_id for p in saved], "saved paper"))


def _of_topic(errand: Errand, base: str, name: str) -> Reply:
    topic = must_know(errand, name, "export")
    if not errand.house.has_page(topic):
        raise refused("Only topics of the catalogue have a page with files; save papers and ",
                      Code("export"), " those.")  # fmt: skip
    page = f"{base}/topics/{topic.slug}"
    feed = Link("Atom", f"{page}.atom")
    links = _links(page, "")
    return errand.reply(line(Strong(topic.name), " to take along: ", *links, "; as a feed: ", feed,
                             "."))  # fmt: skip


def _of_papers(base: str, ids: Sequence[str], what: str) -> Iterator[Line]:
    """Lines of links, each for as many papers as one address may name."""
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        which = "" if len(ids) <= _AT_ONCE else f" ({start + 1} to {start + len(some)})"
        links = _links(f"{base}/saved", f"?ids={','.join(some)}")
        yield line(f"{plural(len(ids), what)}{which} to take along: ", *links, ".")


def _links(address: str, query: str) -> Line:
    return joined(Link(name, f"{address}.{kind}{query}") for name, kind in _FORMS)
