CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,             -- poll, prepare, deliver, backfill, backup, alert …
    subject TEXT NOT NULL,          -- a source's name, d42 for a destination
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    papers INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_of ON runs (kind, subject, id);
CREATE TABLE watermarks (source TEXT PRIMARY KEY, mark TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
CREATE TABLE limiter (              -- real time, shared by every process
    host TEXT PRIMARY KEY, next_allowed_at REAL NOT NULL,
    paused_until REAL NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
    pauses INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, raw TEXT NOT NULL, reason TEXT NOT NULL,
    at INTEGER NOT NULL, UNIQUE (source, raw)
) STRICT;
CREATE TABLE backfill_slices (
    day TEXT PRIMARY KEY, papers INTEGER NOT NULL, took_s REAL NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
