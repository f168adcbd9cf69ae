"""What an operator may set, and how it is read: TOML, environment, secret files; once, loudly."""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)
from rapidfuzz import process

PREFIX = "PAPERROUND_"
POLITE_S = 3.0
NAME = "paperround.toml"
LOOPBACK = ("127.0.0.0/8", "::1/128")

_PLAIN = re.compile(r"[!$-;=@-~]+")  # nothing that a header in <> cannot hold; no query
_NAMED = re.compile(r"[a-z]+\.[a-z_]+")
_WANTED = {
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "write a whole number"),
    **dict.fromkeys(("float_parsing", "float_type"), "write a number"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "write true or false"),
    **dict.fromkeys(("string_type", "path_type"), "write it between quotes"),
    "tuple_type": "write a list, with each of its parts between quotes",
}
_LOGIN = re.compile(r"(?<=//)[^/@]*@")
_NOT_OF_A_HOST = re.compile(r"[\s/@\[\]]")
_OF_A_SERVICE = re.compile(r"_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$")


class ConfigError(Exception):
    """The configuration cannot be used; the message names the key, the value and what to write."""


def _url(value: str) -> str:
    """Where something is reached: mail and requests carry it as it stands."""
    if value and not (_PLAIN.fullmatch(value) and _is_whole(value)):
        raise ValueError(
            f"“{_veiled(value)}” is no web address; write it with its scheme: "
            "https://papers.example.org"
        )
    return value


def _is_whole(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:  # half an IPv6 address, a port in words
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and has_port


def _given(value: str) -> str:
    if not value:
        raise ValueError("“” is no web address; delete the line, and the usual one holds")
    return value


def _bare(host: str) -> str:
    """As sockets take it: an IPv6 address has no brackets, and nothing has its port."""
    bare = host.strip("[]")
    if _NOT_OF_A_HOST.search(bare) or bare.count(":") == 1:
        raise ValueError(
            f"“{_veiled(host)}” is no host; write its name or address alone, and the port by itself"
        )
    return bare


def folder(name: str) -> Path:
    """The folder of that name.  Raises ValueError for one that cannot be meant."""
    if not name.strip():  # to Python it would be the current one
        raise ValueError(f"“{name}” is no folder; write its path, or leave it out")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"“{name}” is in nobody's home; write the whole path") from None


Url = Annotated[str, AfterValidator(_url)]
Place = Annotated[str, AfterValidator(_given), AfterValidator(_url)]
Host = Annotated[str, AfterValidator(_bare)]


def _veiled(url: str) -> str:
    return _LOGIN.sub("***@", url)


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        return tuple(each.strip() for each in value.split(",") if each.strip())
    return value


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_yes(cls, value: Any, about: ValidationInfo) -> Any:
        """To Python true is 1 and 1 is true; whoever writes the one does not mean the other."""
        kind = cls.model_fields[about.field_name or ""].annotation
        if kind in (int, float) and isinstance(value, bool):
            raise PydanticKnownError("int_type" if kind is int else "float_type")
        return value


class Digest(_Part):
    """When digests come where nobody says otherwise."""

    cadence: str = "weekly mon 09:00"
    zone: str = "UTC"
    revisions: bool = False
    keep_days: int = Field(default=30, ge=1, le=36_500)


class Arxiv(_Part):
    """What is polled, and how politely."""

    categories: Annotated[tuple[str, ...], NoDecode] = ()
    contact: str = ""
    delay_s: float = Field(default=3.5, ge=0, le=3600)
    window_days: int = Field(default=7, ge=1, le=60)
    page_size: int = Field(default=500, ge=10, le=2000)
    affiliations: bool = False
    html_url: Place = "https://arxiv.org"
    api_url: Place = "https://export.arxiv.org/api/query"
    rss_url: Place = "https://rss.arxiv.org/rss"
    oai_url: Place = "https://oaipmh.arxiv.org/oai"

    @field_validator("categories", mode="before")
    @classmethod
    def _categories(cls, value: Any) -> Any:
        """The environment separates categories by commas."""
        return _listed(value)

    @field_validator("contact")
    @classmethod
    def _sayable(cls, value: str) -> str:
        """It stands in a header of every request."""
        if not value.isprintable() or not value.isascii():
            raise ValueError(f"“{value}” cannot be sent; write a mail address or page in ASCII")
        return value

    @model_validator(mode="after")
    def _polite(self) -> "Arxiv":
        """arXiv's terms: one request in three seconds.  Only a server of one's own may be asked
        faster."""
        if self.delay_s < POLITE_S and not _is_loopback(self.api_url):
            raise ValueError(
                f"arxiv.delay_s is {self.delay_s:g}, and arXiv asks for {POLITE_S:g} seconds "
                "between requests; less is for a loopback arxiv.api_url only"
            )
        return self


