"""Builds the house: store, language, channels and sources out of the configuration."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from threading import Event
from typing import TypeVar

from bot import __version__, config
from bot.addresses import normalise_address, writer
from bot.answers import Answerer
from bot.answers.extractive import Extractive
from bot.answers.language_model import LanguageModel
from bot.app import coverage, link_key
from bot.app.journal import both
from bot.app.metrics import Metrics
from bot.app.napping import counted, until
from bot.app.polling import FirstLook, Past, Polling
from bot.channels import Channel
from bot.channels.console import Console
from bot.channels.email import Email, Transport
from bot.channels.folder import Folder
from bot.channels.pace import Pace
from bot.channels.slack import Slack
from bot.channels.smtp import Smtp
from bot.config import Config, ConfigError
from bot.core import Compendium, Core, House, Wishes
from bot.core.house import Witness, unheard
from bot.core.pipeline.catalogue import Listed
from bot.links import Links
from bot.matching import Language
from bot.model import Clock, Identity, utc_now
from bot.slack_app import Workspaces
from bot.sources import Source
from bot.sources.arxiv_api import ArxivApi, known_categories
from bot.sources.html_page import GAP_S as PAGE_GAP_S
from bot.sources.html_page import HtmlPage
from bot.sources.limiter import PoliteLimiter
from bot.sources.oai_pmh import OaiPmh
from bot.sources.rss import Rss
from bot.sources.session import Session
from bot.store.sqlite import SqliteStore, open_store
from bot.timetable import Cadence, Calendar, canonical_zone

JITTER_MINUTES = 20

Given = TypeVar("Given")
Read = TypeVar("Read")


@dataclass(slots=True)
class Rooms:
    """The house with what only the wiring may know: concrete store and transports."""

    config: Config
    core: Core
    store: SqliteStore
    transport: Transport
    session: Session
    workspaces: Workspaces
    metrics: Metrics
    key: bytes
    halt: Event  # set at the end: nobody waits for a turn or a second try any more

    def polled(self) -> tuple[str, ...]:
        """The categories to ask arXiv for, by what is configured and what is followed now."""
        house = self.core.house
        return coverage.polled(
            self.config.arxiv.categories, self.store.topics.followed(), house.language
        )

    def arxiv(self, categories: tuple[str, ...] | None = None, days: int = 0) -> ArxivApi:
        """The API as a source, asked for what is configured and followed; so many days at least."""
        settings = self.config.arxiv
        return ArxivApi(
            self.session,
            categories=self.polled() if categories is None else categories,
            clock=self.core.house.clock,
            window_days=max(settings.window_days, days),
            base_url=settings.api_url,
            page_size=settings.page_size,
        )

    def polling(self) -> Source:
        """The API as it is polled: the first window of a category is the past."""
        return Polling(self.core, self.arxiv, self.polled())

    def past(self) -> Source:
        """The past of categories that were not asked for until lately."""
        return Past(self.core, self.arxiv, self.polled())

    def rss(self) -> Source:
        """What was announced and how; papers that are news are looked up in the API."""
        categories = self.polled()
        listing = Rss(
            self.session,
            categories=categories,
            clock=self.core.house.clock,
            lookup=self.arxiv().by_ids,
            changes=self.store.papers.unknown,
            base_url=self.config.arxiv.rss_url,
        )
        return FirstLook(self.core, listing, categories)

    def oai(self) -> Source:
        """All that was changed: held papers, late cross-lists, new versions, withdrawals."""
        categories = self.polled()
        changes = OaiPmh(
            self.session,
            categories=categories,
            clock=self.core.house.clock,
            base_url=self.config.arxiv.oai_url,
        )
        return FirstLook(self.core, changes, categories)

    def pages(self) -> HtmlPage | None:
        """arXiv's own pages of papers, where institutes are looked up on them."""
        settings = self.config.arxiv
        if not settings.affiliations:
            return None
        gap_s = max(settings.delay_s, PAGE_GAP_S) if settings.delay_s else 0.0
        # Of its own: a session is one thread's.  Its turns are everybody's.
        session = Session(
            PoliteLimiter(self.store.turns, gap_s=gap_s), user_agent=_user_agent(self.config)
        )
        return HtmlPage(session, base_url=settings.html_url)

    def close(self) -> None:
        """Close the database."""
        self.store.close()


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
    zone, cadence = checked(settings)
    kept = store or open_store(settings.data)
    transport = _transport(settings)
    workspaces = Workspaces(
        kept.slack,
        clock,
        token=settings.slack.bot_token.get_secret_value(),
        base_url=settings.slack.api_url,
    )
    known = language()
    key = secrets.token_bytes(link_key.SIZE) if store else link_key.kept(settings.data, kept)
    metrics = Metrics(kept, clock)
    house = House(
        store=kept,
        channels=_channels(settings, transport, workspaces, key),
        language=known,
        links=Links(settings.web.address, key),
        calendar=calendar(),
        answerer=_answerer(settings, clock),
        clock=clock,
        wishes=Wishes(
            cadence=cadence,
            zone=zone,
            base_url=settings.web.address,
            own_topics=settings.web.show_own_topics,
            revisions=settings.digest.revisions,
            keep=timedelta(days=settings.digest.keep_days),
        ),
        compendium=Compendium(kept, known),
        witness=both(metrics.witness, witness),
    )
    core = Core(house)
    core.learn_catalogue(catalogue() if topics is None else list(topics))
    core.read_anew()
    halt = Event()
    nap = until(halt)
    session = Session(
        PoliteLimiter(kept.turns, gap_s=settings.arxiv.delay_s, sleep=counted(metrics, nap)),
        user_agent=_user_agent(settings),
        sleep=nap,
        doubted=utc_now,
    )
    return Rooms(settings, core, kept, transport, session, workspaces, metrics, key, halt)


@cache
def language() -> Language:
    """The topic language with the packaged thesaurus."""
    return Language(config.toml("thesaurus.toml"), config.toml("company.toml"))


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
    if "all" not in settings.arxiv.categories:
        _read("arxiv.categories", known_categories, settings.arxiv.categories)
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


def _channels(
    settings: Config, transport: Transport, workspaces: Workspaces, key: bytes
) -> dict[str, Channel]:
    email = Email(
        transport,
        settings.mail.sender,
        bounce_key=key,
        reply_to=settings.mail.reply_to,
        own_returns=settings.mail.own_returns,
    )
    return {
        "email": email,
        "slack": Slack(workspaces.token, base_url=settings.slack.api_url),
        "console": Console(),
    }


def _transport(settings: Config) -> Transport:
    mail = settings.mail
    if not mail.host:
        return Folder(settings.data / mail.folder)
    return Smtp(
        mail.host,
        mail.port,
        username=mail.username,
        password=mail.password.get_secret_value(),
        tls=mail.tls,
        hello=writer(mail.sender)[1].rpartition("@")[2],
        connections=mail.connections,
        pace=Pace(10, 2),
    )


def _answerer(settings: Config, clock: Clock) -> Answerer:
    if not settings.ask.url:
        return Extractive()
    return LanguageModel(
        Extractive(),
        url=settings.ask.url,
        model=settings.ask.model,
        key=settings.ask.key.get_secret_value(),
        timeout_s=settings.ask.timeout_s,
        daily_tokens=settings.ask.daily_tokens,
        clock=clock,
    )


def _user_agent(settings: Config) -> str:
    contact = f"; {settings.arxiv.contact}" if settings.arxiv.contact else ""
    return f"Paperround/{__version__} (self-hosted paper digests{contact})"
