"""`paperround doctor`: everything that could be wrong, looked at and not changed.

Sends no message to anyone; asks arXiv once, in its turn.
"""

import asyncio
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import aiosmtplib
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.app import backups
from bot.app.looks import GOOD
from bot.app.wiring import Rooms
from bot.channels.folder import Folder
from bot.channels.smtp import Smtp
from bot.channels.verdict import Phase, judge
from bot.model import utc_now
from bot.sources import SourceError
from bot.store import StoreError

SOUND_SQLITE = (3, 51, 3)
"""Older ones can damage the database when two connections write and checkpoint at once."""

REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs",
          "fuse.glusterfs", "virtiofs"}  # fmt: skip
SLOW_FSYNC_S = 0.1
CLOCK_OFF_S = 30.0
OLD_BACKUP = timedelta(hours=36)
OLD_POLL = timedelta(days=4)
LATE = timedelta(hours=1)
SCOPES = {"chat:write", "commands", "im:write", "users:read"}


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, and what to do where it is not well."""

    name: str
    state: State
    said: str
    advice: str = ""


def examine(rooms: Rooms, *, outside: bool = True) -> Iterator[Check]:
    """Every check, each as it is done; `outside` asks arXiv, the mail server and Slack too."""
    for look in (*_HERE, *(_OUTSIDE if outside else ())):
        try:
            yield from look(rooms)
        except Exception as error:  # a check that breaks is a finding, not the end
            name = look.__name__.strip("_")
            yield Check(name, State.BAD, f"could not be looked at: {error}", "see the log")


# ------------------------------------------------------------------ what is here


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
            "pip install 'paperround[sqlite]'; it is used by itself",
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
    took = fsync_s(data)
    slow = took > SLOW_FSYNC_S
    yield Check("disk speed", State.WARN if slow else State.OK,
                f"a write is safe after {took * 1000:.1f} ms",
                "sending is held up by the disk" if slow else "")  # fmt: skip


def _secrets(rooms: Rooms) -> Iterator[Check]:
    data = rooms.config.data
    open_ = [
        path
        for path in (data, data / "link.key", data / "paperround.db", data / backups.FOLDER)
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    ]
    if open_:
        names = ", ".join(str(path) for path in open_)
        yield Check("permissions", State.WARN, f"others may read {names}",
                    f"chmod -R go-rwx {data}")  # fmt: skip
    else:
        yield Check("permissions", State.OK, "the data folder is for its owner alone")


def _backup(rooms: Rooms) -> Iterator[Check]:
    found = backups.kept(rooms.config.data)
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
    old = age > OLD_BACKUP
    yield Check("backup", State.WARN if old else State.OK,
                f"{found[0].name} restores ({newest.papers:,} papers), {_hours(age)} old",
                "paperround backup" if old else "")  # fmt: skip


def _sources(rooms: Rooms) -> Iterator[Check]:
    ledger, now = rooms.store.ledger, rooms.core.house.clock()
    for name, called in (("arxiv", "API"), ("rss", "listing"), ("oai", "OAI-PMH")):
        last = ledger.runs("poll", name, limit=1)
        good = ledger.runs("poll", name, outcomes=GOOD, limit=1)
        if not last:
            yield Check(f"poll {called}", State.SKIPPED, "not read yet", "paperround poll")
        elif not good or now - good[0].at > OLD_POLL:
            said = f"not read to the end since {_since(good[0].at if good else None)}"
            yield Check(f"poll {called}", State.WARN, f"{said}: {last[0].reason}",
                        "the other sources bring what it misses")  # fmt: skip
        else:
            yield Check(
                f"poll {called}", State.OK, f"{last[0].outcome}, {_hours(now - last[0].at)} ago"
            )


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
    if not (late or standing.held or standing.overdue):
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


# ------------------------------------------------------------------ what is outside


def _arxiv(rooms: Rooms) -> Iterator[Check]:
    if not rooms.config.arxiv.contact:
        yield Check("contact", State.WARN, "arxiv.contact is not set",
                    "set it to an address of yours: arXiv writes before it blocks")  # fmt: skip
    url = f"{rooms.config.arxiv.api_url}?search_query=cat:cs.LG&start=0&max_results=1"
    try:
        answer = rooms.session.get(url, "feed", tries=1)
    except SourceError as error:
        yield Check("arXiv", State.WARN, str(error), "it is tried again by itself")
        return
    yield Check("arXiv", State.OK, "answers")
    if answer.at:
        yield clock_check("arXiv", answer.at, utc_now())


def clock_check(peer: str, theirs: datetime, ours: datetime) -> Check:
    """Our clock against the one of a peer."""
    off = (ours - theirs).total_seconds()
    if abs(off) > CLOCK_OFF_S:
        return Check("clock", State.WARN, f"{off:+.0f} s from {peer}'s",
                     "set the time of this machine: digests come at the wrong moment")  # fmt: skip
    return Check("clock", State.OK, f"agrees with {peer}'s")


def _mail(rooms: Rooms) -> Iterator[Check]:
    transport = rooms.transport
    if isinstance(transport, Folder):
        folder = rooms.config.data / rooms.config.mail.folder
        yield Check("mail", State.SKIPPED, f"no server is set; mail is written to {folder}",
                    "set mail.host")  # fmt: skip
        return
    assert isinstance(transport, Smtp)
    yield asyncio.run(_greeted(transport))


async def _greeted(server: Smtp) -> Check:
    """Connect, encrypt and log in; send nothing."""
    try:
        client = await asyncio.wait_for(server.connect(), 30)
    except (aiosmtplib.SMTPException, OSError, ValueError) as wrong:
        refused = judge(wrong, Phase.CONNECT, server.relay)
        return Check("mail", State.BAD, str(refused), "mend mail.* and ask again; nothing is lost")
    limit = client.esmtp_extensions.get("size", "")
    try:
        await client.quit(timeout=5)
    except (aiosmtplib.SMTPException, OSError):
        client.close()
    largest = f", mails up to {int(limit) / 1e6:.0f} MB" if limit.isdigit() else ""
    return Check("mail", State.OK, f"{server.relay} lets us in{largest}")


def _slack(rooms: Rooms) -> Iterator[Check]:
    tokens = _slack_tokens(rooms)
    if not tokens:
        yield Check("slack", State.SKIPPED, "no token is set", "see Slack in the README")
    for name, token in tokens:
        yield asyncio.run(_recognised(name, token, rooms.config.slack.api_url))


def _slack_tokens(rooms: Rooms) -> list[tuple[str, str]]:
    configured = rooms.config.slack.bot_token.get_secret_value()
    installed = [(i.name or i.team_id, i.token) for i in rooms.store.slack.installations()
                 if i.gone_at is None]  # fmt: skip
    return ([("the configured token", configured)] if configured else []) + installed


async def _recognised(name: str, token: str, base_url: str) -> Check:
    client = AsyncWebClient(token, base_url=base_url, timeout=20, retry_handlers=[])
    try:
        answer = await client.auth_test()
    except SlackApiError as wrong:
        return Check("slack", State.BAD, f"{name}: {wrong.response.get('error')}",
                     "install the app again, or set slack.bot_token")  # fmt: skip
    except (SlackClientError, OSError, TimeoutError) as wrong:
        return Check("slack", State.WARN, f"{name}: Slack cannot be reached ({wrong})",
                     "it is tried again by itself")  # fmt: skip
    granted = set(str(answer.headers.get("x-oauth-scopes", "")).split(","))
    missing = SCOPES - granted if granted != {""} else set()
    if missing:
        return Check("slack", State.WARN, f"{name}: lacks {', '.join(sorted(missing))}",
                     "update the app from slack-manifest.yaml and install it again")  # fmt: skip
    return Check("slack", State.OK, f"{name}: {answer.get('team')} knows us")


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
    _python, _sqlite, _database, _disk, _secrets, _backup, _sources, _queue, _links,
)  # fmt: skip
_OUTSIDE: tuple[Callable[[Rooms], Iterator[Check]], ...] = (_arxiv, _mail, _slack)

__all__ = ["Check", "State", "clock_check", "examine", "filesystem", "fsync_s"]
