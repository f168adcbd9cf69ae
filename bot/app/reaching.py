"""What reaches outside: channels, sources, Slack's workspaces, whoever answers questions.

Most typed commands reach nobody.  What stands here takes half a second to import, so the wiring
does that when something of it is asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event

from bot import __version__
from bot.addresses import writer
from bot.answers import Answerer
from bot.answers.extractive import Extractive
from bot.answers.language_model import LanguageModel
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
from bot.config import Config
from bot.core import Core
from bot.model import Clock, utc_now
from bot.slack_app import Workspaces
from bot.sources import Source
from bot.sources.arxiv_api import ArxivApi
from bot.sources.html_page import GAP_S as PAGE_GAP_S
from bot.sources.html_page import HtmlPage
from bot.sources.limiter import PoliteLimiter
from bot.sources.oai_pmh import OaiPmh
from bot.sources.rss import Rss
from bot.sources.session import Session
from bot.store.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Within:
    """What the outsides are made from."""

    config: Config
    store: SqliteStore
    clock: Clock
    key: bytes
    metrics: Metrics
    halt: Event


class Reach:
    """The outsides of one house."""

    def __init__(self, within: Within) -> None:
        self._within = within
        self.transport = _transport(within.config)
        self.workspaces = _workspaces(within)
        self.session = _session(within)
        self.channels: Mapping[str, Channel] = _channels(within, self.transport, self.workspaces)
        self.answerer = _answerer(within)

    def arxiv(self, categories: tuple[str, ...], days: int = 0) -> ArxivApi:
        """The API as a source; so many days at least."""
        settings = self._within.config.arxiv
        return ArxivApi(
            self.session,
            categories=categories,
            clock=self._within.clock,
            window_days=max(settings.window_days, days),
            base_url=settings.api_url,
            page_size=settings.page_size,
        )

    def polling(self, core: Core, categories: tuple[str, ...]) -> Source:
        """The API as it is polled: the first window of a category is the past."""
        return Polling(core, self.arxiv, categories)

    def past(self, core: Core, categories: tuple[str, ...]) -> Source:
        """The past of categories that were not asked for until lately."""
        return Past(core, self.arxiv, categories)

    def rss(self, core: Core, categories: tuple[str, ...]) -> Source:
        """What was announced and how; papers that are news are looked up in the API."""
        listing = Rss(
            self.session,
            categories=categories,
            clock=self._within.clock,
            lookup=self.arxiv(categories).by_ids,
            changes=self._within.store.papers.unknown,
            base_url=self._within.config.arxiv.rss_url,
        )
        return FirstLook(core, listing, categories)

    def oai(self, core: Core, categories: tuple[str, ...]) -> Source:
        """All that was changed: held papers, late cross-lists, new versions, withdrawals."""
        changes = OaiPmh(
            self.session,
            categories=categories,
            clock=self._within.clock,
            base_url=self._within.config.arxiv.oai_url,
        )
        return FirstLook(core, changes, categories)

    def pages(self) -> HtmlPage | None:
        """arXiv's own pages of papers, where institutes are looked up on them."""
        settings = self._within.config.arxiv
        if not settings.affiliations:
            return None
        gap_s = max(settings.delay_s, PAGE_GAP_S) if settings.delay_s else 0.0
        # Of its own: a session is one thread's.  Its turns are everybody's.
        turns = PoliteLimiter(self._within.store.turns, gap_s=gap_s)
        session = Session(turns, user_agent=_user_agent(self._within.config))
        return HtmlPage(session, base_url=settings.html_url)


def _session(within: Within) -> Session:
    nap = until(within.halt)
    turns = PoliteLimiter(
        within.store.turns,
        gap_s=within.config.arxiv.delay_s,
        sleep=counted(within.metrics, nap),
    )
    return Session(turns, user_agent=_user_agent(within.config), sleep=nap, doubted=utc_now)


def _workspaces(within: Within) -> Workspaces:
    settings = within.config.slack
    return Workspaces(
        within.store.slack,
        within.clock,
        token=settings.bot_token.get_secret_value(),
        base_url=settings.api_url,
    )


def _channels(within: Within, transport: Transport, workspaces: Workspaces) -> dict[str, Channel]:
    mail = within.config.mail
    email = Email(
        transport,
        mail.sender,
        bounce_key=within.key,
        reply_to=mail.reply_to,
        own_returns=mail.own_returns,
    )
    return {
        "email": email,
        "slack": Slack(workspaces.token, base_url=within.config.slack.api_url),
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


def _answerer(within: Within) -> Answerer:
    settings = within.config.ask
    if not settings.url:
        return Extractive()
    return LanguageModel(
        Extractive(),
        url=settings.url,
        model=settings.model,
        key=settings.key.get_secret_value(),
        timeout_s=settings.timeout_s,
        daily_tokens=settings.daily_tokens,
        clock=within.clock,
    )


def _user_agent(settings: Config) -> str:
    contact = f"; {settings.arxiv.contact}" if settings.arxiv.contact else ""
    return f"Paperround/{__version__} (self-hosted paper digests{contact})"
