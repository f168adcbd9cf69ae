"""What the verbs work with: the outsides as contracts, the knowledge, the clock, the wishes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from bot.answers import Answerer
from bot.channels import Channel
from bot.core.compendium import Compendium
from bot.core.events import Event, Witness, unheard
from bot.core.heat import Heat
from bot.core.sayings import Sayings
from bot.links import Links
from bot.matching import Language
from bot.model import Clock, Origin, Paper, Topic, utc_now
from bot.store import Store, StoreFull
from bot.timetable.announcements import Calendar

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the operator decided for everyone.

    `cadence` and `zone` hold where a subscriber says nothing else.  `sample` marks everything as
    invented.
    """

    cadence: str = "weekly mon 09:00"
    zone: str = "UTC"
    own_topics: bool = False  # whether the web shows what people made
    stale_after: timedelta = timedelta(hours=48)
    give_up_after: timedelta = timedelta(days=3)
    claim_lapses_s: int = 900
    joins_a_day: int = 200
    sample: bool = False
    keep: timedelta = timedelta(days=30)  # the bytes of what was sent
    revisions: bool = False  # whether a digest names papers whose title was changed


@dataclass(frozen=True, slots=True)
class House:
    """Everything a verb needs."""

    store: Store
    channels: Mapping[str, Channel]
    language: Language
    links: Links
    calendar: Calendar
    answerer: Answerer
    clock: Clock
    wishes: Wishes
    compendium: Compendium
    heat: Heat
    sayings: Callable[[], Sayings]  # asked for by few requests
    real_clock: Clock = utc_now  # for what other people's servers bear
    witness: Witness = unheard

    def has_page(self, topic: Topic) -> bool:
        """Whether the web shows this topic."""
        return topic.origin is Origin.CATALOGUE or self.wishes.own_topics

    def papers(self, seqs: Sequence[int]) -> list[Paper]:
        """Stored papers in the order of their numbers here; unknown ones are left out."""
        known = {paper.seq: paper for paper in self.store.papers.some(seqs)}
        return [known[seq] for seq in seqs if seq in known]

    def tell(self, what: str, outcome: str, **facts: str | int | float) -> None:
        """Let the witness know."""
        self.witness(Event(what, outcome, facts))


def with_room(work: Callable[[], Done]) -> Done:
    """Run `work`; again if the disk was full: by then the reserve has been freed."""
    try:
        return work()
    except StoreFull:
        return work()
