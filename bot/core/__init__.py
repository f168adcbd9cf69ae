"""The verbs.  Every door and every timer calls these and nothing deeper.

    ingest ─▶ prepare ─▶ deliver        what time does: `pipeline`
    execute(actor, text) ─▶ Reply       what people ask for: `commands`, which may look at it

What both need stands beside them.

All of them are synchronous but `deliver`; they may be called from any thread.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from bot.core.commands import executing, personal_data
from bot.core.commands.links import joining, redeeming
from bot.core.commands.papers import explain
from bot.core.compendium import Compendium
from bot.core.events import Event
from bot.core.heat import Heat
from bot.core.house import House, Wishes, with_room
from bot.core.pipeline import setback
from bot.core.pipeline.deliveries import deliver as delivering
from bot.core.pipeline.deliveries import letters
from bot.core.pipeline.deliveries.refusing import Closed
from bot.core.pipeline.deliveries.verdicts import DIED
from bot.core.pipeline.digests import composing, example, prepare
from bot.core.pipeline.digests.prepare import Prepared
from bot.core.pipeline.papers import catalogue, enrich, ingest, learning, rematching
from bot.core.pipeline.papers.ingest import Ingested, Progress, SlicedSource
from bot.core.pipeline.standing import Standing, standing
from bot.core.reply import Actor, Reply
from bot.core.sayings import Sayings
from bot.digest import Digest
from bot.model import Destination, Identity, Paper, Topic
from bot.sources import Source
from bot.store import Ahead

__all__ = [
    "Actor",
    "Compendium",
    "Core",
    "Event",
    "Heat",
    "House",
    "Ingested",
    "Prepared",
    "Reply",
    "Sayings",
    "Wishes",
]


class Core:
    """The one face of Paperround towards its doors and its clock."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._closed = Closed()

    # -------------------------------------------------------- what time does

    def ingest(self, source: Source, progress: Progress = ingest.silent) -> Ingested:
        """Read what a source showed since last time; store, match, and leave a ledger row."""
        return ingest.ingest(self.house, source, progress)

    def days_to_backfill(self, source_name: str, weeks: int) -> list[date]:
        """Days of the past that were not read yet, newest first."""
        return ingest.days_to_backfill(self.house, source_name, weeks)

    def backfill(self, source: SlicedSource, day: date) -> Ingested:
        """Read one day of the past whole; nobody is told."""
        return ingest.backfill(self.house, source, day)

    def read_past(self, source: Source) -> Ingested:
        """Read what a source shows now as the past: told to nobody.  Raises SourceError."""
        return ingest.read_past(self.house, source)

    def read_day(self, source: SlicedSource, day: date) -> Ingested:
        """Read one day as if it were announced now: for trying, in a store of its own."""
        return ingest.read_day(self.house, source, day)

    def rematch(self) -> Topic | None:
        """Match the past anew for one topic whose query changed; None where none waits."""
        return rematching.rematch_next(self.house)

    def catch_up(self, identity: Identity) -> None:
        """Match the rest of the past with topics somebody follows whose reply saw a part of it."""
        rematching.catch_up(self.house, self.house.store.people.find(identity) or 0)

    def learn(self) -> Topic | None:
        """Let one followed topic learn its own words; None where it is nobody's turn."""
        return learning.learn_next(self.house)

    def prepare(self, limit: int = 200) -> Prepared:
        """Compose due digests into the outbox."""
        return prepare.prepare(self.house, limit)

    async def deliver(
        self, channel: str, *, slots: int = 4, stop: Callable[[], bool] = lambda: False
    ) -> int:
        """Send what is due on one channel; return how many deliveries were accepted."""
        return await delivering.deliver(self.house, self._closed, channel, slots=slots, stop=stop)

    def recover(self) -> int:
        """At the start of the one service: what a dead one had in the air is asked about now."""
        with self.house.store.write():
            return self.house.store.outbox.recover(self.house.clock(), DIED)

    def set_back(self) -> Ahead | None:
        """Move rows dated in the future back to now; return what was found, None for nothing."""
        return setback.set_back(self.house)

    def enrich(self, page: enrich.AuthorsPage) -> Paper | None:
        """Look up the institutes of one paper's authors; None where nothing is left, or not now."""
        return enrich.enrich_next(self.house, page)

    def keep_up(self, listed: Callable[[], list[catalogue.Listed]], mark: str = "") -> None:
        """Bring the store up to the files that `mark` stands for; nothing where it is already."""
        catalogue.keep_up(self.house, listed, mark)

    def learn_catalogue(self, topics: list[catalogue.Listed]) -> int:
        """Bring the stored catalogue up to the files; return how many topics changed."""
        return catalogue.learn(self.house, topics)

    def read_anew(self) -> int:
        """Own topics follow a thesaurus that learnt more words; return how many changed."""
        return catalogue.read_anew(self.house)

    # ------------------------------------------------- what people ask for

    def execute(self, actor: Actor, text: str) -> Reply:
        """Carry out what someone typed or pressed.  Never raises for odd input."""
        return with_room(lambda: executing.execute(self.house, actor, text))

    def preview(self, identity: Identity, *, past: bool = False) -> Digest | None:
        """The digest as it would be now, nothing recorded; None for someone unknown.

        With `past` an example of the newest papers, those that are no news too.
        """
        subscriber = self.house.store.people.find(identity)
        place = letters.first_place(self.house, subscriber or 0)
        if place is None:
            return None
        now = self.house.clock()
        made = example.example if past else composing.preview
        return made(self.house, replace(place, next_due_at=now), now)

    def send_test(self, identity: Identity) -> int | None:
        """Queue the digest as it would be now, told to nobody; its delivery.

        Where it would be empty, an example.  None for someone unknown and for whoever has left.
        """
        digest = self.preview(identity)
        if digest and not digest.sections:
            digest = self.preview(identity, past=True)
        return letters.send_test(self.house, identity, digest)

    def explain(self, identity: Identity, arxiv_id: str) -> Reply:
        """Why a paper came to someone, or did not."""
        return explain.explain(self.house, identity, arxiv_id)

    def join(self, address: str, topic: str, zone: str, where: str) -> Reply:
        """Somebody typed an address into the web form; one mail asks its owner to confirm."""
        return joining.join(self.house, address, topic, zone, where)

    def redeem(self, token: str, *, act: bool) -> Reply:
        """What a signed link stands for: shown, or done where `act`.  Raises links.BadLink."""
        return with_room(lambda: redeeming.redeem(self.house, token, act=act))

    def holder(self, token: str) -> Actor:
        """Whose personal page a link opens.  Raises links.BadLink for any other link."""
        return redeeming.holder(self.house, token)

    def place(self, token: str) -> Destination | None:
        """The destination that a link is about, if it still is.  Raises links.BadLink."""
        return redeeming.claimed(self.house, token)[1]

    def standing(self) -> Standing:
        """How the whole installation stands, for an operator."""
        return standing(self.house)

    def export(self, identity: Identity) -> dict[str, object]:
        """Everything kept about someone, as plain data."""
        return personal_data.export(self.house, identity)

    def erase(self, identity: Identity) -> bool:
        """Forget someone wholly; False for someone unknown."""
        return personal_data.erase(self.house, identity)

    def void_links(self, identity: Identity) -> bool:
        """Let links in someone's mails so far only stop the mail; False for someone unknown."""
        return personal_data.void_links(self.house, identity)
