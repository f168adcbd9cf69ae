"""`paperround doctor`: everything that could be wrong, looked at and not changed.

Sends no message to anyone; asks arXiv once, in its turn.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType

from bot.app import alerts, backups, outside
from bot.app.daily import OLD
from bot.app.findings import Check, State
from bot.app.ownership import private, writable
from bot.app.wiring import Rooms
from bot.core.pipeline.standing import CALLED, LATE
from bot.store import READ_TO_THE_END, Ledger, StoreError

SOUND_SQLITE = (3, 51, 3)
"""Older ones can damage the database when two connections write and checkpoint at once."""

REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs",
          "fuse.glusterfs", "virtiofs"}  # fmt: skip
SLOW_FSYNC_S = 0.1
OLD_POLL = timedelta(days=4)


def examine(
    rooms: Rooms,
    *,
    others: bool = True,
    secrets: Sequence[Path] = (),
    overridden: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Check]:
    """Every check, each as it is done.

    `others` asks arXiv, the mail server and Slack too; `secrets` are files that hold one;
    `overridden` are keys of the configuration file with the variable that wins over each.
    """
    yield from private(rooms.config.data, secrets)
    yield from writable(rooms.config)
    yield from _settings(overridden)
    for look in (*_HERE, *(_OUTSIDE if others else ())):
        try:
            yield from look(rooms)
        except Exception as error:  # a check that breaks is a finding, not the end
            name = look.__name__.strip("_")
            yield Check(name, State.BAD, f"could not be looked at: {error}", "see the log")


# ------------------------------------------------------------------ what is here


def _settings(overridden: Mapping[str, str]) -> Iterator[Check]:
    """Said and not warned of: the image and the unit do it on purpose."""
    if overridden:
        won = ", ".join(f"{variable} over {key}" for key, variable in overridden.items())
        yield Check("settings", State.OK, f"the environment wins over the file: {won}")


def _python(rooms: Rooms) -> Iterator[Check]:
    said = f"Python {sys.version.split()[0]}"
    yield Check("python", State.OK, said)
    try:
        yield Check("time zones", State.OK, f"tzdata {version('tzdata')}")
    except PackageNotFoundError:
        yield Check("time zones", State.WARN, "from the system",
                    "install tzdata, so that new rules come with upgrades")  # fmt: skip


def _sqlite(rooms: Rooms) -> Iterator[Check]:
    said = rooms.store.engine.sqlite_version
    sound = tuple(int(part) for part in said.split(".")) >= SOUND_SQLITE
    if sound:
        yield Check("sqlite", State.OK, f"SQLite {said}")
    else:
        yield Check(
            "sqlite", State.WARN,
            f"SQLite {said} has a rare fault that damages databases (mended in 3.51.3)",
            "pip install '.[sqlite]' in the checkout; it is used by itself",
        )  # fmt: skip


def _database(rooms: Rooms) -> Iterator[Check]:
    engine = rooms.store.engine
    if engine.path is None:
        return
    mode = engine.value("PRAGMA journal_mode")
    kind = filesystem(engine.path)
    if kind in REMOTE:
        yield Check("filesystem", State.BAD, f"{engine.path} is on {kind}",
                    "move the data folder to a local disk: networks damage it")  # fmt: skip
    else:
        yield Check("filesystem", State.OK, f"{kind or 'local'}, {mode.upper()}")
    problems = engine.problems()
    if problems:
        yield Check("database", State.BAD, problems[0], "paperround restore latest")
    else:
        size = sum(engine.sizes().values())
        yield Check("database", State.OK, f"whole, {size / 1e6:,.1f} MB")


def _disk(rooms: Rooms) -> Iterator[Check]:
    data = rooms.config.data
    free = shutil.disk_usage(data).free
    wanted = 2 * sum(rooms.store.engine.sizes().values()) + (256 << 20)
    said = f"{free / 1e9:,.1f} GB free"
    if free < wanted:
        yield Check("disk", State.WARN, f"{said}; {wanted / 1e9:,.1f} GB are wanted",
                    "free some space, or move the data folder")  # fmt: skip
    else:
        yield Check("disk", State.OK, said)
    try:
        took = fsync_s(data)
    except PermissionError:  # said of the folder itself
        return
    slow = took > SLOW_FSYNC_S
    yield Check("disk speed", State.WARN if slow else State.OK,
                f"a write is safe after {took * 1000:.1f} ms",
                "sending is held up by the disk" if slow else "")  # fmt: skip


def _backup(rooms: Rooms) -> Iterator[Check]:
    try:
        found = backups.kept(rooms.config.data)
    except StoreError as error:
        yield Check("backup", State.BAD, str(error), "the service can make no backup there")
        return
    if not found:
        off = rooms.config.operator.backups == 0
        yield Check("backup", State.SKIPPED if off else State.WARN, "there is none",
                    "operator.backups is 0: make them yourself" if off
                    else "paperround backup; the service makes one a day")  # fmt: skip
        return
    try:
        newest = backups.try_out(found[0], rooms.config.data)
    except StoreError as error:
        yield Check("backup", State.BAD, str(error), "paperround backup")
        return
    age = rooms.core.house.clock() - newest.made_at
    old = age > OLD
    yield Check("backup", State.WARN if old else State.OK,
                f"{found[0].name} restores ({newest.papers:,} papers), {_hours(age)} old",
                "paperround backup" if old else "")  # fmt: skip


def _sources(rooms: Rooms) -> Iterator[Check]:
    ledger, now = rooms.store.ledger, rooms.core.house.clock()
    for name, called in (("arxiv", "API"), ("rss", "listing"), ("oai", "OAI-PMH")):
        last = ledger.last("poll", name)
        good = ledger.last("poll", name, outcomes=READ_TO_THE_END)
        if not last:
            yield Check(f"poll {called}", State.SKIPPED, "not read yet",
                        f"paperround poll --source {name}")  # fmt: skip
        elif not good or now - good.at > OLD_POLL:
            said = f"not read to the end since {_since(good.at if good else None)}"
            why = f": {last.reason}" if last.reason else ""
            yield Check(f"poll {called}", State.WARN, f"{said}{why}", _healed(ledger, name, now))
        else:
            said = f"{last.outcome}, {_hours(now - last.at)} ago"
            yield Check(f"poll {called}", State.OK, said)


def _healed(ledger: Ledger, name: str, now: datetime) -> str:
    """What to do about a source that is not read: nothing, where another one is."""
    others = (ledger.last("poll", other, outcomes=READ_TO_THE_END)
              for other in CALLED if other != name)  # fmt: skip
    if any(run and now - run.at <= OLD_POLL for run in others):
        return "the other sources bring what it misses"
    return f"is the service running?  paperround poll --source {name}"


def _records(rooms: Rooms) -> Iterator[Check]:
    if said := rooms.core.standing().clock:
        yield Check("records", State.WARN, said, "set the time of this machine by NTP")


def _line(rooms: Rooms) -> Iterator[Check]:
    """Silent where Slack calls us, or was never to speak to us."""
    if said := rooms.core.standing().line:
        yield Check("slack line", State.WARN, said.removeprefix("Slack: "),
                    "paperround doctor without --offline asks Slack for a new one")  # fmt: skip


def _matching(rooms: Rooms) -> Iterator[Check]:
    for each in rooms.core.standing().unmatched:
        yield Check("matching", State.WARN, each,
                    "please report it; it is tried every 6 hours, and told then")  # fmt: skip


def _queue(rooms: Rooms) -> Iterator[Check]:
    standing = rooms.core.standing()
    now = standing.now
    late = [each for each in standing.waiting if now - each.oldest_due_at > LATE]
    for each in late:
        yield Check("queue", State.WARN, f"{each.channel}: {each.deliveries} wait, the oldest "
                    f"{_hours(now - each.oldest_due_at)}. {each.error}",
                    "paperround queue ls")  # fmt: skip
    if standing.held:
        yield Check("queue", State.WARN, f"{standing.held} held", "paperround queue ls --held")
    if standing.overdue:
        yield Check("queue", State.WARN, f"{standing.overdue} digests are late",
                    "is the service running?")  # fmt: skip
    if standing.uncomposed:
        yield Check("queue", State.WARN, standing.uncomposed, "see the log")
    if not (late or standing.held or standing.overdue or standing.uncomposed):
        yield Check("queue", State.OK, "nothing is late")


def _links(rooms: Rooms) -> Iterator[Check]:
    web = rooms.config.web
    if not web.address:
        yield Check("links", State.WARN, "web.address is not set: mail has no unsubscribe link",
                    "set web.address to where people reach the pages")  # fmt: skip
    elif not web.address.startswith("https:") and web.public:
        yield Check("links", State.WARN, f"{web.address} is not https",
                    "put a proxy with TLS before it")  # fmt: skip
    else:
        yield Check("links", State.OK, web.address)


def _proxy(rooms: Rooms) -> Iterator[Check]:
    """Whether a proxy on another machine, or outside of the container, is known as one."""
    web = rooms.config.web
    elsewhere = web.address.startswith("https:") and not web.listens_here
    if not web.serves_others:
        yield Check("proxy", State.SKIPPED, "the pages are for this machine")
    elif elsewhere and not web.proxies:
        yield Check("proxy", State.WARN, "web.proxies is not set: all readers count as one address",
                    "name where the proxy connects from; let it send X-Forwarded-For")  # fmt: skip
    else:
        yield Check("proxy", State.OK, f"believed from {', '.join(web.trusted_proxies)}")


# ------------------------------------------------------------------ measuring


def filesystem(path: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """The type of the filesystem that holds a path, "" where the system does not say."""
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    here = str(path.resolve())
    best, kind = "", ""
    for line in lines:
        _, point, type_, *_ = line.split()
        point = point.replace("\\040", " ")
        inside = here == point or here.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, type_
    return kind


def fsync_s(folder: Path, times: int = 5) -> float:
    """The slowest of a few small writes that were waited for, in seconds."""
    probe, slowest = folder / ".fsync", 0.0
    try:
        with probe.open("wb") as file:
            for _ in range(times):
                began = time.perf_counter()
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
                slowest = max(slowest, time.perf_counter() - began)
    finally:
        probe.unlink(missing_ok=True)
    return slowest


def _hours(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return (
        f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} h" if hours >= 1 else "under 1 h"
    )


def _since(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else "the start"


_HERE: tuple[Callable[[Rooms], Iterator[Check]], ...] = (
    _python, _sqlite, _database, _disk, _backup, _sources, _records, _line, _matching, _queue,
    _links, _proxy, alerts.hearing,
)  # fmt: skip
_OUTSIDE: tuple[Callable[[Rooms], Iterator[Check]], ...] = (
    outside.arxiv,
    outside.mail,
    outside.slack,
    outside.slack_line,
)
