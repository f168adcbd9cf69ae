"""Builds the house: store, language, channels and sources out of the configuration.

What reaches outside is imported when it is first asked for, and the thesaurus is read then: a
command that only looks at what is stored waits for neither.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache, partial
from threading import Event, Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from bot import config
from bot.addresses import normalise_address, writer
from bot.app import coverage, knowledge, link_key
from bot.app.answering import answerer
from bot.app.backups import restoring
from bot.app.locks import is_served
from bot.app.metrics import Metrics
from bot.channels import Channel
from bot.config import Config, ConfigError
from bot.core import Compendium, Core, Heat, House, Sayings, Wishes
from bot.core.events import Witness, both, unheard
from bot.core.pipeline.papers.catalogue import Listed
from bot.links import Links
from bot.matching import Language
from bot.model import Clock, Identity, utc_now
from bot.store.sqlite import SqliteStore, open_store
from bot.timetable import Cadence, Calendar, canonical_zone

if TYPE_CHECKING:
    from bot.app.in_slack import InSlack
    from bot.app.reaching import Reach

JITTER_MINUTES = 20

Given = TypeVar("Given")
Read = TypeVar("Read")
Made = TypeVar("Made")


class Late(Generic[Made]):
    """What reaches outside, made when something of it is first asked for, and once."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: Made | None = None

    def __call__(self) -> Made:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


@dataclass(slots=True)
class Rooms:
    """The house with what only the wiring may know: concrete store and transports."""

    config: Config
    core: Core
    store: SqliteStore
    metrics: Metrics
    key: bytes
    halt: Event  # set at the end: nobody waits for a turn or a second try any more
    reach: "Late[Reach]"
    in_slack: "Late[InSlack]"
    polled: Callable[[], tuple[str, ...]]  # the categories to ask arXiv for, as things stand now
    _listed: Callable[[], list[Listed]]

    def keep_up(self) -> None:
        """Bring the store up to the files, also where a typed command did and nothing changed."""
        self.core.house.language.make_ready()
        self.core.learn_catalogue(self._listed())
        self.core.read_anew()

    def close(self) -> None:
        """Close the database."""
        self.store.close()


class _Channels(Mapping[str, Channel]):
    """The channels by name, each made when it is first asked for."""

    def __init__(self, made: Mapping[str, Callable[[], Channel]]) -> None:
        self._made = made

    def __getitem__(self, name: str) -> Channel:
        return self._made[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __contains__(self, name: object) -> bool:
        return name in self._made  # a mapping would ask for the channel itself


def build(
    settings: Config,
    clock: Clock = utc_now,
    *,
    store: SqliteStore | None = None,
    witness: Witness = unheard,
    topics: Sequence[Listed] | None = None,
) -> Rooms:
    """Everything, ready.  Raises ConfigError or StoreError with what to do.

    `witness` hears of events; `topics` stand in for the catalogue of config/topics.
    """
    wishes = _wishes(settings)
    restoring.finish_restore(settings.data)
    kept = store or open_store(settings.data, partial(is_served, settings.data))
    known = language()
    key = secrets.token_bytes(link_key.SIZE) if store else link_key.kept(settings.data, kept)
    metrics, halt = Metrics(kept, clock), Event()

    def polled() -> tuple[str, ...]:
        return coverage.polled(settings.arxiv.categories, kept.topics.followed(), known)

    def make() -> "Reach":
        from bot.app import reaching  # noqa: PLC0415 - half a second, which few commands need

        within = reaching.Within(settings, core, kept, metrics, key, halt, polled)
        return reaching.Reach(within)

    def make_in_slack() -> "InSlack":
        from bot.app import in_slack  # noqa: PLC0415 - as long again, and few houses are in Slack

        return in_slack.InSlack(settings, kept, clock)

    reach, slack = Late(make), Late(make_in_slack)
    mailings = calendar()
    house = House(
        store=kept,
        channels=_channels(reach, slack),
        language=known,
        links=Links(settings.web.address, key),
        calendar=mailings,
        answerer=answerer(settings, clock),
        clock=clock,
        wishes=wishes,
        compendium=Compendium(kept, known),
        heat=Heat(kept, mailings, clock),
        sayings=sayings,
        witness=both(metrics.witness, witness),
    )
    core = Core(house)
    listed = catalogue if topics is None else lambda: list(topics)
    core.keep_up(listed, knowledge.mark() if topics is None else "")
    return Rooms(settings, core, kept, metrics, key, halt, reach, slack, polled, listed)


def _channels(reach: "Late[Reach]", slack: "Late[InSlack]") -> Mapping[str, Channel]:
    return _Channels(
        {
            "email": lambda: reach().email,
            "slack": lambda: slack().channel,
            "console": lambda: reach().console,
        }
    )


def _wishes(settings: Config) -> Wishes:
    """What the operator wants for everyone.  Raises ConfigError where anything is not right."""
    zone, cadence = checked(settings)
    return Wishes(
        cadence=cadence,
        zone=zone,
        own_topics=settings.web.show_own_topics,
        revisions=settings.digest.revisions,
        keep=timedelta(days=settings.digest.keep_days),
    )


@cache
def language() -> Language:
    """The topic language with the packaged thesaurus."""
    return Language.when_asked(
        lambda: (
            config.toml("thesaurus.toml") | config.toml("languages.toml"),
            config.toml("company.toml"),
        )
    )


@cache
def sayings() -> Sayings:
    """What people say in words of their own, by the packaged examples."""
    return Sayings(config.toml("sayings.toml"))


def calendar() -> Calendar:
    """arXiv's announcement calendar; each installation asks a few minutes apart from others."""
    jitter = timedelta(minutes=secrets.randbelow(JITTER_MINUTES))
    return Calendar.parse(config.toml("calendar.toml"), jitter)


def catalogue() -> list[Listed]:
    """The topics of config/topics."""
    return [
        Listed(
            topic["slug"], topic["name"], topic["description"], table["field"],
            topic.get("query", ""), tuple(topic.get("aliases", ())),
        )
        for table in config.catalogue()
        for topic in table["topic"]
    ]  # fmt: skip


def checked(settings: Config) -> tuple[str, str]:
    """The zone and the cadence for everyone, once all is found right that only rooms can judge.

    What stands here and in `config` is all that can be wrong: nothing is refused later.  Raises
    ConfigError.
    """
    _read("mail.sender", writer, settings.mail.sender)
    if settings.mail.reply_to:
        _read("mail.reply_to", writer, settings.mail.reply_to)
    if settings.operator.alert:
        _read("operator.alert", _reachable, settings.operator.alert)
    _read("arxiv.categories", coverage.meant, settings.arxiv.categories)
    zone = _read("digest.zone", canonical_zone, settings.digest.zone)
    return zone, str(_read("digest.cadence", Cadence.parse, settings.digest.cadence))


def _read(key: str, reader: Callable[[Given], Read], value: Given) -> Read:
    try:
        return reader(value)
    except ValueError as error:
        raise ConfigError(f"{key}: {error}") from None


def _reachable(text: str) -> Identity:
    who = Identity.parse(text)
    if who.kind == "email":
        return replace(who, external_id=normalise_address(who.external_id))
    return who
