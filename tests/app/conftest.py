"""An installation for each test."""

from collections.abc import Iterator

import pytest

from bot.app.wiring import Rooms
from bot.store.sqlite import verify_file
from tests.app.house import ByHand, Mailbox, open_rooms


@pytest.fixture
def opened(tmp_path, clock) -> Iterator[tuple[Rooms, Mailbox]]:
    rooms, mailbox = open_rooms(tmp_path / "data", clock)
    yield rooms, mailbox
    rooms.close()
    verify_file(rooms.config.data / "paperround.db")


@pytest.fixture
def rooms(opened) -> Rooms:
    return opened[0]


@pytest.fixture
def mailbox(opened) -> Mailbox:
    return opened[1]


@pytest.fixture
def arxiv() -> ByHand:
    return ByHand()
