"""Pages behind the links in mail: join, confirm, leave, one's own settings.

A link is the credential: no cookie, no password, no script.  GET and HEAD only show what a
button would do, since mail programs and scanners open every link; POST does it, whatever its
body, and the result can be undone where it is shown.

settings    what is set, and the buttons that fit; shelf, what was saved; forms, as they arrive
spoken      words of the core where nobody types
"""

import re
from collections.abc import Mapping, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from bot.addresses import identity_of, masked
from bot.core import Core
from bot.core.reply import Actor, Reply, line, text_of
from bot.digest import Action
from bot.model import Destination
from bot.text import small
from bot.web.files import export
from bot.web.middleware import address_of
from bot.web.people import spoken
from bot.web.people.forms import fields_of
from bot.web.people.settings import command_of, digest, followed, follows, muted, offers
from bot.web.people.shelf import everything, shelf
from bot.web.rendering import line_to_html, render

# A link must not be kept by caches, named to other sites, or found by search engines.
PRIVATE = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
_ASKED_TWICE = {
    "erase": (
        "Forget everything kept here about you, and send nothing more?",
        ("Yes, forget everything", "erase for good"),
    ),
    "new links": (
        "Was a mail of yours passed on? Links so far will then only stop your mail.",
        ("Yes, make new ones", "new links for good"),
    ),
}
"""What cannot be undone, with what is asked before: the question, the button, its command."""


def routes(core: Core) -> list[BaseRoute]:
    """Where the pages are: /join, /l/TOKEN, and what belongs to a personal page."""
    pages = _People(core)
    return [
        Route("/join", pages.form, methods=["GET"]),
        Route("/join", pages.join, methods=["POST"]),
        Route("/l/{token}/export", pages.export, methods=["GET"]),
        Route("/l/{token}/saved.{kind}", pages.saved_file, methods=["GET"]),
        Route("/l/{token}", pages.show, methods=["GET"]),
        Route("/l/{token}", pages.act, methods=["POST"]),
    ]


