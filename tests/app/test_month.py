"""A month of an installation in simulated time: three outages, two upgrades, one restore.

Nothing is lost, nobody is told twice, every day is explained, every alert came once.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy

import pytest

from bot.app import backups
from bot.app.backups import restoring
from bot.app.rotation import back_up_if_due
from bot.app.service import alerts
from bot.app.service import looks as looking
from bot.app.service.clockwork import Service
from bot.app.wiring import calendar
from bot.channels import Fault
from bot.config import Operator
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState, Identity, Paper, Sighting
from bot.sources import Page, SourceError, SourceFault
from bot.store import Run
from tests.app.house import ADA, Mailbox, about, follow, open_rooms, refused, told
from tests.fakes import FrozenClock

OPS, BOB = "ops@example.org", Identity("email", "", "bob@example.org")
START = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
DAYS = 30
STEP = timedelta(hours=2)


def at(day: int, hour: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


API_DOWN = (at(5), at(7))
ALL_DOWN = (at(10, 12), at(14, 12))  # four mailings, the weekend begins
MAIL_DOWN = (at(18, 8), at(19, 12))
UPGRADES = (at(9, 16), at(20, 16))
RESTORE = at(25, 12)  # after the morning's digest, which the backup of the day before lacks


def within(now: datetime, span: tuple[datetime, datetime]) -> bool:
    return span[0] <= now < span[1]


@dataclass
class World:
    """An arXiv with three faces that announces by its own calendar."""

    clock: FrozenClock
    announced: list[tuple[datetime, Paper]] = field(default_factory=list)

    def __post_init__(self) -> None:
        days, mailing, number = calendar(), START - timedelta(days=1), 0
        while (mailing := days.next_mailing(mailing)) < START + timedelta(days=DAYS):
            for n in range(3):
                number += 1
                words = "Something else" if n == 2 else "World models"
                paper = about(number, mailing, words)
                if n == 1:  # held for weeks: only OAI-PMH shows it
                    paper = about(number, mailing, words,
                                  submitted_at=mailing - timedelta(days=24))  # fmt: skip
                self.announced.append((mailing + timedelta(hours=4), paper))

    def source(self, name: str) -> "Face":
        return Face(self, name)


@dataclass
class Face:
    world: World
    name: str

    def pages(self, watermark: str | None) -> Iterator[Page]:
        now = self.world.clock()
        if within(now, ALL_DOWN) or (self.name == "arxiv" and within(now, API_DOWN)):
            raise SourceError("arXiv answered 503", SourceFault.TRANSIENT)
        since = now - timedelta(days=8)
        papers = [p for at_, p in self.world.announced if at_ <= now and at_ > since]
        if self.name == "arxiv":
            papers = [p for p in papers if p.submitted_at > since]
        yield Page(tuple(Sighting(p) for p in papers), watermark=now.isoformat())


def papers_in(raw: bytes) -> set[int]:
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",)).get_content()
    return {int(number) for number in re.findall(r"World models, part (\d+)", body)}


class Month:
    """The installation as its operator keeps it."""

    def __init__(self, folder, clock, monkeypatch) -> None:
        self.data, self.clock, self.world = folder / "data", clock, World(clock)
        self.mail = Mailbox()
        monkeypatch.setattr("bot.app.service.clockwork.looks", self._looks)
        self.rows: list[Run] = []
        self.raised: list[str] = []
        self.cleared: list[str] = []
        self._open()

    def _looks(self, rooms, now):
        return [
            looking.Look(look.name, look.due_at, lambda name=look.name: self.world.source(name))
            for look in looking.looks(rooms, now)
        ]

    def _open(self) -> None:
        operator = Operator(alert=f"email:{OPS}", backups=7)
        self.rooms, _ = open_rooms(self.data, self.clock, operator=operator)
        self.rooms.core.house.channels["email"]._transport = self.mail
        self.service = Service(self.rooms)

    async def hour(self) -> None:
        down = within(self.clock(), MAIL_DOWN)
        self.mail.closed_for = (
            refused("535 the password is refused", Fault.CHANNEL) if down else None
        )
        self.service.poll_due()
        while self.rooms.core.prepare().more:
            pass
        await self.rooms.core.deliver("email")
        back_up_if_due(self.rooms)
        raised, cleared = alerts.watch(self.rooms)
        self.raised += [each.key for each in raised]
        self.cleared += [each.key for each in cleared]
        await self.rooms.core.deliver("email")

    def upgrade(self) -> None:
        """As if the version before had not known of the last table."""
        engine = self.rooms.store.engine
        engine.run("DROP TABLE revisions")
        engine.run("DELETE FROM _sqlite_migrations WHERE name = 'm002_revisions'")
        self.rooms.close()
        self._open()

    def restore(self) -> None:
        self.keep_rows()
        self.rooms.close()
        restoring.restore(backups.chosen("latest", self.data), self.data, self.clock())
        self._open()

    def keep_rows(self) -> None:
        for kind in ("poll", "prepare", "backup", "alert"):
            self.rows += self.rooms.store.ledger.runs(kind, limit=10_000)

    def decide(self) -> int:
        """The operator looks at what is held: what arrived before is cancelled, the rest goes."""
        held = self.rooms.store.outbox.queue([DeliveryState.HELD])
        for line in held:
            told_before = set().union(*map(papers_in, self.mail.to(line.delivery.address)))
            here = {
                int(p.arxiv_id[5:]) for p in queueing.papers(self.rooms.core.house, line.delivery)
            }
            if here <= told_before:
                queueing.cancel(self.rooms.core.house, [line.delivery.id], give_back=False)
            else:
                queueing.retry(self.rooms.core.house, [line.delivery.id])
        return len(held)


@pytest.mark.slow
async def test_over_a_month_of_faults_nothing_is_lost_and_nobody_told_twice(
    tmp_path, clock, monkeypatch
):
    clock.set(START)
    month = Month(tmp_path, clock, monkeypatch)
    follow(month.rooms, ADA)
    told(month.rooms, ADA, "digest daily 9:00")
    follow(month.rooms, BOB)
    upgrades, restored, decided = list(UPGRADES), False, 0
    while clock() < START + timedelta(days=DAYS):
        clock.forward(hours=STEP.total_seconds() / 3600)
        if upgrades and clock() >= upgrades[0]:
            upgrades.pop(0)
            month.upgrade()
        if not restored and clock() >= RESTORE:
            month.restore()
            restored = True
        await month.hour()
        if restored and clock() > RESTORE + timedelta(hours=6):
            decided += month.decide()
    month.keep_rows()

    _nothing_is_lost_and_nobody_told_twice(month)
    _every_day_is_explained(month)
    _every_alert_came_once(month)
    assert decided >= 1, "the restore held what may have been sent"
    aside = sorted(p.name for p in (month.data / "backups").glob("before-*"))
    assert aside == ["before-m002_revisions", "before-m002_revisions-2"], "the restore went back"
    month.rooms.close()


def _nothing_is_lost_and_nobody_told_twice(month: Month) -> None:
    last_digest = {ADA.external_id: at(2, 9, 12), BOB.external_id: at(30, 9)}
    for who, last in last_digest.items():
        wanted = {
            int(p.arxiv_id[5:])
            for when, p in month.world.announced
            if "World" in p.title and when + timedelta(hours=12) < last
        }
        counted = Counter(n for raw in month.mail.to(who) for n in papers_in(raw))

        assert wanted <= set(counted), f"{who} lost {sorted(wanted - set(counted))}"
        assert [n for n, times in counted.items() if times > 1] == [], who


def _every_day_is_explained(month: Month) -> None:
    decided = {row.at.date() for row in month.rows if row.kind == "prepare" and row.subject == "d1"}
    restored = {row.at.date() for row in month.rows if row.outcome == "restored"}
    days = {(START + timedelta(days=n)).date() for n in range(1, DAYS)}
    assert days <= decided | restored

    polled = {row.at.date() for row in month.rows if row.kind == "poll"}
    mailings = {(when + timedelta(hours=2)).date() for when, _ in month.world.announced}
    assert {day for day in mailings if day in days} <= polled
    assert all(
        row.reason for row in month.rows if row.kind == "poll" and row.outcome == "transient"
    )
    assert all(row.reason for row in month.rows if row.kind == "prepare" and row.outcome == "empty")


def _every_alert_came_once(month: Month) -> None:
    assert Counter(month.raised) == Counter(
        {"silence": 1, "late email": 1, "failing email": 1, "held": 1}
    )
    assert Counter(month.cleared) == Counter(month.raised)
    subjects = [message_from_bytes(raw, policy=policy.default)["Subject"]
                for raw in month.mail.to(OPS)]  # fmt: skip
    assert sum("well again" in s for s in subjects) == 3