def _network(text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"“{text}” is no network; write it like 10.0.0.0/8") from None


def _is_loopback(url: str) -> bool:
    return _is_here(urlsplit(url).hostname or "")


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class Mail(_Part):
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


class Slack(_Part):
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
    def _whole(self) -> "Slack":
        """Nobody could reach the app, or anybody: said at once, not found out later."""
        for key, kind, other in (("bot_token", "xoxb", "xapp"), ("app_token", "xapp", "xoxb")):
            if getattr(self, key).get_secret_value().startswith(f"{other}-"):
                raise ValueError(
                    f"slack.{key} begins with {other}-, which is the other token; the one that is "
                    f"meant begins with {kind}-"
                )
        for key in ("app_token", "signing_secret"):
            if getattr(self, key).get_secret_value() and not self.is_on:
                raise ValueError(
                    f"slack.{key} is set, but slack.bot_token is empty, so Slack would stay off; "
                    "copy that one too, from the app's Install App"
                )
        if self.is_on and self.mode == "http" and not self.signing_secret.get_secret_value():
            raise ValueError(
                'slack.mode is "http", but slack.signing_secret is empty, so no request could be '
                "believed; copy it from the app's Basic Information"
            )
        if self.is_on and self.mode == "socket" and not self.app_token.get_secret_value():
            raise ValueError(
                "slack.app_token is empty, so nobody could talk to the app; generate one with the "
                "scope connections:write under the app's Basic Information"
            )
        if self.client_id and not self.client_secret.get_secret_value():
            raise ValueError(
                "slack.client_id is set, but slack.client_secret is empty, so nobody could install "
                "the app; copy it from the app's Basic Information"
            )
        return self


