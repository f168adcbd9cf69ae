"""Stand-ins for time and other people's services.  They keep the contracts of the real ones."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta

from bot.channels import NOT_THERE, ChannelError, Fault
from bot.digest import Digest, Notice
from bot.model import Announced, Page, Paper, Part, Rejected, Sighting
from bot.sources import Page as SourcePage
from bot.sources import SourceError


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, now: datetime = datetime(2026, 11, 24, 7, 0, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **delta: float) -> None:
        self.now += timedelta(**delta)

    def set(self, now: datetime) -> None:
        self.now = now


class Inbox:
    """A channel that remembers what arrived, and can be told to refuse or to fall silent.

    `lost_answers` parts are accepted and the answer is lost on the way back.  One that `remembers`
    can be asked what it took, as Slack can; a mail server cannot.  `meanwhile` are deeds of others
    while a part is in the air.
    """

    def __init__(self, name: str = "console") -> None:
        self.name = name
        self.arrived: list[tuple[str, tuple[str, ...], str]] = []  # address, papers, key
        self.refusals: list[ChannelError] = []
        self.lost_answers = 0
        self.meanwhile: list[Callable[[], object]] = []
        self.remembers = False

    def render(self, digest: Digest) -> tuple[Page, ...]:
        papers = [entry.paper.arxiv_id for entry in digest.entries]
        topics = sorted({tag.name for entry in digest.entries for tag in entry.tags})
        return tuple(
            Page(
                json.dumps({"papers": papers[at : at + 3], "topics": topics}).encode(),
                papers=tuple(papers[at : at + 3]),
            )
            for at in range(0, len(papers), 3)
        )

    def letter(self, notice: Notice) -> Page:
        labels = [action.label for action in notice.actions]
        said = {"papers": [], "title": notice.title, "lines": notice.lines, "buttons": labels}
        return Page(json.dumps(said).encode())

    async def send(self, part: Part) -> str:
        if self.meanwhile:
            self.meanwhile.pop(0)()
        if self.refusals:
            raise self.refusals.pop(0)
        papers = tuple(json.loads(part.content)["papers"])
        self.arrived.append((part.address, papers, part.key))
        if self.lost_answers:
            self.lost_answers -= 1
            raise ChannelError("the connection broke after it was handed over", Fault.UNKNOWN)
        return f"receipt {len(self.arrived)}"

    async def find(self, part: Part, since: datetime) -> str | None:
        if not self.remembers:
            return None
        wanted = (part.address, tuple(json.loads(part.content)["papers"]), part.key)
        known = wanted in self.arrived
        return f"receipt {1 + self.arrived.index(wanted)}" if known else NOT_THERE


class ArxivByHand:
    """A source whose papers are announced by the test; the watermark counts them."""

    name = "arxiv"

    def __init__(self) -> None:
        self.sightings: list[Sighting] = []
        self.error: SourceError | None = None
        self.rejected: tuple[Rejected, ...] = ()

    def announce(self, *papers: Paper, kind: Announced | None = Announced.NEW) -> None:
        self.sightings += [Sighting(each, kind) for each in papers]

    def pages(self, watermark: str | None) -> Iterator[SourcePage]:
        start = int(watermark or 0)
        for at in range(start, len(self.sightings), 2):
            if self.error:
                error, self.error = self.error, None
                raise error
            some = tuple(self.sightings[at : at + 2])
            yield SourcePage(some, str(at + len(some)), self.rejected)

    def slice(self, day: date) -> Iterator[SourcePage]:
        found = [s for s in self.sightings if s.paper.submitted_at.date() == day]
        yield SourcePage(tuple(found))
