"""What was offered last to whoever asked, so that "yes", "2" or "undo" can be answered."""

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

from bot.core.reply import Actor, Reply
from bot.digest import Action
from bot.model import Identity

KEPT = timedelta(hours=1)
_MOST = 10_000  # people and places

_Place = tuple[Identity, Identity | None]


class Offer(NamedTuple):
    """The buttons of a reply.  `is_question` if nothing was done and an answer is awaited."""

    buttons: tuple[Action, ...] = ()
    is_question: bool = False

    @property
    def listed(self) -> tuple[Action, ...]:
        """The buttons that are requests side by side, each labelled by its own words."""
        said = (b for b in self.buttons if b.command.startswith(b.label.rstrip("…")))
        found = tuple(said)
        return found if len(found) > 1 else ()


class Offers:
    """The latest offer to each person in each conversation, for an hour, in this process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Place, tuple[datetime, Offer]] = OrderedDict()
        self._lock = Lock()

    def keep(self, actor: Actor, reply: Reply, at: datetime) -> None:
        """Remember what a reply offers, and forget what was offered before it."""
        place = (actor.identity, actor.conversation)
        with self._lock:
            self._kept.pop(place, None)
            if reply.buttons:
                self._kept[place] = at, Offer(reply.buttons, not reply.ok)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)

    def last(self, actor: Actor, at: datetime) -> Offer:
        """The last offer that may still be meant; an empty one if there is none."""
        with self._lock:
            kept = self._kept.get((actor.identity, actor.conversation))
        return kept[1] if kept and at - kept[0] <= KEPT else Offer()
