"""Databases begin as copies: thousands of tests need one, and most begin with the same in it.

tests/store/test_engine.py shows that a new one that is a copy is what its steps make.
"""

from collections.abc import Sequence
from functools import cache

from sqlite_utils import Database, Migrations

from bot.store.sqlite import SqliteStore
from bot.store.sqlite.connections import connected
from bot.store.sqlite.engine import Engine

taken_step_by_step = Engine._migrate


def copy_into(store: SqliteStore, full: SqliteStore) -> None:
    """Let a store in memory hold what another one holds, and nothing else."""
    full.engine._writer.conn.backup(store.engine._writer.conn)


def copied(engine: Engine, migrations: Sequence[Migrations]) -> None:
    """In the place of `Engine._migrate`: what holds nothing yet becomes a copy; then as ever."""
    writer = engine._writer.conn
    if not writer.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        _first(tuple(migrations)).conn.backup(writer)
    taken_step_by_step(engine, migrations)


@cache
def _first(migrations: tuple[Migrations, ...]) -> Database:
    """A database in memory in which every step was taken."""
    made = connected(None)
    for each in migrations:
        each.apply(made)
    return made
