"""What reaches outside: mail, the screen, and sources.  What is Slack's stands in `in_slack`.

Most typed commands reach nobody.  What stands here takes half a second to import, so the wiring
does that when something of it is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from bot import __version__
from bot.addresses import writer
from bot.app.metrics import Metrics
from bot.app.polling import FirstLook, Past, Polling
from bot.channels.console import Console
from bot.channels.email import Email, Transport
from bot.channels.email.folder import Folder
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp
from bot.config import Config
from bot.core import Core
from bot.model import utc_now
from bot.sources import Source, SourceError
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
    """The house that reaches outside; `polled` are the categories to ask arXiv for now."""

    config: Config
    core: Core
    store: SqliteStore
    metrics: Metrics
    key: bytes
    halt: Event
    polled: Callable[[], tuple[str, ...]]


class Reach:
    """What one house reaches outside with."""

    def __init__(self, within: Within) -> None:
        self._within = within
        self._settings = within.config.arxiv
        self._clock = within.core.house.clock
        self.transport = _transport(within.config)
        self.session = _session(within)
        self.email = _email(within, self.transport)
        self.console = Console()

    def arxiv(self, categories: tuple[str, ...] | None = None, days: int = 0) -> ArxivApi:
        """The API as a source, asked for what is configured and followed; so many days at least."""
        return ArxivApi(
            self.session,
            categories=self._within.polled() if categories is None else categories,
            clock=self._clock,
            window_days=max(self._settings.window_days, days),
            base_url=self._settings.api_url,
            page_size=self._settings.page_size,
        )

    def polling(self) -> Source:
        """The API as it is polled: the first window of a category is the past."""
        return Polling(self._within.core, self.arxiv, self._within.polled())

    def past(self) -> Source:
        """The past of categories that were not asked for until lately."""
        return Past(self._within.core, self.arxiv, self._within.polled())

    def rss(self) -> Source:
        """What was announced and how; papers that are news are looked up in the API."""
        categories = self._within.polled()
        listing = Rss(
            self.session,
            categories=categories,
            clock=self._clock,
            lookup=self.arxiv(categories).by_ids,
            changes=self._within.store.papers.unknown,
            base_url=self._settings.rss_url,
        )
        return FirstLook(self._within.core, listing, categories)

    def oai(self) -> Source:
        """All that was changed: held papers, late cross-lists, new versions, withdrawals."""
        categories = self._within.polled()
        changes = OaiPmh(
            self.session,
            categories=categories,
            clock=self._clock,
            base_url=self._settings.oai_url,
        )
        return FirstLook(self._within.core, changes, categories)

    def pages(self) -> HtmlPage | None:
        """arXiv's own pages of papers, where institutes are looked up on them."""
        settings = self._settings
        if not settings.affiliations:
            return None
        gap_s = max(settings.delay_s, PAGE_GAP_S) if settings.delay_s else 0.0
        # Of its own: a session is one thread's.  Its turns are everybody's.
        turns = PoliteLimiter(self._within.store.turns, gap_s=gap_s)
        session = Session(turns, user_agent=_user_agent(self._within.config))
        return HtmlPage(session, base_url=settings.html_url)


def _session(within: Within) -> Session:
    def nap(seconds: float) -> None:
        if within.halt.wait(seconds):
            raise SourceError("Paperround was stopped while it waited for its turn")

    def counted_nap(seconds: float) -> None:
        within.metrics.slept(seconds)
        nap(seconds)

    turns = PoliteLimiter(within.store.turns, gap_s=within.config.arxiv.delay_s, sleep=counted_nap)
    return Session(turns, user_agent=_user_agent(within.config), sleep=nap, doubted=utc_now)


def _email(within: Within, transport: Transport) -> Email:
    mail = within.config.mail
    return Email(
        transport,
        mail.sender,
        bounce_key=within.key,
        reply_to=mail.reply_to,
        own_returns=mail.own_returns,
    )


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


def _user_agent(settings: Config) -> str:
    contact = f"; {settings.arxiv.contact}" if settings.arxiv.contact else ""
    return f"Paperround/{__version__} (self-hosted paper digests{contact})"
