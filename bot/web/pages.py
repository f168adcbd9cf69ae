"""Topics, papers, search, ask and what was saved, as pages; feeds and exports beside them."""

import re
from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from typing import TypedDict
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bot.core import Actor, Core
from bot.core.reply import Reply
from bot.matching import QueryError
from bot.model import Identity, Paper, Topic
from bot.store import TooBroad
from bot.web import atom, export
from bot.web.kept import Kept
from bot.web.library import FED, TAKEN, Library, fields, groups
from bot.web.rendering import Card, asset, render, sample
from bot.web.selection import PAGE, OddAddress, Selection

LONGEST_QUESTION = 500
LONGEST_QUERY = 1_000
MOST_SAVED = 200

STRANGER = Identity("web", "", "")
"""Whoever reads a page: nobody in particular, whom no verb enrols."""

_KINDS = {
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}
_ID = re.compile(r"(?:sample/[\w.-]{1,40}|[a-z-]{2,12}/\d{7}|\d{4}\.\d{4,5})", re.ASCII)


class _About(TypedDict):
    title: str
    home: str
    feed: str
    tags: dict[str, list[str]]


class Trouble(Exception):
    """A page that says what was wrong and what to do instead."""

    def __init__(self, status: int, heading: str, *lines: str, **more: object) -> None:
        super().__init__(heading)
        self.status = status
        self.values = {"heading": heading, "lines": lines, "near": (), "make": "", **more}


