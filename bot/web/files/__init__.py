"""Papers to take along or to follow in a reader: Atom, JSON, BibTeX, RIS, CSV.

atom and export make them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bot.matching import QueryError
from bot.web.body import Body
from bot.web.door import LONGEST_QUERY, Door
from bot.web.files import atom, export
from bot.web.rendering import Card
from bot.web.selection import Selection
from bot.web.trouble import Trouble
from bot.web.views import FED, TAKEN

_KINDS = {
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
    **export.MEDIA,
}


class _About(TypedDict):
    title: str
    home: str
    feed: str
    tags: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a file is of: its title, its page, and its own address without and with its query.

    The address is its identity for whoever follows it, so it is made of what was understood,
    never of what somebody wrote behind it.
    """

    title: str
    home: str
    path: str
    query: str = ""

    @property
    def name(self) -> str:
        """What it is called where it is saved: "world-models.bib", "math-0611800.bib"."""
        parts = self.path.split("/")
        return "-".join(part for part in parts if part not in ("", "topics", "papers"))


class Files(Door):
    """Feeds and exports over one core."""

    def routes(self) -> list[BaseRoute]:
        """Where each file is."""
        return [
            Route("/search.{kind:kind}", self.search_file),
            Route("/saved.{kind:kind}", self.saved_file),
            Route("/topics/{slug}.{kind:kind}", self.topic_file),
            Route("/papers/{arxiv_id:path}.{kind:kind}", self.paper_file),
        ]

    def topic_file(self, request: Request) -> Response:
        """A topic's feed, or its papers to take along."""
        topic, kind = self.topic_of(request), request.path_params["kind"]
        wanted = Selection.parse(request.query_params).exported
        home = f"/topics/{topic.slug}"
        taken = _Taken(topic.name, home, f"{home}.{kind}", wanted.query)
        if kind != "atom":
            cards: Sequence[Card] = self._library.listing(topic, wanted, TAKEN).papers
            return self._file(request, kind, cards, taken)

        def feed() -> Body:
            found = (
                self._library.listing(topic, wanted, FED).papers
                if wanted.narrowed
                else self._library.cards(self._library.latest(topic))
            )
            return self._feed(request, found, taken)

        key = (topic.slug, wanted, "atom", self.home(request))
        made = self._cache.get(key, self._library.stamp_of(topic), feed)
        return made.answer(request, _KINDS["atom"])

    def paper_file(self, request: Request) -> Response:
        """One paper to cite."""
        paper = self.paper_of(request)
        kind, home = request.path_params["kind"], f"/papers/{paper.arxiv_id}"
        taken = _Taken(paper.title, home, f"{home}.{kind}")
        return self._file(request, kind, self._library.cards([paper]), taken)

    def search_file(self, request: Request) -> Response:
        """The papers of a query as a feed or to take along."""
        q = " ".join(request.query_params.get("q", "").split())
        if not q or len(q) > LONGEST_QUERY:
            raise Trouble(400, "Which papers?", "Give a query, as in /search.atom?q=world+models")
        kind = request.path_params["kind"]
        try:
            cards = (
                self._library.fed(q) if kind == "atom" else self._library.search(q, TAKEN).papers
            )
        except QueryError as error:
            raise Trouble(400, "That query cannot be read", str(error)) from error
        query = f"?q={quote(q)}"
        taken = _Taken(q, f"/search{query}", f"/search.{kind}", query)
        return self._file(request, kind, cards, taken)

    def saved_file(self, request: Request) -> Response:
        """Papers that the address names, to take along."""
        ids, _, papers = self.named(request)
        kind, query = request.path_params["kind"], f"?ids={','.join(ids)}"
        taken = _Taken("Saved papers", f"/saved{query}", f"/saved.{kind}", query)
        return self._file(request, kind, self._library.cards(papers), taken)

    def _file(self, request: Request, kind: str, cards: Sequence[Card], taken: _Taken) -> Response:
        if kind == "atom":
            return self._feed(request, cards, taken).answer(request, _KINDS[kind])
        papers = [card.paper for card in cards]
        if kind == "json":
            body = export.json_feed(papers, **self._about(request, cards, taken))
        else:
            body = export.FILES[kind](papers)
        response = Body(body, atom.newest(papers)).answer(request, _KINDS[kind])
        if kind != "json":
            response.headers["Content-Disposition"] = f'attachment; filename="{taken.name}"'
        return response

    def _feed(self, request: Request, cards: Sequence[Card], taken: _Taken) -> Body:
        papers = [card.paper for card in cards]
        # A feed without papers was true from the start of the day.
        day = self._core.house.clock().replace(hour=0, minute=0, second=0, microsecond=0)
        about = self._about(request, cards, taken)
        return Body(atom.atom(papers, **about, empty_at=day), atom.newest(papers))

    def _about(self, request: Request, cards: Sequence[Card], taken: _Taken) -> _About:
        root = self.home(request)
        return {
            "title": taken.title,
            "home": root + taken.home,
            "feed": root + taken.path + taken.query,
            "tags": {card.paper.arxiv_id: [t.name for t in card.tags] for card in cards},
        }
