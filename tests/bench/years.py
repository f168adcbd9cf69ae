"""Readers who live for 400 days, by seed, and what contradicts a promise meanwhile.

    python -m tests.bench.years [SEED ...]

A minute or so each.  Kept out of the tests, as some work is done in turns of real time, so that a
process dies elsewhere on a busy machine, and a complaint has to be read: it may be the oracle's.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.year import live


def main(seeds: list[int]) -> None:
    for seed in seeds:
        with TemporaryDirectory() as folder:
            year = asyncio.run(live(Path(folder), seed, days=400, readers=15, deeds_a_day=0.3))
        arrived = sum(len(box.arrived) for box in year.boxes.values())
        print(f"seed {seed}: {arrived} messages, {len(year.oracle.complaints)} complaints")
        print(*year.oracle.complaints[:5], sep="\n")


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [2, 3])
