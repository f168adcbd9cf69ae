"""A whole house for tests: real store, real language, fake channels and time."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache

from bot.answers.extractive import Extractive
from bot.app.wiring import language, sayings
from bot.channels import Channel
from bot.core import Actor, Compendium, Core, Heat, House, Reply, Wishes
from bot.core.pipeline.papers.catalogue import Listed
from bot.links import Links
from bot.matching import Language
from bot.model import Clock, Identity
from bot.store.sqlite import SqliteStore
from bot.timetable import Calendar
from tests.databases import copy_into
from tests.fakes import FrozenClock, Inbox

ADA = Identity("console", "", "ada")
KEY = b"a key for signing links in tests"
CATALOGUE = [
    Listed("lighthouses", "Lighthouses", "Towers with a lamp.", "Coasts", '"lighthouse"'),
    Listed("tides", "Tides", "The sea comes and goes.", "Coasts", '"tide"', ("ebb and flow",)),
    Listed("gulls", "Gulls", "Birds of the coast.", "Coasts", '"gull"'),
]
_LANGUAGE: list[Language] = []


def known_language() -> Language:
    """The real language, compiled once for all tests."""
    if not _LANGUAGE:
        _LANGUAGE.append(language())
    return _LANGUAGE[0]


def core_over(
    store: SqliteStore,
    clock: Clock,
    *,
    channels: Mapping[str, Channel] | None = None,
    links_to: str = "",
    wishes: Wishes | None = None,
) -> Core:
    """A core over a store: the real language, no topics yet; "" links to nowhere."""
    language, calendar = known_language(), Calendar()
    return Core(
        House(
            store=store,
            channels=channels or {},
            language=language,
            links=Links(links_to, KEY),
            calendar=calendar,
            answerer=Extractive(),
            clock=clock,
            wishes=wishes or Wishes(),
            compendium=Compendium(store, language),
            heat=Heat(store, calendar, clock),
            sayings=sayings,
        )
    )


def house(
    clock: FrozenClock,
    *,
    store: SqliteStore | None = None,
    channels: tuple[Inbox, ...] = (),
    **wishes: object,
) -> Core:
    """A core over a store in memory, with an inbox for each channel and three small topics."""
    boxes = {name: Inbox(name) for name in ("console", "email", "slack")}
    core = core_over(
        store or _with_topics(clock()),
        clock,
        channels=boxes | {box.name: box for box in channels},
        links_to="https://papers.example.org",
        wishes=Wishes(stale_after=timedelta(hours=48), **wishes),  # type: ignore[arg-type]
    )
    core.learn_catalogue(CATALOGUE)
    return core


def _with_topics(now: datetime) -> SqliteStore:
    """A store in memory that knows the three topics."""
    store = SqliteStore()
    copy_into(store, _learnt(now))
    return store


@cache
def _learnt(now: datetime) -> SqliteStore:
    core = core_over(SqliteStore(), lambda: now)
    core.learn_catalogue(CATALOGUE)
    return core.house.store


def say(core: Core, text: str, who: Identity = ADA, *, operator: bool = False) -> Reply:
    """What somebody types, and the reply."""
    return core.execute(Actor(who, operator=operator), text)
