"""Topics, papers, search, ask and what was saved, as pages."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bot.core import Actor
from bot.core.reply import Reply
from bot.digest import Tag
from bot.matching import QueryError
from bot.model import Identity, Topic
from bot.text import plural, thinned
from bot.web.body import Body
from bot.web.door import LONGEST_QUERY, Door, query_of
from bot.web.rendering import render, sample
from bot.web.selection import PAGE, Selection
from bot.web.trouble import HTML, Trouble, page
from bot.web.views import Results, fields, groups, spanned

LONGEST_QUESTION = 500

STRANGER = Identity("web", "", "")
"""Whoever reads a page: nobody in particular, whom no verb enrols."""


class Pages(Door):
    """The reading pages over one core."""

    def routes(self) -> list[BaseRoute]:
        """Where each page is."""
        return [
            Route("/", self.index),
            Route("/search", self.search),
            Route("/saved", self.saved),
            Route("/topics", lambda _: RedirectResponse("/", 301)),
            Route("/topics/{slug}/ask", self.ask_topic),
            Route("/topics/{slug}", self.topic),
            Route("/papers/{arxiv_id:path}/ask", self.ask_paper),
            Route("/papers/{arxiv_id:path}", self.paper),
        ]

    # -------------------------------------------------------------- topics

    def index(self, request: Request) -> Response:
        """All topics; with `q`, those whose names hold its words."""
        q = " ".join(request.query_params.get("q", "").split())[:200]
        if q:
            return page(request, self._index_page(q))
        made = self._cache.get("/", self._library.stamp, lambda: Body(self._index_page("")))
        return made.answer(request, HTML)

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
            notes=self._library.notes(),
            last_look=self._library.last_look(),
            found=len(found),
            topics=len(rows),
            papers=self._core.house.store.papers.count(),
            groups=[] if q else groups(rows),
            span=spanned(rows, "in the last four weeks"),
            fields=fields(found),
        )

    def topic(self, request: Request) -> Response:
        """One topic."""
        topic = self.topic_of(request)
        if topic.slug != request.path_params["slug"]:
            return RedirectResponse(f"/topics/{topic.slug}{query_of(request)}", 301)
        wanted = Selection.parse(request.query_params)
        opened = request.query_params.get("open", "")
        opened = opened if opened in ("follow", "ask") else ""
        made = self._cache.get(
            (topic.slug, wanted, opened),
            self._library.stamp_of(topic),
            lambda: Body(self._topic_page(topic, wanted, opened)),
        )
        return made.answer(request, HTML)

    def _topic_page(self, topic: Topic, wanted: Selection, opened: str) -> str:
        listing = self._library.listing(topic, wanted)
        if wanted.page > 1 and not listing.papers:
            raise _beyond(topic, wanted, listing.total)
        return render(
            "topic.html.j2",
            topic=topic,
            notes=self._library.notes(),
            at=f"/topics/{topic.slug}",
            glossary=self._library.glossary(topic),
            momentum=self._library.momentum(topic),
            related=self._library.related(topic),
            listing=listing,
            sought=wanted,
            opened=opened,
            ways=self._ways,
            sample=sample([card.paper for card in listing.papers]),
        )

    def ask_topic(self, request: Request) -> Response:
        """What a topic's papers say to a question."""
        topic = self.topic_of(request)
        question = _question(request)
        return self._answer(request, topic.slug, question, topic.name, f"/topics/{topic.slug}")

    # -------------------------------------------------------------- papers

    def paper(self, request: Request) -> Response:
        """One paper."""
        paper = self.paper_of(request)
        return page(
            request,
            render(
                "paper.html.j2",
                paper=paper,
                tags=self._library.reasons(paper),
                related=self._library.beside(paper),
                sample=paper.is_sample,
            ),
        )

    def ask_paper(self, request: Request) -> Response:
        """What one paper says to a question."""
        paper = self.paper_of(request)
        question = _question(request)
        home = f"/papers/{paper.arxiv_id}"
        return self._answer(request, paper.arxiv_id, question, paper.title, home)

    def search(self, request: Request) -> Response:
        """Papers for a topic's words or a query."""
        q = " ".join(request.query_params.get("q", "").split())
        found, trouble = Results((), q, more=False), ""
        if len(q) > LONGEST_QUERY:
            trouble = f"That is {len(q):,} characters; {LONGEST_QUERY:,} are read."
            q = q[:60] + "…"
        elif q:
            try:
                found = self._library.search(q, PAGE)
            except QueryError as error:
                trouble = str(error)
        shown = render(
            "search.html.j2",
            q=q,
            trouble=trouble,
            papers=found.papers,
            query=found.query,
            more=found.more,
            looked_at=found.looked_at,
            ways=self._ways,
            near=self._library.near(q) if q and not trouble else (),
            meant=self._library.meant(q) if q and not trouble and not found.papers else "",
            sample=sample([card.paper for card in found.papers]),
        )
        return page(request, shown, status=400 if trouble else 200)

    # --------------------------------------------------------------- saved

    def saved(self, request: Request) -> Response:
        """Papers that the address names; the browser's own where it names none."""
        _, missing, papers = self.named(request)
        ids = [paper.arxiv_id for paper in papers]
        number = min(Selection.parse(request.query_params).page, max(1, -(-len(ids) // PAGE)))
        before = (number - 1) * PAGE
        return page(
            request,
            render(
                "saved.html.j2",
                papers=self._library.cards(papers[before : before + PAGE]),
                ids=ids,
                page=number,
                before=before,
                missing=missing,
                address=f"{self.home(request)}/saved?ids={','.join(ids)}",
                sample=sample(papers),
            ),
        )

    # ------------------------------------------------------------- beneath

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
        return page(request, shown, status=_status(reply))


def _beyond(topic: Topic, wanted: Selection, total: int) -> Trouble:
    """A page after the last one, with the way to the first."""
    home = Tag(topic.name, topic.slug, f"/topics/{topic.slug}{wanted.on_page(1).query}")
    such = " that fit these filters" if wanted.narrowed else ""
    papers = f"{plural(total, 'paper')}{such}, on {plural(-(-total // PAGE), 'page')}"
    said = f"{topic.name} has {papers if total else 'no papers' + such}."
    return Trouble(404, f"There is no page {wanted.page}", thinned(said), back=home)


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
