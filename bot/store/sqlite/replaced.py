"""What a database can still tell in whose place a backup is put."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from bot.store.sqlite.connections import connected
from bot.store.sqlite.engine import fold_log
from bot.store.sqlite.instants import instant, seconds


def digests_since(path: Path, since: datetime) -> dict[tuple[str, str], datetime] | None:
    """When the last digest since then was composed, by channel and address.

    None where the file is gone or so damaged that it does not tell.
    """
    if not path.is_file():
        return None
    fold_log(path)
    try:
        with closing(connected(path, read_only=True)) as db:
            rows = db.conn.execute(
                "SELECT d.channel, d.address, max(v.made_at) FROM deliveries v"
                " JOIN destinations d ON d.id = v.destination_id"
                " WHERE v.kind = 'digest' AND v.made_at > ? GROUP BY d.channel, d.address",
                (seconds(since),),
            ).fetchall()
    except sqlite3.DatabaseError:
        return None
    return {(channel, address): instant(at) for channel, address, at in rows}
