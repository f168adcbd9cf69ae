CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('digest', 'letter')),
    key TEXT NOT NULL UNIQUE,       -- the same for every attempt
    period TEXT NOT NULL, edition INTEGER NOT NULL,
    state TEXT NOT NULL CHECK
        (state IN ('pending', 'sending', 'sent', 'failed', 'held', 'skipped')),
    attempts INTEGER NOT NULL DEFAULT 0,  -- answered ones
    unknown INTEGER NOT NULL DEFAULT 0,   -- attempts whose outcome nobody knows
    try_at INTEGER NOT NULL,        -- while sending: when the claim lapses
    due_at INTEGER NOT NULL, made_at INTEGER NOT NULL,
    stale_at INTEGER NOT NULL,      -- not begun by then: composed anew
    consent INTEGER NOT NULL,       -- the subscriber's, when last checked
    topics TEXT NOT NULL,           -- JSON: ids of the topics it names
    error TEXT NOT NULL DEFAULT '', sent_at INTEGER,
    UNIQUE (destination_id, period, edition)
) STRICT;
CREATE INDEX deliveries_open ON deliveries (try_at) WHERE state IN ('pending', 'sending');
CREATE INDEX deliveries_of_destination ON deliveries (destination_id, id);
CREATE TABLE delivery_parts (
    delivery_id INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    page INTEGER NOT NULL,
    content BLOB NOT NULL,          -- exactly as it is handed over
    state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'offered')),
    receipt TEXT NOT NULL DEFAULT '', sent_at INTEGER,
    PRIMARY KEY (delivery_id, page)
) STRICT;
CREATE TABLE told (                 -- nobody is told of a paper twice
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    seq INTEGER NOT NULL REFERENCES papers,
    delivery_id INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    page INTEGER NOT NULL,
    number INTEGER NOT NULL,        -- the lowest match it came by
    PRIMARY KEY (destination_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by ON told (delivery_id);
CREATE TABLE withheld (             -- what a mute kept back, and never comes later
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    number INTEGER NOT NULL,
    topic_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL,
    said INTEGER NOT NULL DEFAULT 0,  -- the delivery that counted it; -1: none ever will
    PRIMARY KEY (destination_id, number)
) STRICT, WITHOUT ROWID;
