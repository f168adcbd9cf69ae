"""Weeks of many readers, faults and deaths, beside what the promises say of them.

Where a seed fails, its complaints say the hour and the reader; `live` with fewer readers and days
makes the story short.  `python -m tests.bench.years` lives for longer.
"""

from tests.year import live


async def test_three_weeks_of_many_readers_keep_the_promises(tmp_path):
    year = await live(tmp_path, 1, days=21, readers=12, deeds_a_day=2)

    assert year.oracle.complaints == []
    assert sum(len(box.arrived) for box in year.boxes.values()) > 50
