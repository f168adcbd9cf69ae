"""Somebody who follows three topics, and an inbox that keeps digests."""

import pytest

from tests.fakes import Inbox


@pytest.fixture
def follower(world):
    for topic in ("tides", "gulls", "lighthouses"):
        world.say(f"follow {topic}")
    return world


class Keeper(Inbox):
    """Remembers every digest as it was before it was rendered."""

    def __init__(self):
        super().__init__()
        self.digests = []

    def render(self, digest):
        self.digests.append(digest)
        return super().render(digest)
