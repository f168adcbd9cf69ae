"""The service as a whole: it starts, ticks, answers, and stops when told."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.utils import parsedate_to_datetime

import pytest

from bot.app import backups
from bot.app.locks import sending
from bot.app.rotation import back_up_if_due
from bot.app.service.background import aside
from bot.app.service.ballast import Ballast
from bot.app.service.clockwork import Service
from bot.app.service.looks import Look
from bot.app.service.pulse import Pulse
from bot.app.service.vitals import Vitals
from bot.sources import SourceFault
from tests.app.house import ADA, ByHand, a_paper_came, about, follow, send
from tests.open_files import open_files


class Silent:
    """A source that does not answer before the test has ended."""

    name = "arxiv"

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()

    def pages(self, watermark):
        self.asked.set()
        self.let_go.wait(30)
        yield from ()


@pytest.fixture
def service(rooms, monkeypatch):
    monkeypatch.setattr("bot.app.service.clockwork.looks", lambda rooms, now: [])
    return Service(rooms)


@pytest.fixture
def local_zone():
    """Sets the zone of this process, as its machine's would be."""
    with pytest.MonkeyPatch.context() as patch:

        def set_to(zone: str) -> None:
            patch.setenv("TZ", zone)
            time.tzset()

        yield set_to
    time.tzset()


@pytest.fixture
def a_digest_waits(rooms, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=7)
    rooms.core.prepare()


async def test_sigterm_ends_it_soon_and_leaves_nothing_in_the_air(service, rooms, mailbox, clock):
    follow(rooms)
    running = asyncio.ensure_future(service.run())
    await asyncio.sleep(0.05)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(running, 60)

    assert rooms.halt.is_set()
    assert Vitals(rooms, service).ready() == "stopping"


async def test_an_arxiv_that_does_not_answer_does_not_hold_up_the_end(rooms, clock, monkeypatch):
    monkeypatch.setattr("bot.app.service.clockwork.ASIDE_S", 0.1)
    source = Silent()
    look = Look("arxiv", clock(), lambda: source)
    monkeypatch.setattr("bot.app.service.clockwork.looks", lambda rooms, now: [look])
    service = Service(rooms)
    running = asyncio.ensure_future(service.run())
    await asyncio.to_thread(source.asked.wait, 60)
    service.stopping.set()
    await asyncio.wait_for(running, 60)

    assert not source.let_go.is_set()
    source.let_go.set()


async def test_due_digests_go_by_themselves(service, rooms, mailbox, arxiv, clock):
    a_paper_came(rooms, arxiv, clock, days=7)
    running = asyncio.ensure_future(service.run())
    for _ in range(1_500):
        if mailbox.arrived:
            break
        service.look()
        await asyncio.sleep(0.02)
    service.stopping.set()
    await asyncio.wait_for(running, 60)

    assert len(mailbox.arrived) == 1


async def test_a_digest_that_comes_days_late_is_dated_when_it_was_composed(
    rooms, mailbox, arxiv, clock
):
    """Dated when it was due, junk filters count it as odd, and some servers refuse it."""
    a_paper_came(rooms, arxiv, clock, days=14)
    await send(rooms)

    [raw] = mailbox.to("ada@example.org")
    mail = message_from_bytes(raw)
    assert parsedate_to_datetime(mail["Date"]) == clock()
    assert "Monday 30 November" in mail.get_payload(0).get_payload()


@pytest.mark.parametrize("alive", [True, False])
async def test_what_another_process_has_in_the_air_is_left_to_it(
    a_digest_waits, service, rooms, clock, alive
):
    """A `deliver` that waits for the relay while the service starts; or one that has died."""
    service.look = lambda: None  # nothing of its own is due
    with rooms.store.write():
        claimed = rooms.store.outbox.claim("email", clock(), 900)
    with sending(rooms.config.data) if alive else nullcontext():
        service.stopping.set()
        await service.run()

    with rooms.store.write():
        again = rooms.store.outbox.claim("email", clock(), 900)
    assert claimed
    assert (again is None) is alive


