"""Readers of digests, and what the ledger says of them."""

import pytest


@pytest.fixture
def reader(world):
    world.say("follow tides")
    world.say("follow gulls")
    return world


def ledger(world, kind="prepare"):
    return [(run.outcome, run.papers) for run in world.store.ledger.runs(kind)]


@pytest.fixture
def daily(world):
    world.say("digest daily 8")
    world.say("follow tides")
    return world


def paper_with_faint_tide(world):
    return world.paper("On harbours", abstract="At the very end of all there is one tide.")
