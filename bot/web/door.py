"""What an address names: a topic, a paper, a list of papers; or trouble."""

import re

from starlette.requests import Request

from bot.core import Core
from bot.model import Paper, Topic
from bot.web.body import Body
from bot.web.holdings import Library
from bot.web.kept import Kept
from bot.web.trouble import Trouble

LONGEST_QUERY = 1_000
MOST_SAVED = 200

_ID = re.compile(r"(?:sample/[\w.-]{1,40}|[a-z-]{2,12}/\d{7}|\d{4}\.\d{4,5})", re.ASCII)


class Door:
    """The core, its library and what was made of it, for a set of addresses."""

    def __init__(self, core: Core, library: Library, *, base_url: str, kept: Kept[Body]) -> None:
        self._core = core
        self._library = library
        self._base_url = base_url.rstrip("/")
        self._kept = kept

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
            )
        return topic

    def paper_of(self, request: Request) -> Paper:
        """The paper that the address names, in whichever version.  Raises Trouble."""
        wanted = re.sub(r"v\d+$", "", request.path_params["arxiv_id"])
        paper = self._library.paper(wanted) if _ID.fullmatch(wanted) else None
        if paper is None:
            raise Trouble(
                404,
                "No such paper",
                f"“{wanted[:40]}” is not stored here. It may be read at arXiv itself, "
                "if it is the number of a paper.",
            )
        return paper

    def named(self, request: Request) -> tuple[list[str], list[str], list[Paper]]:
        """The identifiers that the address lists, those not stored here, and the papers."""
        given = request.query_params.get("ids", "")[: MOST_SAVED * 30].split(",")
        ids = list(dict.fromkeys(i.strip() for i in given if _ID.fullmatch(i.strip())))[:MOST_SAVED]
        papers = self._library.papers(ids) if ids else []
        stored = {paper.arxiv_id for paper in papers}
        return ids, [i for i in ids if i not in stored], papers

    def home(self, request: Request) -> str:
        """Where the pages are reached: as configured, else as they were asked for."""
        return self._base_url or f"{request.url.scheme}://{request.url.netloc}"
