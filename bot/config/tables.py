"""The tables of paperround.toml, each with its keys, their defaults and what they may be."""

from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from bot.config.values import Host, Networks, Place, Url, Words, is_here, is_loopback, veiled

LOOPBACK = ("127.0.0.0/8", "::1/128")
A_HOLIDAY = 7  # days, with the weekend beside it
POLITE_S = 3.0


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_yes(cls, value: Any, about: ValidationInfo) -> Any:
        """To Python true is 1 and 1 is true; whoever writes the one does not mean the other."""
        kind = cls.model_fields[about.field_name or ""].annotation
        if kind in (int, float) and isinstance(value, bool):
            raise PydanticKnownError("int_type" if kind is int else "float_type")
        return value


class Digest(_Table):
    """When digests come where nobody says otherwise."""

    cadence: str = "weekly mon 09:00"
    zone: str = "UTC"
    revisions: bool = False
    keep_days: int = Field(default=30, ge=1, le=36_500)


class Arxiv(_Table):
    """What is polled, and how politely."""

    categories: Words = ()
    contact: str = ""
    delay_s: float = Field(default=3.5, ge=0, le=3600)
    window_days: int = Field(default=7, le=60)
    page_size: int = Field(default=500, ge=10, le=2000)
    affiliations: bool = False
    html_url: Place = "https://arxiv.org"
    api_url: Place = "https://export.arxiv.org/api/query"
    rss_url: Place = "https://rss.arxiv.org/rss"
    oai_url: Place = "https://oaipmh.arxiv.org/oai"

    @field_validator("window_days")
    @classmethod
    def _bridges_holidays(cls, value: int) -> int:
        """A day counts as read before all that was submitted on it has been announced."""
        if value < A_HOLIDAY:
            raise ValueError(
                f"“{value}” would leave out what is submitted before a holiday and announced "
                f"days later; set {A_HOLIDAY} or more"
            )
        return value

    @field_validator("contact")
    @classmethod
    def _sayable(cls, value: str) -> str:
        """It stands in a header of every request."""
        if not value.isprintable() or not value.isascii():
            raise ValueError(f"“{value}” cannot be sent; write a mail address or page in ASCII")
        return value

    @model_validator(mode="after")
    def _polite(self) -> "Arxiv":
        """One request in three seconds are arXiv's terms; one's own server may be asked faster."""
        if self.delay_s < POLITE_S and not is_loopback(self.api_url):
            raise ValueError(
                f"arxiv.delay_s is {self.delay_s:g}, and arXiv asks for {POLITE_S:g} seconds "
                "between requests; less is for a loopback arxiv.api_url only"
            )
        return self


class Mail(_Table):
    """The relay that takes mail.  Without a host, mail is written to a folder."""

    host: Host = ""
    port: int = Field(default=587, ge=1, le=65535)
    tls: Literal["starttls", "implicit", "none"] = "starttls"
    username: str = ""
    password: SecretStr = SecretStr("")
    sender: str = "Paperround <paperround@localhost>"
    reply_to: str = ""
    own_returns: bool = True
    folder: str = "mail"
    connections: int = Field(default=3, ge=1, le=10)

    @property
    def leaves(self) -> bool:
        """Whether it is handed to another machine."""
        return bool(self.host) and not is_here(self.host)


class Slack(_Table):
    """The Slack app.  Without a bot token Slack is off."""

    bot_token: SecretStr = SecretStr("")
    app_token: SecretStr = SecretStr("")
    signing_secret: SecretStr = SecretStr("")
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    mode: Literal["socket", "http"] = "socket"
    api_url: Place = "https://slack.com/api/"

    @property
    def is_on(self) -> bool:
        """Whether there is any token, or a way to install the app."""
        return bool(self.bot_token.get_secret_value() or self.client_id)

    @model_validator(mode="after")
    def _not_swapped(self) -> "Slack":
        for key, kind, other in (("bot_token", "xoxb", "xapp"), ("app_token", "xapp", "xoxb")):
            if self._secret(key).startswith(f"{other}-"):
                raise ValueError(
                    f"slack.{key} begins with {other}-, which is the other token; the one that is "
                    f"meant begins with {kind}-"
                )
        return self

    @model_validator(mode="after")
    def _not_off(self) -> "Slack":
        for key in ("app_token", "signing_secret"):
            if self._secret(key) and not self.is_on:
                raise ValueError(
                    f"slack.{key} is set, but slack.bot_token is empty, so Slack would stay off; "
                    "copy that one too, from the app's Install App"
                )
        return self

    @model_validator(mode="after")
    def _reachable(self) -> "Slack":
        """Nobody could reach the app, or anybody: said at once, not found out later."""
        if self.is_on and self.mode == "http" and not self._secret("signing_secret"):
            raise ValueError(
                'slack.mode is "http", but slack.signing_secret is empty, so no request could be '
                "believed; copy it from the app's Basic Information"
            )
        if self.is_on and self.mode == "socket" and not self._secret("app_token"):
            raise ValueError(
                "slack.app_token is empty, so nobody could talk to the app; generate one with the "
                "scope connections:write under the app's Basic Information"
            )
        if self.client_id and not self._secret("client_secret"):
            raise ValueError(
                "slack.client_id is set, but slack.client_secret is empty, so nobody could install "
                "the app; copy it from the app's Basic Information"
            )
        return self

    def _secret(self, key: str) -> str:
        secret: SecretStr = getattr(self, key)
        return secret.get_secret_value()


class Web(_Table):
    """The web pages.  `address` is how people reach them; without it mail has no links."""

    host: Host = "127.0.0.1"
    port: int = Field(default=8460, ge=0, le=65535)
    address: Url = ""
    public: bool = False
    show_own_topics: bool = False
    watchers: Networks = LOOPBACK
    proxies: Networks = ()

    @property
    def trusted_proxies(self) -> tuple[str, ...]:
        """Where proxies connect from: as named, else this machine where others are served."""
        return self.proxies or (LOOPBACK if self.serves_others else ())

    @property
    def serves_others(self) -> bool:
        """Whether people reach the pages from other machines."""
        return bool(self.address) and not is_loopback(self.address)

    @property
    def listens_here(self) -> bool:
        """Whether only this machine can connect."""
        return is_here(self.host)

    @property
    def local_url(self) -> str:
        """Where the service is asked on its own machine."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @field_validator("address")
    @classmethod
    def _host_of_its_own(cls, value: str) -> str:
        if "@" in urlsplit(value).netloc:
            raise ValueError(
                f"“{veiled(value)}” holds a login, and every mail would carry it; leave it out"
            )
        if urlsplit(value).path.strip("/"):
            raise ValueError(
                f"“{veiled(value)}” has a path, and the pages name each other from the root of "
                "their host; give them a host of their own: https://papers.example.org"
            )
        return value.rstrip("/")


class Ask(_Table):
    """An optional language model for `ask`.  Without a URL answers are quotations."""

    url: Url = ""
    model: str = ""
    key: SecretStr = SecretStr("")
    timeout_s: float = Field(default=20.0, gt=0, le=600)
    daily_tokens: int = Field(default=200_000, ge=0)


class Operator(_Table):
    """Whom to tell when something has been wrong for long."""

    alert: str = ""
    backups: int = Field(default=7, ge=0)
