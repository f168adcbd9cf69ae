"""What an address names: a topic, a paper, a list of papers; or trouble."""

import re
from dataclasses import dataclass

from starlette.requests import Request

from bot.core import Core
from bot.model import Paper, Topic
from bot.text.identifiers import parse
from bot.web.body import Body
from bot.web.cache import Cache
from bot.web.trouble import Trouble
from bot.web.views import Library

LONGEST_QUERY = 1_000
MOST_SAVED = 500  # papers that one address names: some 6,000 characters, which proxies let pass

_ID = re.compile(r"(?:sample/[\w.-]{1,40}|[a-z-]{2,12}/\d{7}|\d{4}\.\d{4,5})", re.ASCII)


def identified(text: str) -> str:
    """The key of the paper that a text spells, however it is pasted; "" for anything else."""
    found = parse(text)
    if found:
        return found.arxiv_id
    bare = re.sub(r"v\d+$", "", text.strip())
    return bare if _ID.fullmatch(bare) else ""


def query_of(request: Request) -> str:
    """The end of the address as it was asked for: "?page=2", or ""."""
    return f"?{request.url.query}" if request.url.query else ""


@dataclass(frozen=True, slots=True)
class Ways:
    """How people can follow here: `by_mail` is the path of the form, "" where there is none."""

    by_mail: str = ""
    in_slack: bool = True


class Door:
    """The core, its library and what was made of it, for a set of addresses."""

    def __init__(self, core: Core, library: Library, *, ways: Ways, cache: Cache[Body]) -> None:
        self._core = core
        self._ways = ways
        self._library = library
        self._cache = cache

    def topic_of(self, request: Request) -> Topic:
        """The topic that the address names.  Raises Trouble, with near names."""
        slug = request.path_params["slug"]
        topic = self._library.topic(slug)
        if topic is None:
            words = " ".join(re.findall(r"\w+", slug))[:80]
            raise Trouble(
                404,
                "No such topic",
                f"There is no topic “{words}” here." if words else "There is no such topic here.",
                near=self._library.near(words) if words else (),
                make=words,
                ways=self._ways,
            )
        return topic

    def paper_of(self, request: Request) -> Paper:
        """The paper that the address names, in whichever version.  Raises Trouble."""
        asked = request.path_params["arxiv_id"]
        wanted = identified(asked)
        paper = self._library.paper(wanted) if wanted else None
        if paper is None:
            raise Trouble(
                404,
                "No such paper",
                f"“{(wanted or asked)[:40]}” is not stored here."
                + ("" if parse(wanted) else " The number of a paper looks like 2501.01234."),
                at_arxiv=wanted if parse(wanted) else "",
            )
        return paper

    def named(self, request: Request) -> tuple[list[str], list[str], list[Paper]]:
        """The identifiers that the address lists, those not stored here, and the papers.

        Raises Trouble where it lists more than MOST_SAVED.
        """
        given = request.query_params.get("ids", "").split(",")
        ids = [each for each in dict.fromkeys(map(identified, given)) if each]
        if len(ids) > MOST_SAVED:
            raise Trouble(
                400,
                "Too many papers at once",
                f"The address names {len(ids):,} papers, and {MOST_SAVED} are read. "
                "Ask for them in parts.",
            )
        papers = self._library.papers(ids) if ids else []
        stored = {paper.arxiv_id for paper in papers}
        return ids, [i for i in ids if i not in stored], papers

    def home(self, request: Request) -> str:
        """Where the pages are reached: as configured, else as they were asked for."""
        return self._core.house.links.base_url or f"{request.url.scheme}://{request.url.netloc}"
