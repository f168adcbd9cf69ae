CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    field TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL CHECK (origin IN ('catalogue', 'own')),
    owner_id INTEGER,               -- the subscriber whose own it is
    version INTEGER NOT NULL DEFAULT 1,
    retired_at INTEGER,
    rematch_from INTEGER            -- papers up to here wait to be matched anew
) STRICT;
CREATE TABLE topic_versions (
    topic_id INTEGER NOT NULL REFERENCES topics, version INTEGER NOT NULL,
    query TEXT NOT NULL, weights TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE topic_names (          -- names, aliases and retired slugs, folded
    folded TEXT PRIMARY KEY, printed TEXT NOT NULL,
    topic_id INTEGER NOT NULL REFERENCES topics
) STRICT, WITHOUT ROWID;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, digests select by it
    topic_id INTEGER NOT NULL REFERENCES topics,
    seq INTEGER NOT NULL REFERENCES papers,
    live INTEGER NOT NULL,
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    version INTEGER NOT NULL,
    UNIQUE (topic_id, seq)
) STRICT;
CREATE INDEX matches_of_paper ON matches (seq);
CREATE INDEX matches_by_topic ON matches (topic_id, number);
