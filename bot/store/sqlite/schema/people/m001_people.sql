CREATE TABLE subscribers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    zone TEXT NOT NULL DEFAULT '',
    consent INTEGER NOT NULL DEFAULT 0,  -- rises whenever something is to be silent
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE identities (
    id INTEGER PRIMARY KEY,
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    kind TEXT NOT NULL, workspace TEXT NOT NULL, external_id TEXT NOT NULL,
    UNIQUE (kind, workspace, external_id)
) STRICT;
CREATE TABLE follows (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    topic_id INTEGER NOT NULL REFERENCES topics,
    since INTEGER NOT NULL,              -- the highest match number when it began
    breadth TEXT NOT NULL,
    muted_until INTEGER,
    without_words TEXT NOT NULL DEFAULT '[]',
    without_authors TEXT NOT NULL DEFAULT '[]',
    created_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX follows_now ON follows (subscriber_id, topic_id) WHERE ended_at IS NULL;
CREATE INDEX follows_of_topic ON follows (topic_id) WHERE ended_at IS NULL;
CREATE TABLE mutes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    kind TEXT NOT NULL, value TEXT NOT NULL, until INTEGER NOT NULL,
    UNIQUE (subscriber_id, kind, value)
) STRICT;
CREATE TABLE destinations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    channel TEXT NOT NULL, address TEXT NOT NULL,
    cadence TEXT NOT NULL, zone TEXT NOT NULL,
    next_due_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'active', reason TEXT NOT NULL DEFAULT '',
    last_sent_at INTEGER,
    epoch INTEGER NOT NULL DEFAULT 0,
    since INTEGER NOT NULL DEFAULT 0,       -- the highest match number when it began
    considered INTEGER NOT NULL DEFAULT 0,  -- matches up to here were told, withheld or cut
    UNIQUE (subscriber_id, channel, address)
) STRICT;
CREATE INDEX destinations_due ON destinations (next_due_at) WHERE state = 'active';
CREATE TABLE saves (
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    seq INTEGER NOT NULL REFERENCES papers, at INTEGER NOT NULL,
    PRIMARY KEY (subscriber_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE feedback (
    subscriber_id INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    seq INTEGER NOT NULL REFERENCES papers, liked INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (subscriber_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE suppressions (address TEXT PRIMARY KEY, reason TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
