"""The real papers beside the checkout that benchmarks are run on; they are not part of it."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[3] / "shared" / "data" / "papers_16_weeks.jsonl.gz"


def records(source: Path = SHARED) -> Iterator[dict[str, Any]]:
    """The papers of a file, one JSON object a line, in its order."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
