"""Every table, step by step: a folder for each subject, in it a file of SQL for each step.

A step that some database has taken is never changed: whatever comes later is a file of its own.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from sqlite_utils import Database, Migrations
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

SUBJECTS = ("papers", "topics", "reading", "people", "places", "outbox", "ledger", "slack")
"""In this order, as later ones refer to tables of earlier ones."""


@cache
def migrations() -> tuple[Migrations, ...]:
    """The steps of every subject, in the order in which they are taken."""
    return tuple(map(_steps, SUBJECTS))


def _steps(subject: str) -> Migrations:
    found = Migrations(subject)
    for file in sorted((Path(__file__).parent / subject).glob("*.sql")):
        found(name=file.stem)(_step(file.read_text(encoding="utf-8")))
    return found


def _step(sql: str) -> Callable[[Database], None]:
    def take(db: Database) -> None:
        """Statement by statement in the open transaction, which `executescript` would commit."""
        statement = ""
        for piece in sql.split(";"):
            statement += piece + ";"
            if sqlite3.complete_statement(statement):
                db.conn.execute(statement)
                statement = ""

    return take
