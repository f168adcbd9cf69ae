"""Whose institutes were looked up: the contract."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bot.model import Author, Paper


class Places(Protocol):
    """Whose institutes were looked up."""

    def wanting(self, since: datetime) -> Paper | None:
        """The newest paper of a followed topic that names no institute and was not asked about."""
        ...

    def put(self, seq: int, authors: Sequence[Author], now: datetime) -> None:
        """What was found about a paper, nothing included; it is not asked about again."""
        ...
