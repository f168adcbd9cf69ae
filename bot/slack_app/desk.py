"""The desk behind the door: what happens after a request was acknowledged.

A request is acknowledged before anything else, then looked up in the inbox, carried out in a
worker thread and answered.  Whatever goes wrong ends in a sentence for the person and a line with
the same reference in the log.
"""

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.core.reply import Actor, Reply
from bot.model import Clock
from bot.slack_app.replying import Message, Way
from bot.store import SlackDesk

AT_ONCE = 2  # requests of one person that are carried out at the same time
WAITING = 10  # that may be under way or waiting; the next ones are turned away
WAITING_THERE = 200  # of one workspace
THREADS = 8
LATE_S = 1.5  # then "Looking …" is said
REMEMBERED = 20_000
UNCHANGED = "Nothing was changed."
UNSHOWN = "It was done, but cannot be shown; `/papers list` shows the current state."

T = TypeVar("T")
Work = Callable[[Any, AsyncWebClient], Coroutine[Any, Any, object]]
log = structlog.get_logger()


class Core(Protocol):
    """What the door asks of the core."""

    def execute(self, actor: Actor, text: str) -> Reply:
        """Carry out one request.  Blocks; called in a worker thread."""
        ...


class Desk:
    """Tasks under way, and the inbox that keeps a request from being carried out twice."""

    def __init__(self, core: Core, inbox: SlackDesk, clock: Clock) -> None:
        self.core = core
        self._inbox = inbox
        self._clock = clock
        self._pool = ThreadPoolExecutor(THREADS, "slack")
        self._tasks: set[asyncio.Task[None]] = set()
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._busy: Counter[tuple[str, str]] = Counter()
        self._turns: dict[tuple[str, str], asyncio.Semaphore] = {}

    # -------------------------------------------------------------- tasks

    def listener(self, work: Work) -> Callable[..., Coroutine[Any, Any, None]]:
        """What Bolt calls: it acknowledges at once, and leaves the work to a task.

        Nothing else may fail first: Bolt loses the acknowledgement of a listener that raises.
        """

        async def acknowledge(ack: Any, body: Any, client: AsyncWebClient) -> None:
            await ack()
            self.later(work(body, client))

        return acknowledge

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do some work after the acknowledgement; its failure is logged, never raised."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, within_s: float = 10.0) -> None:
        """Wait for what is under way, then give it up."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within_s)
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def in_thread(self, work: Callable[..., T], *args: Any) -> T:
        """Run something that blocks in a thread of the desk's own, away from pollers."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except Exception:
            log.exception("slack_work_failed", ref=_ref())

    # -------------------------------------------------------------- inbox

    def first_time(self, key: str) -> bool:
        """Whether this process sees a request for the first time; without a key it is new."""
        if not key:
            return True
        if key in self._recent:
            return False
        self._recent[key] = None
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)
        return True

    async def is_new(self, key: str) -> bool:
        """Whether a request has not come before.

        Slack's repeats arrive within minutes and meet the memory of this process; after a
        restart they meet the database.  It is only read here, because writing might wait for a
        poll that writes; the note is written beside the work.
        """
        if not self.first_time(key):
            return False
        known = bool(key) and await self.in_thread(self._inbox.knows, key)
        if known:
            return False
        self.later(self._noted(key))
        return True

    async def _noted(self, key: str) -> None:
        if key:
            await self.in_thread(self._inbox.seen, key, self._clock())

    def _execute(self, actor: Actor, text: str, key: str) -> Reply | None:
        if key and self._inbox.knows(key):
            return None
        return self.core.execute(actor, text)

    async def keep(self, workspace: str, conversation: str, user: str) -> None:
        """Note who set up a conversation's digest: they are told when it cannot be brought."""
        await self.in_thread(self._inbox.keep, workspace, conversation, user, self._clock())

    async def keeper(self, workspace: str, conversation: str) -> str:
        """Who set up a conversation's digest last, or ""."""
        return await self.in_thread(self._inbox.keeper, workspace, conversation)

    # -------------------------------------------------------------- requests

    async def carry_out(
        self, actor: Actor, text: str, way: Way, tell_late: Message, key: str = ""
    ) -> Reply | None:
        """The core's reply; None if there is none and the person was told why.

        The database is asked for the `key` in the same thread, since the request may have come
        before a restart.
        """
        person = (actor.identity.workspace, actor.identity.external_id)
        house = (actor.identity.workspace, "")
        if self._busy[person] >= WAITING or self._busy[house] >= WAITING_THERE:
            await way.say(notice("One moment: your last requests are still under way."))
            return None
        self._busy.update((person, house))
        try:
            async with self._turns.setdefault(person, asyncio.Semaphore(AT_ONCE)):
                work = asyncio.ensure_future(self.in_thread(self._execute, actor, text, key))
                done, _ = await asyncio.wait({work}, timeout=LATE_S)
                if not done:
                    await way.say(tell_late)
                reply = await work
            if reply is not None:
                self.later(self._noted(key))
            return reply
        except Exception:
            await way.say(broken("slack_request_failed", text=text[:200]))
            return None
        finally:
            self._busy.subtract((person, house))
            if self._busy[person] <= 0:
                self._turns.pop(person, None)
            self._busy += Counter()  # drops those at zero


def seen_as(kind: str, *ids: object) -> str:
    """What two deliveries of one request have in common; "" where Slack gives nothing."""
    return f"{kind}:{':'.join(map(str, ids))}" if all(ids) else ""


def notice(words: str) -> dict[str, Any]:
    """A message of one sentence."""
    return {"text": words}


def broken(event: str, outcome: str = UNCHANGED, **values: Any) -> dict[str, Any]:
    """Log the exception at hand and return what a person is told of it."""
    ref = _ref()
    log.exception(event, ref=ref, **values)
    return notice(f"Something broke (ref {ref}). {outcome}")


def _ref() -> str:
    return secrets.token_hex(2)