async def test_nobody_is_alarmed_before_the_first_look_has_ended(service, rooms, arxiv, clock):
    """Off for days: what arXiv announced meanwhile is being read."""
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await service.watch()
    assert rooms.store.ledger.runs("alert") == []

    service.poll_due()
    await service.watch()
    assert {run.subject for run in rooms.store.ledger.runs("alert")} >= {"silence"}


async def test_what_arxiv_never_answers_is_told_after_some_minutes(service, rooms, arxiv, clock):
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    service._began -= 700
    await service.watch()

    assert rooms.store.ledger.runs("alert")


async def test_a_tick_that_fails_fails_alone(service, rooms):
    async def broken() -> None:
        raise RuntimeError("no")

    service._start("odd", broken)
    await asyncio.sleep(0.01)

    assert b'paperround_tick_failures_total{tick="odd"} 1.0' in rooms.metrics.text()


async def test_hundreds_of_asides_leave_no_file_open(rooms):
    await aside(rooms.store.papers.count)
    before = open_files()
    for _ in range(300):
        await aside(rooms.store.papers.count)

    assert open_files() == before


async def test_hundreds_of_ticks_leave_no_file_open_and_no_thread_behind(
    service, rooms, arxiv, clock
):
    """But for the pools of threads and readers, which grow as many of them work at once."""
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    await ticks(service, 40)
    files, threads = open_files(), threading.active_count()
    await ticks(service, 200)

    assert open_files() < files + 20
    assert threading.active_count() < threads + 20


async def ticks(service: Service, number: int) -> None:
    for _ in range(number):
        service.look()
        await asyncio.gather(*service._running.values())


async def test_a_clock_set_back_does_not_stop_the_ticks(service, rooms):
    before = service._ticks
    service._jumped(timedelta(hours=-1))
    await asyncio.gather(*service._running.values(), return_exceptions=True)

    assert service._ticks is not before
    assert b"paperround_clock_jump_total 1.0" in rooms.metrics.text()


async def test_the_end_of_summer_time_does_not_stop_the_ticks(rooms, monkeypatch, local_zone):
    """Whoever starts it by hand gives it the zone of the machine."""
    monkeypatch.setattr("bot.app.service.clockwork.TICK_S", 1)
    local_zone("SUMMER-2")
    looked = asyncio.Queue[Service]()
    monkeypatch.setattr(Service, "look", lambda service: looked.put_nowait(service))
    service = Service(rooms)
    running = asyncio.ensure_future(service.run())
    await looked.get()
    local_zone("WINTER-1")
    while not looked.empty():
        looked.get_nowait()
    await asyncio.wait_for(looked.get(), 20)
    service.stopping.set()
    await asyncio.wait_for(running, 60)


async def test_no_digest_goes_while_our_clock_is_off_by_days(service, rooms, arxiv, clock):
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=70)
    service.poll_due()
    rooms.reach().session.clock_is_off = True  # as arXiv's clock said
    await service.prepare()
    assert rooms.store.ledger.runs("prepare") == []

    rooms.reach().session.clock_is_off = False
    await service.prepare()
    assert rooms.store.ledger.runs("prepare")


@pytest.mark.parametrize("ticked", [True, False], ids=["stopped", "asleep or set forward"])
async def test_after_a_pause_digests_wait_for_a_look_at_arxiv_and_nobody_is_alarmed(
    service, rooms, arxiv, clock, ticked
):
    """A lid was closed over the hour of the digest; the time that ran may have stood still."""
    seconds = [0.0]
    service.pulse = Pulse(clock, lambda: seconds[0])
    service.look = lambda: None
    service.poll_due()
    follow(rooms)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    for minutes in (1, 7 * 24 * 60 + 150):
        clock.forward(minutes=minutes)
        seconds[0] += 60 * minutes * ticked
        service.beat()
        await service.prepare()
        await service.watch()
        assert rooms.store.ledger.runs("prepare") == []
        assert service.is_catching_up() is (minutes != 1)
    assert rooms.store.ledger.runs("alert") == []

    service.poll_due()
    await service.prepare()
    assert rooms.store.ledger.runs("prepare")


