"""The log: one JSON object a line, and no secret or address in any of them.

An address is written as a keyed mark (``mail-3f9a01c2``): the same person is recognised from
line to line, and nobody is named.  On a terminal the lines are made to be read by people.
"""

import hmac
import logging
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from datetime import UTC, datetime
from html import unescape
from typing import Any, TextIO
from urllib.parse import quote, unquote

import structlog
from pydantic import SecretStr
from structlog.stdlib import ProcessorFormatter

from bot.config import Config
from bot.core import Event

Fields = MutableMapping[str, Any]

log = logging.getLogger("paperround")

_TOKENS = re.compile(
    r"\b(?:xox[a-z]|xapp)-[\w-]+"  # Slack's
    r"|(?i:\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}"
    r"|(?i:\bauthorization\b[\"']?\s*[=:]\s*[\"']?\w+\s+)[^\s\"',;&]+"
    r"|(?i:\b(?:password|secret|token|authorization|api_?key)\b[\"']?\s*[=:]\s*)[\"']?[^\s\"',;&]+"
)
_LINKS = re.compile(r"/l/[alospc][\w-]+\.[\w-]+")
_ENDS = r"\s<>@\"(),;:=\[\]"
_ADDRESSES = re.compile(  # o'hara@…, in a URL ada%40…, in a URL within one ada%2540…
    rf"[^{_ENDS}'][^{_ENDS}]{{0,200}}(?:@|%(?:25)*40|&#64;)[^{_ENDS}'&?/%]+"
)
_SLACK_PEOPLE = re.compile(r"\b[UW][A-Z0-9]{7,}\b")

_QUIET = ("match",)
"""Events that are only counted: there are too many of them to be read."""

_LOUD = {"failed", "address", "content", "channel", "unknown", "blocked", "permanent", "held"}


class Redactor:
    """Takes out of a text what must not be written down."""

    def __init__(self, secrets: Iterable[str], key: bytes) -> None:
        known = {s for s in secrets if len(s) >= 4}
        known |= {quote(s, safe="") for s in known}
        words = sorted(known, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, words))) if words else None
        self._key = key

    def __call__(self, text: str) -> str:
        """The text with secrets, signed links and people replaced."""
        if self._secrets:
            text = self._secrets.sub("***", text)
        text = _LINKS.sub("/l/***", _TOKENS.sub("***", text))
        text = _ADDRESSES.sub(lambda found: self.mark("mail", _plain(found[0])), text)
        return _SLACK_PEOPLE.sub(lambda found: self.mark("slack", found[0]), text)

    def mark(self, kind: str, who: str) -> str:
        """A person as the log names them."""
        return (
            f"{kind}-{hmac.digest(self._key, who.encode('utf-8', 'replace'), 'sha256').hex()[:8]}"
        )

    def fields(self, logger: object, method: str, fields: Fields) -> Fields:
        """Everything in a line, however deep."""
        return {str(key): self._deep(value) for key, value in fields.items()}

    def _deep(self, value: object) -> object:
        if isinstance(value, Mapping):
            return {str(key): self._deep(each) for key, each in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._deep(each) for each in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        return self(str(value))


def _plain(address: str) -> str:
    """However it is spelled, one person has one mark."""
    while (plain := unquote(unescape(address))) != address:
        address = plain
    return plain.lower()


class _Lines(logging.StreamHandler[TextIO]):
    """Lines to a stream that may be closed or full: nobody stops for that."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: the traceback would hold what was not redacted."""


def secrets_of(settings: object) -> list[str]:
    """Every secret of a configuration, to be kept out of the log."""
    if isinstance(settings, SecretStr):
        return [settings.get_secret_value()]
    fields = getattr(type(settings), "model_fields", {})
    return [secret for name in fields for secret in secrets_of(getattr(settings, name))]


def open_journal(
    settings: Config, key: bytes, stream: TextIO, *, level: int = logging.INFO
) -> logging.Handler:
    """Send everything that is logged to a stream, redacted.  `key` marks people."""
    redactor = Redactor([*secrets_of(settings), key.hex()], key)
    before: list[Any] = [
        structlog.stdlib.add_log_level,
        _instant,
        structlog.stdlib.ExtraAdder(),
        _facts,
    ]
    handler = _Lines(stream)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[
                ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redactor.fields,
                _renderer(stream),
            ],
        )
    )
    _listen(handler, level)
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    return handler


def write_down(event: Event) -> None:
    """An event as a line: one for each thing that was read, composed, sent, refused or left."""
    if event.what in _QUIET:
        return
    level = logging.WARNING if event.outcome in _LOUD else logging.INFO
    log.log(level, event.what, extra={"facts": {"outcome": event.outcome, **event.facts}})


def _renderer(stream: TextIO) -> Callable[..., Any]:
    if stream.isatty():
        return structlog.dev.ConsoleRenderer(colors=False)
    return structlog.processors.JSONRenderer(ensure_ascii=False)


def _listen(handler: logging.Handler, level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in ("slack_bolt", "slack_sdk", "aiohttp.access", "arxiv", "urllib3", "asyncio"):
        logging.getLogger(chatty).setLevel(max(level, logging.WARNING))
    # Whatever strangers send amiss would be a line each.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)


def _instant(logger: object, method: str, fields: Fields) -> Fields:
    record: logging.LogRecord = fields["_record"]
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return {"ts": at.replace("+00:00", "Z"), "logger": record.name, **fields}


def _facts(logger: object, method: str, fields: Fields) -> Fields:
    facts = fields.pop("facts", None)
    fields.pop("color_message", None)  # uvicorn says everything twice
    return {**fields, **facts} if isinstance(facts, Mapping) else fields
