"""Killed in the middle of sending, again and again, while readers leave.

What must hold: no mail lost, repeats at most one for each sending slot and kill, each repeat with
the same Message-ID, and nothing to anyone whose leaving has been answered.
"""

import asyncio
import random
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from bot.core import Core
from bot.model import DeliveryState, Identity
from tests.channels.postman import SLOTS, fill_outbox, open_post_office
from tests.channels.smtp_server import SmtpServer

GRACE_S = 2.0
"""Mail that was claimed before its reader left may still be under way for so long."""


class Slow(SmtpServer):
    """Takes its time to say that it took a mail: many kills fall between its yes and our commit."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self.dice = dice
        self.begun: dict[str, list[float]] = defaultdict(list)
        self.took: dict[str, list[str]] = defaultdict(list)

    async def _answer(self, verb, writer, said=""):
        if verb == "RCPT":
            task = asyncio.current_task()
            task.recipient = said[said.index("<") + 1 : said.index(">")]
            self.begun[task.recipient].append(time.monotonic())
        if verb == "DOT":
            message_id = re.search(rb"Message-ID: <([^>]+)>", self.bodies[-1])[1].decode()
            self.took[asyncio.current_task().recipient].append(message_id)
            await asyncio.sleep(self.dice.uniform(0, 0.02))
        return await super()._answer(verb, writer, said)


@dataclass
class Outcome:
    took: dict[str, list[str]]
    begun: dict[str, list[float]]
    left: dict[str, float] = field(default_factory=dict)
    unfinished: int = 0
    kills: int = 0


async def storm(folder: Path, *, readers: int, kills: int, leavers: int, seed: int) -> Outcome:
    """Send to all readers with a process that is killed so often, while some of them leave."""
    dice = random.Random(seed)
    database = folder / "paperround.db"
    async with Slow(dice) as server:
        core = open_post_office(database, server.port)
        await asyncio.to_thread(fill_outbox, core, readers)
        outcome = Outcome(server.took, server.begun)
        leaving = asyncio.create_task(leave(core, outcome, leavers, readers, dice))
        for _ in range(kills):
            process = await post(database, server.port)
            enough = len(server.bodies) + dice.randint(5, readers // (kills + 2))
            while len(server.bodies) < enough and process.returncode is None:
                await asyncio.sleep(0.002)
            if process.returncode is None:
                process.kill()
                outcome.kills += 1
            await process.wait()
        last = await post(database, server.port)
        assert await last.wait() == 0
        await leaving
        states = [DeliveryState.PENDING, DeliveryState.SENDING, DeliveryState.FAILED]
        outcome.unfinished = len(core.house.store.outbox.queue(states))
        core.house.store.close()
    return outcome


async def post(database: Path, port: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.channels.postman", str(database), str(port)
    )


async def leave(
    core: Core, outcome: Outcome, leavers: int, readers: int, dice: random.Random
) -> None:
    """Some readers press Leave, one after the other; when they were answered is noted."""
    people, links = core.house.store.people, core.house.links
    for n in dice.sample(range(readers), leavers):
        address = f"reader{n}@example.org"
        [own] = people.destinations(people.find(Identity("email", "", address)) or 0)
        token = links.token("one-click", own.id, own.epoch)
        await asyncio.to_thread(core.redeem, token, act=True)
        outcome.left[address] = time.monotonic()
        await asyncio.sleep(dice.uniform(0, 0.06))


def late(outcome: Outcome) -> list[str]:
    """Readers who were written to after they had left."""
    return [
        address
        for address, at in outcome.left.items()
        if any(begun > at + GRACE_S for begun in outcome.begun.get(address, []))
    ]


async def test_killed_while_sending_nothing_is_lost_and_nobody_who_left_is_written_to(tmp_path):
    readers = 100
    outcome = await storm(tmp_path, readers=readers, kills=2, leavers=30, seed=7)

    expected = {f"reader{n}@example.org" for n in range(readers)} - set(outcome.left)
    repeats = sum(len(ids) - 1 for ids in outcome.took.values())
    assert outcome.kills
    assert expected - set(outcome.took) == set()
    assert repeats <= SLOTS * outcome.kills
    assert all(len(set(ids)) == 1 for ids in outcome.took.values())
    assert late(outcome) == []
    assert outcome.unfinished == 0


async def main(kills: int) -> None:
    """`python -m tests.channels.test_kill9 100`: a long storm, in figures."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        readers = 40 * kills
        outcome = await storm(
            Path(folder), readers=readers, kills=kills, leavers=readers // 4, seed=1
        )
    lost = {f"reader{n}@example.org" for n in range(readers)} - set(outcome.left)
    lost -= set(outcome.took)
    repeats = sum(len(ids) - 1 for ids in outcome.took.values())
    print(
        f"{readers:,} readers, {outcome.kills} kills, {len(outcome.left):,} left meanwhile: "
        f"{len(lost)} lost, {repeats} repeats (at most {SLOTS * outcome.kills}), "
        f"{len(late(outcome))} written to after leaving"
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