class Pages:
    """The reading pages over one core.

    `follow_by_mail` is where the form of an address is sent, "" where there is none; pages may be
    `stale_s` seconds behind, so that a poll that writes does not make them anew for everyone.
    """

    def __init__(
        self,
        core: Core,
        *,
        base_url: str = "",
        own_topics: bool = False,
        follow_by_mail: str = "",
        stale_s: float = 60.0,
    ) -> None:
        self._core = core
        self._library = Library(core, own_topics=own_topics)
        self._base_url = base_url.rstrip("/")
        self._follow_by_mail = follow_by_mail
        self._kept = Kept[str](core.house.clock, stale_s=stale_s)
        self._feeds = Kept[tuple[bytes, datetime | None]](core.house.clock, stale_s=stale_s)

    def routes(self) -> list[BaseRoute]:
        """Where each page is."""
        return [
            Route("/", self.index),
            Route("/search", self.search),
            Route("/search.{kind:kind}", self.search_file),
            Route("/saved", self.saved),
            Route("/saved.{kind:kind}", self.saved_file),
            Route("/topics", lambda _: RedirectResponse("/", 301)),
            Route("/topics/{slug}.{kind:kind}", self.topic_file),
            Route("/topics/{slug}/ask", self.ask_topic),
            Route("/topics/{slug}", self.topic),
            Route("/papers/{arxiv_id:path}.{kind:kind}", self.paper_file),
            Route("/papers/{arxiv_id:path}/ask", self.ask_paper),
            Route("/papers/{arxiv_id:path}", self.paper),
        ]

    # -------------------------------------------------------------- topics

    def index(self, request: Request) -> Response:
        """All topics; with `q`, those whose names hold its words."""
        q = " ".join(request.query_params.get("q", "").split())[:200]
        if q:
            return _page(request, self._index_page(q))
        made = self._kept.get("/", self._library.stamp, lambda: self._index_page(""))
        return _page(request, made)

    def _index_page(self, q: str) -> str:
        rows = self._library.rows()
        words = q.casefold().split()
        found = [
            row
            for row in rows
            if all(
                word in " ".join((row.topic.name, *row.topic.aliases)).casefold() for word in words
            )
        ]
        return render(
            "index.html.j2",
            q=q,
            found=len(found),
            topics=len(rows),
            papers=self._core.house.store.papers.count(),
            groups=[] if q else groups(rows),
            fields=fields(found),
        )

    def topic(self, request: Request) -> Response:
        """One topic."""
        topic = self._topic(request)
        if topic.slug != request.path_params["slug"]:
            return RedirectResponse(f"/topics/{topic.slug}", 301)
        wanted = Selection.parse(request.query_params)
        opened = request.query_params.get("open", "")
        opened = opened if opened in ("follow", "ask") else ""
        made = self._kept.get(
            (topic.slug, wanted, opened),
            self._library.stamp_of(topic),
            lambda: self._topic_page(topic, wanted, opened),
        )
        return _page(request, made)

    def _topic_page(self, topic: Topic, wanted: Selection, opened: str) -> str:
        listing = self._library.listing(topic, wanted)
        if wanted.page > 1 and not listing.papers:
            raise Trouble(
                404, "There is no such page", f"{topic.name} has {listing.total} such papers."
            )
        return render(
            "topic.html.j2",
            topic=topic,
            at=f"/topics/{topic.slug}",
            glossary=self._library.glossary(topic),
            momentum=self._library.momentum(topic),
            related=self._library.related(topic),
            listing=listing,
            sought=wanted,
            opened=opened,
            follow_by_mail=self._follow_by_mail,
            sample=sample([card.paper for card in listing.papers]),
        )

    def topic_file(self, request: Request) -> Response:
        """A topic's feed, or its papers to take along."""
        topic, kind = self._topic(request), request.path_params["kind"]
        wanted = Selection.parse(request.query_params)
        home = f"/topics/{topic.slug}"
        if kind != "atom":
            cards: Sequence[Card] = self._library.listing(topic, wanted, TAKEN).papers
            return self._file(request, kind, cards, topic.name, home, topic.slug)

        def feed() -> tuple[bytes, datetime | None]:
            found = (
                self._library.listing(topic, wanted, FED).papers
                if wanted.narrowed
                else self._library.cards(self._library.latest(topic))
            )
            return self._feed(request, found, topic.name, home)

        key = (topic.slug, wanted, self._home(request))
        made, changed = self._feeds.get(key, self._library.stamp_of(topic), feed)
        return _reply(request, made, _KINDS["atom"], changed=changed)

    def ask_topic(self, request: Request) -> Response:
        """What a topic's papers say to a question."""
        topic = self._topic(request)
        question = _question(request)
        return self._answer(request, topic.slug, question, topic.name, f"/topics/{topic.slug}")

    # -------------------------------------------------------------- papers

    def paper(self, request: Request) -> Response:
        """One paper."""
        paper = self._paper(request)
        return _page(
            request,
            render(
                "paper.html.j2",
                paper=paper,
                tags=self._library.reasons(paper),
                related=self._library.beside(paper),
                sample=paper.is_sample,
            ),
        )

    def paper_file(self, request: Request) -> Response:
        """One paper to cite."""
        paper = self._paper(request)
        cards = self._library.cards([paper])
        name = paper.arxiv_id.replace("/", "-")
        home = f"/papers/{paper.arxiv_id}"
        return self._file(request, request.path_params["kind"], cards, paper.title, home, name)

    def ask_paper(self, request: Request) -> Response:
        """What one paper says to a question."""
        paper = self._paper(request)
        question = _question(request)
        home = f"/papers/{paper.arxiv_id}"
        return self._answer(request, paper.arxiv_id, question, paper.title, home)

    def search(self, request: Request) -> Response:
        """Papers for a topic's words or a query."""
        q = " ".join(request.query_params.get("q", "").split())
        cards: Sequence[Card] = ()
        trouble, query, more = "", q, False
        if len(q) > LONGEST_QUERY:
            trouble = f"That is {len(q):,} characters; {LONGEST_QUERY:,} are read."
            q = q[:60] + "…"
        elif q:
            try:
                found = self._library.search(q, PAGE)
                cards, query, more = found.papers, found.query, found.more
            except QueryError as error:
                trouble = str(error)
        values = {"q": q, "trouble": trouble, "papers": cards, "query": query, "more": more}
        near = self._library.near(q) if q and not trouble else ()
        shown = render(
            "search.html.j2", near=near, sample=sample([card.paper for card in cards]), **values
        )
        return _page(request, shown, status=400 if trouble else 200)

    def search_file(self, request: Request) -> Response:
        """The papers of a query as a feed or to take along."""
        q = " ".join(request.query_params.get("q", "").split())
        if not q or len(q) > LONGEST_QUERY:
            raise Trouble(400, "Which papers?", "Give a query, as in /search.atom?q=world+models")
        kind = request.path_params["kind"]
        try:
            cards = self._library.search(q, FED if kind == "atom" else TAKEN).papers
        except QueryError as error:
            raise Trouble(400, "That query cannot be read", str(error)) from error
        return self._file(request, kind, cards, q, f"/search?q={quote(q)}", "search")

    # --------------------------------------------------------------- saved

    def saved(self, request: Request) -> Response:
        """Papers that the address names; the browser's own where it names none."""
        _, missing, papers = self._named(request)
        shown = [paper.arxiv_id for paper in papers]
        here = f"{self._home(request)}/saved?ids={','.join(shown)}"
        return _page(
            request,
            render(
                "saved.html.j2",
                papers=self._library.cards(papers),
                ids=shown,
                missing=missing,
                address=here,
                sample=sample(papers),
            ),
        )

    def saved_file(self, request: Request) -> Response:
        """Papers that the address names, to take along."""
        ids, _, papers = self._named(request)
        home = f"/saved?ids={','.join(ids)}"
        cards = self._library.cards(papers)
        return self._file(
            request, request.path_params["kind"], cards, "Saved papers", home, "saved"
        )

    def _named(self, request: Request) -> tuple[list[str], list[str], list[Paper]]:
        given = request.query_params.get("ids", "")[: MOST_SAVED * 30].split(",")
        ids = list(dict.fromkeys(i.strip() for i in given if _ID.fullmatch(i.strip())))[:MOST_SAVED]
        papers = self._library.papers(ids) if ids else []
        stored = {paper.arxiv_id for paper in papers}
        return ids, [i for i in ids if i not in stored], papers

    # ------------------------------------------------------------- beneath

    def _topic(self, request: Request) -> Topic:
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

    def _paper(self, request: Request) -> Paper:
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

    def _answer(
        self, request: Request, subject: str, question: str, about: str, home: str
    ) -> Response:
        reply = self._core.execute(Actor(STRANGER), f"ask {subject}: {question}")
        only = request.query_params.get("only") == "1"
        shown = render(
            "answer_only.html.j2" if only else "answer.html.j2",
            reply=reply,
            question=question,
            about=about,
            back=home,
            at=f"{home}/ask",
            many=home.startswith("/topics/"),
        )
        return _page(request, shown, status=_status(reply))

    def _file(
        self, request: Request, kind: str, cards: Sequence[Card], title: str, home: str, name: str
    ) -> Response:
        if kind == "atom":
            made, changed = self._feed(request, cards, title, home)
            return _reply(request, made, _KINDS[kind], changed=changed)
        papers = [card.paper for card in cards]
        match kind:
            case "json":
                body = export.json_feed(papers, **self._about(request, cards, title, home))
            case "bib":
                body = export.bibtex(papers)
            case "ris":
                body = export.ris(papers)
            case _:
                body = export.table(papers)
        response = _reply(request, body, _KINDS[kind], changed=atom.newest(papers))
        if kind != "json":
            response.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
        return response

    def _feed(
        self, request: Request, cards: Sequence[Card], title: str, home: str
    ) -> tuple[bytes, datetime | None]:
        papers = [card.paper for card in cards]
        # A feed without papers was true from the start of the day.
        day = self._core.house.clock().replace(hour=0, minute=0, second=0, microsecond=0)
        about = self._about(request, cards, title, home)
        return atom.atom(papers, **about, empty_at=day), atom.newest(papers)

    def _about(self, request: Request, cards: Sequence[Card], title: str, home: str) -> _About:
        root = self._home(request)
        tags = {card.paper.arxiv_id: [t.name for t in card.tags] for card in cards}
        return {"title": title, "home": root + home, "feed": root + _path(request), "tags": tags}

    def _home(self, request: Request) -> str:
        return self._base_url or f"{request.url.scheme}://{request.url.netloc}"


