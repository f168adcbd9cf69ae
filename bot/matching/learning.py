"""The words that a topic's best papers share, as weights."""

import json
from collections.abc import Sequence

from bot.matching.compiled import Evidence
from bot.matching.terms import Term
from bot.model import Paper


def learn(positive: Sequence[Paper], negative: Sequence[Paper]) -> str:
    return ""


def load(text: str) -> Evidence:
    stored = json.loads(text)
    return Evidence({Term(f" {w} "): float(x) for w, x in stored["words"].items()}, 0.0)


def shared(papers: Sequence[Paper], background: Sequence[Paper]) -> tuple[str, ...]:
    return ()