async def test_work_aside_gives_its_result_or_its_error():
    def fails() -> int:
        raise ValueError("odd")

    assert await aside(lambda: 3) == 3
    with pytest.raises(ValueError, match="odd"):
        await aside(fails)


ENDS_WHILE_OTHERS_CODE_RUNS = """
import asyncio, threading
from ahocorasick_rs import AhoCorasick
from bot.app.service.background import aside, ended, leave

def reads():
    words, text = AhoCorasick(["tide", "gull"]), "The tide and the gulls. " * 100_000
    while True:
        words.find_matches_as_indexes(text)

async def serves():
    asyncio.ensure_future(aside(reads))
    await asyncio.sleep(0.2)
    assert not ended(0.2)

asyncio.run(serves())
leave()
"""


def test_the_process_ends_well_while_a_source_is_still_matched():
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, "-c", ENDS_WHILE_OTHERS_CODE_RUNS],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")


def test_a_day_brings_one_backup_and_keeps_some(rooms, clock):
    made = 0
    for _ in range(10 * 24):
        clock.forward(hours=1)
        made += back_up_if_due(rooms)

    assert made == 10
    assert len(list((rooms.config.data / "backups").iterdir())) == 7


async def test_a_topic_that_is_read_anew_is_matched_with_the_past_by_itself(
    service, rooms, arxiv, clock
):
    a_paper_came(rooms, arxiv, clock, days=0)
    (topic,) = [each for each in rooms.store.topics.all() if each.slug == "world-models"]
    rooms.store.topics.put(replace(topic, query=f"({topic.query}) OR tides"), {}, clock())
    assert rooms.store.topics.stale()
    await service._rematch()

    assert rooms.store.topics.stale() == []
    assert rooms.store.topics.count(topic.id, 0) == 1


@pytest.mark.parametrize(("free", "made"), [(10 << 30, 1), (1 << 20, 0)])
async def test_backups_are_made_by_themselves_while_there_is_room(service, rooms, free, made):
    service.ballast = Ballast(rooms.config.data, free=lambda _: free)
    await service._back_up()

    assert len(backups.kept(rooms.config.data)) == made


def test_a_copy_that_somebody_makes_elsewhere_takes_the_place_of_none_here(rooms, clock, tmp_path):
    for _ in range(3):
        back_up_if_due(rooms)
        clock.forward(hours=12)
        backups.make(rooms.store, rooms.config.data, clock(), tmp_path / "elsewhere")
        clock.forward(hours=12)

    assert len(backups.kept(rooms.config.data)) == 3


def test_the_standing_is_told_without_a_name(a_digest_waits, rooms):
    said = Vitals(rooms, Service(rooms)).standing()

    assert said["digests"]["last_day"] == {"queued": 1}
    assert said["channels"][0]["waiting"] == 1
    assert "ada@" not in str(said)


class Spoilt:
    """A source that fails as no source should."""

    name = "arxiv"

    def pages(self, watermark):
        raise RuntimeError("a page that nobody thought of")


def test_a_source_that_breaks_us_is_written_down_and_the_others_are_read(rooms, clock, monkeypatch):
    healthy = ByHand("rss")
    monkeypatch.setattr(
        "bot.app.service.clockwork.looks",
        lambda *_: [Look("arxiv", clock(), Spoilt), Look("rss", clock(), lambda: healthy)],
    )
    Service(rooms).poll_due()

    assert rooms.store.ledger.runs("poll", "rss")
    (failed,) = rooms.store.ledger.runs("poll", "arxiv")
    assert (failed.outcome, "log" in failed.reason) == (SourceFault.TRANSIENT, True)


async def test_mails_of_who_is_forgotten_go_within_the_hour(service, rooms):
    follow(rooms)
    left = rooms.config.data / rooms.config.mail.folder / "d1.20261130.0.0.eml"
    left.parent.mkdir()
    left.write_bytes(b"To: ada@example.org\r\n\r\n")
    rooms.core.erase(ADA)  # as on her own page, which knows of no folder

    await service._tidy()

    assert not left.exists()
