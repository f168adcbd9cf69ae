"""The service: ticks look whether something is due, threads do it, SIGTERM drains it.

`schedule` only ticks; what is due stands in the database, so a restart catches up and a clock
that jumps repeats nothing.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import schedule

from bot.app import persons
from bot.app.locks import nobody_sends, sending
from bot.app.rotation import back_up_if_due
from bot.app.service import alerts, line
from bot.app.service.background import aside, ended
from bot.app.service.ballast import Ballast
from bot.app.service.looks import Look, looks
from bot.app.service.pulse import Pulse
from bot.app.service.setback import set_back
from bot.app.service.supervisor import Supervisor
from bot.app.service.writing import Writing
from bot.app.wiring import Rooms
from bot.core import Prepared
from bot.sources import SourceFault
from bot.store import StoreError

if TYPE_CHECKING:
    from bot.slack_app import Socket

log = logging.getLogger(__name__)

TICK_S = 5
DRAIN_S = 30
ASIDE_S = 5
"""How long a source or a rematch may take to notice the end."""

PATIENCE_S = 600
"""How long due digests wait for the first look at arXiv after a start."""

AWAY = timedelta(minutes=15)
"""After so long without a round, what fell due is treated as after a start."""


class Service:
    """One process that polls, prepares and delivers until it is told to stop."""

    def __init__(
        self, rooms: Rooms, supervisor: Supervisor | None = None, socket: "Socket | None" = None
    ) -> None:
        self.rooms = rooms
        self.socket = socket
        self.supervisor = supervisor or Supervisor("")
        self.core = rooms.core
        self.stopping = asyncio.Event()
        self.pulse = Pulse(self.core.house.clock)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._caught_up = threading.Event()
        self._began = time.monotonic()
        self.ballast = Ballast(rooms.config.data)
        self.writing = Writing(self.core.house)
        rooms.store.engine.on_full = self.make_room
        self._pages = rooms.reach().pages()
        self._ticks = self._scheduled()

    async def run(self, doors: tuple[Callable[[], Awaitable[None]], ...] = ()) -> None:
        """Until it is told to stop; then finish what is in the air, at most DRAIN_S seconds."""
        loop = asyncio.get_running_loop()
        for name in _endings():
            loop.add_signal_handler(name, self.stopping.set)
        set_back(self.rooms)
        if nobody_sends(self.rooms.config.data):
            self.core.recover()
        self.ballast.keep()
        opened = [asyncio.ensure_future(door()) for door in doors]
        self.look()
        self.supervisor.ready()
        while not self.stopping.is_set():
            self.beat()
            self.supervisor.alive()
            self._ticks.run_pending()
            await self._nap()
        self.supervisor.stopping()
        await self._drain(opened)

    def poll_due(self, stop: Callable[[], bool] = lambda: False) -> int:
        """Read every source whose moment has come, one after the other; return how many.

        Where the disk is nearly full nothing is read: what has been promised comes first.
        """
        read = 0
        for look in looks(self.rooms, self.core.house.clock()):
            if not stop() and look.due_at <= self.core.house.clock():
                read += self._read(look)
            self._caught_up.set()  # after the first one, which is the API
        self._caught_up.set()
        return read

    def is_catching_up(self) -> bool:
        """Whether it started so recently that late deliveries are no trouble yet."""
        busy = any(
            name.startswith(("poll", "prepare", "deliver")) and not task.done()
            for name, task in self._running.items()
        )
        young = time.monotonic() - self._began <= PATIENCE_S
        return young and (busy or not self._caught_up.is_set())

    def make_room(self) -> None:
        """On a full disk: give up what was kept free, and fold the write-ahead log into the file.

        Else the next checkpoint alone would fill the room again.
        """
        self.ballast.drop()
        with suppress(StoreError):
            self.rooms.store.engine.checkpoint()

    # ------------------------------------------------------ one step each

    def beat(self) -> None:
        """One more round; after a long pause, like a laptop's sleep, as after a start."""
        jumped = self.pulse.beat()
        if self.pulse.gap > AWAY:  # or the clock is wrong now: arXiv's answer tells
            self._caught_up.clear()
            self._began = time.monotonic()
        if jumped:
            self._jumped(jumped)
        if self._zone != time.localtime().tm_gmtoff:  # an hour that comes twice is no pause
            self._ticks = self._scheduled()

    def look(self) -> None:
        """One tick: start whatever is due and not running yet."""
        self._start("poll", self._poll)
        self._start("prepare", self.prepare)
        self._send()
        self._start("backup", self._back_up)
        self._start("rematch", self._rematch)
        self._start("enrich", self._enrich)

    async def prepare(self) -> None:
        """Compose what is due, unless it must wait.

        Digests that fell due while nobody served wait for the first look at arXiv, and all wait
        while arXiv's clock says that ours is wrong by days.
        """
        waited = self._caught_up.is_set() or time.monotonic() - self._began > PATIENCE_S
        if waited and not self.rooms.reach().session.clock_is_off:
            done = Prepared(more=True)
            while done.more and not self.stopping.is_set():
                done = await asyncio.to_thread(self.core.prepare)
                if done.queued:
                    self._send()

    async def watch(self) -> None:
        """Note how the disk and the line to Slack stand, and tell the operator what is wrong."""
        await asyncio.to_thread(self.ballast.keep)
        if await asyncio.to_thread(self.writing.look):
            return  # nor could anything that is noted now be written down
        await asyncio.to_thread(line.watch, self.rooms, self.socket)
        if not self.is_catching_up():
            await asyncio.to_thread(alerts.watch, self.rooms, self.ballast, self.writing.over)
            self.writing.said()

    # ------------------------------------------------------------- private

    def _read(self, look: Look) -> bool:
        house = self.core.house
        if self.ballast.deferred(house, look.name):
            return False
        try:
            self.core.ingest(look.source())
        except StoreError:
            raise
        except Exception:  # of our own making: the other sources are read, this one not at once
            log.exception("reading %s failed; it is tried again", look.name)
            why = "Paperround itself failed; its log says where"
            house.store.ledger.record("poll", look.name, house.clock(), SourceFault.TRANSIENT, why)
        return True

    def _scheduled(self) -> schedule.Scheduler:
        """`schedule` counts in local time: of another zone, or once that is set, it begins anew."""
        self._zone = time.localtime().tm_gmtoff
        ticks = schedule.Scheduler()
        ticks.every(TICK_S).seconds.do(self.look)
        ticks.every().minute.do(self._start, "watch", self.watch)
        ticks.every().hour.do(self._start, "tidy", self._tidy)
        return ticks

    def _jumped(self, by: timedelta) -> None:
        """`schedule` goes by the system's clock: set back an hour, it would stand still as long."""
        self._ticks = self._scheduled()
        self.rooms.metrics["clock_jump_total"].inc()
        log.warning("the clock was set by %.0f s", by.total_seconds())
        self.look()

    async def _nap(self) -> None:
        try:
            await asyncio.wait_for(self.stopping.wait(), timeout=1)
        except TimeoutError:
            return

    def _send(self) -> None:
        for channel in self.core.house.channels:
            self._start(f"deliver {channel}", partial(self._deliver, channel))

    def _start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        running = self._running.get(name)
        if running is None or running.done():
            self._running[name] = asyncio.ensure_future(self._guarded(name, work))

    async def _guarded(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """A failing tick is written down and fails alone."""
        failed = False
        try:
            await work()
        except Exception:
            failed = True
            log.exception("the tick %s failed; it is tried again", name)
        self.rooms.metrics.ticked(name, self.core.house.clock(), failed=failed)

    async def _poll(self) -> None:
        first = not self._caught_up.is_set()
        await asyncio.to_thread(set_back, self.rooms)
        await aside(lambda: self.poll_due(self.stopping.is_set))
        if first and not self.stopping.is_set():
            self._start("prepare", self.prepare)  # somebody may wait since before the start

    async def _deliver(self, channel: str) -> None:
        await deliver_one(self.rooms, channel, self.stopping.is_set)

    async def _back_up(self) -> None:
        if not self.ballast.is_low():
            await aside(lambda: back_up_if_due(self.rooms))

    async def _rematch(self) -> None:
        while not self.stopping.is_set():
            if await aside(lambda: self.core.rematch() or self.core.learn()) is None:
                return

    async def _enrich(self) -> None:
        """One paper's page a tick, and none while a source is read."""
        polling = self._running.get("poll")
        if self._pages and (polling is None or polling.done()):
            await asyncio.to_thread(self.core.enrich, self._pages)

    async def _tidy(self) -> None:
        house = self.core.house
        await asyncio.to_thread(house.store.tidy, house.clock(), house.wishes.keep)
        await asyncio.to_thread(persons.forget_unanswered, self.rooms)
        await asyncio.to_thread(persons.remove_mails, self.rooms)

    async def _drain(self, doors: Sequence[asyncio.Future[None]]) -> None:
        """Claims stop at once; deliveries in the air are finished, the rest given back."""
        self.rooms.halt.set()
        sending = {
            task
            for name, task in self._running.items()
            if name.startswith(("deliver", "prepare", "backup")) and not task.done()
        }
        if sending:
            await asyncio.wait(sending, timeout=DRAIN_S)
        rest = [*doors, *self._running.values()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        await asyncio.to_thread(ended, ASIDE_S)
        await self.rooms.reach().transport.close()
        self.rooms.store.engine.checkpoint()


def _endings() -> tuple[signal.Signals, ...]:
    """The signals that stop the service: SIGHUP too, unless it was started with `nohup`."""
    kept = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return (signal.SIGTERM, signal.SIGINT, *(() if kept else (signal.SIGHUP,)))


async def deliver_all(rooms: Rooms, stop: Callable[[], bool] = lambda: False) -> int:
    """Send what is due on every channel at once; return how many deliveries were accepted."""
    channels = rooms.core.house.channels
    return sum(await asyncio.gather(*(deliver_one(rooms, name, stop) for name in channels)))


async def deliver_one(rooms: Rooms, channel: str, stop: Callable[[], bool] = lambda: False) -> int:
    """Send what is due on one channel; return how many deliveries were accepted."""
    slots = {"email": rooms.config.mail.connections, "slack": 8, "console": 1}
    with sending(rooms.config.data):
        return await rooms.core.deliver(channel, slots=slots.get(channel, 4), stop=stop)
