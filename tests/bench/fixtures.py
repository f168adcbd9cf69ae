"""What comes of every recorded answer of ../shared: read, set aside, or refused with a reason.

python -m tests.bench.fixtures
"""

from collections import Counter
from pathlib import Path

from bot.sources import SourceError, atom, documents, oai_pmh, rss

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "fixtures"
ROOTS = frozenset({"feed", "rss", "RDF", "OAI-PMH"})
RAW = "{http://arxiv.org/OAI/arXivRaw/}arXivRaw"


def outcome(path: Path) -> str:
    """One line about one file."""
    try:
        root = documents.read(path.read_bytes(), ROOTS).root
    except SourceError as refusal:
        return f"refused: {refusal}"
    if path.parent.name == "rss":
        sightings, rejected, count = rss.listing(root)
        return f"{count} rows: {len(sightings)} read, {len(rejected)} set aside"
    if path.parent.name == "oai":
        return _records(root)
    try:
        found = atom.feed(root)
    except SourceError as refusal:
        return f"refused: {refusal}"
    return f"{found.count} entries: {len(found.sightings)} read, {len(found.rejected)} set aside"


def _records(root) -> str:  # type: ignore[no-untyped-def]
    records = [each for each in root.iter() if str(each.tag).endswith("}record")]
    read, aside = 0, Counter[str]()
    for record in records:
        if record.find(f".//{RAW}") is None:
            aside["in a format that is not asked for"] += 1
            continue
        try:
            oai_pmh.paper_from_record(record)
            read += 1
        except ValueError as problem:
            aside[str(problem)[:60]] += 1
    reasons = "".join(f"; {count} {why}" for why, count in aside.items())
    return f"{len(records)} records: {read} read{reasons}"


def main() -> None:
    for path in sorted(FOLDER.glob("*/*")):
        if path.suffix in (".xml", ".abs"):
            print(f"{path.parent.name}/{path.name:52} {outcome(path)}")


if __name__ == "__main__":
    main()
