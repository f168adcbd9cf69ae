"""What an examination looks at on this machine: Python, SQLite, the database file, the disk."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bot.app.doctor.findings import Check, State
from bot.app.wiring import Rooms

SOUND_SQLITE = (3, 51, 3)
"""Older ones can damage the database when two connections write and checkpoint at once."""

REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs",
          "fuse.glusterfs", "virtiofs"}  # fmt: skip
SLOW_FSYNC_S = 0.1
MAKE_ROOM = "free some space, or move the data folder"


def python(rooms: Rooms) -> Iterator[Check]:
    """The interpreter, and where its time zones come from."""
    said = f"Python {sys.version.split()[0]}"
    yield Check("python", State.OK, said)
    try:
        yield Check("time zones", State.OK, f"tzdata {version('tzdata')}")
    except PackageNotFoundError:
        yield Check("time zones", State.WARN, "from the system",
                    "install tzdata, so that new rules come with upgrades")  # fmt: skip


def sqlite(rooms: Rooms) -> Iterator[Check]:
    """Whether SQLite is free of a fault that damages databases."""
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


def database(rooms: Rooms) -> Iterator[Check]:
    """Whether the database is whole, and on a disk of this machine."""
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


def disk(rooms: Rooms) -> Iterator[Check]:
    """How much room there is, and how long a write takes to be safe on the disk."""
    data = rooms.config.data
    free = shutil.disk_usage(data).free
    wanted = 2 * sum(rooms.store.engine.sizes().values()) + (256 << 20)
    said = f"{free / 1e9:,.1f} GB free"
    if free < wanted:
        yield Check("disk", State.WARN, f"{said}; {wanted / 1e9:,.1f} GB are wanted",
                    MAKE_ROOM)  # fmt: skip
    else:
        yield Check("disk", State.OK, said)
    try:
        took = fsync_s(data)
    except PermissionError:  # said of the folder itself
        return
    slow = took > SLOW_FSYNC_S
    yield Check("disk speed", State.WARN if slow else State.OK,
                f"a write reaches the disk in {took * 1000:.1f} ms",
                "sending is held up by the disk" if slow else "")  # fmt: skip


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
