"""What the packaged files know, and the code that reads it, as one mark that changes with them."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from bot import config, matching, text
from bot.core import naming
from bot.core.pipeline.papers import catalogue

READ_BY = (matching, text)
READ_ALSO = (catalogue, naming)


def mark() -> str:
    """The same for the same topics, thesaurus and code, whatever installation reads them."""
    known = blake2b(digest_size=16)
    for path in (*_files(), *_code()):
        known.update(f"{path.name} {path.stat().st_size}\n".encode())
        known.update(path.read_bytes())
    return known.hexdigest()


def _files() -> Iterator[Path]:
    yield from map(config.packaged, ("thesaurus.toml", "languages.toml", "company.toml"))
    yield from sorted(config.packaged("topics").glob("*.toml"))


def _code() -> Iterator[Path]:
    for room in READ_BY:
        yield from sorted(Path(str(room.__file__)).parent.rglob("*.py"))
    yield from (Path(str(module.__file__)) for module in READ_ALSO)