class Web(_Part):
    """The web pages.  `address` is how people reach them; without it mail has no links."""

    host: Host = "127.0.0.1"
    port: int = Field(default=8460, ge=0, le=65535)
    address: Url = ""
    public: bool = False
    show_own_topics: bool = False
    watchers: Annotated[tuple[str, ...], NoDecode] = LOOPBACK
    proxies: Annotated[tuple[str, ...], NoDecode] = ()

    @property
    def trusted_proxies(self) -> tuple[str, ...]:
        """Where proxies connect from: as named, else this machine where others are served."""
        return self.proxies or (LOOPBACK if self.serves_others else ())

    @property
    def serves_others(self) -> bool:
        """Whether people reach the pages from other machines."""
        return bool(self.address) and not _is_loopback(self.address)

    @property
    def listens_here(self) -> bool:
        """Whether only this machine can connect."""
        return _is_here(self.host)

    @field_validator("address")
    @classmethod
    def _host_of_its_own(cls, value: str) -> str:
        if "@" in urlsplit(value).netloc:
            raise ValueError(
                f"“{_veiled(value)}” holds a login, and every mail would carry it; leave it out"
            )
        if urlsplit(value).path.strip("/"):
            raise ValueError(
                f"“{_veiled(value)}” has a path, and the pages name each other from the root of "
                "their host; give them a host of their own: https://papers.example.org"
            )
        return value.rstrip("/")

    @field_validator("watchers", "proxies", mode="before")
    @classmethod
    def _networks(cls, value: Any) -> Any:
        """Networks in CIDR notation; the environment separates them by commas."""
        listed = _listed(value)
        for each in listed if isinstance(listed, list | tuple) else ():
            _network(str(each))
        return listed

    @property
    def local_url(self) -> str:
        """Where the service is asked on its own machine."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


class Ask(_Part):
    """An optional language model for `ask`.  Without a URL answers are quotations."""

    url: Url = ""
    model: str = ""
    key: SecretStr = SecretStr("")
    timeout_s: float = Field(default=20.0, gt=0, le=600)
    daily_tokens: int = Field(default=200_000, ge=0)


class Operator(_Part):
    """Whom to tell when something has been wrong for long."""

    alert: str = ""
    backups: int = Field(default=7, ge=0)


class Config(BaseSettings):
    """Everything an operator may set.  Made by `load`; frozen."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, extra="forbid",
        frozen=True,
    )  # fmt: skip

    data: Path = Path("paperround-data")
    digest: Digest = Digest()
    arxiv: Arxiv = Arxiv()
    mail: Mail = Mail()
    slack: Slack = Slack()
    web: Web = Web()
    ask: Ask = Ask()
    operator: Operator = Operator()

    @field_validator("data", mode="before")
    @classmethod
    def _home(cls, value: Any) -> Any:
        return folder(value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _returning(self) -> "Config":
        """Whoever installed the app is sent back to our pages."""
        if self.slack.client_id and not self.web.address:
            raise ValueError(
                "slack.client_id is set, but web.address is empty, so Slack could send nobody "
                "back; set it to where people reach the pages"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Secret files first (`load` reads NAME_FILE), then the environment, then the TOML file."""
        if isinstance(env_settings, EnvSettingsSource):
            env_settings.env_vars = {
                name: value
                for name, value in env_settings.env_vars.items()
                if not name.lower().endswith("_file")
            }
        return (init_settings, env_settings, _Written(settings_cls))


class _Written(TomlConfigSettingsSource):
    """The file, with our words for what is wrong in it."""

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        return _read(file_path)


def load(path: Path | None = None) -> Config:
    """The configuration from a file, then the environment over it, then secret files.

    Without a path: $PAPERROUND_CONFIG, ./paperround.toml, ./config/paperround.toml, else the
    defaults.  ``PAPERROUND_MAIL__PASSWORD_FILE`` names a file that holds ``mail.password``.
    An empty variable sets nothing.  Raises ConfigError.
    """
    found = path or _found()
    if found:
        _read(found)  # says clearly what is wrong with the file itself

    class Loaded(Config):
        model_config = SettingsConfigDict(toml_file=found)

    _known(os.environ)
    try:
        return Loaded(**_secret_files(os.environ))
    except (ValidationError, SettingsError) as error:
        raise ConfigError(_sentence(found, error)) from None


def overridden(path: Path | None = None) -> dict[str, str]:
    """The keys that stand in the file and are set otherwise, each with the variable that wins."""
    found = path or _found()
    written = _flat(_read(found)) if found else {}
    return {
        key: variable
        for key, value in written.items()
        if (variable := _set_by(key)) and os.environ[variable] != _as_variable(value)
    }


def _flat(written: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their whole key, as "mail.host"."""
    found: dict[str, Any] = {}
    for part, inner in written.items():
        keys = inner if isinstance(inner, dict) else {"": inner}
        found |= {f"{part}.{key}".rstrip("."): value for key, value in keys.items()}
    return found


def _as_variable(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _set_by(key: str) -> str:
    """The variable that sets a key, or ""."""
    variable = PREFIX + key.upper().replace(".", "__")
    names = (f"{variable}_FILE", variable)
    return next((name for name in names if os.environ.get(name)), "")


def holding_secrets(path: Path | None = None) -> list[Path]:
    """The files in force that hold a secret: named by the environment, or the settings' own."""
    named = [Path(value) for name, value in os.environ.items() if _names_a_file(name)]
    found = path or _found()
    written = _read(found) if found else {}
    inside = any(
        _is_secret(f"{name}.{key}".lower()) and isinstance(value, str) and value
        for name, part in written.items()
        if isinstance(part, dict)
        for key, value in part.items()
    )
    return [*named, found] if found and inside else named


def notify_socket() -> str:
    """Where a supervisor wants to hear that the service is ready and alive, or ""."""
    return os.environ.get("NOTIFY_SOCKET", "")


def packaged(name: str) -> Path:
    """A file of `config/`, in the wheel or beside the checkout's `bot/`."""
    here = Path(__file__).parent
    inside = here / "_config"
    return (inside if inside.is_dir() else here.parent / "config") / name


@cache
def toml(name: str) -> dict[str, Any]:
    """A packaged TOML file, parsed.  Raises ConfigError."""
    return _read(packaged(name))


@cache
def catalogue() -> list[dict[str, Any]]:
    """Every file of config/topics, parsed, in order of name.  Raises ConfigError."""
    return [_read(path) for path in sorted(packaged("topics").glob("*.toml"))]


def _found() -> Path | None:
    if named := os.environ.get(PREFIX + "CONFIG"):
        return Path(named)
    usual = (Path(NAME), Path("config") / NAME)
    return next((path for path in usual if os.path.lexists(path)), None)  # a folder is no file


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Notepad marks its files
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}); name another file with --config, "
            "or make one with: paperround init"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not in UTF-8 (byte {error.start + 1}); save it again, encoded as UTF-8"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}; mend that place") from None


