"""What an operator may set, and how it is read: TOML, environment, secret files; once, loudly.

paperround.toml ─ files ──────┐
variables ────── environment ─┼─ loading ─▶ Config, frozen: a table a part, a value a key
secret files ─── environment ─┘   └── complaint: what is wrong, and what to write instead
"""

from bot.config.environment import PREFIX, notify_socket
from bot.config.errors import ConfigError
from bot.config.files import NAME, catalogue, packaged, to_be_written, toml
from bot.config.keys import KEYS
from bot.config.loading import holding_secrets, load, overridden
from bot.config.settings import Config
from bot.config.tables import Arxiv, Ask, Digest, Mail, Operator, Slack, Web
from bot.config.values import folder, veiled

__all__ = [
    "KEYS",
    "NAME",
    "PREFIX",
    "Arxiv",
    "Ask",
    "Config",
    "ConfigError",
    "Digest",
    "Mail",
    "Operator",
    "Slack",
    "Web",
    "catalogue",
    "folder",
    "holding_secrets",
    "load",
    "notify_socket",
    "overridden",
    "packaged",
    "to_be_written",
    "toml",
    "veiled",
]
