"""What was made once and is served again."""

import threading

from bot.web.cache import Cache
from tests.fakes import FrozenClock


def counter():
    made = []

    def make() -> int:
        made.append(1)
        return len(made)

    return make


def test_a_value_is_made_once_while_its_stamp_holds(clock):
    cache, make = Cache[int](clock), counter()

    assert [cache.get("a", 1, make) for _ in range(3)] == [1, 1, 1]
    assert cache.get("a", 2, make) == 2
    assert cache.get("b", 2, make) == 3


def test_a_stale_value_is_served_while_a_new_one_is_made(clock: FrozenClock):
    cache, make = Cache[int](clock, stale_s=60), counter()
    cache.get("a", 1, make)
    clock.forward(seconds=59)

    assert cache.get("a", 2, make) == 1
    cache._worker.shutdown(wait=True)
    assert cache.get("a", 2, make) == 2


def test_a_value_too_old_is_never_served(clock: FrozenClock):
    cache, make = Cache[int](clock, stale_s=60), counter()
    cache.get("a", 1, make)
    clock.forward(seconds=61)

    assert cache.get("a", 2, make) == 2


def test_no_more_than_so_many_are_kept(clock):
    cache, make = Cache[int](clock, most=2), counter()
    for key in "abc":
        cache.get(key, 1, make)

    assert cache.get("c", 1, make) == 3
    assert cache.get("a", 1, make) == 4


def test_many_who_want_the_same_wait_for_one(clock):
    cache, made, go = Cache[int](clock), [], threading.Event()

    def make() -> int:
        go.wait(60)
        made.append(1)
        return 7

    got: list[int] = []
    threads = [
        threading.Thread(target=lambda: got.append(cache.get("a", 1, make))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join()

    assert got == [7] * 8
    assert made == [1]


def test_what_fails_in_the_background_is_tried_again(clock: FrozenClock):
    cache = Cache[int](clock, stale_s=60)
    cache.get("a", 1, lambda: 1)

    assert cache.get("a", 2, lambda: 1 // 0) == 1
    cache._worker.shutdown(wait=True)
    assert cache._renewing == set()