def _page(request: Request, html: str, status: int = 200) -> Response:
    return _reply(request, html, "text/html; charset=utf-8", status=status)


def _reply(
    request: Request,
    body: str | bytes,
    kind: str,
    *,
    status: int = 200,
    changed: datetime | None = None,
) -> Response:
    """The body, or 304 where the asker has it already."""
    raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
    mark = f'"{sha256(raw).hexdigest()[:20]}"'
    headers = {"ETag": mark, "Cache-Control": "no-cache"}
    if changed:
        headers["Last-Modified"] = format_datetime(changed, usegmt=True)
    if status == 200 and _is_known(request, mark, changed):
        return Response(status_code=304, headers=headers)
    return Response(raw, status, headers, media_type=kind)


def _is_known(request: Request, mark: str, changed: datetime | None) -> bool:
    """Whether the asker has this body: by its mark, else by its date (RFC 9110, 13.2.2)."""
    if "if-none-match" in request.headers:
        return mark in request.headers["if-none-match"]
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except ValueError:
        return False
    return bool(changed and since.tzinfo and changed.replace(microsecond=0) <= since)


def _question(request: Request) -> str:
    question = " ".join(request.query_params.get("q", "").split())
    if not question:
        raise Trouble(400, "Ask a question", "Write what you want to know, and press Ask.")
    if len(question) > LONGEST_QUESTION:
        raise Trouble(
            400,
            "That question is too long",
            f"It has {len(question):,} characters; {LONGEST_QUESTION} are read. Say it shorter.",
        )
    return question


def _status(reply: Reply) -> int:
    return reply.status if not reply.ok else 200


def _path(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def trouble(request: Request, exc: Exception) -> Response:
    """Any trouble as a page."""
    if isinstance(exc, Trouble):
        return _page(request, render("note.html.j2", **exc.values), exc.status)
    if isinstance(exc, OddAddress | TooBroad):
        return _note(request, 400, "That cannot be shown", str(exc))
    return _note(request, 404, "No such page", f"There is nothing at {request.url.path[:80]}.")


def failed(request: Request, exc: Exception) -> Response:
    """A fault of ours, without its details."""
    return _note(request, 500, "Something failed here", "It is in the log. Try again in a moment.")


def _note(request: Request, status: int, heading: str, *lines: str) -> Response:
    shown = render("note.html.j2", heading=heading, lines=lines, near=(), make="")
    return _page(request, shown, status)


__all__ = ["Pages", "Trouble", "asset", "failed", "trouble"]
