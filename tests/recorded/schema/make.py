"""Writes the fixture database of the present version: python -m tests.recorded.schema.make

Run it once for each release, and keep every file: an installation may skip versions.
"""

import asyncio
import gzip
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from tests.app.house import ADA, ByHand, about, follow, open_rooms, send, told
from tests.fakes import FrozenClock

HERE = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(datetime(2026, 11, 24, 7, 0, tzinfo=UTC))
        rooms, _ = open_rooms(Path(folder), clock)
        follow(rooms)
        source = ByHand()
        source.announce(*(about(n, clock()) for n in range(1, 4)))
        rooms.core.ingest(source)
        clock.forward(days=7)
        asyncio.run(send(rooms))
        told(rooms, ADA, "save 2611.00001")
        told(rooms, ADA, "mute world models for 2w")
        rooms.store.engine.checkpoint()
        rooms.close()
        raw = (Path(folder) / "paperround.db").read_bytes()
    path = HERE / f"{__version__}.db.gz"
    path.write_bytes(gzip.compress(raw, 9, mtime=0))
    print(f"{path.name}: {len(raw)} bytes, {path.stat().st_size} packed")


if __name__ == "__main__":
    main()