def _known(env: Mapping[str, str]) -> None:
    """Refuse variables that would set nothing: a typing error there would go unseen."""
    parts = {key.partition(".")[0] for key in KEYS} | {"config"}
    for name in env:
        if not name.upper().startswith(PREFIX) or _is_kubernetes(name.upper(), env[name]):
            continue
        key = name.upper().removeprefix(PREFIX).removesuffix("_FILE").lower().replace("__", ".")
        if key not in KEYS and (key not in parts or _names_a_file(name)):
            raise ConfigError(f"the variable {name} sets nothing: {_no_key(key)}")


def _is_kubernetes(name: str, value: str) -> bool:
    """Whether it stands in every pod beside a Service called "paperround…", and is none of ours."""
    return bool(_OF_A_SERVICE.search(name)) or (name.endswith("_PORT") and "://" in value)


def _no_key(key: str) -> str:
    near = process.extractOne(key, KEYS, score_cutoff=60)
    hint = f"did you mean {near[0]}?" if near else "see the annotated paperround.toml"
    return f"there is no key “{key}”; {hint}"


def _names_a_file(name: str) -> bool:
    """Whether a variable names the file that holds a value; as all, in letters of either case."""
    return name.upper().startswith(PREFIX) and name.upper().endswith("_FILE")


def _secret_files(env: Mapping[str, str]) -> dict[str, Any]:
    """Values of NAME_FILE variables, nested as the configuration is."""
    values: dict[str, Any] = {}
    for name, path in env.items():
        if not _names_a_file(name):
            continue
        whole = name.upper().removeprefix(PREFIX).removesuffix("_FILE").lower()
        part, _, key = whole.rpartition("__")
        try:
            secret = Path(path).read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise ConfigError(
                f"{name} names “{path}”, which cannot be read ({why}); "
                "give it a file that holds the secret"
            ) from None
        (values.setdefault(part, {}) if part else values)[key] = secret
    return values


def _sentence(path: Path | None, error: ValidationError | SettingsError) -> str:
    if isinstance(error, SettingsError):
        return _no_table(error)
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"][:2])  # of a list: the whole, not its place
    where = f"{path}: " if path else ""
    if variable := _set_by(_blamed(key, first)):
        where = f"{variable}: "
    if first["type"] == "extra_forbidden":
        return where + _no_key(key)
    if first["type"] == "value_error":  # says itself what to do
        named = f"{key}: " if key in KEYS else ""
        return f"{where}{named}{first['ctx']['error']}"
    if key not in KEYS:  # not repeated: it may hold passwords
        return f"{where}{key} is no table; write [{key}] once, and its keys below it"
    given, wrong = _shown(key, first["input"]), first["msg"].lower()
    return f"{where}{key} is {given}: {_WANTED.get(first['type'], f'{wrong}; correct it')}"


def _no_table(error: SettingsError) -> str:
    """A whole table in one variable would be JSON, which nobody means to write."""
    part = next((each for each in Config.model_fields if f'"{each}"' in str(error)), "")
    variable = f"{PREFIX}{part.upper()}"
    first = next(key for key in KEYS if key.startswith(part))
    example = PREFIX + first.upper().replace(".", "__")
    return f"{variable} is a table; unset it, and set its keys one by one, as {example}"


def _blamed(key: str, error: Any) -> str:
    """The key that is wrong: of a whole table, the first that the sentence about it names."""
    named = _NAMED.search(str(error.get("ctx", {}).get("error", "")))
    return named[0] if named and named[0] in KEYS and key not in KEYS else key


def _shown(key: str, given: object) -> str:
    if not isinstance(given, str | int | float):
        return f"a {'list' if isinstance(given, list) else 'table'}"
    return "“***”" if _is_secret(key) else f"“{_veiled(str(given))}”"


def _is_secret(key: str) -> bool:
    return key in SECRETS


def _keys() -> list[str]:
    names = []
    for part, field in Config.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        names += [f"{part}.{name}" for name in inner] if inner else [part]
    return names


def _secrets() -> frozenset[str]:
    return frozenset(
        f"{part}.{name}"
        for part, field in Config.model_fields.items()
        for name, inner in getattr(field.annotation, "model_fields", {}).items()
        if inner.annotation is SecretStr
    )


KEYS = _keys()
"""Every key, as "mail.host"."""

SECRETS = _secrets()
"""The keys whose values are never shown."""
