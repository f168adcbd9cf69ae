"""Long work beside the loop: reading a source, matching the past, copying the database."""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

_NAME = "aside"


async def aside(work: Callable[[], T]) -> T:
    """Run something long in a thread that the end of the process does not wait for.

    Polling sleeps between requests; what it had not committed is read again.  See `leave`.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(set_outcome: Callable[..., None], outcome: object) -> None:
        def unless_cancelled() -> None:
            if not done.done():
                set_outcome(outcome)

        with suppress(RuntimeError):  # the loop is gone, and nobody asks any more
            loop.call_soon_threadsafe(unless_cancelled)

    def run() -> None:
        try:
            settle(done.set_result, work())
        except BaseException as error:  # handed to whoever waits
            settle(done.set_exception, error)

    threading.Thread(target=run, name=_NAME, daemon=True).start()
    return await done


def ended(within_s: float) -> bool:
    """Wait at most so long for all such work to end; whether it has."""
    until = time.monotonic() + within_s
    for thread in _working():
        thread.join(max(0.0, until - time.monotonic()))
    return not _working()


def leave() -> None:
    """End the process successfully at once if such work goes on.  Call it last.

    A normal exit would stop threads inside foreign code, and abort.
    """
    if _working():
        logging.shutdown()
        sys.stdout.flush()
        os._exit(0)


def _working() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == _NAME]
