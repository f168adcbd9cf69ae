"""Weeks and years of many readers, faults and deaths, beside what the promises say of them.

Where a seed fails, its complaints say the hour and the reader; `Year` with fewer readers and days
makes the story short.
"""

import random

import pytest

from tests.year import Year


async def live(folder, monkeypatch, seed: int, **life) -> Year:
    monkeypatch.setattr("bot.app.wiring.JITTER_MINUTES", 1)
    random.seed(seed)  # how long a refused delivery waits
    year = Year(folder, seed, **life)
    monkeypatch.setattr("bot.app.service.clockwork.looks", year.looks)
    while not year.is_over:
        await year.hour()
    year.rooms.close()
    return year


@pytest.mark.parametrize("seed", [1])
async def test_three_weeks_of_many_readers_keep_the_promises(tmp_path, monkeypatch, seed):
    year = await live(tmp_path, monkeypatch, seed, days=21, readers=12, deeds_a_day=2)

    assert year.oracle.complaints == []
    assert sum(len(box.arrived) for box in year.boxes.values()) > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
async def test_a_year_of_many_readers_keeps_the_promises(tmp_path, monkeypatch, seed):
    year = await live(tmp_path, monkeypatch, seed, days=400, readers=15, deeds_a_day=0.3)

    assert year.oracle.complaints == []