class _People:
    def __init__(self, core: Core) -> None:
        self._core = core

    # ------------------------------------------------------------ joining

    def form(self, request: Request) -> Response:
        """The form that takes an address and a topic."""
        topic = request.query_params.get("topic", "")[:1000]
        values = {"topic": topic, "address": "", "trouble": "", "offers": ()}
        return _page("join.html.j2", 200, values)

    async def join(self, request: Request) -> Response:
        """Somebody typed an address: one mail asks its owner."""
        fields = await fields_of(request)
        where, address = address_of(request), fields.get("address", "")
        topic = fields.get("topic", "")
        zone = fields.get("zone", "")[:64]
        reply = await run_in_threadpool(self._core.join, address, topic[:1000], zone, where)
        if reply.ok:
            return _words(reply)
        values = {
            "topic": topic,
            "address": address,
            "trouble": line_to_html(reply.lines[0], reply.zone),
            "offers": follows(reply),
        }
        return _page("join.html.j2", reply.status, values)

    # -------------------------------------------------------------- links

    def show(self, request: Request) -> Response:
        """What the link would do, with the button that does it.  Changes nothing."""
        return self._redeemed(_token(request), page=_page_of(request), act=False)

    async def act(self, request: Request) -> Response:
        """Do it.  Takes a form, a multipart body or none (RFC 8058 §3.2), and no cookie."""
        token = _token(request)
        # Only a personal page has choices in its body; other links say all themselves, and a
        # mail program's body is not even read.
        fields = await fields_of(request) if token.startswith("p") else {}
        if command := command_of(fields):
            topic = fields.get("topic", "")
            return await run_in_threadpool(self._done, token, command, _page_of(request), topic)
        return await run_in_threadpool(self._redeemed, token, page=_page_of(request), act=True)

    def export(self, request: Request) -> Response:
        """Everything kept about the holder of a personal link, as JSON."""
        actor = self._core.holder(_token(request))
        kept = self._core.export(actor.identity)
        disposition = {"Content-Disposition": 'attachment; filename="paperround.json"'}
        return JSONResponse(kept, headers={**PRIVATE, **disposition})

    def saved_file(self, request: Request) -> Response:
        """Everything that the holder of a personal link saved, as BibTeX, RIS or CSV."""
        kind = request.path_params["kind"]
        if kind not in export.FILES:
            raise HTTPException(404)
        actor = self._core.holder(_token(request))
        body = export.FILES[kind](everything(self._core, actor.identity))
        disposition = {"Content-Disposition": f'attachment; filename="saved.{kind}"'}
        headers = {**PRIVATE, **disposition}
        return Response(body, headers=headers, media_type=export.MEDIA[kind])

    def _redeemed(self, token: str, *, page: int, act: bool) -> Response:
        reply = self._core.redeem(token, act=act)
        if reply.overview and token.startswith("p"):
            return self._settings(token, reply, page)
        return _words(reply, self._buttons(token, reply))

    def _buttons(self, token: str, reply: Reply) -> list[tuple[str, str]]:
        """(label, where to post): the link itself, or one signed for the button's command."""
        links, destination = self._core.house.links, self._core.place(token)
        if destination is None:
            return []

        def path(action: Action) -> str:
            if not action.command:
                return f"/l/{token}"
            signed = links.token("act", destination.id, destination.epoch, action.command)
            return f"/l/{signed}"

        return [(action.label, path(action)) for action in reply.buttons]

    # ------------------------------------------------------ one's settings

    def _done(self, token: str, command: str, page: int, topic: str) -> Response:
        """What a button of the personal page says, and the page as it is afterwards.

        The words of a topic that was refused stay in their field.
        """
        actor = self._core.holder(token)
        if command in _ASKED_TWICE:
            words, sure = _ASKED_TWICE[command]
            return self._settings(token, Reply((line(words),)), page, asking=sure)
        if done := self._done_for_good(actor, command):
            return _words(Reply((line(done),)))
        said = self._core.execute(actor, command)
        return self._settings(token, said, page, typed="" if said.ok else topic)

    def _done_for_good(self, actor: Actor, command: str) -> str:
        """Do what was asked about first; what is said of it then, "" for any other command."""
        if command == "erase for good":
            self._core.erase(actor.identity)
            return "Everything kept about you is forgotten. No more mail."
        if command == "new links for good":
            self._core.void_links(actor.identity)
            return "Links so far only stop your mail now. The next digest has new ones."
        return ""

    def _settings(
        self,
        token: str,
        said: Reply,
        page: int,
        *,
        asking: tuple[str, str] | None = None,
        typed: str = "",
    ) -> Response:
        now = self._core.redeem(token, act=False)
        assert now.overview is not None
        actor, house = self._core.holder(token), self._core.house
        answer = () if said.overview else said.lines
        mailbox = identity_of(actor.mailbox or actor.identity.external_id)
        places = now.overview.destinations
        own = next((place for place in places if identity_of(place.address) == mailbox), None)
        values: dict[str, object] = {
            "at": f"/l/{token}",
            "address": masked(own.address if own else mailbox),
            "said": [line_to_html(spoken.said(each), now.zone) for each in answer],
            "offers": offers(said),
            "typed": typed,
            "asking": asking,
            **digest(own, now.zone),
            "states": [(d, _called(d, places), word) for d, word in now.overview.deliveries],
            "follows": [followed(house, follow, now.zone) for follow in now.overview.follows],
            "mutes": [muted(house, mute, now.zone) for mute in now.overview.mutes],
            "shelf": shelf(self._core, actor.identity, page),
        }
        return _page("person.html.j2", said.status, values)


# ------------------------------------------------------------------ pieces


def _page_of(request: Request) -> int:
    """Which page of the saved papers the address names."""
    return small(request.query_params.get("page", ""), otherwise=1)


def _called(place: Destination, places: Sequence[Destination]) -> str:
    """A way to somebody as their page calls it; an address only where there are several."""
    if place.channel != "email":
        return place.channel.capitalize()
    several = sum(each.channel == "email" for each in places) > 1
    return f"E-mail to {masked(place.address)}" if several else "E-mail"


def bad_link(request: Request, bad: Exception) -> Response:
    """A page for a link that is not ours or was voided."""
    return _words(Reply((line("This link does not work"), line(str(bad))), ok=False, status=400))


def _page(template: str, status: int, values: Mapping[str, object]) -> Response:
    return HTMLResponse(render(template, **values), status, PRIVATE)


def _words(reply: Reply, buttons: Sequence[tuple[str, str]] = ()) -> Response:
    """A reply as a page of its own: its first line is the heading."""
    first, *others = map(spoken.said, reply.lines)
    values = {
        "heading": text_of(first, reply.zone, urls=False).strip(),
        "lines": [line_to_html(each, reply.zone) for each in others],
        "first": line_to_html(first, reply.zone),
        "papers": reply.papers,
        "buttons": buttons,
    }
    return _page("link.html.j2", reply.status, values)


def _token(request: Request) -> str:
    """The token of a link, without the marks that mail programs take to be a part of it."""
    return _GLUED_ON.sub("", str(request.path_params["token"]))


_GLUED_ON = re.compile(r"[^A-Za-z0-9_-]+$")
