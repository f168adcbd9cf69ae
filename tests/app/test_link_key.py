"""The key that signs links is made once, whole or not at all, and its loss is never hidden."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.app import link_key
from bot.config import ConfigError
from bot.model import Identity
from bot.store.sqlite import open_store
from tests.makers import MONDAY


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def test_it_is_made_once_and_for_its_owner_alone(tmp_path, store):
    key = link_key.kept(tmp_path, store)

    assert len(key) == link_key.SIZE
    assert link_key.kept(tmp_path, store) == key
    assert (tmp_path / "link.key").stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob(".*"))


def test_many_that_start_at_once_sign_with_one_key(tmp_path):
    def start(_: int) -> bytes:
        store = open_store(tmp_path)
        try:
            return link_key.kept(tmp_path, store)
        finally:
            store.close()

    open_store(tmp_path).close()
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(start, range(8)))) == 1


@pytest.mark.parametrize("content", [b"", b"\n", b"ab12", b"no key at all", b"\xff\xfe"])
def test_one_that_is_none_is_refused_with_what_to_do(tmp_path, store, content):
    (tmp_path / "link.key").write_bytes(content)

    with pytest.raises(ConfigError, match=r"empty, cut off or no key\); put the one of a backup"):
        link_key.kept(tmp_path, store)
    assert (tmp_path / "link.key").read_bytes() == content


def test_a_lost_one_is_not_replaced_where_people_hold_links(tmp_path, store):
    key = link_key.kept(tmp_path, store)
    store.people.enrol(Identity("console", "", "ada"), "", MONDAY)
    (tmp_path / "link.key").unlink()

    with pytest.raises(ConfigError, match=r"it is missing, and people have links that it signed"):
        link_key.kept(tmp_path, store)

    (tmp_path / "link.key").write_text(key.hex() + "\n")
    assert link_key.kept(tmp_path, store) == key


def test_nobody_yet_means_nothing_is_lost(tmp_path, store):
    link_key.kept(tmp_path, store)
    (tmp_path / "link.key").unlink()

    assert len(link_key.kept(tmp_path, store)) == link_key.SIZE
