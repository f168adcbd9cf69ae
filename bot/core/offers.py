"""What was offered and shown last to whoever asked: "yes", "undo" and "save 2" mean that.

It is kept in the store: who types at the command line answers another process.
"""

import json
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from bot.core.reply import Actor, Reply
from bot.digest import Action
from bot.store import Store, StoreError

KEPT = timedelta(hours=1)
_MOST_PAPERS = 30  # more are not chosen by their numbers


class Offer(NamedTuple):
    """The buttons of a reply.  `is_question` if nothing was done and an answer is awaited.

    `papers` are those of the last reply that showed any, in their order.
    """

    buttons: tuple[Action, ...] = ()
    is_question: bool = False
    papers: tuple[str, ...] = ()

    @property
    def listed(self) -> tuple[Action, ...]:
        """The buttons that are requests side by side, each labelled by its own words."""
        said = (b for b in self.buttons if b.command.startswith(b.label.rstrip("…")))
        found = tuple(said)
        return found if len(found) > 1 else ()


def keep(store: Store, actor: Actor, reply: Reply, papers: tuple[str, ...], at: datetime) -> None:
    """Remember for an hour what a reply offers here, and forget what was offered before it.

    The `papers` shown before stay where it shows none.  Where the database cannot be written the
    reply stands all the same.
    """
    if not actor.identity.external_id:
        return  # a stranger at a page, who cannot answer
    offered = [[each.label, each.command] for each in reply.buttons]
    shown = [each.paper.arxiv_id for each in reply.papers[:_MOST_PAPERS]]
    kept = [offered, not reply.ok, shown or papers] if offered or shown or papers else None
    text = json.dumps(kept, ensure_ascii=False) if kept else ""
    with suppress(StoreError):
        store.people.offer(*_place(actor), text, at, at + KEPT)


def last(store: Store, actor: Actor, at: datetime) -> Offer:
    """The last offer that may still be meant; an empty one if there is none."""
    text = store.people.offered(*_place(actor), at)
    if not text:
        return Offer()
    offered, is_question, papers = json.loads(text)
    buttons = tuple(Action(*each) for each in offered)
    return Offer(buttons, is_question and bool(buttons), tuple(papers))


def _place(actor: Actor) -> tuple[str, str]:
    return str(actor.identity), str(actor.conversation or "")
